"""Layers, one per file, found by scanning this folder; and the names needed to write a layer of your own.

Names are loaded when they are first used. See docs/guide/own-layers.md, and CONTRIBUTING.md for layers of the package.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mochac.ir.graph import Value
    from mochac.ir.op import OpTypeError
    from mochac.layers._layer_value import LayerValue
    from mochac.layers._losses import Loss
    from mochac.layers.augmentations import Augmentation
    from mochac.layers.axis_fields import axis, pair
    from mochac.layers.base import Layer, Parametric, features, layer
    from mochac.layers.constraints import Constraint
    from mochac.layers.context import TraceContext
    from mochac.layers.fields import boolean, choice, instance, integer, option, real, text
    from mochac.layers.initializers import Initializer
    from mochac.layers.neurons import Neuron
    from mochac.layers.own_gradient import custom_gradient
    from mochac.layers.regularizers import Regularizer
    from mochac.layers.shape_fields import shape
    from mochac.layers.transformers import DataTransformer

_HOMES = {
    "ir.graph": ("Value",),
    "ir.op": ("OpTypeError",),
    "layers._layer_value": ("LayerValue",),
    "layers._losses": ("Loss",),
    "layers.augmentations": ("Augmentation",),
    "layers.base": ("Layer", "Parametric", "features", "layer"),
    "layers.constraints": ("Constraint",),
    "layers.context": ("TraceContext",),
    "layers.own_gradient": ("custom_gradient",),
    "layers.axis_fields": ("axis", "pair"),
    "layers.fields": "boolean choice instance integer option real text".split(),
    "layers.shape_fields": ("shape",),
    "layers.initializers": ("Initializer",),
    "layers.neurons": ("Neuron",),
    "layers.regularizers": ("Regularizer",),
    "layers.transformers": ("DataTransformer",),
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
        raise AttributeError(f"module 'mochac.layers' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"mochac.{_HOME[name]}"), name)
    globals()[name] = value
    return value
