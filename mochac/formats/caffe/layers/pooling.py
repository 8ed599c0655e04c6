"""Caffe's Pooling, whose mean divides by the size of the window within the padded image, and LRN."""

from __future__ import annotations

from mochac.formats.caffe.builder import Builder
from mochac.formats.caffe.converters import converter
from mochac.formats.caffe.layer import CaffeLayer, number, per_axis
from mochac.nets.layers.lrn import LRNMode
from mochac.nets.layers.pooling import Pooling

_FUNCTIONS = {"MAX": Pooling.Max(), "AVE": Pooling.Mean()}
_CEIL, _WITHIN = 0, 1


@converter("Pooling", tops=(1, 2))
def pooling(b: Builder, layer: CaffeLayer) -> None:
    """PoolingLayer with divisor="caffe", or GlobalPoolingLayer. Source: src/caffe/layers/pooling_layer.cpp."""
    param = layer.message.pooling_param
    name = param.DESCRIPTOR.fields_by_name["pool"].enum_type.values_by_number[param.pool].name
    if name not in _FUNCTIONS:
        raise layer.refused("no counterpart for its pooling function", expected="MAX or AVE", got=name)
    if len(layer.message.top) > 1:
        raise layer.refused("a second top, the mask of the maxima, is not supported", expected="1", got=2)
    bottoms = b.bottoms(layer)
    if param.global_pooling:
        mean = {} if name == "AVE" else {"pooling": _FUNCTIONS[name]}
        b.add("GlobalPooling", layer, bottoms=bottoms, **mean, tops=b.tops(layer))
        return
    kernel, stride, pad = per_axis(param, "kernel", 0), per_axis(param, "stride", 1), per_axis(param, "pad", 0)
    if kernel == 0 or (isinstance(kernel, tuple) and not all(kernel)):
        raise layer.refused("kernel_size must be given")
    fields: dict[str, object] = {"kernel": kernel, "stride": stride, "pad": pad, "pooling": _FUNCTIONS[name]}
    if name == "AVE":
        fields["divisor"] = "caffe"
    if param.round_mode != _CEIL:
        fields["rounding"] = "down"
    b.add("Pooling", layer, bottoms=bottoms, **fields, tops=b.tops(layer))


@converter("LRN")
def lrn(b: Builder, layer: CaffeLayer) -> None:
    """LRNLayer; both divide alpha by the size of the window. Within channels, Caffe's k is always 1."""
    param = layer.message.lrn_param
    within = param.norm_region == _WITHIN
    b.add(
        "LRN",
        layer,
        bottoms=b.bottoms(layer),
        kernel=param.local_size,
        scale=number(param.alpha),
        power=number(param.beta),
        shift=1.0 if within else number(param.k),
        mode=LRNMode.WithinChannel() if within else LRNMode.AcrossChannel(),
        tops=b.tops(layer),
    )
