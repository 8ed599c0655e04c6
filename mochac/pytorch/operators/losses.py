"""PyTorch's losses: SoftmaxLossLayer for cross entropy, MeanLossLayer of a formula for others."""

from __future__ import annotations

from typing import Any

from mochac.importing.formulas import inner, reshaped
from mochac.importing.node import BlobTensor, Constant, Tensor
from mochac.pytorch.builder import TorchBuilder
from mochac.pytorch.converters import aten
from mochac.pytorch.node import AtenNode
from mochac.pytorch.operators.reductions import loss
from mochac.pytorch.values import Objective

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
    made = inner(b, node, text, *operands)
    if reduction == _NONE:
        b.alias(node, made)
        return None
    return loss(b, node, made, "mean" if reduction == _MEAN else "sum")


@aten(*_FORMULAS)
def elementwise(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, target: Tensor, weight: Tensor | None = None,
    pos_weight: Tensor | None = None, reduction: int = _MEAN,
) -> Any:  # fmt: skip
    """MeanLossLayer of a formula."""
    text, operands = _FORMULAS[node.type], [x, target]
    if pos_weight is not None:
        raise node.refused("pos_weight is not supported")
    if weight is not None:
        operands.append(weight)
        text = f"mul({text}, {{2}})"
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


@aten("cross_entropy_loss")
def cross_entropy(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, target: BlobTensor, weight: Tensor | None = None,
    reduction: int = _MEAN, ignore_index: int = -100, label_smoothing: float = 0.0,
) -> Any:  # fmt: skip
    """SoftmaxLossLayer; against distributions, a formula."""
    if reduction != _MEAN:
        raise node.refused("only the mean is supported", "reduction='mean'")
    if not x.samples or not isinstance(target, BlobTensor) or not target.samples:
        raise node.refused("predictions and targets are of samples")
    axis = node.axis(1 if len(x.extents) > 1 else 0, x)
    classes = x.shape[axis]
    if x.extents == target.extents and len(x.extents) > 1:
        return _of_distributions(b, node, x, target, weight, axis, label_smoothing)
    fields: dict[str, Any] = {"ignore_label": ignore_index, "axis": axis}
    if label_smoothing:
        fields["label_smoothing"] = float(label_smoothing)
    if weight is not None:
        if not isinstance(weight, Constant):
            raise node.refused("class weights are computed")
        fields |= {"weights": weight.array.reshape(-1), "normalize": "no"}
        raise node.refused("class weights are not supported", hint="SoftmaxLossLayer(weights=...) has Caffe's mean")
    shape = tuple(1 if a == axis else n for a, n in enumerate(x.shape))
    label = reshaped(b, node, target, shape, x.place, last=False) if target.shape != shape else target
    made = b.between("SoftmaxLoss", node, [x, label], (), **fields)
    if not classes:
        raise node.refused("there are no classes")
    return Objective(((made, 1.0),))


def _of_distributions(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, target: BlobTensor, weight: Any, axis: int, smoothing: float
) -> Objective:
    if weight is not None:
        raise node.refused("class weights are not supported")
    along = {} if axis == 1 else {"axis": axis}
    shares = b.between("Softmax", node, [x], x.shape, None, x.place, **along)
    classes = x.shape[axis]
    soft = f"add(mul({{1}}, {1 - smoothing!r}), {smoothing / classes!r})" if smoothing else "{1}"
    terms = inner(b, node, f"neg(mul(log({{0}}), {soft}))", shares, target)
    ((top, _),) = loss(b, node, terms, "mean").terms
    return Objective(((top, float(classes)),))


@aten("nll_loss", "nll_loss_nd", "nll_loss2d")
def nll(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, target: BlobTensor, weight: Any = None, reduction: int = _MEAN,
    ignore_index: int = -100,
) -> Any:  # fmt: skip
    """SoftmaxLossLayer of the logarithms, whose exponentials sum to 1."""
    return cross_entropy(b, node, x, target, weight, reduction, ignore_index)
