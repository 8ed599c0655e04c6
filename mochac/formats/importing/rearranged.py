"""What converters of importers rearrange: blobs in other shapes, with their axes in another order, side by side,
repeated, with borders; reductions and cumulated sums; elements of an axis, taken at known places or picked at places
that a tensor says.

To pick, every element is compared with the places that there are, and the compiler makes one loop of it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.formulas import LETTERS, contracted_blobs, formula, inner, reshaped
from mochac.formats.importing.node import UNBATCHED, BlobTensor, Constant, ImportedNode, Shape, Tensor
from mochac.formats.importing.place import FIRST, BatchPlace

MAX_AXES = 3
"""Maximum spatial axes of an image."""


def with_extents(b: NetBuilder, node: ImportedNode, x: BlobTensor, extents: Shape) -> None:
    """The output of the node is x with other extents in the graph.

    Raises:
        UnsupportedError: samples would mix.
    """
    if math.prod(extents) != math.prod(x.extents):
        raise node.refused("it changes the number of elements", str(x.extents), extents)
    if not x.samples:
        reshaped(b, node, x, extents or (1,))
        return
    found = x.place.reshaped(x.shape, extents)
    if found is None:
        raise node.refused("samples would mix", f"extents in which the batch, {b.batch}, stays", extents, UNBATCHED)
    place, shape = found
    reshaped(b, node, b.before_reshape(x), shape, place)


def permuted(b: NetBuilder, node: ImportedNode, x: BlobTensor, order: Sequence[int]) -> None:
    """The output of the node is x with the graph's axes in another order; no layer if only the batch moves."""
    place, axes = x.place.permuted(len(x.shape), order) if x.samples else (x.place, tuple(order))
    if axes == tuple(range(len(axes))):
        b.alias(node, replace(x, place=place))
    else:
        b.add("Permute", node, [x], tuple(x.shape[a] for a in axes), None, place, order=axes)


def side_by_side(b: NetBuilder, node: ImportedNode, parts: Sequence[Tensor], axis: int) -> None:
    """The output of the node is its operands along an axis of the graph; what holds no samples is repeated for each.

    Raises:
        UnsupportedError: samples would mix.
    """
    like = max((x for x in parts if isinstance(x, BlobTensor)), key=lambda x: x.samples)
    blobs = [x if isinstance(x, BlobTensor) and x.samples == like.samples else for_all(b, node, x, like) for x in parts]
    at = node.axis(axis, like)
    if {x.place for x in blobs} != {like.place}:
        raise node.refused("samples must not mix: its inputs have the batch along different axes", hint=UNBATCHED)
    if len(blobs) == 1:
        b.alias(node, blobs[0])
        return
    b.add("Concat", node, blobs, like.resized(at, sum(x.shape[at] for x in blobs)), None, like.place, axis=at)


LOWEST = -float(np.finfo(np.float32).max)
"""What stands for minus infinity around an image whose maxima are taken."""


def padded(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, before: Sequence[int], after: Sequence[int], mode: str,
    value: float = 0.0,
) -> None:  # fmt: skip
    """The output of the node is x with a border, by a mode of numpy.pad: of numbers, or of parts of the blob."""
    axes = [a for a in range(len(x.shape)) if before[a] or after[a]]
    if not axes:
        b.alias(node, x)
    elif mode == "constant":
        bordered(b, node, x, before, after, value)
    for axis in axes if mode != "constant" else ():
        b.budget.take(node, before[axis] + x.shape[axis] + after[axis], 8)
        places = np.pad(np.arange(x.shape[axis]), (before[axis], after[axis]), mode=mode)  # pyright: ignore
        x = taken(b, node, x, axis, places, last=axis == axes[-1])


def bordered(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, before: Sequence[int], after: Sequence[int], value: float, *,
    last: bool = True,
) -> BlobTensor:  # fmt: skip
    """PadLayer, for which axes are merged into channels and three spatial ones at most.

    Args:
        before, after: elements in front of and behind each axis of the blob; none for the batch.
    """
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
    groups = [[a] for a in range(1, len(x.shape))] if images and len(x.shape) <= MAX_AXES + 2 else groups
    if len(groups) - 1 > MAX_AXES:
        raise node.refused("too many axes are padded", f"at most {MAX_AXES}", len(groups) - 1)
    first, end = (tuple(pads[g[0]] for g in groups[1:]) for pads in (before, after))
    merged = (b.batch, *(math.prod(x.shape[a] for a in g) for g in groups))
    shape = tuple(extent + p + q for extent, p, q in zip(x.shape, before, after, strict=True))
    padded = (*merged[:2], *(n + p + q for n, p, q in zip(merged[2:], first, end, strict=True)))
    whole = merged == x.shape
    rows = reshaped(b, node, x, merged, last=False)
    result = b.layer(last and whole, "Pad", node, [rows], padded, before=first, after=end, value=value)
    return result if whole else reshaped(b, node, result, shape, last=last)


