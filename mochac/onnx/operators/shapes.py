"""ONNX's operators that rearrange: Flatten, Reshape, Squeeze, Transpose, Concat, Split, Slice, Pad, Resize, ..."""

from __future__ import annotations

import itertools
import math

import numpy as np

from mochac.onnx.builder import NetBuilder
from mochac.onnx.converters import operator
from mochac.onnx.operator import BlobTensor, Given, OnnxNode, Shape
from mochac.onnx.operators.windows import short


@operator("Identity")
def identity(b: NetBuilder, node: OnnxNode) -> None:
    """Nothing."""
    b.alias(node, node.blob())


@operator("Cast", "CastLike")
def cast(b: NetBuilder, node: OnnxNode) -> None:
    """Nothing, if the type stays."""
    kind = {"float32": 1, "float64": 11}[b.dtype]
    if node.type == "Cast":
        node.require("a cast to another type", node.attribute("to"), kind)
    elif isinstance(like := node.inputs[1], Given) and like.array.dtype != np.dtype(b.dtype):
        raise node.refused("a cast to another type is not supported")
    b.alias(node, node.blob())


@operator("Flatten", "Reshape", "Squeeze", "Unsqueeze")
def reshape(b: NetBuilder, node: OnnxNode) -> None:
    """FlattenLayer or ReshapeLayer, as the shape of the output says."""
    x, shape = node.blob(), b.shape_of(node)
    if math.prod(shape) != math.prod(x.shape):
        raise node.refused("it changes the number of elements", str(x.shape), shape)
    reshaped(b, node, x, shape)


def reshaped(b: NetBuilder, node: OnnxNode, x: BlobTensor, shape: Shape) -> None:
    """x in another shape, as the first output of the node."""
    if shape == x.shape:
        b.alias(node, x)
    elif len(shape) < 2:
        raise node.refused("its output has one axis", "(batch, ...)", shape)
    elif len(shape) == 2 < len(x.shape):
        b.add("Flatten", node, [x], shape)
    else:
        b.add("Reshape", node, [x], shape, shape=shape[1:])


@operator("Transpose")
def transpose(b: NetBuilder, node: OnnxNode) -> None:
    """PermuteLayer."""
    x = node.blob()
    order = node.integers("perm") or tuple(reversed(range(len(x.shape))))
    if order[0] != 0:
        raise node.refused("samples must not mix: axis 0 is the batch", "perm = [0, ...]", order)
    b.add("Permute", node, [x], tuple(x.shape[a] for a in order), order=order)


@operator("Concat")
def concat(b: NetBuilder, node: OnnxNode) -> None:
    """ConcatLayer."""
    blobs = [node.blob(k) for k, _ in enumerate(node.inputs)]
    axis = int(node.attribute("axis", 1)) % len(blobs[0].shape)
    if not axis:
        raise node.refused("samples must not mix: axis 0 is the batch", "axis >= 1", axis)
    if len(blobs) == 1:
        b.alias(node, blobs[0])
        return
    b.add("Concat", node, blobs, **({} if axis == 1 else {"axis": axis}))


@operator("Split")
def split(b: NetBuilder, node: OnnxNode) -> None:
    """SliceLayer with a top for each output."""
    x = node.blob()
    axis = int(node.attribute("axis", 0)) % len(x.shape)
    if not axis:
        raise node.refused("samples must not mix: axis 0 is the batch", "axis >= 1", axis)
    shapes = [b.shape_of(node, k) for k, _ in enumerate(node.proto.output)]
    sizes = [shape[axis] for shape in shapes]
    if len(sizes) == 1:
        b.alias(node, x)
        return
    points = {} if len(set(sizes)) == 1 else {"points": tuple(itertools.accumulate(sizes[:-1]))}
    b.several("Slice", node, x, shapes, **({} if axis == 1 else {"axis": axis}), **points)


@operator("Pad")
def pad(b: NetBuilder, node: OnnxNode) -> None:
    """PadLayer."""
    x = node.blob()
    node.require("mode", node.attribute("mode", "constant"), "constant")
    pads, rank = node.integers("pads", at=1) or (), len(x.shape)
    if node.has(3):
        given, axes = pads, [int(a) % rank for a in node.given(3, "axes").reshape(-1)]
        full = [0] * (2 * rank)
        for k, axis in enumerate(axes):
            full[axis], full[rank + axis] = given[k], given[len(axes) + k]
        pads = tuple(full)
    value = float(node.given(2, "its value").reshape(-1)[0]) if node.has(2) else float(node.attribute("value", 0.0))
    before, after = pads[:rank], pads[rank:]
    if any((*before[:2], *after[:2])) or min(pads, default=0) < 0 or rank < 3 or not math.isfinite(value):
        raise node.refused("only images are padded, with finite numbers", "pads >= 0 along spatial axes", pads)
    fields = {"before": (before[2:], 0), "after": (after[2:], 0)}
    given_fields = {name: short(values) for name, (values, default) in fields.items() if set(values) != {default}}
    b.add("Pad", node, [x], **given_fields, **({"value": value} if value else {}))


