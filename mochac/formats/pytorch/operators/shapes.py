"""PyTorch's operations that rearrange: view, permute, expand, cat, split, slice, pad, ..."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mochac.formats.importing.builder import Top
from mochac.formats.importing.formulas import formula, inner, ranked, reshaped, same_for_all
from mochac.formats.importing.node import BlobTensor, Constant, Tensor
from mochac.formats.importing.place import BatchPlace, Shape
from mochac.formats.importing.rearranged import (
    LOWEST,
    padded,
    permuted,
    reduced,
    regrouped,
    repeated,
    side_by_side,
    taken,
    with_axis,
    with_batch,
    with_extents,
)
from mochac.formats.pytorch.builder import AtenNode, TorchBuilder
from mochac.formats.pytorch.converters import aten
from mochac.formats.pytorch.exported import operation_of


@aten("view", "reshape", "flatten", "unflatten", "unsqueeze", counts=True)
@aten("_unsafe_view", "squeeze", "view_copy", "reshape_as", "_reshape_alias", "atleast_2d")
def view(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, size: Any = None, dim: Any = None, sizes: Any = None,
    start_dim: int = 0, end_dim: int = -1, shape: Any = None, dtype: Any = None,
) -> None:  # fmt: skip
    """FlattenLayer or ReshapeLayer, as the shape of the result says."""
    if dtype is not None:
        raise node.refused("other numbers of the same bits are not supported", got=dtype)
    with_extents(b, node, x, b.extents_of(node))


@aten("permute")
def permute(b: TorchBuilder, node: AtenNode, x: BlobTensor, dims: Sequence[int]) -> None:
    """PermuteLayer; nothing if only the batch gets another place."""
    rank = len(x.extents)
    permuted(b, node, x, [d % rank for d in dims])


@aten("transpose", "t", "numpy_T", "mT", "swapaxes", "movedim")
def transpose(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, dim0: int = -2, dim1: int = -1, source: Any = None,
    destination: Any = None,
) -> None:  # fmt: skip
    """Two axes change places."""
    rank = len(x.extents)
    order = list(range(rank))
    if source is not None:
        order = list(np.moveaxis(np.empty(range(rank), bool), source, destination).shape)  # axis k has extent k
    elif rank > 1:
        order[dim0], order[dim1] = order[dim1], order[dim0]
    permuted(b, node, x, order)


@aten("broadcast_tensors")
def broadcast_tensors(b: TorchBuilder, node: AtenNode, tensors: Any) -> Any:
    """Each as it is if all have one shape, as in PyTorch's losses; else with the axes that grow."""
    if len({x.extents for x in tensors}) == 1:
        return list(tensors)
    return [_broadcast(b, node, x, b.extents_of(node)) for x in tensors]


def _broadcast(b: TorchBuilder, node: AtenNode, x: Tensor, extents: Shape) -> Tensor:
    if isinstance(x, Constant):
        return Constant(np.broadcast_to(x.array, extents))
    if not x.samples:
        raise node.refused("parameters are repeated", str(extents), x.extents)
    x = ranked(b, node, x, len(x.shape) + len(extents) - len(x.extents))
    for group, extent in zip(x.place.axes(len(x.shape)), extents, strict=True):
        if group != (0,) and x.shape[group[-1]] == 1 != extent:
            x = _tiled(b, node, x, group[-1], extent)
    return x


@aten("expand", "expand_as", "broadcast_to")
def expand(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, size: Any = None, other: Any = None, implicit: bool = False
) -> Any:
    """TileLayers, one for each axis that grows; what holds no samples may get a batch."""
    extents = b.extents_of(node)
    if not x.samples:
        return widened(b, node, x, extents)
    x = ranked(b, node, x, len(x.shape) + len(extents) - len(x.extents))
    shape = list(x.shape)
    for group, extent in zip(x.place.axes(len(shape)), extents, strict=True):
        if len(group) == 1 and group[0]:
            shape[group[0]] = extent
    repeated(b, node, x, tuple(shape))
    return None


