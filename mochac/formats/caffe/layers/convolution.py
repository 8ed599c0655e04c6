"""Caffe's convolutions and poolings."""

from __future__ import annotations

import math

from mochac.formats.caffe.builder import Builder, CaffeLayer, converter, number, per_axis
from mochac.formats.caffe.params import parameter_fields
from mochac.nets.layers.image_norms import LRNMode
from mochac.nets.layers.pooling import Pooling


@converter("Convolution", bottoms=(1, None), tops=(1, None))
def convolution(b: Builder, layer: CaffeLayer) -> None:
    """ConvolutionLayer, with as many axes as the bottom."""
    _convolving(b, layer, "Convolution")


@converter("Deconvolution", bottoms=(1, None), tops=(1, None))
def deconvolution(b: Builder, layer: CaffeLayer) -> None:
    """DeconvolutionLayer, with as many axes as the bottom."""
    _convolving(b, layer, "Deconvolution")


def _convolving(b: Builder, layer: CaffeLayer, kind: str) -> None:
    param = layer.message.convolution_param
    kernel = per_axis(param, "kernel", 0)
    if kernel == 0 or (isinstance(kernel, tuple) and not all(kernel)) or not param.num_output:
        raise layer.refused("kernel_size and num_output must be given", got=str(param).strip().replace("\n", " "))
    layer.require("axis", param.axis, 1)
    bottoms = b.bottoms(layer)

    def filters() -> tuple[int, ...]:
        _, channels, *image = b.shape(bottoms[0], layer)
        sizes = kernel if isinstance(kernel, tuple) else (kernel,) * len(image)
        ends = (param.num_output, channels) if kind == "Convolution" else (channels, param.num_output)
        return ends[0], ends[1] // max(1, param.group), *sizes

    b.add(
        kind,
        layer,
        bottoms=bottoms,
        n_filter=param.num_output,
        kernel=kernel,
        stride=per_axis(param, "stride", 1),
        pad=per_axis(param, "pad", 0),
        dilation=per_axis(param, "dilation", 1),
        n_group=param.group,
        **parameter_fields(b, layer, "filter", param, filters),
        tops=b.tops(layer),
    )


@converter("InnerProduct")
def inner_product(b: Builder, layer: CaffeLayer) -> None:
    """InnerProductLayer, whose features are all axes from `axis` on."""
    param = layer.message.inner_product_param
    if not param.axis:
        raise layer.refused("samples must not mix: axis 0 is the batch", expected="axis: 1", got=0)
    layer.require("transpose", param.transpose, False)
    if not param.num_output:
        raise layer.refused("num_output must be given")
    bottoms = b.bottoms(layer)

    def weight() -> tuple[int, ...]:
        return param.num_output, math.prod(b.shape(bottoms[0], layer)[param.axis :])

    fields = parameter_fields(b, layer, "weight", param, weight)
    sizes = {"output_dim": param.num_output, "axis": param.axis}
    b.add("InnerProduct", layer, bottoms=bottoms, **sizes, **fields, tops=b.tops(layer))


@converter("Embed")
def embed(b: Builder, layer: CaffeLayer) -> None:
    """EmbeddingLayer, with a bias unless bias_term is false. Source: src/caffe/layers/embed_layer.cpp."""
    param = layer.message.embed_param
    if not param.num_output or not param.input_dim:
        raise layer.refused("num_output and input_dim must be given", got=str(param).strip().replace("\n", " "))
    sizes = {"vocabulary": param.input_dim, "output_dim": param.num_output}
    fields = parameter_fields(b, layer, "weight", param, lambda: (param.input_dim, param.num_output))
    bias = {"bias": True} if param.bias_term else {}
    b.add("Embedding", layer, bottoms=b.bottoms(layer), **sizes, **{**bias, **fields}, tops=b.tops(layer))


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
        b.add("GlobalPooling", layer, bottoms=bottoms, pooling=_FUNCTIONS[name], tops=b.tops(layer))
        return
    kernel, stride, pad = per_axis(param, "kernel", 0), per_axis(param, "stride", 1), per_axis(param, "pad", 0)
    if kernel == 0 or (isinstance(kernel, tuple) and not all(kernel)):
        raise layer.refused("kernel_size must be given")
    how = {"pooling": _FUNCTIONS[name], "divisor": "caffe" if name == "AVE" else "kernel"}
    how["rounding"] = "up" if param.round_mode == _CEIL else "down"
    b.add("Pooling", layer, bottoms=bottoms, kernel=kernel, stride=stride, pad=pad, **how, tops=b.tops(layer))


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
