"""Layers, a family per file, found by scanning this folder; and the names needed to write a layer of your own.

Names are loaded when they are first used. See docs/guide/own-layers.md, and CONTRIBUTING.md for layers of the package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mochac.base.public_paths import loaded_later

if TYPE_CHECKING:
    from mochac.base.records import option
    from mochac.base.rules import boolean, choice, integer, real, text
    from mochac.ir.graph import Value
    from mochac.ir.op import OpTypeError
    from mochac.nets.layers._layer_value import LayerValue
    from mochac.nets.layers._losses import Loss
    from mochac.nets.layers.augmentations import Augmentation
    from mochac.nets.layers.base import Layer, Parametric, features, layer
    from mochac.nets.layers.context import TraceContext
    from mochac.nets.layers.fields import axis, instance, pair, shape
    from mochac.nets.layers.functions import custom_gradient
    from mochac.nets.layers.initializers import Initializer
    from mochac.nets.layers.neurons import Neuron
    from mochac.nets.layers.regularizers import Constraint, Regularizer
    from mochac.nets.layers.transformers import DataTransformer

_HOMES = {
    "mochac.base.records": ("option",),
    "mochac.base.rules": "boolean choice integer real text".split(),
    "mochac.ir.graph": ("Value",),
    "mochac.ir.op": ("OpTypeError",),
    "mochac.nets.layers._layer_value": ("LayerValue",),
    "mochac.nets.layers._losses": ("Loss",),
    "mochac.nets.layers.augmentations": ("Augmentation",),
    "mochac.nets.layers.base": ("Layer", "Parametric", "features", "layer"),
    "mochac.nets.layers.context": ("TraceContext",),
    "mochac.nets.layers.functions": ("custom_gradient",),
    "mochac.nets.layers.fields": ("axis", "instance", "pair", "shape"),
    "mochac.nets.layers.initializers": ("Initializer",),
    "mochac.nets.layers.neurons": ("Neuron",),
    "mochac.nets.layers.regularizers": ("Constraint", "Regularizer"),
    "mochac.nets.layers.transformers": ("DataTransformer",),
}

__all__ = [
    "Augmentation",
    "Constraint",
    "DataTransformer",
    "LayerValue",
    "Initializer",
    "Layer",
    "Loss",
    "Neuron",
    "OpTypeError",
    "Parametric",
    "Regularizer",
    "TraceContext",
    "Value",
    "axis",
    "boolean",
    "choice",
    "custom_gradient",
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


__getattr__ = loaded_later("mochac.nets.layers", _HOMES, globals())
