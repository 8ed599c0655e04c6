"""ONNX's operators that rearrange or select elements: Reshape, Transpose, Concat, Pad, Slice, Gather, OneHot, ...

Constant indices become NarrowLayers. Indices that the model computes are compared with every index there is, and the
element at the equal one is kept; the compiler makes one loop of it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from mochac.formats.importing.builder import NetBuilder, Top
from mochac.formats.importing.formulas import applied, formula, inner, ranked, reshaped
from mochac.formats.importing.node import UNBATCHED, BlobTensor, Constant
from mochac.formats.importing.place import FIRST
from mochac.formats.importing.rearranged import (
    compared,
    counted,
    padded,
    permuted,
    picked,
    regrouped,
    repeated,
    side_by_side,
    taken,
    with_axis,
    with_extents,
)
from mochac.formats.onnx.operator import OnnxNode, cuts, operator


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
    points = () if len(set(sizes)) == 1 else tuple(itertools.accumulate(sizes[:-1]))
    tops = [Top(f".{k}", shape, output=k) for k, shape in enumerate(shapes)]
    b.several("Slice", node, x, tops, axis=axis, points=points)


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
    value = node.constant(2, "its value").reshape(-1)[0] if node.has(2) else node.attribute("value", 0.0)
    padded(b, node, x, before, after, mode, float(value))


def _pads(node: OnnxNode) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Elements in front of and behind each axis of the blob."""
    x, pads = node.blob(), node.integers("pads", at=1) or ()
    rank = len(x.shape)
    axes = [int(a) for a in node.constant(3, "axes").reshape(-1)] if node.has(3) else list(range(rank - node.lead))
    before, after = [0] * rank, [0] * rank
    for axis, first, last in zip(axes, pads[: len(axes)], pads[len(axes) :], strict=True):
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
        split_shape = (channels, height // size, size, width // size, size)
        order = (0, 2, 4, 1, 3) if mode == "CRD" else (2, 4, 0, 1, 3)
        shape = (channels * square, height // size, width // size)
    else:
        inner = (channels // square, size, size) if mode == "CRD" else (size, size, channels // square)
        split_shape = (*inner, height, width)
        order = (0, 3, 1, 4, 2) if mode == "CRD" else (2, 3, 0, 4, 1)
        shape = (channels // square, height * size, width * size)
    regrouped(b, node, x, split_shape, order, shape)


@operator("Slice", anywhere=True)
def slice_(b: NetBuilder, node: OnnxNode) -> None:
    """NarrowLayers, one for each axis that is cut."""
    x = node.blob()
    kept = {a: places for a, places in cuts(node, x.extents).items() if places != range(x.extents[a])}
    if not all(map(len, kept.values())):
        raise node.refused("its output is empty")
    blob_axes = {node.axis(a, x): places for a, places in kept.items()}
    for k, (axis, places) in enumerate(blob_axes.items(), 1):
        x = taken(b, node, x, axis, places, last=k == len(blob_axes))
    if not blob_axes:
        b.alias(node, x)


@operator("Gather", anywhere=True)
def gather(b: NetBuilder, node: OnnxNode) -> None:
    """Parts of a blob, rows of a constant table (EmbeddingLayer), or elements that are compared with all."""
    x, ids = node.inputs[:2]
    axis = int(node.attribute("axis", 0))
    if isinstance(x, BlobTensor) and isinstance(ids, Constant):
        place = node.axis(axis, x)
        extent = x.shape[place]
        own = ids.array.reshape(-1).astype(np.int64)
        places = np.where(own < 0, own + extent, own)
        if not places.size or places.min() < 0 or places.max() >= extent:
            raise node.refused("it picks elements that are not there", f"0 .. {extent - 1}", places[:8].tolist())
        plain = ids.array.ndim == 1
        result = taken(b, node, x, place, places, last=plain)
        if not plain:
            reshaped(b, node, result, x.resized(place, *ids.array.shape), x.place.with_more(place, ids.array.ndim - 1))
        return
    if isinstance(x, Constant) and isinstance(ids, BlobTensor) and axis % x.array.ndim == 0:
        _embedded(b, node, x, ids)
        return
    node.needs_batch_first()
    if isinstance(x, BlobTensor) and isinstance(ids, BlobTensor):
        place = node.axis(axis, x)
        if not b.lead:
            raise node.refused("samples must not mix: axis 0 is the batch", hint="GatherElements picks within a sample")
        inside = len(ids.shape) - 1
        rows = (*x.shape[:place], *(1 for _ in range(inside)), *x.shape[place:])
        numbers = (1, *(1 for _ in x.shape[1:place]), *ids.shape[1:], 1, *(1 for _ in x.shape[place + 1 :]))
        table, each = reshaped(b, node, x, rows, last=False), reshaped(b, node, ids, numbers, last=False)
        compared(b, node, table, each, place - 1 + inside, from_end=True)
    else:
        raise node.refused("columns of a constant table are not supported", "axis 0", axis)


def _embedded(b: NetBuilder, node: OnnxNode, table: Constant, ids: BlobTensor) -> None:
    """EmbeddingLayer. Negative numbers count from the end, unless they are the model's inputs: then they are ids, of
    which negative ones are refused as they are read."""
    rows, *rest = table.array.shape
    ids = b.before_cast(ids)
    known = any(layer.kind == "Input" and ids.name in layer.tops for layer in b.layers)
    ids = ids if known else inner(b, node, f"select(lt({{0}}, 0), add({{0}}, {rows}), {{0}})", ids)
    flat = (ids.shape[0], math.prod(ids.shape[1:])) if len(ids.shape) > 1 else ids.shape
    shape, place = (*ids.shape, *rest), ids.place
    ids = reshaped(b, node, ids, flat, FIRST, last=False)
    width = math.prod(rest)
    squeezed = (*flat[:1], width) if flat[1:] == (1,) else (*flat, width)
    weight = {"weight": table.array.reshape(rows, width)}
    fields = {"vocabulary": rows, "output_dim": width, "weight_lr": float(bool(table.name))}
    if squeezed == shape:
        b.add("Embedding", node, [ids], shape, weight, place, **fields)
    else:
        reshaped(b, node, b.between("Embedding", node, [ids], squeezed, weight, **fields), shape, place)


@operator("GatherElements")
def gather_elements(b: NetBuilder, node: OnnxNode) -> None:
    """Elements along an axis, by numbers for each place; negative ones count from the end."""
    x, ids = node.inputs[:2]
    assert x is not None and ids is not None
    picked(b, node, x, ids, int(node.attribute("axis", 0)) % len(x.extents), from_end=True)


@operator("OneHot")
def one_hot(b: NetBuilder, node: OnnxNode) -> None:
    """One number where an index is, another elsewhere; negative indices count from the end."""
    ids, depth = node.blob(), int(node.constant(1, "its depth").reshape(-1)[0])
    off, on = (float(v) for v in node.constant(2, "its values").reshape(-1))
    rank = len(ids.extents) + 1
    axis = int(node.attribute("axis", -1)) % rank
    if axis + b.lead < 1 or depth < 1:
        raise node.refused("samples must not mix: axis 0 is the batch", "axis >= 1 and depth >= 1", axis)
    numbers = with_axis(b, node, ids, axis)
    here = "or(eq({0}, {1}), eq(add({0}, " + str(depth) + "), {1}))"
    formula(b, node, f"add(mul({here}, {on - off!r}), {off!r})", numbers, counted(b, node, depth, axis, rank))


@operator("Trilu")
def triangle(b: NetBuilder, node: OnnxNode) -> None:
    """The upper or the lower triangle of matrices; 0 elsewhere."""
    x = node.blob()
    k = int(node.constant(1, "its diagonal").reshape(-1)[0]) if node.has(1) else 0
    kept = np.triu if node.attribute("upper", 1) else np.tril
    if len(x.shape) < 3:
        raise node.refused("samples must not mix: axis 0 is the batch", "(batch, ..., rows, columns)", x.shape)
    b.budget.take(node, math.prod(x.shape[-2:]), 8)
    mask = Constant(kept(np.ones(x.shape[-2:], np.int64), k))
    applied(b, node, "select", [mask, x, Constant(np.zeros(()))])
