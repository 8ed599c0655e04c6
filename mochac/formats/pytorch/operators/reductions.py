"""PyTorch's reductions and sorts: sum, mean, max, ..., and sort, argsort, topk, kthvalue, median.

An element's rank is the number of elements that come before it, so sorting compares every element of an axis with every
other. Among equal elements the first comes first, as in PyTorch's stable sort.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mochac.formats.importing.formulas import ROOT, formula, inner, reshaped
from mochac.formats.importing.node import BlobTensor, Constant, Tensor
from mochac.formats.importing.place import FIRST
from mochac.formats.importing.rearranged import counted, cumulated, log_sum_exp, picked, reduced, taken, with_axis
from mochac.formats.pytorch.builder import ACROSS, AtenNode, TorchBuilder
from mochac.formats.pytorch.converters import Objective, aten
from mochac.formats.pytorch.operators.arithmetic import EXTREMES, operand
from mochac.formats.pytorch.operators.products import index as index_of

_OPERATIONS = {"sum": "sum", "mean": "mean", "amax": "max", "amin": "min"}


def axes_of(node: AtenNode, x: BlobTensor, dim: Any) -> list[int]:
    """The axes of a blob that dimensions are; None or () means all, the batch, too."""
    dims = [dim] if isinstance(dim, int) else list(dim or range(len(x.extents)))
    groups = x.place.axes(len(x.shape)) if x.samples else [(a,) for a in range(len(x.shape))]
    return sorted({a for d in dims for a in groups[d]})


def _axes_of_samples(node: AtenNode, x: BlobTensor, dim: Any) -> list[int]:
    """Axes of the blob to reduce, which are not the batch.

    Raises:
        UnsupportedError: they are.
    """
    axes = axes_of(node, x, dim)
    if 0 in axes and x.samples:
        raise node.refused("samples must not mix: it goes over the batch", hint=ACROSS)
    return axes


def _squeezed(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, axes: Sequence[int], *, keep: bool, last: bool = True
) -> BlobTensor:
    """x as it is, or without axes of its blob, which have extent 1."""
    left = tuple(n for a, n in enumerate(x.shape) if a not in axes) or (1,)
    return reshaped(b, node, x, *((x.shape, x.place) if keep else (left, x.place.without(axes))), last=last)


@aten("sum", counts=True)
@aten(*(name for name in _OPERATIONS if name != "sum"))
def reduce(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: Any = None, keepdim: bool = False) -> Any:
    """ReductionLayer; over all samples and axes, a loss."""
    axes = axes_of(node, x, dim)
    if 0 in axes and x.samples:
        if len(axes) < len(x.shape) or node.type not in ("sum", "mean"):
            raise node.refused(
                "samples must not mix: it goes over the batch", "all axes, as a loss does, or others", hint=ACROSS
            )
        return loss(b, node, x, "mean" if node.type == "mean" else "sum")
    if not axes:
        b.alias(node, x)
        return None
    reduced(b, node, x, axes, _OPERATIONS[node.type], keep=keepdim)
    return None


def loss(b: TorchBuilder, node: AtenNode, x: BlobTensor, reduction: str) -> Objective | BlobTensor:
    """The mean or the sum of all elements of all samples, as a term of the objective. Of parameters, or where no loss
    depends on it, a blob (1,)."""
    if x.samples and node.fx in b.aimed:
        result = b.between("MeanLoss", node, [x], ())
        return Objective(((result, 1.0 if reduction == "mean" else float(math.prod(x.shape))),))
    if x.samples and node.fx not in b.reported:
        raise node.refused("samples must not mix: it goes over the batch", hint=ACROSS)
    if x.samples:
        rows = reshaped(b, node, x, (x.shape[0], math.prod(x.shape[1:])), FIRST, last=False)
        x = b.array_of(node, rows)
    return reduced(b, node, x, list(range(len(x.shape))), reduction, keep=False, last=False)


@aten("var_mean")
@aten("var", "std", counts=True)
def variance(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: Any = None, unbiased: bool = True, correction: Any = None,
    keepdim: bool = False,
) -> Any:  # fmt: skip
    """The mean of squared distances to the mean, of n - correction."""
    axes = _axes_of_samples(node, x, dim)
    less = (1 if unbiased else 0) if correction is None else correction
    count = math.prod(x.shape[a] for a in axes)
    mean = reduced(b, node, x, axes, "mean", keep=True, last=False)
    squares = inner(b, node, "square(sub({0}, {1}))", x, mean)
    spread = reduced(b, node, squares, axes, "mean", keep=True, last=False)
    factor = count / (count - less) if count > less else math.nan
    text = f"mul({{0}}, {factor!r})" if factor != 1 else "{0}"
    result = inner(b, node, text, spread) if text != "{0}" else spread
    result = inner(b, node, ROOT, result) if node.type == "std" else result
    outs = [result, mean] if node.type == "var_mean" else [result]
    outs = [_squeezed(b, node, y, axes, keep=keepdim, last=False) for y in outs]
    for y in outs:
        b.reads[y.name] = 2
    return outs if node.type == "var_mean" else outs[0]


@aten("logsumexp", counts=True)
def logsumexp(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: Any, keepdim: bool = False) -> None:
    """The logarithm of the sum of exponentials."""
    axes = _axes_of_samples(node, x, dim)
    result = log_sum_exp(b, node, x, axes)
    _squeezed(b, node, result, axes, keep=keepdim)


@aten("argmax", "argmin")
def arg_max(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: int | None = None, keepdim: bool = False) -> None:
    """ArgmaxLayer."""
    if dim is None:
        raise node.refused("it goes over all axes", "an axis")
    axis = node.axis(dim, x)
    x = x if node.type == "argmax" else inner(b, node, "neg({0})", x)
    result = b.between("Argmax", node, [x], x.resized(axis, 1), None, x.place, axis=axis)
    _squeezed(b, node, result, [axis], keep=keepdim)


@aten("gather")
def gather(b: TorchBuilder, node: AtenNode, x: Tensor, dim: int, index: Tensor, sparse_grad: bool = False) -> None:
    """The element along an axis at each number."""
    if len(x.extents) == 1 and not (isinstance(x, BlobTensor) and x.samples):
        index_of(b, node, x, [index])
        return
    picked(b, node, x, index, dim % len(b.extents_of(node)))


@aten("cumsum", counts=True)
def cumsum(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: int) -> None:
    """Products with triangular matrices of ones."""
    if not x.samples:
        raise node.refused("parameters are cumulated")
    cumulated(b, node, x, node.axis(dim, x))


def _elements(b: TorchBuilder, node: AtenNode, x: BlobTensor, axis: int, *runs: tuple[int, int]) -> list[BlobTensor]:
    """Parts of an axis of the blob, from one element up to before another."""
    return [taken(b, node, x, axis, range(begin, end), last=False) for begin, end in runs]


@aten("cumprod")
def cumprod(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: int) -> None:
    """The product up to each element: every round multiplies by what lies twice as far in front as in the last one."""
    axis, step = node.axis(dim, x), 1
    while step < x.shape[axis]:
        count = x.shape[axis]
        first, front, behind = _elements(b, node, x, axis, (0, step), (0, count - step), (step, count))
        products = inner(b, node, "mul({0}, {1})", front, behind)
        x, step = b.between("Concat", node, [first, products], x.shape, None, x.place, axis=axis), 2 * step
    reshaped(b, node, x, x.shape)


@aten("prod", counts=True)
def prod(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: int | None = None, keepdim: bool = False) -> None:
    """The product of all elements of an axis: every round multiplies the halves of what is left."""
    if dim is None:
        raise node.refused("it goes over all axes", "an axis")
    axis, odd = node.axis(dim, x), list[BlobTensor]()
    while (count := x.shape[axis]) > 1:
        half = count // 2
        first, second, *last = _elements(
            b, node, x, axis, (0, half), (half, 2 * half), *[(count - 1, count)] * (count % 2)
        )
        odd += last
        x = inner(b, node, "mul({0}, {1})", first, second)
    for each in odd:
        x = inner(b, node, "mul({0}, {1})", x, each)
    _squeezed(b, node, x, [axis], keep=keepdim)


@aten("any", "all")
def any_of(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: Any = None, keepdim: bool = False) -> None:
    """Whether one element is not 0, or all are."""
    axes = _axes_of_samples(node, x, dim)
    truth = inner(b, node, "ne({0}, 0)", x)
    reduced(b, node, truth, axes, "max" if node.type == "any" else "min", keep=keepdim)


@aten("bucketize", "searchsorted")
def bucket(
    b: TorchBuilder, node: AtenNode, x: Tensor, boundaries: Any = None, sorted_sequence: Any = None,
    right: bool = False, side: str | None = None, out_int32: bool = False,
) -> None:  # fmt: skip
    """The number of boundaries below each number, or up to it."""
    if node.type == "searchsorted":
        x, boundaries = node.arguments["self"], sorted_sequence
    if len(boundaries.extents) != 1:
        raise node.refused("boundaries differ along an axis", "boundaries of one axis", boundaries.extents)
    above = "gt" if right or side == "right" else "ge"
    rows = with_axis(b, node, x, len(x.extents))
    below = inner(b, node, f"not({above}({{0}}, {{1}}))", boundaries, rows)
    reduced(b, node, below, [node.axis(-1, below)], "sum", keep=False)


INTEGERS = 7
"""The element type of places, int64."""
MAX_SORTED = 4096
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
    if count > MAX_SORTED:
        raise node.refused("its axis is too long", f"at most {MAX_SORTED}", count)
    order = _order(b, node, x, axis, count, descending=descending)
    numbers = with_axis(b, node, order, axis)
    wanted = Constant(counted(b, node, len(ranks), axis, rank + 1).array + ranks.start)
    places = counted(b, node, count, axis + 1, rank + 1)
    result: list[Any] = []
    for k, each in enumerate((with_axis(b, node, x, axis), places)):
        if k < len(node.uses) and not node.uses[k]:
            result.append(None)
            continue
        chosen = inner(b, node, "select(eq({0}, {1}), {2}, 0)", numbers, wanted, each)
        found = reduced(b, node, chosen, [node.axis(axis + 1, chosen)], "sum", keep=False, last=False)
        found = _squeezed(b, node, found, [node.axis(axis, found)], keep=keep, last=False)
        b.reads[found.name] = 2
        result.append(replace(found, element=INTEGERS if k else x.element))
    return result


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
    """The elements of two tensors, or the extreme of all elements; along an axis the first of the extremes, which alone
    has a gradient, and its place."""
    if other is not None:
        formula(b, node, EXTREMES[node.type], operand(x), operand(other))
        return None
    if dim is None:
        reduced(b, node, x, _axes_of_samples(node, x, None), node.type, keep=False)
        return None
    axis = node.axis(dim, x)
    from_below = x if node.type == "max" else inner(b, node, "neg({0})", x)
    place = b.between("Argmax", node, [from_below], x.resized(axis, 1), None, x.place, axis=axis)
    value = picked(b, node, x, place, dim % len(x.extents), last=False)
    result = [replace(value, element=x.element), replace(place, element=INTEGERS)]
    result = [_squeezed(b, node, blob, [axis], keep=keepdim, last=False) for blob in result]
    for blob in result:
        b.reads[blob.name] = 2
    return result
