"""Fields of layers with parameters: fillers, learning rates, decay and sharing, as Caffe gives them.

The converters of Convolution and InnerProduct call `parameter_fields`. It knows ParamSpec and FillerParameter and no
particular layer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mochac.frontend.caffe.builder import Builder
from mochac.frontend.caffe.layer import CaffeLayer, number
from mochac.frontend.caffe.loaded import Loaded
from mochac.layers.initializers import (
    ConstantInitializer,
    GaussianInitializer,
    GlorotUniformInitializer,
    HeNormalInitializer,
    Initializer,
    UniformInitializer,
    XavierInitializer,
)
from mochac.layers.regularizers import L1Regu, L2Regu, NoRegu, Regularizer
from mochac.runtime.log import LOG


def parameter_fields(b: Builder, layer: CaffeLayer, main: str, param: Any) -> dict[str, Any]:
    """Fields of a mochac layer with the parameters `main` ("filter" or "weight") and "bias".

    Caffe's defaults are not Mocha's: factors of learning rate and decay are 1 for both, fillers are zero. A layer
    without bias gets one that is zero and stays so.

    Raises:
        UnsupportedError: a filler or a sharing that mochac does not have.
    """
    fields: dict[str, Any] = {}
    fillers = {main: param.weight_filler, "bias": param.bias_filler}
    for k, (name, filler) in enumerate(fillers.items()):
        absent = name == "bias" and not param.bias_term
        rate, decay = (0.0, 0.0) if absent else _factors(layer, k)
        fields[f"{name}_init"] = ConstantInitializer(0.0) if absent else _initializer(b, layer, name, filler)
        fields[f"{name}_regu"] = _regularizer(b.options.regularization, decay)
        fields[f"{name}_lr"] = rate
    key = b.shared_key(layer)
    return {**fields, "param_key": key} if key else fields


def _factors(layer: CaffeLayer, k: int) -> tuple[float, float]:
    """lr_mult and decay_mult of parameter k."""
    given = layer.message.param
    return (number(given[k].lr_mult), number(given[k].decay_mult)) if k < len(given) else (1.0, 1.0)


def _regularizer(kind: str, decay: float) -> Regularizer:
    if not decay:
        return NoRegu()
    return L1Regu(decay) if kind == "L1" else L2Regu(decay)


def _initializer(b: Builder, layer: CaffeLayer, name: str, filler: Any) -> Initializer:
    weights = b.options.weights
    if weights is not None:
        full = f"{layer.name}___{name}"
        if full in weights.arrays:
            return Loaded(weights, full)
        LOG.warning("%s has no parameter %r for layer %r: drawn by its filler", weights.path, name, layer.name)
    make = _FILLERS.get(filler.type)
    if make is None:
        raise layer.refused(f"no counterpart for filler {filler.type!r}", " ".join(sorted(_FILLERS)), filler.type)
    return make(layer, filler)


def _constant(layer: CaffeLayer, filler: Any) -> Initializer:
    return ConstantInitializer(number(filler.value))


def _gaussian(layer: CaffeLayer, filler: Any) -> Initializer:
    layer.require("sparse of a gaussian filler", filler.sparse, -1)
    return GaussianInitializer(number(filler.mean), number(filler.std))


def _uniform(layer: CaffeLayer, filler: Any) -> Initializer:
    if filler.min != -filler.max:
        raise layer.refused("a uniform filler is not symmetric", "min == -max", f"{filler.min} to {filler.max}")
    return UniformInitializer(number(filler.max))


def _xavier(layer: CaffeLayer, filler: Any) -> Initializer:
    """sqrt(3 / n), n = fan_in as Mocha has it, or the average of fan_in and fan_out as Glorot has it."""
    if filler.variance_norm == _AVERAGE:
        return GlorotUniformInitializer()
    layer.require("variance_norm FAN_OUT of a filler", filler.variance_norm, _FAN_IN)
    return XavierInitializer()


def _msra(layer: CaffeLayer, filler: Any) -> Initializer:
    layer.require("variance_norm of an msra filler", filler.variance_norm, _FAN_IN)
    return HeNormalInitializer()


_FAN_IN, _AVERAGE = 0, 2
_FILLERS: dict[str, Callable[[CaffeLayer, Any], Initializer]] = {
    "constant": _constant,
    "gaussian": _gaussian,
    "msra": _msra,
    "uniform": _uniform,
    "xavier": _xavier,
}