def repeated(b: NetBuilder, node: ImportedNode, x: BlobTensor, shape: Shape) -> None:
    """The output of the node is x with axes of extent 1 repeated, so that the blob has this shape: TileLayers."""
    grown = [a for a, extent in enumerate(shape) if extent != x.shape[a]]
    for axis in grown:
        between, tiles = x.resized(axis, shape[axis]), shape[axis] // x.shape[axis]
        x = b.layer(axis == grown[-1], "Tile", node, [x], between, x.place, tiles=tiles, axis=axis)
    if not grown:
        b.alias(node, x)


def regrouped(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, extents: Shape, order: Sequence[int], shape: Shape
) -> None:
    """The output of the node is x whose last axes get these extents, then another order, then these extents, as
    in pixel shuffles."""
    front = x.shape[: len(x.shape) - len(shape)]
    blocks = reshaped(b, node, x, (*front, *extents), last=False)
    axes = (*range(len(front)), *(len(front) + a for a in order))
    moved = b.between("Permute", node, [blocks], tuple(blocks.shape[a] for a in axes), order=axes)
    reshaped(b, node, moved, (*front, *shape))


def reduced(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, axes: list[int], operation: str, *, keep: bool, last: bool = True
) -> BlobTensor:
    """x reduced over axes of its blob; over all axes, of a blob without samples, to one of a single element."""
    kept: Shape = tuple(1 if a in axes else extent for a, extent in enumerate(x.shape))
    left: Shape = tuple(extent for a, extent in enumerate(x.shape) if a not in axes)
    whole, place = x.place, x.place.without(axes)
    if not left and len(x.shape) > 1 and operation in ("sum", "mean", "max", "min"):
        # first over axis 0, which may hold more samples or fewer
        x = b.between("Reduction", node, [x], x.shape[1:], None, place, axes=(0,), operation=operation)
    if not left:
        x, axes, left = reshaped(b, node, x, (1, math.prod(x.shape)), last=False), [1], (1,)
    result = b.layer(last and not keep, "Reduction", node, [x], left, place, axes=tuple(axes), operation=operation)
    return reshaped(b, node, result, kept, whole, last=last) if keep else result


MAX_TRIANGLE = 32
"""Maximum elements of an axis along which sums are cumulated by one matrix; more are cut into as many."""


