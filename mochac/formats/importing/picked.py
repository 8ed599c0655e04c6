"""picked: elements of an axis at places that a tensor says. Every element is compared with the places that there are,
and the compiler makes one loop of it."""

from __future__ import annotations

import numpy as np

from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.formulas import inner, reshaped
from mochac.formats.importing.node import BlobTensor, Constant, ImportedNode, Tensor
from mochac.formats.importing.reduced import reduced


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
