"""PyTorch's losses: SoftmaxLossLayer for most cross entropies, MeanLossLayer of a formula for others."""

from __future__ import annotations

import math
from typing import Any, TypeGuard

import numpy as np

from mochac.formats.importing.formulas import computed, inner
from mochac.formats.importing.node import REALS, BlobTensor, Constant, Tensor
from mochac.formats.importing.rearranged import counted, log_softmax, reduced, with_axis
from mochac.formats.pytorch.builder import AtenNode, TorchBuilder
from mochac.formats.pytorch.converters import Objective, aten
from mochac.formats.pytorch.operators.reductions import loss

_NONE, _MEAN, _SUM = 0, 1, 2
_FORMULAS = {
    "mse_loss": "square(sub({0}, {1}))",
    "l1_loss": "abs(sub({0}, {1}))",
    "binary_cross_entropy_with_logits": "sub(softplus({0}), mul({0}, {1}))",
    "binary_cross_entropy": "neg(add(mul({1}, max(log({0}), -100)), mul(sub(1, {1}), max(log(sub(1, {0})), -100))))",
    "soft_margin_loss": "softplus(neg(mul({0}, {1})))",
}


def reduced_loss(b: TorchBuilder, node: AtenNode, text: str, operands: list[Tensor], reduction: int) -> Any:
    """A loss by its formula for one element."""
    result = inner(b, node, text, *operands)
    if reduction == _NONE:
        b.alias(node, result)
        return None
    return loss(b, node, result, "mean" if reduction == _MEAN else "sum")


@aten(*_FORMULAS)
def elementwise(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, target: Tensor, weight: Tensor | None = None,
    pos_weight: Tensor | None = None, reduction: int = _MEAN,
) -> Any:  # fmt: skip
    """MeanLossLayer of a formula."""
    text, operands = _FORMULAS[node.type], [x, target]
    if pos_weight is not None:  # p y softplus(-x) + (1 - y) softplus(x)
        operands.append(pos_weight)
        text = "add(mul(mul({2}, {1}), softplus(neg({0}))), mul(sub(1, {1}), softplus({0})))"
    if weight is not None:
        operands.append(weight)
        text = f"mul({text}, {{{len(operands) - 1}}})"
    return reduced_loss(b, node, text, operands, reduction)


@aten("smooth_l1_loss", "huber_loss")
def huber(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, target: Tensor, reduction: int = _MEAN, beta: float = 1.0,
    delta: float = 1.0,
) -> Any:  # fmt: skip
    """Squares near 0, absolute values elsewhere."""
    limit = beta if node.type == "smooth_l1_loss" else delta
    far = "abs(sub({0}, {1}))"
    near = f"mul(square(sub({{0}}, {{1}})), {0.5 / limit!r})"
    text = f"select(lt({far}, {limit!r}), {near}, sub({far}, {0.5 * limit!r}))" if limit else far
    if node.type == "huber_loss":
        text = f"mul({text}, {limit!r})"
    return reduced_loss(b, node, text, [x, target], reduction)


@aten("kl_div")
def kl_div(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, target: Tensor, reduction: int = _MEAN, log_target: bool = False
) -> Any:
    """target * (log target - x), and 0 where the target is 0."""
    text = "sub(select(gt({1}, 0), mul({1}, log({1})), 0), mul({1}, {0}))"
    text = "mul(exp({1}), sub({1}, {0}))" if log_target else text
    return reduced_loss(b, node, text, [x, target], reduction)


@aten("poisson_nll_loss")
def poisson(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, target: Tensor, log_input: bool, full: bool, eps: float,
    reduction: int = _MEAN,
) -> Any:  # fmt: skip
    """exp(x) - target x, of the logarithm of the rate, or x - target log(x + eps) of the rate; `full` adds Stirling's
    approximation of the logarithm of target!."""
    text = "sub(exp({0}), mul({1}, {0}))" if log_input else f"sub({{0}}, mul({{1}}, log(add({{0}}, {eps!r}))))"
    if full:
        log = "log(max({1}, 1))"
        stirling = f"add(sub(mul({{1}}, {log}), {{1}}), mul(add({log}, {math.log(2 * math.pi)!r}), 0.5))"
        text = f"add({text}, select(gt({{1}}, 1), {stirling}, 0))"
    return reduced_loss(b, node, text, [x, target], reduction)


@aten("cross_entropy_loss")
def cross_entropy(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, target: Tensor, weight: Tensor | None = None,
    reduction: int = _MEAN, ignore_index: int = -100, label_smoothing: float = 0.0,
) -> Any:  # fmt: skip
    """SoftmaxLossLayer if it has the options, else formulas of the logarithms of the softmax."""
    axis = node.axis(_classes(x), x)
    if x.extents == target.extents and _is_real(target):
        return _of_distributions(b, node, x, target, weight, reduction, label_smoothing)
    if weight is None and reduction != _NONE and _has_labels(target, b, node, x):
        target = with_axis(b, node, target, _classes(x))
        assert isinstance(target, BlobTensor)
        top = b.between(
            "SoftmaxLoss", node, [x, target], (), ignore_label=ignore_index, axis=axis,
            label_smoothing=float(label_smoothing), normalization="full" if reduction == _SUM else "valid",
        )  # fmt: skip
        return Objective(((top, 1.0 if reduction == _MEAN else math.prod(x.shape) / x.shape[axis]),))
    scores = log_softmax(b, node, x, axis, last=False)
    return _of_classes(b, node, scores, target, weight, reduction, ignore_index, label_smoothing)