def cumulated(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, axis: int, *, exclusive: bool = False, backwards: bool = False,
    last: bool = True,
) -> BlobTensor:  # fmt: skip
    """The sums of x up to each element of an axis of the blob, by a product with a triangular matrix of ones. A long
    axis is cut into short parts; each part adds the sums of the parts before it.

    Args:
        exclusive: without the element itself.
        backwards: from the other end.
    """
    extent, parts = x.shape[axis], -(-x.shape[axis] // MAX_TRIANGLE)
    if parts == 1:
        matrix = np.triu(np.ones((extent, extent)), int(exclusive))
        letters = LETTERS[: len(x.shape)]
        operands = [(x, letters), (Constant(matrix.T if backwards else matrix), f"{letters[axis]}X")]
        return contracted_blobs(b, node, operands, letters.replace(letters[axis], "X"), last=last)
    size, none = -(-extent // parts), [0] * len(x.shape)
    after = [*none[:axis], parts * size - extent, *none[axis + 1 :]]
    whole = bordered(b, node, x, none, after, 0.0, last=False) if any(after) else x
    rows = reshaped(b, node, whole, x.resized(axis, parts, size), x.place.with_more(axis + 1, 1), last=False)
    how = {"backwards": backwards, "last": False}
    inside = cumulated(b, node, rows, axis + 1, exclusive=exclusive, **how)
    totals = reduced(b, node, rows, [axis + 1], "sum", keep=True, last=False)
    before = cumulated(b, node, totals, axis, exclusive=True, **how)
    sums = reshaped(b, node, inner(b, node, "add({0}, {1})", inside, before), whole.shape, x.place, last=False)
    return taken(b, node, sums, axis, range(extent), last=last)


def resampled(b: NetBuilder, node: ImportedNode, x: BlobTensor, matrices: Mapping[int, np.ndarray]) -> None:
    """The output of the node is x times a matrix (results, extent) along each of these axes of the blob."""
    changed = [(axis, m) for axis, m in matrices.items() if m.shape[0] != m.shape[1] or not (m == np.eye(len(m))).all()]
    if not changed:
        b.alias(node, x)
    for axis, matrix in changed:
        how = {"matrix": matrix, "axis": axis}
        if axis == changed[-1][0]:
            b.add("Resample", node, [x], x.resized(axis, len(matrix)), **how)
        else:
            x = b.between("Resample", node, [x], x.resized(axis, len(matrix)), **how)


def log_sum_exp(b: NetBuilder, node: ImportedNode, x: BlobTensor, axes: Sequence[int]) -> BlobTensor:
    """log(sum(exp(x))) over axes of the blob, which stay with extent 1."""
    top, _, total = _shifted(b, node, x, axes)
    return inner(b, node, "add(log({0}), {1})", total, top)


def finite(b: NetBuilder, node: ImportedNode, x: BlobTensor) -> BlobTensor:
    """x, or 0 in the place of infinities, whose distance to themselves is NaN."""
    return inner(b, node, f"select(le(abs({{0}}), {float(np.finfo(b.dtype).max)!r}), {{0}}, 0)", x)


def log_softmax(b: NetBuilder, node: ImportedNode, x: BlobTensor, axis: int, *, last: bool = True) -> BlobTensor:
    """x - log(sum(exp(x))) along an axis of the blob."""
    _, distance, total = _shifted(b, node, x, [axis])
    return (formula if last else inner)(b, node, "sub({0}, log({1}))", distance, total)


def _shifted(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, axes: Sequence[int]
) -> tuple[BlobTensor, BlobTensor, BlobTensor]:
    """The maximum, which no gradient passes, the distances to it, and the sum of their exponentials."""
    most = reduced(b, node, x, list(axes), "max", keep=True, last=False)
    top = finite(b, node, b.between("StopGradient", node, [most], most.shape, None, most.place))
    distance = inner(b, node, "sub({0}, {1})", x, top)
    total = reduced(b, node, inner(b, node, "exp({0})", distance), list(axes), "sum", keep=True, last=False)
    return top, distance, total


def with_axis(b: NetBuilder, node: ImportedNode, x: Tensor, at: int) -> Tensor:
    """x with one more axis of the graph, of extent 1."""
    if isinstance(x, Constant):
        return Constant(np.expand_dims(x.array, at) if x.array.ndim else x.array)
    whole = (*x.extents[:at], 1, *x.extents[at:])
    found = x.place.reshaped(x.shape, whole) if x.samples else (x.place, whole)
    assert found is not None
    return reshaped(b, node, x, found[1], found[0], last=False)


def counted(b: NetBuilder, node: ImportedNode, extent: int, axis: int, rank: int) -> Constant:
    """0, 1, ... along an axis of a tensor with `rank` axes."""
    b.budget.take(node, extent, 8)
    return Constant(np.arange(extent, dtype=np.int64).reshape(extent, *(1 for _ in range(rank - axis - 1))))


def picked(
    b: NetBuilder, node: ImportedNode, x: Tensor, ids: Tensor, axis: int, *, from_end: bool = False, last: bool = True
) -> BlobTensor:
    """The element of x along an axis of the graph at each number: a sum over elements at their own places only.

    Args:
        from_end: negative numbers count from the end.

    Raises:
        UnsupportedError: the numbers leave out parts of other axes, or the axis is the batch.
    """
    have, want = x.extents, ids.extents
    if len(have) != len(want) or any(
        a != axis and n not in (1, m) for a, (n, m) in enumerate(zip(have, want, strict=True))
    ):
        raise node.refused("the numbers leave out parts of the data", str(have), want)
    node.axis(axis, max((t for t in (x, ids) if isinstance(t, BlobTensor)), key=lambda t: t.samples))
    return compared(
        b, node, with_axis(b, node, x, axis), with_axis(b, node, ids, axis + 1), axis + 1, from_end=from_end, last=last
    )


def compared(
    b: NetBuilder, node: ImportedNode, table: Tensor, ids: Tensor, axis: int, *, from_end: bool = False,
    last: bool = True,
) -> BlobTensor:  # fmt: skip
    """The elements of a table at each number along an axis of the graph. The numbers have extent 1 there; along other
    axes, both are broadcast."""
    extent = table.extents[axis]
    here = counted(b, node, extent, axis, len(table.extents))
    if isinstance(ids, Constant):
        b.budget.take(node, ids.array.size * extent, 1)
        own = np.where(ids.array < 0, ids.array + extent, ids.array) if from_end else ids.array
        chosen = inner(b, node, "select({0}, {1}, 0)", Constant(own == here.array), table)
    else:
        own = f"select(lt({{0}}, 0), add({{0}}, {extent}), {{0}})" if from_end else "{0}"
        chosen = inner(b, node, f"select(eq({own}, {{1}}), {{2}}, 0)", ids, here, table)
    return reduced(b, node, chosen, [node.axis(axis, chosen)], "sum", keep=False, last=last)


MAX_PARTS = 64
"""Maximum parts of an axis of which a blob is put together."""


def taken(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, axis: int, places: range | np.ndarray, *, last: bool
) -> BlobTensor:
    """The elements of an axis of a blob at these places: one part, or several side by side."""
    even = places if isinstance(places, range) else _as_range(places)
    if even is not None:
        return _part(b, node, x, axis, even, last=last)
    runs = _runs(np.asarray(places))
    if len(runs) > MAX_PARTS:
        raise node.refused("it picks too many parts", f"at most {MAX_PARTS}")
    parts = {run: _part(b, node, x, axis, range(*run), last=False) for run in dict.fromkeys(runs)}
    bottoms, shape = [parts[run] for run in runs], x.resized(axis, len(places))
    return b.layer(last, "Concat", node, bottoms, shape, axis=axis)


def _as_range(places: np.ndarray) -> range | None:
    """The places as a range, if they are one.

    >>> _as_range(np.array([5, 3, 1])), _as_range(np.array([2])), _as_range(np.array([1, 1]))
    (range(5, -1, -2), range(2, 3), None)
    """
    first, step = int(places[0]), int(places[1] - places[0]) if len(places) > 1 else 1
    return range(first, first + step * len(places), step) if step and (np.diff(places) == step).all() else None


def _runs(places: np.ndarray) -> list[tuple[int, int]]:
    """Begin and end of each run of consecutive places; at most a few more runs than MAX_PARTS.

    >>> _runs(np.array([1, 2, 0, 1, 2]))
    [(1, 3), (0, 3)]
    """
    ends = [*(np.flatnonzero(np.diff(places) != 1) + 1)[: MAX_PARTS + 1].tolist(), len(places)]
    return [(int(places[begin]), int(places[end - 1]) + 1) for begin, end in itertools.pairwise([0, *ends])]


def _part(b: NetBuilder, node: ImportedNode, x: BlobTensor, axis: int, places: range, *, last: bool) -> BlobTensor:
    """NarrowLayer, unless all elements are taken in order."""
    if places == range(x.shape[axis]):
        return reshaped(b, node, x, x.shape, last=last)
    step = {"step": places.step} if len(places) > 1 and places.step != 1 else {}
    shape, length = x.resized(axis, len(places)), len(places)
    return b.layer(last, "Narrow", node, [x], shape, start=places[0], length=length, axis=axis, **step)


def for_all(b: NetBuilder, node: ImportedNode, x: Tensor, like: BlobTensor) -> BlobTensor:
    """A tensor without samples for every sample, written as select(0, a number of the sample, the tensor).

    Raises:
        UnsupportedError: the constant differs from sample to sample.
    """
    axes = [a for a, extent in enumerate(like.shape) if a and extent > 1]
    each = reduced(b, node, like, axes, "max", keep=True, last=False) if axes else like
    return inner(b, node, "select({0}, {1}, {2})", Constant(np.zeros(1, np.int64)), each, x)


def with_batch(b: NetBuilder, node: ImportedNode, x: BlobTensor, axis: int) -> BlobTensor:
    """A blob without samples for every sample; the graph's tensor has the batch in front of this axis of the blob."""
    like = next(blob for blob in b.values.values() if isinstance(blob, BlobTensor) and blob.samples and blob.shape)
    over = list(range(1, len(like.shape)))
    each = reduced(b, node, like, over, "max", keep=False, last=False) if over else like
    ones = (b.batch, *(1 for _ in x.shape))
    each = reshaped(b, node, replace(each, place=FIRST), ones, FIRST, last=False)
    result = for_all(b, node, reshaped(b, node, x, (1, *x.shape), last=False), each)
    return replace(result, place=BatchPlace(axis))
