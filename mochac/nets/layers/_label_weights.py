"""LabelLoss: base class of losses that are sums over independent labels, with a weight for each label.

BinaryCrossEntropyLoss and HingeLoss derive from it. `weights` and `pos_weight` are those of PyTorch's
BCEWithLogitsLoss, which calls the former `weight`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._losses import Loss, matched, per_sample
from mochac.nets.layers.config import keyword_config
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.fields import Rule, option
from mochac.nets.layers.tables import Table, table

_ARRAY = table("[], a number or an array of finite numbers >= 0", [1.0, 2.0, 0.5], low=0.0, empty=True)


def _convert(value: Any) -> Table:
    number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    return _ARRAY.convert([value] if number else value)


def label_weights() -> Rule:
    """Field rule: a number for all labels, an array with one for each, or [] for none.

    >>> label_weights().convert(2), label_weights().convert([])
    (Table([2.0]), [])
    """
    return Rule(_ARRAY.text, _convert, _ARRAY.good, (-1, np.nan, *(bad for bad in _ARRAY.bad if bad != 3)))


@keyword_config
class LabelLoss(Loss):
    """A loss of labels that are independent of each other. The losses document its fields."""

    weights: Table = option(label_weights(), default=Table([]))
    pos_weight: Table = option(label_weights(), default=Table([]))

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        pred, label = matched(ctx, bottoms)
        losses = self.label_losses(ctx, pred, label)
        if self.weights:
            losses = ctx.op("mul", losses, spread(ctx, "weights", self.weights, pred, 1))
        return per_sample(ctx, losses)

    def label_losses(self, ctx: TraceContext, pred: Value, label: Value) -> Value:
        """The loss of each label, in the shape of pred."""
        raise NotImplementedError

    def positive(self, ctx: TraceContext, pred: Value) -> Value | None:
        """`pos_weight` in the shape of pred; None if there is none."""
        return spread(ctx, "pos_weight", self.pos_weight, pred, 1) if self.pos_weight else None


def spread(ctx: TraceContext, name: str, weights: Table, pred: Value, axis: int) -> Value:
    """Weights in the shape of pred: one number, one for each entry of `axis`, or one for each feature.

    Raises:
        OpTypeError: they have another shape.
    """
    values, shape = weights.values, pred.type.shape
    if values.size == 1:
        return ctx.constant(float(values.item()), pred)
    if values.shape not in (shape[axis : axis + 1], shape[1:]):
        known = " or ".join(dict.fromkeys([str(shape[axis : axis + 1]), str(shape[1:])]))
        raise OpTypeError(f"{name} do{'es' * (name == 'pos_weight')} not fit the prediction", known, str(values.shape))
    axes = (axis,) if values.ndim == 1 and shape[axis] == len(values) else tuple(range(1, len(shape)))
    return ctx.op("broadcast", ctx.table(name, values), shape=shape, axes=axes, batch=pred.type.batch)
