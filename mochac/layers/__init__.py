"""Layers: one file each, found by a folder scan; what a layer of one's own is written with is imported from here.

See docs/guide/own-layers.md for users, CONTRIBUTING.md for layers of the package.
"""

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.layers.base import Layer, Parametric, features, layer
from mochac.layers.context import TraceContext
from mochac.layers.fields import axis, boolean, choice, instance, integer, option, pair, real, shape, text
from mochac.layers.initializers import Initializer
from mochac.layers.regularizers import Regularizer

__all__ = [
    "Initializer",
    "Layer",
    "OpTypeError",
    "Parametric",
    "Regularizer",
    "TraceContext",
    "Value",
    "axis",
    "boolean",
    "choice",
    "features",
    "instance",
    "integer",
    "layer",
    "option",
    "pair",
    "real",
    "shape",
    "text",
]
