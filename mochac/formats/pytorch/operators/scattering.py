"""PyTorch's operations that put elements somewhere: scatter, index_add, index_put, one_hot, ...

Every place of the result is compared with the places of all elements that are put, and the compiler makes one loop of
it. If several elements have the same place, the last one is taken, or all are added up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from mochac.formats.importing.formulas import computed, formula, inner
from mochac.formats.importing.node import BlobTensor, Constant, Tensor
from mochac.formats.importing.rearranged import counted, reduced, taken, with_axis
from mochac.formats.pytorch.builder import AtenNode, TorchBuilder
from mochac.formats.pytorch.converters import aten
from mochac.formats.pytorch.operators.arithmetic import operand


@aten("scatter", "scatter_add", "scatter_reduce")
def scatter(
    b: TorchBuilder, node: AtenNode, x: Tensor, dim: int, index: Tensor, src: Any = None, value: Any = None,
    reduce: str | None = None, include_self: bool = True,
) -> None:  # fmt: skip
    """Write elements to the indices along an axis, in place of x's elements or added to them."""
    if reduce not in (None, "sum", "add") or not include_self:
        raise node.refused("only sums are supported, which include what was there", got=reduce or "")
    axis, source = dim % len(x.extents), value if src is None else src
    have, want = x.extents, index.extents
    if any(a != axis and n != m for a, (n, m) in enumerate(zip(have, want, strict=True))):
        raise node.refused("the numbers leave out parts of the data", str(have), want)
    if isinstance(source, Tensor) and source.extents != want and source.extents != ():
        source = _beginning(b, node, source, want)
    adds = node.type == "scatter_add" or reduce is not None
    _put(b, node, x, index, operand(source), axis, adds=adds)


@aten("index_add", "index_copy", "index_fill")
def index_put_along(
    b: TorchBuilder, node: AtenNode, x: Tensor, dim: int, index: Tensor, source: Any = None, value: Any = None,
    alpha: float = 1,
) -> None:  # fmt: skip
    """Write parts of a tensor to indices along an axis, in place of x's or added to them."""
    axis = dim % len(x.extents)
    _put(b, node, x, _along(node, index, axis, x), operand(value if source is None else source), axis,
         adds=node.type == "index_add", factor=float(alpha))  # fmt: skip


@aten("index_put")
def index_put(
    b: TorchBuilder, node: AtenNode, x: Tensor, indices: Sequence[Tensor | None], values: Tensor,
    accumulate: bool = False,
) -> None:  # fmt: skip
    """Write the same part wherever a mask is true, or parts of a tensor to indices along one axis."""
    ((axis, index), *others) = [(k, i) for k, i in enumerate(indices) if i is not None]
    if others:
        raise node.refused("it puts along several axes", "one axis")
    masks = index.array.dtype == bool if isinstance(index, Constant) else index.element == 9
    if not masks:
        _put(b, node, x, _along(node, index, axis, x), values, axis, adds=accumulate)
        return
    rest = len(x.extents) - len(index.extents)
    if axis or accumulate or math.prod(values.extents[: max(0, len(values.extents) - rest)]) != 1:
        raise node.refused("its mask decides how many elements it puts", "the same for each place")
    for at in range(len(index.extents), len(x.extents)):
        index = with_axis(b, node, index, at)
    if isinstance(values, Constant):
        values = Constant(values.array.reshape(values.extents[-rest:] if rest else ()))
    formula(b, node, "select({0}, {1}, {2})", index, values, x)


def _along(node: AtenNode, index: Tensor, axis: int, x: Tensor) -> Constant:
    """Places along an axis, which are the same for all other axes."""
    if not isinstance(index, Constant) or index.array.ndim > 1:
        raise node.refused("its places are not constant", "numbers along one axis")
    places = np.where(index.array < 0, index.array + x.extents[axis], index.array)
    return Constant(places.reshape(-1, *(1 for _ in x.extents[axis + 1 :])))


def _beginning(b: TorchBuilder, node: AtenNode, x: Tensor, wanted: Sequence[int]) -> Tensor:
    """The first elements along each axis."""
    if isinstance(x, Constant):
        return Constant(x.array[tuple(map(slice, wanted))])
    for axis, (n, m) in enumerate(zip(x.extents, wanted, strict=True)):
        if n != m:
            x = taken(b, node, x, node.axis(axis, x), range(m), last=False)
    return x


