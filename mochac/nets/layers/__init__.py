"""Layers, a family per file, found by scanning this folder; and the names needed to write a layer of your own.

Names are loaded when they are first used. See docs/guide/own-layers.md, and CONTRIBUTING.md for layers of the package.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

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
    "base.records": ("option",),
    "base.rules": "boolean choice integer real text".split(),
    "ir.graph": ("Value",),
    "ir.op": ("OpTypeError",),
    "nets.layers._layer_value": ("LayerValue",),
    "nets.layers._losses": ("Loss",),
    "nets.layers.augmentations": ("Augmentation",),
    "nets.layers.base": ("Layer", "Parametric", "features", "layer"),
    "nets.layers.context": ("TraceContext",),
    "nets.layers.functions": ("custom_gradient",),
    "nets.layers.field_kinds": ("axis", "pair", "shape"),
    "nets.layers.fields": ("instance",),
    "nets.layers.initializers": ("Initializer",),
    "nets.layers.neurons": ("Neuron",),
    "nets.layers.regularizers": ("Constraint", "Regularizer"),
    "nets.layers.transformers": ("DataTransformer",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

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


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'mochac.nets.layers' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"mochac.{_HOME[name]}"), name)
    globals()[name] = value
    return value
