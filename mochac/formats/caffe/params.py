"""Fillers, learning rates, decay and sharing of parameters, as fields of mochac's layers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mochac.base.support.log import LOG
from mochac.formats.caffe.builder import Builder, CaffeLayer, Loaded, SparseGaussian, UniformBetween, number
from mochac.nets.layers.initializers import (
    BilinearInitializer,
    ConstantInitializer,
    GaussianInitializer,
    GlorotUniformInitializer,
    HeNormalInitializer,
    Initializer,
    UniformInitializer,
    XavierInitializer,
)
from mochac.nets.layers.regularizers import L1Regu, L2Regu, NoRegu, Regularizer

Shape = tuple[int, ...]
_WITH_BIAS = {
    "Convolution": "convolution_param",
    "Deconvolution": "convolution_param",
    "Embed": "embed_param",
    "InnerProduct": "inner_product_param",
}
"""Types with a weight and, unless bias_term is false, a bias; and their fields of settings."""


def parameter_fields(
    b: Builder, layer: CaffeLayer, main: str, param: Any, shape: Callable[[], Shape]
) -> dict[str, Any]:
    """Fields of a mochac layer with the parameters `main` ("filter" or "weight") and "bias".

    Caffe's defaults differ from Mocha's: factors of learning rate and decay are 1 for both, and fillers are zero.
    Layers that share all their parameters get the same param_key; a parameter that is shared without the layer's others
    becomes a ParameterLayer.

    Args:
        shape: returns the extents of `main`; called only if they are needed.

    Raises:
        UnsupportedError: a filler that mochac does not have.
    """
    fields: dict[str, Any] = {} if param.bias_term else {"bias": False}
    fillers, names = {main: param.weight_filler, **_bias_filler(param)}, parameter_names(layer)
    for k, (name, filler) in enumerate(fillers.items()):
        found = settings(b, layer, k, name, filler)
        if names[k] in b.single:
            extents = shape() if k == 0 else (int(param.num_output),)
            fields[name] = b.parameter(names[k], layer, shape=extents, **found)
        else:
            fields.update({f"{name}_{setting}": value for setting, value in found.items()})
    key = b.key(names, layer) if all(names) and not b.single.intersection(names) else ""
    return {**fields, "param_key": key} if key else fields


def _bias_filler(param: Any) -> dict[str, Any]:
    return {"bias": param.bias_filler} if param.bias_term else {}


def own_fields(b: Builder, layer: CaffeLayer, **fillers: tuple[Any, float]) -> dict[str, Any]:
    """Fields for the parameters of PReLU, Scale and Bias: for each, its filler and the value if none is given."""
    fields: dict[str, Any] = {}
    for k, (name, (filler, value)) in enumerate(fillers.items()):
        filled = filler if filler.ListFields() else type(filler)(value=value)
        fields.update({f"{name}_{s}": v for s, v in settings(b, layer, k, name, filled).items()})
    names = tuple(spec.name for spec in layer.message.param)[: len(fillers)]
    key = b.key(names, layer) if len(names) == len(fillers) and all(names) else ""
    return {**fields, "param_key": key} if key else fields


def loaded_or(b: Builder, layer: CaffeLayer, name: str, init: Initializer) -> Initializer:
    """The parameter or state `name` of the weights that were given, else `init`."""
    weights = b.options.weights
    if weights is None:
        return init
    full = f"{layer.name}___{name}"
    if full in weights.arrays:
        return Loaded(weights, full)
    LOG.warning("%s has no parameter %r for layer %r: its filler is used", weights.path, name, layer.name)
    return init


def parameter_names(layer: CaffeLayer) -> tuple[str, ...]:
    """Names of the two parameters of a layer, "" for none; a missing bias is named after the weight."""
    names = [spec.name for spec in layer.message.param][:2]
    first, second = (*names, "", "")[:2]
    param = getattr(layer.message, _WITH_BIAS[layer.type])
    return first, second if param.bias_term else first and f"{first}, bias"


def shared_alone(layers: Iterable[CaffeLayer]) -> frozenset[str]:
    """Names of parameters that layers share while their other parameters are their own."""
    users: dict[str, set[tuple[str, ...]]] = {}
    for layer in layers:
        if layer.type in _WITH_BIAS:
            names = parameter_names(layer)
            for name in filter(None, names):
                users.setdefault(name, set()).add(names if all(names) else (*names, layer.name))
    return frozenset(name for name, tuples in users.items() if len(tuples) > 1)


def recurrent_fields(b: Builder, layer: CaffeLayer, static: bool) -> dict[str, Any]:
    """Fields for the parameters of RNN and LSTM: W_x, b and W_h; `static`: between b and W_h is the weight of x_static,
    whose columns are the last ones of weight_x (base/files/caffe_binary.py).

    Caffe has one bias, mochac two, of which the second starts at zero. Both get half of the learning rate, so that
    their sum moves as Caffe's does. Factors of all weights must be the same.
    """
    param = layer.message.recurrent_param
    x = settings(b, layer, 0, "weight_x", param.weight_filler)
    bias = settings(b, layer, 1, "bias_x", param.bias_filler)
    h = settings(b, layer, 3 if static else 2, "weight_h", param.weight_filler)
    others = [h, *([settings(b, layer, 2, "weight_x", param.weight_filler)] if static else [])]
    for other in others:
        if (other["regu"], other["lr"]) != (x["regu"], x["lr"]):
            rule = f"lr_mult and decay_mult must be the same for {'all' if static else 'both'} weights"
            raise layer.refused(rule, got=f"{x['lr']} and {other['lr']}")
    fields = {f"weight_{name}": value for name, value in x.items()}
    fields |= {f"bias_{name}": value for name, value in bias.items()}
    fields["bias_lr"] = bias["lr"] / 2
    return {**fields, "weight_h_init": h["init"], "bias_h_init": ConstantInitializer(0.0)}


def settings(b: Builder, layer: CaffeLayer, k: int, name: str, filler: Any) -> dict[str, Any]:
    """init, regu and lr of a parameter."""
    rate, decay = _factors(layer, k)
    return {
        "init": _initializer(b, layer, name, filler),
        "regu": _regularizer(b.options.regularization, decay),
        "lr": rate,
    }


def _factors(layer: CaffeLayer, k: int) -> tuple[float, float]:
    """lr_mult and decay_mult of parameter k."""
    specs = layer.message.param
    return (number(specs[k].lr_mult), number(specs[k].decay_mult)) if k < len(specs) else (1.0, 1.0)


def _regularizer(kind: str, decay: float) -> Regularizer:
    if not decay:
        return NoRegu()
    return L1Regu(decay) if kind == "L1" else L2Regu(decay)


def _initializer(b: Builder, layer: CaffeLayer, name: str, filler: Any) -> Initializer:
    make = _FILLERS.get(filler.type)
    if make is None:
        raise layer.refused(f"no counterpart for filler {filler.type!r}", " ".join(sorted(_FILLERS)), filler.type)
    return loaded_or(b, layer, name, make(layer, filler))


def _constant(layer: CaffeLayer, filler: Any) -> Initializer:
    return ConstantInitializer(number(filler.value))


def _gaussian(layer: CaffeLayer, filler: Any) -> Initializer:
    if filler.sparse >= 0:
        return SparseGaussian(number(filler.mean), number(filler.std), int(filler.sparse))
    return GaussianInitializer(number(filler.mean), number(filler.std))


def _uniform(layer: CaffeLayer, filler: Any) -> Initializer:
    if filler.min != -filler.max:
        return UniformBetween(number(filler.min), number(filler.max))
    return UniformInitializer(number(filler.max))


def _xavier(layer: CaffeLayer, filler: Any) -> Initializer:
    """sqrt(3 / n), n = fan_in as Mocha has it, or the average of fan_in and fan_out as Glorot has it."""
    if filler.variance_norm == _AVERAGE:
        return GlorotUniformInitializer()
    _require_fan_in(layer, filler)
    return XavierInitializer()


def _msra(layer: CaffeLayer, filler: Any) -> Initializer:
    _require_fan_in(layer, filler)
    return HeNormalInitializer()


def _require_fan_in(layer: CaffeLayer, filler: Any) -> None:
    """Refuse another variance_norm."""
    names = filler.DESCRIPTOR.fields_by_name["variance_norm"].enum_type.values_by_number
    norm = names[filler.variance_norm].name
    if norm != "FAN_IN":
        raise layer.refused(f"variance_norm {norm} is not supported", expected="FAN_IN", got=norm)


def _bilinear(layer: CaffeLayer, filler: Any) -> Initializer:
    return BilinearInitializer()


_AVERAGE = 2
_FILLERS: dict[str, Callable[[CaffeLayer, Any], Initializer]] = {
    "bilinear": _bilinear,
    "constant": _constant,
    "gaussian": _gaussian,
    "msra": _msra,
    "uniform": _uniform,
    "xavier": _xavier,
}