_NEAREST = {
    ("asymmetric", "floor"), ("half_pixel", "round_prefer_floor"), ("half_pixel", "round_prefer_ceil"),
    ("half_pixel_symmetric", "round_prefer_floor"), ("pytorch_half_pixel", "round_prefer_floor"),
}  # fmt: skip
"""Ways of rounding that repeat every element as often as the integer factor says."""


@operator("Resize", "Upsample")
def resize(b: NetBuilder, node: OnnxNode) -> None:
    """UpsampleLayer, by integer factors."""
    x, shape, old = node.blob(), b.shape_of(node), node.type == "Upsample"
    factors = [made // given for made, given in zip(shape[2:], x.shape[2:], strict=True)]
    exact = [given * f for given, f in zip(x.shape[2:], factors, strict=True)] == list(shape[2:])
    if shape[1] != x.shape[1] or not exact or not factors:
        raise node.refused("only images are resized, by integers", f"a multiple of {x.shape[2:]}", shape[2:])
    k = 1 if old else 2
    scales = node.given(k, "scales").reshape(-1) if node.has(k) and node.given(k, "scales").size else None
    if scales is not None and [float(s) for s in scales[-len(factors) :]] != [float(f) for f in factors]:
        raise node.refused("only images are resized, by integers", got=list(scales))
    for name, wanted in (("antialias", 0), ("exclude_outside", 0), ("axes", None)):
        if node.attribute(name, wanted) != wanted:
            raise node.refused(f"{name} is not supported")
    node.require("keep_aspect_ratio_policy", node.attribute("keep_aspect_ratio_policy", "stretch"), "stretch")
    how = node.attribute("mode", "nearest")
    where = "asymmetric" if old else node.attribute("coordinate_transformation_mode", "half_pixel")
    if how == "nearest":
        near = "floor" if old else node.attribute("nearest_mode", "round_prefer_floor")
        node.require("this way of rounding", (where, near), *sorted(_NEAREST))
    else:
        node.require("mode", how, "linear")
        node.require("coordinate_transformation_mode", where, "half_pixel", "pytorch_half_pixel")
        if where == "pytorch_half_pixel" and 1 in shape[2:]:
            raise node.refused("coordinates of one element are not supported")
    mode = {} if how == "nearest" else {"mode": "bilinear"}
    factor = short(factors)
    b.add("Upsample", node, [x], **({} if factor == 2 else {"factor": factor}), **mode)


@operator("Slice")
def slice_(b: NetBuilder, node: OnnxNode) -> None:
    """SliceLayers, one for each axis that is cut; parts that nothing reads are computed nowhere."""
    x, shape = node.blob(), b.shape_of(node)
    rank = len(x.shape)
    starts = node.integers("starts", at=1) or ()
    axes = node.integers("axes", at=3) or tuple(range(len(starts)))
    steps = node.integers("steps", at=4) or (1,) * len(axes)
    if set(steps) - {1}:
        raise node.refused("steps other than 1 are not supported", "1", steps)
    cuts = [(a % rank, s) for a, s in zip(axes, starts, strict=True) if shape[a % rank] != x.shape[a % rank]]
    if any(axis == 0 for axis, _ in cuts):
        raise node.refused("samples must not mix: axis 0 is the batch", "axes >= 1", axes)
    for k, (axis, start) in enumerate(cuts):
        extent = x.shape[axis]
        begin = min(max(start + extent if start < 0 else start, 0), extent)
        x = b.part(node, x, axis, begin, shape[axis], last=k == len(cuts) - 1)
    if not cuts:
        b.alias(node, x)


@operator("Expand", "Tile")
def expand(b: NetBuilder, node: OnnxNode) -> None:
    """TileLayers, one for each axis that grows."""
    x, shape = node.blob(), b.shape_of(node)
    if len(shape) != len(x.shape) or shape[0] != x.shape[0]:
        raise node.refused("it adds axes, or repeats samples", f"({x.shape[0]}, ...)", shape)
    grown = [a for a, extent in enumerate(shape) if extent != x.shape[a]]
    for axis in grown[:-1]:
        between = (*x.shape[:axis], shape[axis], *x.shape[axis + 1 :])
        x = b.between("Tile", node, [x], between, axis=axis, tiles=shape[axis] // x.shape[axis])
    if grown:
        axis = grown[-1]
        b.add("Tile", node, [x], shape, axis=axis, tiles=shape[axis] // x.shape[axis])
    else:
        b.alias(node, x)