def widened(b: TorchBuilder, node: AtenNode, x: BlobTensor, extents: Sequence[int]) -> Any:
    """x with axes that grow. One that becomes the batch is left as it is where x is joined with samples, which repeats
    it for each, or added to scores of attention."""
    own = (1,) * (len(extents) - len(x.shape)) + x.shape
    grown = [a for a, (n, m) in enumerate(zip(extents, own, strict=True)) if n != m]
    batch = next((a for a in grown if extents[a] == b.batch and not b.lead), None)
    if batch is None:
        repeated(b, node, reshaped(b, node, x, own, last=False), tuple(extents))
        return None
    if grown == [batch] and _readers(node.fx) <= {*_JOINS, "scaled_dot_product_attention"}:
        return reshaped(b, node, x, own, last=False)
    rows = reshaped(b, node, x, (*own[:batch], *own[batch + 1 :]) or (1,), last=False)
    for axis in (a for a in grown if a != batch):
        rows = _tiled(b, node, rows, axis - (axis > batch), extents[axis])
    return with_batch(b, node, rows, batch)


def _readers(fx: Any) -> set[str]:
    """The operations that read the value of a node or a copy of it."""
    copies = ("clone", "contiguous")
    names = {operation_of(user) for user in fx.users}.difference(copies)
    return names.union(*(_readers(user) for user in fx.users if operation_of(user) in copies))


_JOINS = ("cat", "concat", "concatenate")


def _tiled(b: TorchBuilder, node: AtenNode, x: BlobTensor, axis: int, times: int) -> BlobTensor:
    """x several times along an axis of the blob."""
    return b.between("Tile", node, [x], x.resized(axis, times * x.shape[axis]), None, x.place, tiles=times, axis=axis)


@aten("repeat", "tile")
def repeat(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, repeats: Sequence[int] = (), dims: Sequence[int] = ()
) -> Any:
    """TileLayers."""
    extents = b.extents_of(node)
    times = tuple(repeats or dims)
    times = (1,) * (len(extents) - len(times)) + times
    if not x.samples:
        return _repeated_parameter(b, node, x, times, extents)
    x = ranked(b, node, x, len(x.shape) + len(extents) - len(x.extents))
    axes = x.place.axes(len(x.shape))
    grown = [(group, n) for group, n in zip(axes, times, strict=True) if n != 1]
    if grown and [group for group, _ in grown] == [(0,)]:
        _with_copies(b, node, x, grown[0][1], outer=True)
        return None
    if any(0 in group for group, _ in grown):
        raise node.refused("samples are repeated", "repeats of 1 along the batch", times)
    for k, (group, n) in enumerate(grown, 1):
        (axis,) = group
        whole = x.resized(axis, x.shape[axis] * n)
        x = b.layer(k == len(grown), "Tile", node, [x], whole, x.place, tiles=n, axis=axis)
    if not grown:
        b.alias(node, x)
    return None


def _with_copies(b: TorchBuilder, node: AtenNode, x: BlobTensor, count: int, *, outer: bool) -> None:
    """The output of the node has this many copies of each sample: all samples after each other, or the copies of each
    sample. The batch is one with the axis of the copies."""
    rows = _with_rounds(b, node, x)
    axis = rows.place.at
    assert axis is not None
    place = rows.place if outer else BatchPlace(axis - 1, inner=True)
    b.add("Tile", node, [rows], rows.resized(axis, count), None, place, tiles=count, axis=axis)


def _with_rounds(b: TorchBuilder, node: AtenNode, x: BlobTensor) -> BlobTensor:
    """x with an axis of extent 1 in front of the batch, and one with it."""
    at = x.place.at
    assert at is not None
    shape, place = (*x.shape[: at + 1], 1, *x.shape[at + 1 :]), BatchPlace(at + 1, outer=True)
    return reshaped(b, node, x, shape, place, last=False)


def _is_batch(x: Tensor, dim: int) -> bool:
    """Whether an axis of the graph is the batch, or several rounds of all samples, one after the other."""
    return isinstance(x, BlobTensor) and x.samples and x.place.axes(len(x.shape))[dim][-1:] == (0,)


