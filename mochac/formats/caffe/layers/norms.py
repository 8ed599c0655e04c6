"""Caffe's BatchNorm, whose scale and shift are those of a Scale behind it, Scale and Bias."""

from __future__ import annotations

from typing import Any

from mochac.formats.caffe.builder import Builder, CaffeLayer, converter, number
from mochac.formats.caffe.params import loaded_or, own_fields
from mochac.nets.layers.initializers import ConstantInitializer


@converter("BatchNorm")
def batch_norm(b: Builder, layer: CaffeLayer) -> None:
    """BatchNormLayer without parameters. Source: src/caffe/layers/batch_norm_layer.cpp.

    Caffe keeps sums, to which every step adds a batch after multiplying them by moving_average_fraction f, and a
    divisor; mochac keeps the means, which move towards those of a batch by 1 - f. After many steps these are the same.
    """
    param = layer.message.batch_norm_param
    given, testing = param.HasField("use_global_stats"), b.options.phase == "test"
    if testing and given and not param.use_global_stats:
        raise layer.refused("a net for the test phase normalizes by the batch", "use_global_stats: true", "false")
    frozen = {"frozen_statistics": True} if given and not testing and param.use_global_stats else {}
    b.add(
        "BatchNorm",
        layer,
        bottoms=b.bottoms(layer),
        affine=False,
        epsilon=number(param.eps),
        momentum=round(1 - number(param.moving_average_fraction), 12),
        **frozen,
        mean_init=loaded_or(b, layer, "mean", ConstantInitializer(0.0)),
        variance_init=loaded_or(b, layer, "variance", ConstantInitializer(1.0)),
        tops=b.tops(layer),
    )


@converter("Scale", bottoms=(1, 2))
def scale(b: Builder, layer: CaffeLayer) -> None:
    """ScaleLayer; with two bottoms, only its shift is learnt."""
    param, bottoms = layer.message.scale_param, b.bottoms(layer)
    learnt: dict[str, Any] = {"scale": (param.filler, 1.0)} if len(bottoms) == 1 else {}
    learnt |= {"shift": (param.bias_filler, 0.0)} if param.bias_term else {}
    shifted = {"shifted": True} if param.bias_term else {}
    fields = own_fields(b, layer, **learnt) if learnt else {}
    b.add("Scale", layer, bottoms=bottoms, **_axes(param), **shifted, **fields, tops=b.tops(layer))


@converter("Bias", bottoms=(1, 2))
def bias(b: Builder, layer: CaffeLayer) -> None:
    """BiasLayer."""
    param, bottoms = layer.message.bias_param, b.bottoms(layer)
    fields = own_fields(b, layer, shift=(param.filler, 0.0)) if len(bottoms) == 1 else {}
    b.add("Bias", layer, bottoms=bottoms, **_axes(param), **fields, tops=b.tops(layer))


def _axes(param: Any) -> dict[str, int]:
    """`axis` and `num_axes`, unless they have the default values."""
    return {name: getattr(param, name) for name in ("axis", "num_axes") if getattr(param, name) != 1}
