"""PyTorch's convolutions and poolings."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeGuard

import numpy as np

from mochac.formats.importing.formulas import inner, reshaped
from mochac.formats.importing.node import BlobTensor, Constant, Shape, Tensor
from mochac.formats.importing.place import FIRST
from mochac.formats.importing.rearranged import LOWEST, MAX_AXES, bordered, resampled, taken, with_batch
from mochac.formats.pytorch.builder import AtenNode, TorchBuilder
from mochac.formats.pytorch.converters import Convert, aten
from mochac.formats.pytorch.package import torch_package
from mochac.nets.layers.pooling import Pooling

Numbers = Any


def per_axis(numbers: Numbers, axes: int) -> tuple[int, ...]:
    """A number for each axis."""
    values = (numbers,) if isinstance(numbers, int) else tuple(numbers)
    return values * axes if len(values) == 1 else values


def images(b: TorchBuilder, node: AtenNode, x: Tensor) -> BlobTensor:
    """x as a blob that has the batch in front of the channels, or is a parameter or constant with images of its own."""
    if isinstance(x, Constant):
        if b.repeats(x):
            return with_batch(b, node, b.fixed(node, Constant(x.array[0])), 0)
        x = b.fixed(node, x)
    if not x.samples:
        return x
    node.needs_batch()
    if x.place.moved:
        raise node.refused("its input is not a batch of images", "(batch, channels, ...)", x.extents)
    return x


def has_parts(x: Tensor) -> TypeGuard[BlobTensor]:
    """Whether the batch and the number of images in each sample are one axis of the graph, in front of the channels."""
    return isinstance(x, BlobTensor) and x.samples and x.place.merged and 0 in x.place.axes(len(x.shape))[0]


def channelwise(converter: Convert) -> Convert:
    """Decorator for operations that treat channels alike: several images in each sample become further channels."""

    @functools.wraps(converter)
    def of_parts(b: TorchBuilder, node: AtenNode, x: Tensor, *args: Any, **more: Any) -> Any:
        if not has_parts(x):
            return converter(b, node, x, *args, **more)
        n, parts, c, *image = x.shape
        rows = reshaped(b, node, x, (n, parts * c, *image), FIRST, last=False)
        _, *size = b.extents_of(node)
        shape, (_, element) = (n, parts * c, *size[1:]), node.outputs[0]
        inside = replace(node, inputs=(rows, *node.inputs[1:]), outputs=((shape, element), *node.outputs[1:]))
        result = converter(b, inside, rows, *args, **more)
        made = b.values.pop(node.tops[0])
        assert isinstance(made, BlobTensor)
        reshaped(b, node, made, (n, parts, *size), x.place)
        return None if result is None else [b.values[node.tops[0]], *result[1:]]

    return of_parts


@aten("conv1d", "conv2d", "conv3d", weights=True)
def conv(
    b: TorchBuilder, node: AtenNode, x: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Numbers = 1,
    padding: Numbers = 0, dilation: Numbers = 1, groups: int = 1,
) -> None:  # fmt: skip
    """ConvolutionLayer, after a PadLayer if padding differs on both sides."""
    count, _, *kernel = weight.extents
    if has_parts(x) and len(kernel) < MAX_AXES:
        if isinstance(padding, str) and padding != "valid":
            raise node.refused("its padding is not a number", got=padding)
        pad = 0 if padding == "valid" else padding
        _of_parts(b, node, "Convolution", x, weight, bias, stride=stride, pad=pad, dilation=dilation, n_group=groups)
        return
    x = images(b, node, x)
    axes = len(kernel)
    strides, dilations = per_axis(stride, axes), per_axis(dilation, axes)
    pads: tuple[int, ...]
    if padding == "same":
        total = [d * (k - 1) for d, k in zip(dilations, kernel, strict=True)]
        if any(t % 2 for t in total):
            before, after = [0, 0, *(t // 2 for t in total)], [0, 0, *(t - t // 2 for t in total)]
            shape = (*x.shape[:2], *(n + t for n, t in zip(x.shape[2:], total, strict=True)))
            x = b.between("Pad", node, [x], shape, before=before[2:], after=after[2:])
            pads = (0,) * axes
        else:
            pads = tuple(t // 2 for t in total)
    else:
        pads = (0,) * axes if padding == "valid" else per_axis(padding, axes)
    w = b.weights(node, "Convolution", filter=weight, bias=bias)
    b.add(
        "Convolution", w.node, [x], b.extents_of(node), w.arrays, n_filter=count, n_group=groups, kernel=kernel,
        stride=strides, pad=pads, dilation=dilations, **w.fields,
    )  # fmt: skip


def _of_parts(
    b: TorchBuilder, node: AtenNode, kind: str, x: BlobTensor, weight: Tensor, bias: Tensor | None, *, n_group: int,
    stride: Numbers, pad: Numbers, dilation: Numbers, **more: Numbers,
) -> None:  # fmt: skip
    """A convolution of several images in each sample, whose number is one axis of the graph with the batch: they become
    one image with an axis more, along which the kernel has extent 1.

    Args:
        kind: the layer's.
        more: numbers for each axis of an image that a deconvolution has, 0 along the further one.
    """
    filters = b.fixed(node, weight)
    kernel = filters.shape[2:]
    axes = len(kernel)
    deep = reshaped(b, node, filters, (*filters.shape[:2], 1, *kernel), last=False)
    order = (0, 2, 1, *range(3, axes + 3))
    front = b.between("Permute", node, [x], tuple(x.shape[a] for a in order), None, FIRST, order=order)
    _, count, *image = b.extents_of(node)
    shape = (x.shape[0], count, x.shape[1], *image)
    result = b.between(
        kind, node, [front], shape, None, FIRST, n_filter=count, n_group=n_group, kernel=(1, *kernel),
        stride=(1, *per_axis(stride, axes)), pad=(0, *per_axis(pad, axes)), dilation=(1, *per_axis(dilation, axes)),
        filter=deep.name, bias=False if bias is None else b.fixed(node, bias).name,
        **{name: (0, *per_axis(value, axes)) for name, value in more.items()},
    )  # fmt: skip
    b.add("Permute", node, [result], tuple(shape[a] for a in order), None, x.place, order=order)


@aten("conv_transpose1d", "conv_transpose2d", "conv_transpose3d", weights=True)
def conv_transpose(
    b: TorchBuilder, node: AtenNode, x: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Numbers = 1,
    padding: Numbers = 0, output_padding: Numbers = 0, groups: int = 1, dilation: Numbers = 1,
) -> None:  # fmt: skip
    """DeconvolutionLayer."""
    _, count, *kernel = weight.extents
    if has_parts(x) and len(kernel) < MAX_AXES:
        _of_parts(b, node, "Deconvolution", x, weight, bias, stride=stride, pad=padding, dilation=dilation,
                  n_group=groups, output_pad=output_padding)  # fmt: skip
        return
    x = images(b, node, x)
    strides, pads, more, dilations = (per_axis(n, len(kernel)) for n in (stride, padding, output_padding, dilation))
    w = b.weights(node, "Deconvolution", filter=weight, bias=bias)
    b.add(
        "Deconvolution", w.node, [x], b.extents_of(node), w.arrays, n_filter=count * groups, n_group=groups,
        kernel=kernel, stride=strides, pad=pads, dilation=dilations, output_pad=more, **w.fields,
    )  # fmt: skip


@aten("max_pool1d", "max_pool2d", "max_pool3d", "avg_pool1d", "avg_pool2d", "avg_pool3d", "max_pool2d_with_indices")
@channelwise
def pool(
    b: TorchBuilder, node: AtenNode, x: Tensor, kernel_size: Numbers, stride: Numbers = (), padding: Numbers = 0,
    dilation: Numbers = 1, ceil_mode: bool = False, count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> None:  # fmt: skip
    """PoolingLayer."""
    x, mean = images(b, node, x), node.type.startswith("avg")
    axes = int(node.type[8])
    kernel = per_axis(kernel_size, axes)
    strides = per_axis(stride, axes) if stride not in ((), [], None) else kernel
    pads = per_axis(padding, axes)
    if divisor_override is not None:
        raise node.refused("divisor_override is not supported")
    shape = b.extents_of(node)
    if len(x.shape) != axes + 2:
        raise node.refused("its input is not a batch of images", f"{axes + 2} axes", x.extents)
    dilations = per_axis(dilation, axes)
    if set(dilations) != {1}:
        _dilated(b, node, x, shape, kernel, strides, pads, dilations)
        return
    exact = all((n + 2 * p - k) % s == 0 for n, k, s, p in zip(x.shape[2:], kernel, strides, pads, strict=True))
    up = ceil_mode and not exact
    counted = "caffe" if count_include_pad else "valid"
    b.add(
        "Pooling", node, [x], shape, None, kernel=kernel, stride=strides, pad=pads,
        pooling=Pooling.Mean() if mean else Pooling.Max(), rounding="up" if up or exact else "down",
        divisor=counted if mean and (any(pads) or up) else "kernel",
    )  # fmt: skip


def _dilated(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, shape: Shape, kernel: Sequence[int], strides: Sequence[int],
    pads: Sequence[int], dilations: Sequence[int],
) -> None:  # fmt: skip
    """The maximum of shifted parts of the image, of which the strides then pick some."""
    axes = range(2, len(x.shape))
    reach = [d * (k - 1) for d, k in zip(dilations, kernel, strict=True)]
    wide = [(n - 1) * s + 1 for n, s in zip(shape[2:], strides, strict=True)]
    ends = [w + r - p - n for w, r, p, n in zip(wide, reach, pads, x.shape[2:], strict=True)]
    before, after = [0, 0, *pads], [0, 0, *(max(0, end) for end in ends)]
    if any((*before, *after)):
        x = bordered(b, node, x, before, after, LOWEST, last=False)
    parts = []
    for at in itertools.product(*(range(k) for k in kernel)):
        part = x
        for axis, k, d, w in zip(axes, at, dilations, wide, strict=True):
            part = taken(b, node, part, axis, range(k * d, k * d + w), last=False)
        parts.append(part)
    most = functools.reduce(lambda u, v: inner(b, node, "max({0}, {1})", u, v), parts)
    if set(strides) == {1}:
        b.alias(node, most)
    else:
        b.add("Pooling", node, [most], shape, None, kernel=1, stride=tuple(strides), rounding="down")


@aten("adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool2d",
      "adaptive_max_pool1d")  # fmt: skip
@channelwise
def adaptive_pool(b: TorchBuilder, node: AtenNode, x: Tensor, output_size: Numbers) -> Any:
    """GlobalPoolingLayer, PoolingLayer, or means by a matrix along each axis."""
    x, mean = images(b, node, x), "avg" in node.type
    axes = int(node.type[-2])
    image, size = x.shape[2:], per_axis(output_size, axes)
    size = tuple(n if s is None else s for n, s in zip(image, size, strict=True))
    if not mean and len(node.uses) > 1 and node.uses[1]:
        raise node.refused("places of maxima are not supported")
    shape = (*x.shape[:2], *size)
    if all(n % s == 0 for n, s in zip(image, size, strict=True)):
        kernel = tuple(n // s for n, s in zip(image, size, strict=True))
        how = Pooling.Mean() if mean else Pooling.Max()
        if set(kernel) == {1}:
            b.alias(node, x)
        elif set(size) == {1}:
            b.add("GlobalPooling", node, [x], shape, None, pooling=how)
        else:
            b.add("Pooling", node, [x], shape, None, kernel=kernel, stride=kernel, pooling=how)
    elif not mean:
        raise node.refused("its windows differ in size", "extents that the output's divide", f"{image} to {size}")
    else:
        resampled(b, node, x, {axis: _means(n, s) for axis, (n, s) in enumerate(zip(image, size, strict=True), 2)})
    return [b.values[node.tops[0]], None] if not mean else None


def _means(extent: int, wanted: int) -> np.ndarray:
    """The rows of the matrix that takes means of windows that cover an axis."""
    result = np.zeros((wanted, extent))
    for k in range(wanted):
        begin, end = k * extent // wanted, -(-(k + 1) * extent // wanted)
        result[k, begin:end] = 1 / (end - begin)
    return result


@aten("upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d", "upsample_linear1d", "upsample_bilinear2d",
      "upsample_trilinear3d", "upsample_bicubic2d", "_upsample_bicubic2d_aa", "_upsample_bilinear2d_aa",
      "_upsample_nearest_exact2d")  # fmt: skip
@channelwise
def upsample(
    b: TorchBuilder, node: AtenNode, x: Tensor, output_size: Any = None, align_corners: bool = False,
    scale_factors: Any = None, scales_h: Any = None, scales_w: Any = None, scales: Any = None, scales_d: Any = None,
) -> None:  # fmt: skip
    """UpsampleLayer. Modes that it lacks, and factors whose size is rounded, are products with the matrix that PyTorch
    makes along each axis."""
    x = images(b, node, x)
    image, size = x.shape[2:], b.extents_of(node)[2:]
    factors = scale_factors or [s for s in (scales, scales_d, scales_h, scales_w) if s is not None]
    whole = all(m == n * s for n, m, s in zip(image, size, factors, strict=bool(factors)))
    mode = next((m for m in ("nearest", "linear", "bicubic") if m in node.type), "")
    if not whole or node.type.endswith(("_aa", "_exact2d")):
        resampled(b, node, x, {axis: _interpolation(node, x, axis - 2) for axis in range(2, len(x.shape))})
        return
    how = {"align_corners": True} if align_corners else {}
    b.add("Upsample", node, [x], (*x.shape[:2], *size), size=size, mode="bilinear" if mode == "linear" else mode, **how)


def _interpolation(node: AtenNode, x: BlobTensor, axis: int) -> np.ndarray:
    """The matrix by which an axis is resized: that of the operation, applied to unit vectors along this axis."""
    torch = torch_package()
    image, rank = list(x.shape[2:]), len(x.shape)
    (result, _), n = node.outputs[0], image[axis]
    assert result is not None
    shape = [n, 1, *(n if k == axis else m for k, m in enumerate(image))]
    unit = torch.eye(n, dtype=torch.float64).reshape(n, 1, *(n if k == axis else 1 for k in range(len(image))))
    unit = unit.expand(shape).contiguous()
    names = [a.name for a in node.fx.target._schema.arguments]
    args = [unit if name in ("self", "input") else node.arguments[name] for name in names]
    rows = node.fx.target(*args)
    at = tuple(slice(None) if k == axis else 0 for k in range(rank - 2))
    return rows[(slice(None), 0, *at)].numpy().T


@aten("im2col")
def unfold(
    b: TorchBuilder, node: AtenNode, x: Tensor, kernel_size: Numbers, dilation: Numbers = 1, padding: Numbers = 0,
    stride: Numbers = 1,
) -> None:  # fmt: skip
    """ConvolutionLayer whose fixed filters pick an element each."""
    x = images(b, node, x)
    c, window = x.shape[1], math.prod(per_axis(kernel_size, 2))
    image = _places(x.shape[2:], kernel_size, dilation, padding, stride)
    result = b.between(
        "Convolution", node, [x], (x.shape[0], c * window, *image), n_filter=c * window,
        **_picking(b, node, c, kernel_size, dilation, padding, stride),
    )  # fmt: skip
    reshaped(b, node, result, b.extents_of(node))


@aten("col2im")
def fold(
    b: TorchBuilder, node: AtenNode, x: Tensor, output_size: Numbers, kernel_size: Numbers, dilation: Numbers = 1,
    padding: Numbers = 0, stride: Numbers = 1,
) -> None:  # fmt: skip
    """DeconvolutionLayer whose fixed filters put each element somewhere; it adds up those that meet."""
    x = images(b, node, x)
    size, window = per_axis(output_size, 2), math.prod(per_axis(kernel_size, 2))
    c, places = x.shape[1] // window, _places(size, kernel_size, dilation, padding, stride)
    rows = reshaped(b, node, x, (x.shape[0], x.shape[1], *places), last=False)
    least = [
        (n - 1) * s - 2 * p + d * (k - 1) + 1
        for n, k, d, p, s in zip(places, *(per_axis(n, 2) for n in (kernel_size, dilation, padding, stride)),
                                 strict=True)
    ]  # fmt: skip
    more = tuple(n - m for n, m in zip(size, least, strict=True))
    b.add(
        "Deconvolution", node, [rows], (x.shape[0], c, *size), n_filter=c, output_pad=more,
        **_picking(b, node, c, kernel_size, dilation, padding, stride),
    )  # fmt: skip


def _places(
    size: Sequence[int], kernel: Numbers, dilation: Numbers, padding: Numbers, stride: Numbers
) -> tuple[int, ...]:
    """How many windows there are along each axis."""
    settings = (per_axis(n, 2) for n in (kernel, dilation, padding, stride))
    return tuple((n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, d, p, s in zip(size, *settings, strict=True))


def _picking(
    b: TorchBuilder, node: AtenNode, channels: int, kernel_size: Numbers, dilation: Numbers, padding: Numbers,
    stride: Numbers,
) -> dict[str, Any]:  # fmt: skip
    """Fields of a convolution whose fixed filters have a single one each, for each channel and place of a window."""
    kernel = per_axis(kernel_size, 2)
    window = math.prod(kernel)
    filters = np.tile(np.eye(window).reshape(window, 1, *kernel), (channels, 1, 1, 1))
    steps, pads, dilations = (per_axis(n, 2) for n in (stride, padding, dilation))
    sizes = {"kernel": kernel, "stride": steps, "pad": pads, "dilation": dilations}
    return {"n_group": channels, "bias": False, "filter": b.fixed(node, Constant(filters)).name, **sizes}
