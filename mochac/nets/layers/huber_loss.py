"""HuberLossLayer: a square near 0 and straight lines farther away, so that single outliers count less."""

from __future__ import annotations

from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._losses import Loss, averaged, matched
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, TWICE, Blob, Example, breaks, fits
from mochac.nets.layers.fields import option, real, text


@layer
class HuberLossLayer(Loss):
    """weight * mean over batch and features of d^2 / 2 if |d| <= delta, else delta * (|d| - delta / 2).

    d is pred - label. SquareLossLayer, as in Mocha, sums over the features; this is a mean, as in PyTorch's HuberLoss.
    PyTorch's SmoothL1Loss is this divided by delta (weight=1 / delta).

    Args:
        delta: > 0; where the lines begin, and their slope.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [pred (batch, ...), label (batch, ...)] with equal numbers of features, compared in row-major
    order; optional top: the loss, ().
    Gradient: weight / elements * min(max(d, -delta), delta) to pred, and its opposite to the label.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), (3,)),
        fits((1, 2, 3), Blob((6,), -3.0, 3.0, learned=False), delta=0.3, weight=0.3, tops=["value"]),
        fits((3,), (3,), Blob((1,), 0.0, 2.0), bottoms=["b0", "b1"], sample_weights="b2"),
        breaks("pred and label differ in size", (3,), (4,)),
        breaks("no samples", (1,), LOSS),
        breaks("differ in their number of samples", (3,), (3,), near=TWICE, bottoms=["twice", "b1"]),
    )

    name: str = option(text(), default="huber-loss")
    delta: float = option(real(above=0), default=1.0)

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        pred, label = matched(ctx, bottoms)
        apart = ctx.op("sub", pred, label)
        return averaged(ctx, ctx.op("huber", apart, ctx.constant(self.delta, apart)))
