"""QuantileLossLayer: the pinball loss, whose least value is at a quantile of the labels."""

from __future__ import annotations

from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._losses import Loss, averaged, matched
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Blob, Example, breaks, fits
from mochac.nets.layers.fields import Refusal, Rule, option, real, text


def share() -> Rule:
    """Field rule: a number between 0 and 1, neither included."""
    rule = real(above=0)

    def convert(value: object) -> float:
        if (number := rule.convert(value)) >= 1:
            raise Refusal("a quantile is a share: 0.9 for the value that nine of ten labels are below")
        return number

    return Rule("a number > 0 and < 1", convert, 0.5, (0.0, 1.0, 90, "a", None))


@layer
class QuantileLossLayer(Loss):
    """weight * mean over batch and features of quantile * d if d >= 0, else (quantile - 1) * d, with d = label - pred.

    Predictions become that quantile of the labels: with 0.9, labels are below them in nine of ten cases. 0.5 is half
    the absolute error, and predicts medians.

    Args:
        quantile: 0 < quantile < 1.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [pred (batch, ...), label (batch, ...)] with equal numbers of features, compared in row-major
    order; optional top: the loss, ().
    Gradient: weight / elements * (1 - quantile where pred > label, else -quantile) to pred, and its opposite to the
    label. Source: Koenker and Bassett, Regression Quantiles, 1978; scikit-learn's mean_pinball_loss.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), (3,), quantile=0.9),
        fits((1, 2, 3), Blob((6,), -3.0, 3.0, learned=False), quantile=0.2, weight=0.3, tops=["value"]),
        fits((3,), (3,), Blob((1,), 0.0, 2.0), bottoms=["b0", "b1"], sample_weights="b2"),
        breaks("pred and label differ in size", (3,), (4,)),
    )

    name: str = option(text(), default="quantile-loss")
    quantile: float = option(share(), default=0.5)

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        pred, label = matched(ctx, bottoms)
        short = ctx.op("sub", label, pred)
        return averaged(ctx, ctx.op("max", ctx.scaled(short, self.quantile), ctx.scaled(short, self.quantile - 1)))
