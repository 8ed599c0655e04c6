"""PyTorch's sums, means and extremes, and the losses that are means over all samples."""

from __future__ import annotations

import math
from typing import Any

from mochac.formats.importing.contraction import cumulated
from mochac.formats.importing.formulas import inner, reshaped
from mochac.formats.importing.node import BlobTensor, Tensor
from mochac.formats.importing.picked import log_sum_exp, picked, reduced
from mochac.formats.pytorch.builder import TorchBuilder
from mochac.formats.pytorch.converters import Objective, aten
from mochac.formats.pytorch.node import ACROSS, AtenNode

_OPERATIONS = {"sum": "sum", "mean": "mean", "amax": "max", "amin": "min"}


def axes_of(node: AtenNode, x: BlobTensor, dim: Any) -> list[int]:
    """The axes of a blob that dimensions are; None or () means all, the batch, too."""
    dims = [dim] if isinstance(dim, int) else list(dim or range(len(x.extents)))
    groups = x.place.axes(len(x.shape)) if x.samples else [(a,) for a in range(len(x.shape))]
    return sorted({a for d in dims for a in groups[d]})


@aten(*_OPERATIONS)
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


def loss(b: TorchBuilder, node: AtenNode, x: BlobTensor, reduction: str) -> Objective:
    """The mean or the sum of all elements of all samples, as a term of the objective."""
    made = b.between("MeanLoss", node, [x], ())
    return Objective(((made, 1.0 if reduction == "mean" else float(math.prod(x.shape))),))


@aten("var", "std", "var_mean")
def variance(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: Any = None, unbiased: bool = True, correction: Any = None,
    keepdim: bool = False,
) -> Any:  # fmt: skip
    """The mean of squared distances to the mean, of n - correction."""
    axes = axes_of(node, x, dim)
    if 0 in axes and x.samples:
        raise node.refused("samples must not mix: it goes over the batch", hint=ACROSS)
    less = (1 if unbiased else 0) if correction is None else correction
    count = math.prod(x.shape[a] for a in axes)
    mean = reduced(b, node, x, axes, "mean", keep=True, last=False)
    squares = inner(b, node, "square(sub({0}, {1}))", x, mean)
    spread = reduced(b, node, squares, axes, "mean", keep=True, last=False)
    factor = count / (count - less) if count > less else math.nan
    text = f"mul({{0}}, {factor!r})" if factor != 1 else "{0}"
    made = inner(b, node, text, spread) if text != "{0}" else spread
    made = inner(b, node, "sqrt({0})", made) if node.type == "std" else made
    outs = [made, mean] if node.type == "var_mean" else [made]
    if not keepdim:
        left = tuple(n for a, n in enumerate(x.shape) if a not in axes) or (1,)
        outs = [reshaped(b, node, y, left, x.place.without(axes), last=False) for y in outs]
    for y in outs:
        b.reads[y.name] = 2
    return outs if node.type == "var_mean" else outs[0]


@aten("logsumexp")
def logsumexp(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: Any, keepdim: bool = False) -> None:
    """The logarithm of the sum of exponentials."""
    axes = axes_of(node, x, dim)
    if 0 in axes and x.samples:
        raise node.refused("samples must not mix: it goes over the batch", hint=ACROSS)
    made = log_sum_exp(b, node, x, axes)
    left = tuple(n for a, n in enumerate(x.shape) if a not in axes)
    reshaped(b, node, made, made.shape if keepdim else left, x.place if keepdim else x.place.without(axes))


@aten("argmax", "argmin")
def arg_max(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: int | None = None, keepdim: bool = False) -> None:
    """ArgmaxLayer."""
    if dim is None:
        raise node.refused("it goes over all axes", "an axis")
    axis = node.axis(dim, x)
    x = x if node.type == "argmax" else inner(b, node, "neg({0})", x)
    kept = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
    made = b.between("Argmax", node, [x], kept, None, x.place, **({} if axis == 1 else {"axis": axis}))
    left = (*kept[:axis], *kept[axis + 1 :])
    reshaped(b, node, made, kept if keepdim else left, x.place if keepdim else x.place.without([axis]))


@aten("gather")
def gather(b: TorchBuilder, node: AtenNode, x: Tensor, dim: int, index: Tensor, sparse_grad: bool = False) -> None:
    """The element along an axis at each number."""
    picked(b, node, x, index, dim % len(b.extents_of(node)))


@aten("cumsum")
def cumsum(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: int) -> None:
    """A product with a triangular matrix of ones."""
    if not x.samples:
        raise node.refused("parameters are cumulated")
    cumulated(b, node, x, node.axis(dim, x))


@aten("any", "all")
def any_of(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: Any = None, keepdim: bool = False) -> None:
    """Whether one element is not 0, or all are."""
    axes = axes_of(node, x, dim)
    if 0 in axes and x.samples:
        raise node.refused("samples must not mix: it goes over the batch", hint=ACROSS)
    truth = inner(b, node, "ne({0}, 0)", x)
    reduced(b, node, truth, axes, "max" if node.type == "any" else "min", keep=keepdim)
