"""Caffe's Pooling, whose mean divides by the size of the window within the padded image, and LRN."""

from __future__ import annotations

from mochac.caffe.builder import Builder
from mochac.caffe.converters import converter
from mochac.caffe.layer import CaffeLayer, number, pair
from mochac.layers.lrn import LRNMode
from mochac.layers.pooling import Pooling

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
    kernel, stride, pad = pair(layer, param, "kernel", 0), pair(layer, param, "stride", 1), pair(layer, param, "pad", 0)
    if not all(kernel):
        raise layer.refused("kernel_size must be given")
    if param.round_mode != _CEIL:
        _check_floor(b, layer, bottoms[0], (kernel, stride, pad))
    divisor = {"divisor": "caffe"} if name == "AVE" else {}
    fields = {"kernel": kernel, "stride": stride, "pad": pad, "pooling": _FUNCTIONS[name], **divisor}
    b.add("Pooling", layer, bottoms=bottoms, **fields, tops=b.tops(layer))


def _check_floor(b: Builder, layer: CaffeLayer, bottom: str, window: tuple[tuple[int, ...], ...]) -> None:
    """Accept FLOOR only if windows fit exactly, so that it does not differ from CEIL."""
    for extent, kernel, stride, pad in zip(b.shape(bottom, layer)[2:4], *window, strict=True):
        over = (extent + 2 * pad - kernel) % stride
        if over:
            hint = "mochac has Caffe's default, CEIL"
            raise layer.refused("round_mode FLOOR is not supported", got=f"{over} cells left over", hint=hint)


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