def _put(
    b: TorchBuilder, node: AtenNode, x: Tensor, index: Tensor, source: Tensor, axis: int, *, adds: bool,
    factor: float = 1.0,
) -> None:  # fmt: skip
    """x with elements of the source at places along an axis of the graph; axes of extent 1 are broadcast.

    Args:
        factor: factor of the source, if it is added.
    """
    rank = len(x.extents)
    index, source = (_ranked(node, t, rank) for t in (index, source))
    ids, each = (with_axis(b, node, t, axis) for t in (index, source))
    hit = computed(b, node, "eq({0}, {1})", ids, counted(b, node, x.extents[axis], axis, rank + 1))
    if adds:
        total = _reduced(b, node, computed(b, node, "select({0}, {1}, 0)", hit, each), axis + 1, "sum")
        formula(b, node, "add({0}, {1})" if factor == 1 else f"add({{0}}, mul({{1}}, {factor!r}))", x, total)
        return
    number = Constant(counted(b, node, index.extents[axis], axis + 1, rank + 1).array + 1)
    last = _reduced(b, node, computed(b, node, "select({0}, {1}, 0)", hit, number), axis + 1, "max")
    own = computed(b, node, "eq({0}, {1})", with_axis(b, node, last, axis + 1), number)
    result = _reduced(b, node, computed(b, node, "select({0}, {1}, 0)", own, each), axis + 1, "sum")
    formula(b, node, "select({0}, {1}, {2})", last, result, x)


def _ranked(node: AtenNode, x: Tensor, rank: int) -> Tensor:
    """x with as many axes as the result."""
    if isinstance(x, Constant):
        return Constant(x.array.reshape(*(1 for _ in range(rank - x.array.ndim)), *x.array.shape))
    if len(x.extents) != rank:
        raise node.refused("its operands differ in axes", f"{rank}", len(x.extents))
    return x


def _reduced(b: TorchBuilder, node: AtenNode, x: Tensor, axis: int, operation: str) -> Tensor:
    """x reduced over an axis of the graph."""
    if isinstance(x, Constant):
        return Constant({"sum": np.sum, "max": np.max}[operation](x.array, axis=axis))
    return reduced(b, node, x, [node.axis(axis, x)], operation, keep=False, last=False)


@aten("one_hot")
def one_hot(b: TorchBuilder, node: AtenNode, x: BlobTensor, num_classes: int = -1) -> None:
    """Index2OnehotLayer along a new last axis."""
    ids = with_axis(b, node, x, len(x.extents))
    assert isinstance(ids, BlobTensor)
    axis = node.axis(-1, ids)
    b.add("Index2Onehot", node, [ids], ids.resized(axis, num_classes), None, ids.place, n_class=num_classes, axis=axis)


@aten("select_scatter", "slice_scatter")
def scatter_part(
    b: TorchBuilder, node: AtenNode, x: Tensor, src: Tensor, dim: int = 0, index: int = 0, start: Any = None,
    end: Any = None, step: int = 1,
) -> None:  # fmt: skip
    """x with a part replaced."""
    rank, extents = len(x.extents), x.extents
    places = range(*slice(start, end, step).indices(extents[dim]))
    if node.type == "select_scatter":
        places = range(index % extents[dim], index % extents[dim] + 1)
        src = with_axis(b, node, src, dim % rank)
    axis = dim % rank
    mask = np.zeros([extents[axis] if a == axis else 1 for a in range(axis, rank)], bool)
    mask[list(places)] = True
    if len(places) not in (1, extents[axis]):
        src = _spread(b, node, src, axis, places, extents[axis])
    result = inner(b, node, "select({0}, {1}, {2})", Constant(mask), src, x)
    b.alias(node, result)


def _spread(b: TorchBuilder, node: AtenNode, x: Tensor, axis: int, places: range, extent: int) -> Tensor:
    """x spread along an axis to these places; the elements in between are arbitrary."""
    at = np.zeros(extent, np.int64)
    at[list(places)] = np.arange(len(places))
    if isinstance(x, Constant):
        return x if x.array.ndim <= axis or x.array.shape[axis] == 1 else Constant(x.array.take(at, axis))
    return taken(b, node, x, node.axis(axis, x), at, last=False)
