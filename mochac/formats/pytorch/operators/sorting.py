"""PyTorch's sorting: sort, argsort, topk, kthvalue, median, and extremes with their places.

An element's rank is the number of elements that come before it, so that every element of an axis is compared with every
other. Of equal elements the first one comes first, as in PyTorch's stable sort.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from mochac.formats.importing.formulas import formula, inner, reshaped
from mochac.formats.importing.node import BlobTensor, Constant
from mochac.formats.importing.picked import counted, picked, reduced, with_axis
from mochac.formats.pytorch.builder import TorchBuilder
from mochac.formats.pytorch.converters import aten
from mochac.formats.pytorch.node import AtenNode
from mochac.formats.pytorch.operators.arithmetic import operand

INTEGERS = 7
"""The element type of places, int64."""
LONGEST = 4096
"""Maximum elements of an axis that is sorted."""


def sorted_part(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: int, ranks: range, *, descending: bool, keep: bool = True
) -> list[Any]:
    """The elements of these ranks along an axis, and their places; None for what nothing reads.

    Args:
        keep: whether the axis is kept; else there is one rank.
    """
    rank = len(x.extents)
    if not rank:
        raise node.refused("it has no axes")
    axis = dim % rank
    node.axis(axis, x)
    count = x.extents[axis]
    if count > LONGEST:
        raise node.refused("its axis is too long", f"at most {LONGEST}", count)
    order = _order(b, node, x, axis, count, descending=descending)
    numbers = with_axis(b, node, order, axis)
    wanted = Constant(counted(b, node, len(ranks), axis, rank + 1).array + ranks.start)
    places = counted(b, node, count, axis + 1, rank + 1)
    made: list[Any] = []
    for k, each in enumerate((with_axis(b, node, x, axis), places)):
        if k < len(node.uses) and not node.uses[k]:
            made.append(None)
            continue
        chosen = inner(b, node, "select(eq({0}, {1}), {2}, 0)", numbers, wanted, each)
        found = reduced(b, node, chosen, [node.axis(axis + 1, chosen)], "sum", keep=False, last=False)
        if not keep:
            at = node.axis(axis, found)
            left = (*found.shape[:at], *found.shape[at + 1 :])
            found = reshaped(b, node, found, left, found.place.without([at]), last=False)
        b.reads[found.name] = 2
        made.append(replace(found, element=INTEGERS if k else x.element))
    return made


def _order(b: TorchBuilder, node: AtenNode, x: BlobTensor, axis: int, count: int, *, descending: bool) -> BlobTensor:
    """The rank of each element."""
    own, other = with_axis(b, node, x, axis + 1), with_axis(b, node, x, axis)
    behind = len(x.extents) - axis - 1
    earlier = Constant(np.tri(count, k=-1, dtype=bool).reshape(count, count, *(1 for _ in range(behind))))
    first = "gt({1}, {0})" if descending else "lt({1}, {0})"
    before = inner(b, node, f"or({first}, and(eq({{1}}, {{0}}), {{2}}))", own, other, earlier)
    return reduced(b, node, before, [node.axis(axis + 1, before)], "sum", keep=False, last=False)


@aten("sort")
def sort(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: int = -1, descending: bool = False, stable: bool | None = None
) -> list[Any]:
    """Elements in order, and their places."""
    return sorted_part(b, node, x, dim, range(x.extents[dim]), descending=descending)


@aten("argsort")
def argsort(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: int = -1, descending: bool = False, stable: bool | None = None
) -> Any:
    """The places of the elements in order."""
    node = replace(node, uses=(0, *node.uses))
    return sorted_part(b, node, x, dim, range(x.extents[dim]), descending=descending)[1]


@aten("topk")
def topk(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> list[Any]:
    """The largest or smallest elements in order, and their places."""
    return sorted_part(b, node, x, dim, range(k), descending=largest)


@aten("kthvalue", "median")
def kth_value(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, k: int = 0, dim: int | None = -1, keepdim: bool = False
) -> list[Any]:
    """The k-th smallest element, counted from 1; the median is the lower one of two."""
    if len(node.outputs) < 2 or dim is None:
        raise node.refused("it goes over all axes", "an axis")
    at = k - 1 if node.type == "kthvalue" else (x.extents[dim] - 1) // 2
    return sorted_part(b, node, x, dim, range(at, at + 1), descending=False, keep=keepdim)


@aten("min", "max")
def extreme(
    b: TorchBuilder, node: AtenNode, x: Any, other: Any = None, dim: int | None = None, keepdim: bool = False
) -> list[Any] | None:
    """The elements of two tensors; along an axis the first of the extremes, which alone has a gradient, and its
    place."""
    if other is not None:
        formula(b, node, f"{node.type}({{0}}, {{1}})", operand(x), operand(other))
        return None
    if dim is None:
        raise node.refused("the extreme of all elements mixes samples", f"torch.a{node.type} along axes")
    axis = node.axis(dim, x)
    kept = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
    from_below = x if node.type == "max" else inner(b, node, "neg({0})", x)
    along = {} if axis == 1 else {"axis": axis}
    place = b.between("Argmax", node, [from_below], kept, None, x.place, **along)
    value = picked(b, node, x, place, dim % len(x.extents), last=False)
    made = [replace(value, element=x.element), replace(place, element=INTEGERS)]
    if not keepdim:
        left = (*kept[:axis], *kept[axis + 1 :])
        made = [reshaped(b, node, blob, left, x.place.without([axis]), last=False) for blob in made]
    for blob in made:
        b.reads[blob.name] = 2
    return made