def _rounds(b: TorchBuilder, node: AtenNode, x: BlobTensor, places: range) -> BlobTensor:
    """Whole rounds of all samples.

    Raises:
        UnsupportedError: they are no rounds.
    """
    axis, count = x.place.at or 0, x.shape[0]
    if not x.place.outer or places.step != 1 or places.start % count or len(places) % count:
        raise node.refused("samples must not mix: it takes a part of the batch", got=f"{places.start}:{places.stop}")
    part = taken(b, node, x, axis, range(places.start // count, places.stop // count), last=False)
    if len(places) > count:
        return part
    return reshaped(b, node, part, x.resized(axis), replace(x.place, at=axis - 1, outer=False), last=False)


def _repeated_parameter(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, times: Sequence[int], extents: Sequence[int]
) -> Any:
    """A blob without samples several times along its axes; as often as there are samples, once for each."""
    own = (1,) * (len(extents) - len(x.shape)) + x.shape
    long = [a for a, (n, m) in enumerate(zip(times, own, strict=True)) if n > 1 < m]
    batch = next((a for a in long if times[a] == b.batch and not b.lead), None)
    x = reshaped(b, node, x, own, last=False)
    for axis in (a for a in range(len(own)) if times[a] > 1 and (a in long or batch is not None) and a != batch):
        x = _tiled(b, node, x, axis, times[axis])
    if batch is None:
        return widened(b, node, x, extents)
    result = with_batch(b, node, x, batch)
    return replace(result, place=BatchPlace(batch, inner=True))


@aten("repeat_interleave")
def repeat_interleave(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, repeats: Any, dim: int | None = None, output_size: Any = None
) -> None:
    """Each element as often as the number says, one after the other."""
    if not isinstance(repeats, int) or dim is None:
        raise node.refused("its repeats are not one number along an axis")
    if x.samples and x.place.axes(len(x.shape))[dim] == (0,):
        _with_copies(b, node, x, repeats, outer=False)
        return
    group = x.place.axes(len(x.shape))[dim] if x.samples else (node.axis(dim, x),)
    if group[-1] == 0:
        raise node.refused("samples are repeated behind an axis that is one with the batch")
    axis = group[-1]
    places = np.repeat(np.arange(x.shape[axis]), repeats)
    split_shape = (*x.shape[: axis + 1], 1, *x.shape[axis + 1 :])
    rows = reshaped(b, node, x, split_shape, x.place, last=False)
    wide = (*x.shape[: axis + 1], repeats, *x.shape[axis + 1 :])
    tiled = b.between("Tile", node, [rows], wide, None, x.place, tiles=repeats, axis=axis + 1)
    reshaped(b, node, tiled, x.resized(axis, len(places)), x.place)


@aten(*_JOINS)
def cat(b: TorchBuilder, node: AtenNode, tensors: Sequence[Tensor], dim: int = 0) -> None:
    """ConcatLayer; along the batch, all samples of the first, then of the second, and so on."""
    parts = [x for x in tensors if not (isinstance(x, Constant) and not x.array.size)]
    if len(parts) > 1 and all(_is_batch(x, dim) for x in parts):
        rows = [x if x.place.outer else _with_rounds(b, node, x) for x in parts if isinstance(x, BlobTensor)]
        axis, place = rows[0].place.at or 0, rows[0].place
        shape = rows[0].resized(axis, sum(x.shape[axis] for x in rows))
        b.add("Concat", node, rows, shape, None, place, axis=axis)
        return
    like = max((x for x in parts if isinstance(x, BlobTensor)), key=lambda x: x.samples)
    if not like.samples:
        parts = [b.fixed(node, x) for x in parts]
    side_by_side(b, node, [x if isinstance(x, BlobTensor) else same_for_all(b, x, like) for x in parts], dim)


@aten("stack")
def stack(b: TorchBuilder, node: AtenNode, tensors: Sequence[Tensor], dim: int = 0) -> None:
    """ConcatLayer along a new axis."""
    parts = [x if isinstance(x, BlobTensor) else b.fixed(node, x) for x in tensors]
    like = max(parts, key=lambda x: x.samples)
    at = dim % (len(like.extents) + 1)
    side_by_side(b, node, [with_axis(b, node, x, at) for x in parts], at)


@aten("split", "split_with_sizes", "chunk", "unsafe_split", "unsafe_chunk", "tensor_split")
def split(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, split_size: Any = None, split_sizes: Any = None, dim: int = 0,
    chunks: Any = None, sections: Any = None, indices: Any = None,
) -> Any:  # fmt: skip
    """SliceLayer with a top for each part."""
    sizes = [shape[dim] for shape, _ in node.outputs if shape is not None]
    if _is_batch(x, dim) and len(sizes) > 1:
        return _split_rounds(b, node, x, sizes)
    axis = node.axis(dim, x)
    full = [k for k, n in enumerate(sizes) if n]
    empty = [Constant(np.zeros(b.extents_of(node, k))) for k in range(len(sizes))]
    if len(full) == 1:
        return [x if k in full else empty[k] for k in range(len(sizes))]
    ends = tuple(itertools.accumulate(sizes[k] for k in full[:-1]))
    points = () if len({sizes[k] for k in full}) == 1 else ends
    tops = [Top(f".{k}", x.resized(axis, sizes[k]), x.place, k) for k in full]
    parts = dict(zip(full, b.several("Slice", node, x, tops, axis=axis, points=points), strict=True))
    return [parts.get(k, empty[k]) for k in range(len(sizes))]


def _split_rounds(b: TorchBuilder, node: AtenNode, x: BlobTensor, sizes: Sequence[int]) -> list[BlobTensor]:
    ends = list(itertools.accumulate(sizes))
    parts = [_rounds(b, node, x, range(end - size, end)) for size, end in zip(sizes, ends, strict=True)]
    for part, uses in zip(parts, node.uses, strict=True):
        b.reads[part.name] = uses + 1
    return parts


@aten("unbind")
def unbind(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: int = 0) -> list[BlobTensor]:
    """A part for each element of an axis."""
    axis = node.axis(dim, x)
    extent = x.shape[axis]
    result = list[BlobTensor]()
    for k in range(extent):
        part = taken(b, node, x, axis, range(k, k + 1), last=False) if node.uses[k] else x
        shape = x.resized(axis) or (1,)
        blob = reshaped(b, node, part, shape, x.place.without([axis]), last=False) if node.uses[k] else x
        b.reads[blob.name] = node.uses[k] + 1
        result.append(blob)
    return result


@aten("select")
def select(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: int, index: int) -> None:
    """One element of an axis, which is left out."""
    axis = node.axis(dim, x)
    part = taken(b, node, x, axis, range(index % x.shape[axis], index % x.shape[axis] + 1), last=False)
    reshaped(b, node, part, x.resized(axis) or (1,), x.place.without([axis]))


@aten("slice")
def slice_(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: int = 0, start: Any = None, end: Any = None, step: int = 1
) -> Any:
    """NarrowLayer."""
    extents = x.extents
    places = range(*slice(start, end, step).indices(extents[dim]))
    if not places:
        return Constant(np.zeros(b.extents_of(node)))
    if places == range(extents[dim]):
        b.alias(node, x)
        return None
    if _is_batch(x, dim):
        b.alias(node, _rounds(b, node, x, places))
    else:
        taken(b, node, x, node.axis(dim, x), places, last=True)
    return None


@aten("narrow")
def narrow(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: int, start: int, length: int) -> Any:
    """NarrowLayer."""
    return slice_(b, node, x, dim, start, start + length)


@aten("flip")
def flip(b: TorchBuilder, node: AtenNode, x: BlobTensor, dims: Sequence[int]) -> None:
    """Parts in reverse order."""
    for k, dim in enumerate(dims, 1):
        axis = node.axis(dim, x)
        x = taken(b, node, x, axis, range(x.shape[axis])[::-1], last=k == len(dims))


@aten("roll")
def roll(b: TorchBuilder, node: AtenNode, x: BlobTensor, shifts: Sequence[int], dims: Sequence[int] = ()) -> None:
    """The parts on both sides of a place change places."""
    for k, (shift, dim) in enumerate(zip(shifts, dims, strict=True), 1):
        axis = node.axis(dim, x)
        x = taken(b, node, x, axis, np.roll(np.arange(x.shape[axis]), shift), last=k == len(dims))


@aten("tril", "triu")
def triangle(b: TorchBuilder, node: AtenNode, x: BlobTensor, diagonal: int = 0) -> None:
    """Zeros above or below a diagonal of the last two axes."""
    rows, columns = x.extents[-2:]
    kept = np.tri(rows, columns, diagonal if node.type == "tril" else diagonal - 1, dtype=bool)
    formula(b, node, "select({1}, {0}, 0)", x, Constant(kept if node.type == "tril" else ~kept))


@aten("diagonal")
def diagonal(b: TorchBuilder, node: AtenNode, x: BlobTensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> None:
    """The elements (k, k + offset) of two axes, which become the last one: sums of rows that are 0 elsewhere."""
    rank = len(x.extents)
    row, column = dim1 % rank, dim2 % rank
    node.axis(row, x)
    on = np.eye(x.extents[row], x.extents[column], offset, dtype=bool)
    others = [k for k in range(rank) if k not in (row, column)]
    mask = np.expand_dims(on if row < column else on.T, others)
    marked = inner(b, node, "select({1}, {0}, 0)", x, Constant(mask))
    sums = reduced(b, node, marked, [node.axis(column, x)], "sum", keep=False, last=False)
    at, (places, _) = row - (column < row), np.nonzero(on)
    line = taken(b, node, sums, node.axis(at, sums), range(places[0], places[-1] + 1), last=False)
    permuted(b, node, line, [*(k for k in range(rank - 1) if k != at), at])


@aten("fill")
def fill(b: TorchBuilder, node: AtenNode, x: BlobTensor, value: Any) -> Any:
    """A number everywhere."""
    if isinstance(value, BlobTensor):
        raise node.refused("it is filled with a number that the module computes")
    number = value.array if isinstance(value, Constant) else value
    return Constant(np.full(x.extents, number, np.float64))


@aten("zeros_like", "ones_like", "full_like", "zero", "new_zeros", "new_ones", "new_full", "empty_like", "new_empty",
      "new_empty_strided")  # fmt: skip
def like(b: TorchBuilder, node: AtenNode, x: Tensor, size: Any = None, fill_value: Any = 0, stride: Any = None) -> Any:
    """A constant in the shape of a tensor."""
    value = 1 if "ones" in node.type else fill_value if "full" in node.type else 0
    extents = b.extents_of(node)
    return Constant(np.full(extents, value, np.float64 if node.element in (1, 10, 11, 16) else np.int64))


@aten("constant_pad_nd", "pad", "reflection_pad1d", "reflection_pad2d", "replication_pad1d", "replication_pad2d")
def pad(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, pad: Sequence[int] = (), padding: Sequence[int] = (),
    mode: str = "constant", value: Any = None,
) -> None:  # fmt: skip
    """PadLayer for a border of numbers; others are parts of the blob, side by side."""
    pads, rank = list(pad or padding), len(x.extents)
    mode = {"reflection": "reflect", "replication": "replicate"}.get(node.type.split("_")[0], mode)
    before, after = [0] * len(x.shape), [0] * len(x.shape)
    for k in range(len(pads) // 2):
        if pads[2 * k] or pads[2 * k + 1]:
            axis = node.axis(rank - 1 - k, x)
            before[axis], after[axis] = pads[2 * k : 2 * k + 2]
    for axis in [a for a in range(len(x.shape)) if before[a] < 0 or after[a] < 0]:
        places = range(max(0, -before[axis]), x.shape[axis] + min(0, after[axis]))
        before[axis], after[axis] = max(0, before[axis]), max(0, after[axis])
        x = taken(b, node, x, axis, places, last=False)
    how = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}.get(mode, mode)
    if how == "constant" and not x.samples and any((*before, *after)):
        raise node.refused("parameters are padded")
    number = float(value or 0)
    if number == -math.inf and all(operation_of(user).startswith("max_pool") for user in node.fx.users):
        number = LOWEST
    padded(b, node, x, before, after, how, number)


@aten("pixel_shuffle", "pixel_unshuffle", "channel_shuffle")
def shuffle(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, upscale_factor: int = 1, downscale_factor: int = 1, groups: int = 1
) -> None:
    """Channels as blocks of pixels, blocks of pixels as channels, or channels of groups in turns."""
    _, c, *image = x.shape
    if node.type == "channel_shuffle":
        split_shape, order, shape = (groups, c // groups, *image), (1, 0, *range(2, 2 + len(image))), (c, *image)
    elif node.type == "pixel_shuffle":
        f, (h, w) = upscale_factor, image
        split_shape, order, shape = (c // f**2, f, f, h, w), (0, 3, 1, 4, 2), (c // f**2, h * f, w * f)
    else:
        f, (h, w) = downscale_factor, image
        split_shape, order, shape = (c, h // f, f, w // f, f), (0, 2, 4, 1, 3), (c * f**2, h // f, w // f)
    regrouped(b, node, x, split_shape, order, shape)
