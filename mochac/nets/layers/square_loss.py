"""SquareLossLayer: half the squared distance of prediction and label."""

from __future__ import annotations

from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._losses import Loss, matched, per_sample
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, TWICE, Blob, Example, breaks, fits
from mochac.nets.layers.fields import option, text


@layer
class SquareLossLayer(Loss):
    """weight * 1/2 * sum over features of (pred - label)^2, mean over the batch.

    Args:
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [pred (batch, ...), label (batch, ...)] with equal numbers of features, compared in row-major
    order; optional top: the loss, ().
    Statistic: `<name>-square-loss`, the loss itself.
    Gradient: weight / batch * (pred - label) to pred, and its opposite to the label.
    Source: Mocha.jl src/layers/square-loss.jl.
    """

    is_statistic: ClassVar[bool] = True
    reported: ClassVar[str] = "square-loss"
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), (3,)),
        fits((1, 2, 3), Blob((6,), learned=False), weight=0.3, tops=["value"]),
        breaks("pred and label differ in size", (3,), (4,)),
        breaks("no samples", (1,), LOSS),
        breaks("differ in their number of samples", (3,), (3,), near=TWICE, bottoms=["twice", "b1"]),
    )

    name: str = option(text(), default="square-loss")

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        pred, label = matched(ctx, bottoms)
        apart = ctx.op("sub", pred, label)
        return ctx.scaled(per_sample(ctx, ctx.op("square", apart)), 0.5)