@aten("nll_loss", "nll_loss_nd", "nll_loss2d")
def nll(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, target: Tensor, weight: Tensor | None = None,
    reduction: int = _MEAN, ignore_index: int = -100,
) -> Any:  # fmt: skip
    """Minus the logarithm of the probability of each label."""
    return _of_classes(b, node, x, target, weight, reduction, ignore_index, 0.0)


def _has_labels(target: Tensor, b: TorchBuilder, node: AtenNode, x: BlobTensor) -> TypeGuard[BlobTensor]:
    """Whether each sample has labels of its own, as layers of losses take them."""
    return x.samples and isinstance(target, BlobTensor) and target.samples and node.fx in b.aimed


def _is_real(x: Tensor) -> bool:
    return x.element in REALS if isinstance(x, BlobTensor) else x.array.dtype.kind == "f"


def _classes(x: BlobTensor) -> int:
    """The axis of the classes in the graph."""
    return 1 if len(x.extents) > 1 else 0


def _class_weights(node: AtenNode, x: BlobTensor, weight: Tensor | None) -> list[Tensor]:
    """The weights of the classes, to be broadcast to x; [] if there are none."""
    if weight is None:
        return []
    if not isinstance(weight, Constant):
        raise node.refused("its class weights are parameters", "numbers")
    return [Constant(weight.array.reshape(-1, *(1 for _ in x.extents[_classes(x) + 1 :])))]


def _of_classes(
    b: TorchBuilder, node: AtenNode, scores: BlobTensor, target: Tensor, weight: Tensor | None, reduction: int,
    ignored: int, smoothing: float,
) -> Any:  # fmt: skip
    """The loss of logarithms of probabilities: one term for each label, divided by the weights of the labels."""
    axis, weights = node.axis(_classes(scores), scores), _class_weights(node, scores, weight)
    hit = _hits(b, node, scores, target, ignored)
    counts = computed(b, node, "mul({0}, {1})", hit, *weights) if weights else hit
    chosen = inner(b, node, "neg(mul({0}, {1}))", counts, scores)
    if smoothing:
        kept = _total(b, node, hit, scores, keep=True)
        every = inner(b, node, "mul({0}, {1})", scores, *weights) if weights else scores
        text = f"sub(mul({{0}}, {1 - smoothing!r}), mul(mul({{1}}, {{2}}), {smoothing / scores.shape[axis]!r}))"
        chosen = inner(b, node, text, chosen, every, kept)
    terms = reduced(b, node, chosen, [axis], "sum", keep=False, last=reduction == _NONE)
    if reduction == _NONE:
        return None
    if reduction == _SUM:
        return loss(b, node, terms, "sum")
    divisor = _total(b, node, counts, scores, keep=False)
    if isinstance(divisor, Constant):
        whole = loss(b, node, terms, "sum")
        number = 1 / float(np.broadcast_to(divisor.array, terms.extents).sum())
        return whole.times(number) if isinstance(whole, Objective) else inner(b, node, f"mul({{0}}, {number!r})", whole)
    tops = [loss(b, node, x, "mean") for x in (terms, divisor)]
    parts = [x.value(b, node) if isinstance(x, Objective) else x for x in tops]
    return inner(b, node, "div({0}, {1})", *parts)


def _hits(b: TorchBuilder, node: AtenNode, scores: BlobTensor, target: Tensor, ignored: int) -> Tensor:
    """1 at the label of each position, else 0; none at labels that are ignored."""
    at, axis = _classes(scores), node.axis(_classes(scores), scores)
    labels = with_axis(b, node, target, at)
    if _has_labels(target, b, node, scores) and isinstance(labels, BlobTensor):
        return b.between(
            "Index2Onehot", node, [labels], scores.shape, None, scores.place, n_class=scores.shape[axis],
            ignore_label=ignored, axis=axis,
        )  # fmt: skip
    classes = counted(b, node, scores.extents[at], at, len(scores.extents))
    return computed(b, node, f"mul(eq({{0}}, {{1}}), ne({{0}}, {ignored}))", labels, classes)


def _total(b: TorchBuilder, node: AtenNode, x: Tensor, scores: BlobTensor, *, keep: bool) -> Tensor:
    """The sum over the classes of what has the axes of the scores."""
    at = _classes(scores)
    if isinstance(x, Constant):
        return Constant(x.array.sum(axis=at, keepdims=keep))
    return reduced(b, node, x, [node.axis(at, scores)], "sum", keep=keep, last=False)


def _of_distributions(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, target: Tensor, weight: Tensor | None, reduction: int,
    smoothing: float,
) -> Any:  # fmt: skip
    axis, weights = node.axis(_classes(x), x), _class_weights(node, x, weight)
    scores, classes = log_softmax(b, node, x, axis, last=False), x.shape[axis]
    soft = f"add(mul({{1}}, {1 - smoothing!r}), {smoothing / classes!r})" if smoothing else "{1}"
    text = f"neg(mul({{0}}, {f'mul({soft}, {{2}})' if weights else soft}))"
    each = inner(b, node, text, scores, target, *weights)
    terms = reduced(b, node, each, [axis], "sum", keep=False, last=reduction == _NONE)
    return None if reduction == _NONE else loss(b, node, terms, "mean" if reduction == _MEAN else "sum")
