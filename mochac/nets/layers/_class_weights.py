"""ClassLoss: base class of losses over classes, with class weights, ignored labels and normalization.

MultinomialLogisticLoss, SoftmaxLoss and MulticlassHingeLoss derive from it, and compute the loss of each position.
Source: Mocha.jl src/layers/multinomial-logistic-loss.jl; Caffe's src/caffe/layers/softmax_loss_layer.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._losses import Loss, class_indices, counted, per_sample
from mochac.nets.layers.axis_fields import axis
from mochac.nets.layers.config import keyword_config
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.fields import Rule, choice, integer, option, or_none
from mochac.nets.layers.tables import Table, table


def weights() -> Rule:
    """Field rule of `weights`."""
    return table("[] or an array of finite numbers >= 0", [1.0, 2.0, 0.5], low=0.0, empty=True)


def normalize() -> Rule:
    """Field rule of `normalize`."""
    return choice("local", "global", "no")


def normalization() -> Rule:
    """Field rule of `normalization`."""
    return choice("valid", "full", "batch_size")


@keyword_config
class ClassLoss(Loss):
    """A loss of predictions over classes and class indices. The losses document its fields."""

    axis: int | None = option(or_none(axis()), default=None)
    weights: Table = option(weights(), default=Table([]))
    normalize: str = option(normalize(), default="local")
    ignore_label: int | None = option(or_none(integer()), default=None)
    normalization: str = option(normalization(), default="valid")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        pred, label = bottoms
        label, axis = class_indices(ctx, pred, label, self.axis)
        losses = self.position_losses(ctx, pred, label, axis)
        ctx.label(label, pred.type.shape[axis], self.ignore_label)
        losses = weighted(ctx, losses, pred, label, axis, self.weights, self.normalize)
        losses = self.weighed(ctx, losses)
        losses, valid = counted(ctx, losses, label, self.ignore_label)
        return [self._total(ctx, losses, valid)][: len(self.tops)]

    def _total(self, ctx: TraceContext, losses: Value, valid: Value | None) -> Value:
        """The sum of the losses of all positions, divided according to `normalization`."""
        if self.normalization == "valid":
            return ctx.loss(losses, self.weight, valid)
        if self.normalization == "full":
            return ctx.loss(losses, self.weight)
        return ctx.loss(per_sample(ctx, losses), self.weight)

    def position_losses(self, ctx: TraceContext, pred: Value, label: Value, axis: int) -> Value:
        """The loss of each position, before class weights."""
        raise NotImplementedError


def weighted(
    ctx: TraceContext, losses: Value, pred: Value, label: Value, axis: int, weights: Table, normalize: str
) -> Value:
    """The losses of all positions times the weights of their labels; `losses` itself if there are no weights.

    Raises:
        OpTypeError: the weights do not fit `pred`, or sum to 0 and are to be normalized.
    """
    if not weights:
        return losses
    values = _normalized(_fitted(weights.values, pred.type.shape, axis), pred.type.shape, axis, normalize)
    kept = _axes(values.ndim, pred.type.shape, axis)
    given = ctx.table("weights", values)
    spread = ctx.op("broadcast", given, shape=pred.type.shape, axes=kept, batch=pred.type.batch)
    return ctx.op("mul", losses, ctx.op("pick", spread, label, axis=axis))


def _fitted(values: np.ndarray, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """`values` per class, per feature or per element; the latter are repeated if their batch is smaller."""
    if values.shape in ((shape[axis],), shape[1:]):
        return values
    if values.shape[1:] == shape[1:]:
        return np.take(values, np.arange(shape[0]) % len(values), axis=0)
    known = dict.fromkeys([f"({shape[axis]},)", str(shape[1:]), f"(batch, {', '.join(map(str, shape[1:]))})"])
    raise OpTypeError("weights do not fit the prediction", " or ".join(known), str(values.shape))


def _axes(ndim: int, shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    """The axes of pred to which weights with this many axes belong."""
    if ndim == len(shape):
        return tuple(range(ndim))
    return (axis,) if ndim == 1 else tuple(range(1, len(shape)))


def _normalized(values: np.ndarray, shape: tuple[int, ...], axis: int, how: str) -> np.ndarray:
    """Scale weights to mean 1 over the classes of each position (local) or over each sample (global), or not (no)."""
    if how == "no":
        return values
    kept = _axes(values.ndim, shape, axis)
    over = kept.index(axis) if how == "local" else tuple(k for k, a in enumerate(kept) if a)
    mean = values.mean(axis=over, keepdims=True)
    if not mean.all():
        what = "the classes of a position" if how == "local" else "a sample"
        raise OpTypeError(
            f"weights of {what} sum to 0", "a positive sum to divide by", "0", 'normalize="no" uses them as they are'
        )
    return values / mean
