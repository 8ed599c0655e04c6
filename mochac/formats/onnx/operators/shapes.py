"""ONNX's operators that rearrange: Flatten, Reshape, Squeeze, Transpose, Concat, Split, Pad, Expand, ..."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from mochac.formats.importing.builder import NetBuilder, Top
from mochac.formats.importing.formulas import ranked
from mochac.formats.importing.node import UNBATCHED, BlobTensor, Constant
from mochac.formats.importing.rearranged import padded, permuted, regrouped, repeated, side_by_side, with_extents
from mochac.formats.onnx.operator import OnnxNode, operator


@operator("Identity", anywhere=True)
def identity(b: NetBuilder, node: OnnxNode) -> None:
    """Nothing."""
    b.alias(node, node.blob())


@operator("Flatten", "Reshape", "Squeeze", "Unsqueeze", anywhere=True)
def reshape(b: NetBuilder, node: OnnxNode) -> None:
    """FlattenLayer or ReshapeLayer, as the shape of the output says."""
    with_extents(b, node, node.blob(), b.extents_of(node))


@operator("Transpose", anywhere=True)
def transpose(b: NetBuilder, node: OnnxNode) -> None:
    """PermuteLayer; nothing if only the batch gets another place."""
    x = node.blob()
    rank = len(x.extents)
    order = node.integers("perm") or tuple(reversed(range(rank)))
    if sorted(order) != list(range(rank)):
        raise node.refused("perm is not a permutation of its axes", got=order)
    permuted(b, node, x, order)


@operator("Concat", anywhere=True)
def concat(b: NetBuilder, node: OnnxNode) -> None:
    """ConcatLayer; constants are repeated for every sample."""
    empty = [isinstance(x, Constant) and not x.array.size for x in node.inputs]
    parts = [x for x, nothing in zip(node.inputs, empty, strict=True) if x is not None and not nothing]
    side_by_side(b, node, parts, int(node.attribute("axis", 1)))


@operator("Split", anywhere=True)
def split(b: NetBuilder, node: OnnxNode) -> None:
    """SliceLayer with a top for each output; an empty output is a constant."""
    x = node.blob()
    own = int(node.attribute("axis", 0))
    axis = node.axis(own, x)
    sizes = [shape[own] if shape else 0 for shape, _ in node.outputs]
    if 0 in sizes:
        _empty(b, node, x, own % len(x.extents), sizes)
        return
    shapes = [b.shape_like(node, x, k) for k, _ in enumerate(node.proto.output)]
    if len(sizes) == 1:
        b.alias(node, x)
        return
    points = {} if len(set(sizes)) == 1 else {"points": tuple(itertools.accumulate(sizes[:-1]))}
    tops = [Top(f".{k}", shape, output=k) for k, shape in enumerate(shapes)]
    b.several("Slice", node, x, tops, **({} if axis == 1 else {"axis": axis}), **points)


def _empty(b: NetBuilder, node: OnnxNode, x: BlobTensor, axis: int, sizes: Sequence[int]) -> None:
    """The outputs if some have no elements: the others are one, which is x."""
    extents = x.extents
    if [n for n in sizes if n] != [extents[axis]]:
        raise node.refused("some of its outputs are empty", got=tuple(sizes))
    for name, n in zip(node.proto.output, sizes, strict=True):
        b.values[name] = x if n else Constant(np.zeros((*extents[:axis], 0, *extents[axis + 1 :])))


@operator("Pad")
def pad(b: NetBuilder, node: OnnxNode) -> None:
    """PadLayer for a border of numbers; others are parts of the blob, side by side."""
    x, (before, after) = node.blob(), _pads(node)
    mode = str(node.attribute("mode", "constant"))
    node.require("mode", mode, "constant", "edge", "reflect", "wrap")
    if min((*before, *after), default=0) < 0 or before[0] or after[0]:
        raise node.refused("only borders of samples are padded", "pads >= 0", [*before, *after], UNBATCHED)
    given = node.constant(2, "its value").reshape(-1)[0] if node.has(2) else node.attribute("value", 0.0)
    padded(b, node, x, before, after, mode, float(given))


def _pads(node: OnnxNode) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Elements in front of and behind each axis of the blob."""
    x, given = node.blob(), node.integers("pads", at=1) or ()
    rank = len(x.shape)
    axes = [int(a) for a in node.constant(3, "axes").reshape(-1)] if node.has(3) else list(range(rank - node.lead))
    before, after = [0] * rank, [0] * rank
    for axis, first, last in zip(axes, given[: len(axes)], given[len(axes) :], strict=True):
        place = axis % (rank - node.lead) + node.lead
        before[place], after[place] = first, last
    return tuple(before), tuple(after)


@operator("Expand", "Tile")
def expand(b: NetBuilder, node: OnnxNode) -> None:
    """TileLayers, one for each axis that grows."""
    x, shape = node.blob(), b.shape_of(node)
    if shape[0] != x.shape[0] or (len(shape) != len(x.shape) and not b.lead):
        raise node.refused("it adds axes, or repeats samples", f"({x.shape[0]}, ...)", shape, UNBATCHED)
    repeated(b, node, ranked(b, node, x, len(shape)), shape)


@operator("DepthToSpace", "SpaceToDepth")
def depth_and_space(b: NetBuilder, node: OnnxNode) -> None:
    """Channels as blocks of pixels, as PyTorch's PixelShuffle, or blocks of pixels as channels."""
    x, size, mode = node.blob(), int(node.attribute("blocksize", 0)), str(node.attribute("mode", "DCR"))
    node.require("mode", mode, "DCR", "CRD")
    channels, height, width = x.shape[-3:]
    square = size * size
    if size < 1 or (channels % square if node.type == "DepthToSpace" else height % size or width % size):
        raise node.refused("its block size does not divide its input", got=f"{size}, {tuple(x.shape[-3:])}")
    if node.type == "SpaceToDepth":
        apart = (channels, height // size, size, width // size, size)
        order = (0, 2, 4, 1, 3) if mode == "CRD" else (2, 4, 0, 1, 3)
        shape = (channels * square, height // size, width // size)
    else:
        inner = (channels // square, size, size) if mode == "CRD" else (size, size, channels // square)
        apart = (*inner, height, width)
        order = (0, 3, 1, 4, 2) if mode == "CRD" else (2, 3, 0, 4, 1)
        shape = (channels // square, height * size, width * size)
    regrouped(b, node, x, apart, order, shape)
