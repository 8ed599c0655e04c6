"""L1LossLayer: the absolute difference of prediction and label."""

from __future__ import annotations

from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._losses import Loss, averaged, matched
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, TWICE, Blob, Example, breaks, fits
from mochac.nets.layers.fields import option, text


@layer
class L1LossLayer(Loss):
    """weight * mean over batch and features of |pred - label|.

    SquareLossLayer, as in Mocha, sums over the features; this is a mean, as in PyTorch's L1Loss.

    Args:
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [pred (batch, ...), label (batch, ...)] with equal numbers of features, compared in row-major
    order; optional top: the loss, ().
    Gradient: weight / elements * sign(pred - label) to pred, and its opposite to the label; 0 where they are equal.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), Blob((3,), 2.0, 3.0)),
        fits((1, 2, 3), Blob((6,), -3.0, -2.0, learned=False), weight=0.3, tops=["value"]),
        fits((3,), Blob((3,), 2.0, 3.0), Blob((1,), 0.0, 2.0), bottoms=["b0", "b1"], sample_weights="b2"),
        breaks("sample_weights must be one number per sample", (3,), (3,), sample_weights="b0"),
        breaks("pred and label differ in size", (3,), (4,)),
        breaks("no samples", (1,), LOSS),
        breaks("differ in their number of samples", (3,), (3,), near=TWICE, bottoms=["twice", "b1"]),
    )

    name: str = option(text(), default="l1-loss")

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        pred, label = matched(ctx, bottoms)
        return averaged(ctx, ctx.op("abs", ctx.op("sub", pred, label)))
