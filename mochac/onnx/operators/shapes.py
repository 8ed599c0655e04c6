"""ONNX's operators that rearrange: Flatten, Reshape, Squeeze, Transpose, Concat, Split, Pad, Expand, ..."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from mochac.onnx.builder import NetBuilder
from mochac.onnx.converters import operator
from mochac.onnx.formulas import inner, ranked, reshaped
from mochac.onnx.operator import UNBATCHED, BlobTensor, Given, OnnxNode
from mochac.onnx.operators.windows import MOST_AXES, short
from mochac.onnx.reduced import reduced
from mochac.onnx.taken import taken


@operator("Identity")
def identity(b: NetBuilder, node: OnnxNode) -> None:
    """Nothing."""
    b.alias(node, node.blob())


@operator("Flatten", "Reshape", "Squeeze", "Unsqueeze")
def reshape(b: NetBuilder, node: OnnxNode) -> None:
    """FlattenLayer or ReshapeLayer, as the shape of the output says."""
    x, shape = node.blob(), b.shape_of(node)
    if math.prod(shape) != math.prod(x.shape):
        raise node.refused("it changes the number of elements", str(x.shape), shape)
    reshaped(b, node, x, shape)


@operator("Transpose")
def transpose(b: NetBuilder, node: OnnxNode) -> None:
    """PermuteLayer."""
    x = node.blob()
    rank = len(x.shape) - b.lead
    order = node.integers("perm") or tuple(reversed(range(rank)))
    if sorted(order) != list(range(rank)):
        raise node.refused("perm is not a permutation of its axes", got=order)
    if not b.lead and order[:1] not in ((), (0,)):
        raise node.refused("samples must not mix: axis 0 is the batch", "perm = [0, ...]", order, UNBATCHED)
    order = (*range(b.lead), *(a + b.lead for a in order))
    b.add("Permute", node, [x], tuple(x.shape[a] for a in order), order=order)


@operator("Concat")
def concat(b: NetBuilder, node: OnnxNode) -> None:
    """ConcatLayer; constants are repeated for every sample."""
    given = [x for x in node.inputs if x is not None and not (isinstance(x, Given) and not x.array.size)]
    like = next(x for x in given if isinstance(x, BlobTensor))
    blobs = [x if isinstance(x, BlobTensor) else _for_all(b, node, x, like) for x in given]
    axis = node.axis(int(node.attribute("axis", 1)), like)
    if len(blobs) == 1:
        b.alias(node, blobs[0])
        return
    b.add("Concat", node, blobs, b.shape_of(node), **({} if axis == 1 else {"axis": axis}))


def _for_all(b: NetBuilder, node: OnnxNode, x: Given, like: BlobTensor) -> BlobTensor:
    """A constant as a blob of samples: if false, then something of each sample, else the constant."""
    if not b.lead and x.array.shape[:1] != (1,):
        raise node.refused("a constant differs from sample to sample", hint=UNBATCHED)
    axes = list(range(1, len(like.shape)))
    each = reduced(b, node, like, axes, "max", keep=True, last=False) if axes else like
    return inner(b, node, "select({0}, {1}, {2})", Given(np.zeros(1, np.int64)), each, x)


@operator("Split")
def split(b: NetBuilder, node: OnnxNode) -> None:
    """SliceLayer with a top for each output; an empty one is a constant."""
    x = node.blob()
    axis = node.axis(int(node.attribute("axis", 0)), x)
    own = axis - b.lead
    sizes = [shape[own] if shape else 0 for shape, _ in node.outputs]
    if 0 in sizes:
        _empty(b, node, x, own, sizes)
        return
    shapes = [b.shape_of(node, k) for k, _ in enumerate(node.proto.output)]
    if len(sizes) == 1:
        b.alias(node, x)
        return
    points = {} if len(set(sizes)) == 1 else {"points": tuple(itertools.accumulate(sizes[:-1]))}
    b.several("Slice", node, x, shapes, **({} if axis == 1 else {"axis": axis}), **points)


def _empty(b: NetBuilder, node: OnnxNode, x: BlobTensor, axis: int, sizes: Sequence[int]) -> None:
    """The outputs if some have no elements: the others are one, which is x."""
    if [n for n in sizes if n] != [x.shape[axis + b.lead]]:
        raise node.refused("some of its outputs are empty", got=tuple(sizes))
    for name, n in zip(node.proto.output, sizes, strict=True):
        shape = (*x.shape[b.lead : axis + b.lead], 0, *x.shape[axis + b.lead + 1 :])
        b.values[name] = x if n else Given(np.zeros(shape))


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
        given = node.given(2, "its value").reshape(-1)[0] if node.has(2) else node.attribute("value", 0.0)
        _bordered(b, node, x, before, after, float(given))
    else:
        for axis in padded:
            places = np.pad(np.arange(x.shape[axis]), (before[axis], after[axis]), mode=mode)  # pyright: ignore
            x = taken(b, node, x, axis, places.tolist(), last=axis == padded[-1])


def _pads(node: OnnxNode) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Elements in front of and behind each axis of the blob."""
    x, given = node.blob(), node.integers("pads", at=1) or ()
    rank = len(x.shape)
    axes = [int(a) for a in node.given(3, "axes").reshape(-1)] if node.has(3) else list(range(rank - node.lead))
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
