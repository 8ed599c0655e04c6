"""ONNX's convolutions, poolings and Resize.

Output sizes are rounded down; `auto_pad` stands for paddings that depend on the size of the images. Resizing in a way
that UpsampleLayer lacks is a product with a constant matrix along each axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mochac.base.files.onnx_file import onnx_package
from mochac.base.records import record
from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.node import BlobTensor, Constant
from mochac.formats.importing.rearranged import MAX_AXES, resampled
from mochac.formats.onnx.operator import OnnxNode, operator
from mochac.nets.layers.pooling import Pooling
from mochac.nets.layers.resizing import CUBIC


@record
class OnnxWindow:
    """The numbers of a window, one for each spatial axis."""

    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    begin: tuple[int, ...]
    end: tuple[int, ...]


def window(node: OnnxNode, kernel: Sequence[int], image: Sequence[int]) -> OnnxWindow:
    """The window of a node over images of this size."""
    node.needs_batch()
    axes, ones = len(image), (1,) * len(image)
    if not 1 <= axes <= MAX_AXES:
        raise node.refused("its input is not a batch of images", f"1 to {MAX_AXES} spatial axes", axes)
    stride, dilation = node.integers("strides") or ones, node.integers("dilations") or ones
    pads = node.integers("pads") or (0,) * (2 * axes)
    if not len(kernel) == len(stride) == len(dilation) == axes or len(pads) != 2 * axes:
        raise node.refused("its attributes have another number of axes than its input", got=f"{axes} spatial axes")
    auto = node.attribute("auto_pad", "NOTSET")
    node.require("auto_pad", auto, "NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER")
    begin, end = pads[:axes], pads[axes:]
    if auto == "VALID":
        begin = end = (0,) * axes
    elif auto != "NOTSET":
        spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilation, strict=True)]
        total = [max(0, (-(-n // s) - 1) * s + k - n) for n, s, k in zip(image, stride, spans, strict=True)]
        less, more = tuple(t // 2 for t in total), tuple(t - t // 2 for t in total)
        begin, end = (less, more) if auto == "SAME_UPPER" else (more, less)
    if min((*begin, *end)) < 0:
        raise node.refused("negative pads are not supported", got=pads)
    return OnnxWindow(tuple(kernel), tuple(stride), tuple(dilation), begin, end)


@operator("Conv")
def conv(b: NetBuilder, node: OnnxNode) -> None:
    """ConvolutionLayer, after a PadLayer if padding differs on both sides."""
    x, filters = node.blob(), node.constant(1, "its filter")
    if filters.ndim != len(x.shape):
        raise node.refused("its filter has another number of axes than its input", str(len(x.shape)), filters.ndim)
    w = window(node, filters.shape[2:], x.shape[2:])
    if w.begin != w.end:
        x = _padded(b, node, x, w)
        w = OnnxWindow(w.kernel, w.stride, w.dilation, (0,) * len(w.begin), (0,) * len(w.begin))
    parameters, bias = _parameters(b, node, filters)
    b.add(
        "Convolution", node, [x], None, parameters, n_filter=filters.shape[0], n_group=int(node.attribute("group", 1)),
        kernel=w.kernel, stride=w.stride, pad=w.begin, dilation=w.dilation, **bias,
    )  # fmt: skip


@operator("ConvTranspose")
def conv_transpose(b: NetBuilder, node: OnnxNode) -> None:
    """DeconvolutionLayer."""
    x, filters = node.blob(), node.constant(1, "its filter")
    image, out = x.shape[2:], b.shape_of(node)[2:]
    w = window(node, node.integers("kernel_shape") or filters.shape[2:], image)
    axes = list(zip(image, out, w.kernel, w.stride, w.dilation, strict=True))
    full = [(n - 1) * s + (k - 1) * d + 1 for n, _, k, s, d in axes]
    begin, more = w.begin, node.integers("output_padding") or (0,) * len(image)
    if node.attribute("auto_pad", "NOTSET") != "NOTSET" or node.integers("output_shape") is not None:
        raise node.refused("auto_pad and output_shape are not supported", hint="pads say the same")
    if begin != w.end:
        raise node.refused("pads that differ on both sides are not supported", got=f"{begin} and {w.end}")
    if tuple(f - 2 * p + m for f, p, m in zip(full, begin, more, strict=True)) != out:
        raise node.refused("its output has another size than its attributes say", got=out)
    parameters, bias = _parameters(b, node, filters)
    groups = int(node.attribute("group", 1))
    b.add(
        "Deconvolution", node, [x], None, parameters, n_filter=filters.shape[1] * groups, n_group=groups,
        kernel=w.kernel, stride=w.stride, pad=begin, dilation=w.dilation, output_pad=more, **bias,
    )  # fmt: skip


def _parameters(b: NetBuilder, node: OnnxNode, filters: np.ndarray) -> tuple[dict[str, np.ndarray], dict[str, bool]]:
    """Filter and bias, and the field that leaves out a bias: also zeros that an exporter writes for a module that has
    none."""
    bias = node.constant(2, "its bias") if node.has(2) else np.zeros(0)
    if not node.has(2) or (not bias.any() and all(b.made(x.name) for x in node.inputs[2:3] if isinstance(x, Constant))):
        return {"filter": filters}, {"bias": False}
    return {"filter": filters, "bias": bias}, {}


def _padded(b: NetBuilder, node: OnnxNode, x: BlobTensor, w: OnnxWindow) -> BlobTensor:
    shape = (*x.shape[:2], *(n + p + q for n, p, q in zip(x.shape[2:], w.begin, w.end, strict=True)))
    return b.between("Pad", node, [x], shape, before=w.begin, after=w.end)


@operator("MaxPool", "AveragePool")
def pool(b: NetBuilder, node: OnnxNode) -> None:
    """PoolingLayer. A mean is divided by the number of elements in the image, or in the padded image."""
    node.only_first_output()
    x, mean = node.blob(), node.type == "AveragePool"
    w = window(node, node.integers("kernel_shape") or (), x.shape[2:])
    if set(w.dilation) != {1}:
        raise node.refused("dilations of a pooling are not supported", "1", w.dilation)
    up, padded = bool(node.attribute("ceil_mode", 0)), any((*w.begin, *w.end))
    exact = all((n + p + q - k) % s == 0 for n, k, s, p, q in _axes(x, w))
    counted = "caffe" if node.attribute("count_include_pad", 0) else "valid"
    plain = not padded if (up and exact) or not up else False
    b.add(
        "Pooling", node, [x], kernel=w.kernel, stride=w.stride, pad=w.begin,
        pad_end=None if w.begin == w.end else w.end, pooling=Pooling.Mean() if mean else Pooling.Max(),
        divisor=counted if mean and not plain else "kernel", rounding="up" if up or exact else "down",
    )  # fmt: skip


def _axes(x: BlobTensor, w: OnnxWindow) -> list[tuple[int, int, int, int, int]]:
    return list(zip(x.shape[2:], w.kernel, w.stride, w.begin, w.end, strict=True))


@operator("GlobalAveragePool", "GlobalMaxPool")
def global_pool(b: NetBuilder, node: OnnxNode) -> None:
    """GlobalPoolingLayer."""
    node.needs_batch()
    pooling = Pooling.Max() if node.type == "GlobalMaxPool" else Pooling.Mean()
    b.add("GlobalPooling", node, [node.blob()], pooling=pooling)


_REPEATED = {
    ("half_pixel", "round_prefer_floor"), ("half_pixel", "round_prefer_ceil"),
    ("half_pixel_symmetric", "round_prefer_floor"), ("pytorch_half_pixel", "round_prefer_floor"),
}  # fmt: skip
"""Ways of rounding that repeat every element as often as an integer factor says, and differ from UpsampleLayer's for
other factors."""
MAX_ELEMS = 1 << 22
"""Maximum elements of a matrix that resizes an axis."""


@operator("Resize", "Upsample")
def resize(b: NetBuilder, node: OnnxNode) -> None:
    """UpsampleLayer or ResampleLayers."""
    x, shape = node.blob(), b.shape_of(node)
    if node.attribute("keep_aspect_ratio_policy", "stretch") != "stretch" and node.has(2):
        raise node.refused("keep_aspect_ratio_policy is for sizes")
    axes = [a for a in range(len(shape)) if shape[a] != x.shape[a] or _scale(b, node, x, shape, a) != 1]
    if 0 in axes:
        raise node.refused("samples must not mix: axis 0 is the batch", got=shape)
    if not axes and node.attribute("coordinate_transformation_mode") != "tf_crop_and_resize":
        b.alias(node, x)
    elif (how := _of_upsample(b, node, x, shape, axes)) is not None:
        b.add("Upsample", node, [x], size=shape[2:], **how)
    else:
        _by_matrices(b, node, x, shape, axes)


def _places(b: NetBuilder, node: OnnxNode, x: BlobTensor) -> list[int]:
    """The axes of the blob that the lists of scales and sizes are about."""
    rank = len(x.shape) - b.lead
    return [a % rank + b.lead for a in node.integers("axes") or range(rank)]


def _scale(b: NetBuilder, node: OnnxNode, x: BlobTensor, shape: tuple[int, ...], axis: int) -> float:
    """The factor by which an axis grows: as stated, or as its extents say."""
    at = 1 if node.type == "Upsample" else 2
    stated = node.constant(at, "its scales").reshape(-1) if node.has(at) else np.zeros(0)
    places = _places(b, node, x)
    if stated.size and axis in places:
        return float(stated[places.index(axis)])
    return shape[axis] / x.shape[axis]


def _of_upsample(
    b: NetBuilder, node: OnnxNode, x: BlobTensor, shape: tuple[int, ...], axes: list[int]
) -> dict[str, Any] | None:
    """The mode of the UpsampleLayer that computes it; None if none does."""
    plain = not any(node.attribute(name, 0) for name in ("antialias", "exclude_outside"))
    images = not b.lead and min(axes) >= 2 and len(shape) - 2 <= MAX_AXES
    if not (plain and images and all(_is_exact(b, node, x, shape, a) for a in axes)):
        return None
    mode, old = node.attribute("mode", "nearest"), node.type == "Upsample"
    where = "asymmetric" if old else node.attribute("coordinate_transformation_mode", "half_pixel")
    if mode == "nearest":
        rounding = "floor" if old else node.attribute("nearest_mode", "round_prefer_floor")
        whole = not any(shape[a] % x.shape[a] for a in axes)
        fits = (where, rounding) == ("asymmetric", "floor") or (whole and (where, rounding) in _REPEATED)
        return {"mode": "nearest"} if fits else None
    pixels = where == "half_pixel" or (where == "pytorch_half_pixel" and 1 not in shape[2:])
    slope = mode == "linear" or (mode == "cubic" and node.attribute("cubic_coeff_a", CUBIC) == CUBIC)
    if not slope or not (pixels or where == "align_corners"):
        return None
    return {"mode": f"bi{mode}"} | ({} if pixels else {"align_corners": True})


def _is_exact(b: NetBuilder, node: OnnxNode, x: BlobTensor, shape: tuple[int, ...], axis: int) -> bool:
    """Whether an axis grows by the factor that its extents say."""
    return abs(_scale(b, node, x, shape, axis) * x.shape[axis] / shape[axis] - 1) < 1e-6


def _by_matrices(b: NetBuilder, node: OnnxNode, x: BlobTensor, shape: tuple[int, ...], axes: list[int]) -> None:
    """One axis at a time: every way of interpolation is a product with a matrix along each."""
    matrices = {}
    for axis in axes:
        if shape[axis] * x.shape[axis] > MAX_ELEMS:
            raise node.refused("its images are too large", f"at most {MAX_ELEMS:,}", f"{x.shape[axis]} * {shape[axis]}")
        matrices[axis] = _matrix(node, x.shape[axis], shape[axis], _scale(b, node, x, shape, axis))
    resampled(b, node, x, matrices)


def _matrix(node: OnnxNode, extent: int, wanted: int, scale: float) -> np.ndarray:
    """How each of `wanted` elements is made of `extent` ones: a matrix (wanted, extent), from unit vectors that the
    reference implementation of the package onnx resizes."""
    helper = onnx_package("helper")
    names = ("mode", "coordinate_transformation_mode", "nearest_mode", "cubic_coeff_a", "antialias", "exclude_outside")
    attributes = {name: node.attribute(name) for name in names if node.attribute(name) is not None}
    if node.type == "Upsample":
        attributes |= {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    if attributes.get("coordinate_transformation_mode") == "tf_crop_and_resize":
        raise node.refused("crops are not supported", got="tf_crop_and_resize")
    sizes = not node.has(1 if node.type == "Upsample" else 2) or not node.constant(2, "its scales").size
    inputs = ["x", "", "", "sizes"] if sizes else ["x", "", "scales"]
    fed = {"sizes": np.asarray([extent, wanted])} if sizes else {"scales": np.asarray([1.0, scale], np.float32)}
    resized = helper.make_node("Resize", inputs, ["y"], **attributes)
    infos = [helper.make_tensor_value_info("x", 1, [extent, extent])]
    infos.append(helper.make_tensor_value_info(inputs[-1], 7 if sizes else 1, [2]))
    graph = helper.make_graph([resized], "axis", infos, [helper.make_tensor_value_info("y", 1, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)])
    try:
        unit = np.eye(extent, dtype=np.float32)
        (made,) = onnx_package("reference").ReferenceEvaluator(model).run(None, {"x": unit, **fed})
    except Exception as error:  # whatever the reference raises
        raise node.refused("its matrix cannot be computed", got=" ".join(str(error).split())[:200]) from None
    if made.shape != (extent, wanted):
        raise node.refused("its output has another size than its attributes say", f"({extent}, {wanted})", made.shape)
    return np.asarray(made.T, float)
