"""Formulas of importers: reductions, elements picked and taken, log softmax.

picked: elements of an axis at places that a tensor says. Every element is compared with the places that there are,
and the compiler makes one loop of it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.formulas import formula, inner, reshaped
from mochac.formats.importing.node import BlobTensor, Constant, ImportedNode, Shape, Tensor
from mochac.formats.importing.place import FIRST, BatchPlace


def reduced(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, axes: list[int], operation: str, *, keep: bool, last: bool = True
) -> BlobTensor:
    """x reduced over axes of its blob; over all axes, of a blob without samples, to one of a single element."""
    kept: Shape = tuple(1 if a in axes else extent for a, extent in enumerate(x.shape))
    left: Shape = tuple(extent for a, extent in enumerate(x.shape) if a not in axes)
    fields = {} if operation == "sum" else {"operation": operation}
    whole, place = x.place, x.place.without(axes)
    if not left:
        x, axes, left = reshaped(b, node, x, (1, math.prod(x.shape)), last=False), [1], (1,)
    made = b.layer(last and not keep, "Reduction", node, [x], left, place, axes=tuple(axes), **fields)
    return reshaped(b, node, made, kept, whole, last=last) if keep else made


def log_sum_exp(b: NetBuilder, node: ImportedNode, x: BlobTensor, axes: Sequence[int]) -> BlobTensor:
    """log(sum(exp(x))) over axes of the blob, which stay with extent 1."""
    top, _, total = _shifted(b, node, x, axes)
    return inner(b, node, "add(log({0}), {1})", total, top)


def log_softmax(b: NetBuilder, node: ImportedNode, x: BlobTensor, axis: int, *, last: bool = True) -> BlobTensor:
    """x - log(sum(exp(x))) along an axis of the blob."""
    _, distance, total = _shifted(b, node, x, [axis])
    return (formula if last else inner)(b, node, "sub({0}, log({1}))", distance, total)


def _shifted(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, axes: Sequence[int]
) -> tuple[BlobTensor, BlobTensor, BlobTensor]:
    """The maximum, which no gradient passes, the distances to it, and the sum of their exponentials."""
    most = reduced(b, node, x, list(axes), "max", keep=True, last=False)
    top = b.between("StopGradient", node, [most], most.shape, None, most.place)
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


MOST_PARTS = 64
"""Maximum parts of an axis of which a blob is put together."""


def taken(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, axis: int, places: range | np.ndarray, *, last: bool
) -> BlobTensor:
    """The elements of an axis of a blob at these places: one part, or several side by side."""
    runs = _runs(places)
    if len(runs) > MOST_PARTS:
        raise node.refused("it picks too many parts", f"at most {MOST_PARTS}")
    if len(runs) == 1:
        begin, end = runs[0]
        if (begin, end) == (0, x.shape[axis]):
            return reshaped(b, node, x, x.shape, last=last)
        return _part(b, node, x, axis, (begin, end), last=last)
    parts = {run: _part(b, node, x, axis, run, last=False) for run in dict.fromkeys(runs)}
    shape: Shape = (*x.shape[:axis], len(places), *x.shape[axis + 1 :])
    along = {} if axis == 1 else {"axis": axis}
    return b.layer(last, "Concat", node, [parts[run] for run in runs], shape, **along)


def _runs(places: range | np.ndarray) -> list[tuple[int, int]]:
    """Begin and end of each run of consecutive places; at most a few more runs than MOST_PARTS.

    >>> _runs(np.array([1, 2, 0, 1, 2])), _runs(range(3, 0, -1))
    ([(1, 3), (0, 3)], [(3, 4), (2, 3), (1, 2)])
    """
    if isinstance(places, range):
        steps = [places] if places.step == 1 else [range(n, n + 1) for n in places[: MOST_PARTS + 1]]
        return [(run.start, run.stop) for run in steps]
    ends = [*(np.flatnonzero(np.diff(places) != 1) + 1)[: MOST_PARTS + 1].tolist(), len(places)]
    return [(int(places[begin]), int(places[end - 1]) + 1) for begin, end in itertools.pairwise([0, *ends])]


def _part(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, axis: int, run: tuple[int, int], *, last: bool
) -> BlobTensor:
    """NarrowLayer: the elements begin .. end - 1."""
    begin, end = run
    shape = (*x.shape[:axis], end - begin, *x.shape[axis + 1 :])
    along = {} if axis == 1 else {"axis": axis}
    return b.layer(last, "Narrow", node, [x], shape, start=begin, length=end - begin, **along)


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
    made = for_all(b, node, reshaped(b, node, x, (1, *x.shape), last=False), each)
    return replace(made, place=BatchPlace(axis))
