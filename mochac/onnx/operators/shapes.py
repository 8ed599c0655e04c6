"""ONNX's operators that rearrange: Flatten, Reshape, Squeeze, Transpose, Concat, Split, Pad, Expand, ..."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mochac.importing.builder import NetBuilder, Top
from mochac.importing.for_all import for_all
from mochac.importing.formulas import ranked, reshaped
from mochac.importing.node import UNBATCHED, BlobTensor, Constant
from mochac.importing.taken import taken
from mochac.onnx.converters import operator
from mochac.onnx.operator import OnnxNode
from mochac.onnx.operators.windows import MOST_AXES, short


@operator("Identity", anywhere=True)
def identity(b: NetBuilder, node: OnnxNode) -> None:
    """Nothing."""
    b.alias(node, node.blob())


@operator("Flatten", "Reshape", "Squeeze", "Unsqueeze", anywhere=True)
def reshape(b: NetBuilder, node: OnnxNode) -> None:
    """FlattenLayer or ReshapeLayer, as the shape of the output says."""
    x, extents = node.blob(), b.extents_of(node)
    if math.prod(extents) != math.prod(x.extents):
        raise node.refused("it changes the number of elements", str(x.extents), extents)
    found = x.place.reshaped(x.shape, extents)
    if found is None:
        raise node.refused("samples would mix", f"extents in which the batch, {b.batch}, stays", extents, UNBATCHED)
    place, shape = found
    reshaped(b, node, b.before_reshape(x), shape, place)


@operator("Transpose", anywhere=True)
def transpose(b: NetBuilder, node: OnnxNode) -> None:
    """PermuteLayer; nothing if only the batch gets another place."""
    x = node.blob()
    rank = len(x.extents)
    order = node.integers("perm") or tuple(reversed(range(rank)))
    if sorted(order) != list(range(rank)):
        raise node.refused("perm is not a permutation of its axes", got=order)
    place, axes = x.place.permuted(len(x.shape), order)
    if axes == tuple(range(len(axes))):
        b.alias(node, replace(x, place=place))
    else:
        b.add("Permute", node, [x], tuple(x.shape[a] for a in axes), None, place, order=axes)


@operator("Concat", anywhere=True)
def concat(b: NetBuilder, node: OnnxNode) -> None:
    """ConcatLayer; constants are repeated for every sample."""
    given = [x for x in node.inputs if x is not None and not (isinstance(x, Constant) and not x.array.size)]
    like = next(x for x in given if isinstance(x, BlobTensor))
    blobs = [x if isinstance(x, BlobTensor) else for_all(b, node, x, like) for x in given]
    axis = node.axis(int(node.attribute("axis", 1)), like)
    if {x.place for x in blobs} != {like.place}:
        raise node.refused("samples must not mix: its inputs have the batch along different axes", hint=UNBATCHED)
    if len(blobs) == 1:
        b.alias(node, blobs[0])
        return
    b.add("Concat", node, blobs, b.shape_like(node, like), **({} if axis == 1 else {"axis": axis}))


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
    padded = [a for a in range(len(x.shape)) if before[a] or after[a]]
    if min((*before, *after), default=0) < 0 or 0 in padded:
        raise node.refused("only borders of samples are padded", "pads >= 0", [*before, *after], UNBATCHED)
    if not padded:
        b.alias(node, x)
    elif mode == "constant":
        given = node.constant(2, "its value").reshape(-1)[0] if node.has(2) else node.attribute("value", 0.0)
        _bordered(b, node, x, before, after, float(given))
    else:
        for axis in padded:
            b.budget.take(node, before[axis] + x.shape[axis] + after[axis], 8)
            places = np.pad(np.arange(x.shape[axis]), (before[axis], after[axis]), mode=mode)  # pyright: ignore
            x = taken(b, node, x, axis, places, last=axis == padded[-1])


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


def _bordered(
    b: NetBuilder, node: OnnxNode, x: BlobTensor, before: Sequence[int], after: Sequence[int], value: float
) -> None:
    """PadLayer, for which axes are merged into channels and three spatial ones at most."""
    if not math.isfinite(value):
        raise node.refused("only finite numbers are put around", got=value)
    groups: list[list[int]] = []  # of axes behind the batch
    for axis in range(1, len(x.shape)):
        plain = not before[axis] and not after[axis]
        if plain and groups and not any(before[a] or after[a] for a in groups[-1]):
            groups[-1].append(axis)
        else:
            groups.append([axis])
    if before[groups[0][0]] or after[groups[0][0]]:
        groups.insert(0, [])
    images = len(x.shape) > 2 and not any((*before[:2], *after[:2]))
    groups = [[a] for a in range(1, len(x.shape))] if images and len(x.shape) <= MOST_AXES + 2 else groups
    if len(groups) - 1 > MOST_AXES:
        raise node.refused("too many axes are padded", f"at most {MOST_AXES}", len(groups) - 1)
    first, last = (tuple(pads[g[0]] for g in groups[1:]) for pads in (before, after))
    merged = (b.batch, *(math.prod(x.shape[a] for a in g) for g in groups))
    shape = tuple(extent + p + q for extent, p, q in zip(x.shape, before, after, strict=True))
    padded = (*merged[:2], *(n + p + q for n, p, q in zip(merged[2:], first, last, strict=True)))
    whole = merged == x.shape
    fields = {name: short(pads) for name, pads in (("before", first), ("after", last)) if any(pads)}
    rows = reshaped(b, node, x, merged, last=False)
    made = b.layer(whole, "Pad", node, [rows], padded, **fields, **({"value": value} if value else {}))
    if not whole:
        reshaped(b, node, made, shape)


@operator("Expand", "Tile")
def expand(b: NetBuilder, node: OnnxNode) -> None:
    """TileLayers, one for each axis that grows."""
    x, shape = node.blob(), b.shape_of(node)
    if shape[0] != x.shape[0] or (len(shape) != len(x.shape) and not b.lead):
        raise node.refused("it adds axes, or repeats samples", f"({x.shape[0]}, ...)", shape, UNBATCHED)
    x = ranked(b, node, x, len(shape))
    grown = [a for a, extent in enumerate(shape) if extent != x.shape[a]]
    for axis in grown:
        between = (*x.shape[:axis], shape[axis], *x.shape[axis + 1 :])
        last, tiles = axis == grown[-1], shape[axis] // x.shape[axis]
        x = b.layer(last, "Tile", node, [x], between, tiles=tiles, **({} if axis == 1 else {"axis": axis}))
    if not grown:
        b.alias(node, x)


@operator("DepthToSpace", "SpaceToDepth")
def depth_and_space(b: NetBuilder, node: OnnxNode) -> None:
    """Channels as blocks of pixels, as PyTorch's PixelShuffle, or blocks of pixels as channels."""
    x, size, mode = node.blob(), int(node.attribute("blocksize", 0)), str(node.attribute("mode", "DCR"))
    node.require("mode", mode, "DCR", "CRD")
    *front, channels, height, width = x.shape
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
    blocks = reshaped(b, node, x, (*front, *apart), last=False)
    axes = (*range(len(front)), *(len(front) + a for a in order))
    moved = b.between("Permute", node, [blocks], tuple(blocks.shape[a] for a in axes), order=axes)
    reshaped(b, node, moved, (*front, *shape))
