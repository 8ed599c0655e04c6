"""HingeLossLayer: the hinge loss, for labels -1 and 1."""

from __future__ import annotations

from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._label_weights import LabelLoss
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, TWICE, Blob, Example, breaks, fits
from mochac.nets.layers.fields import option, text


@layer
class HingeLossLayer(LabelLoss):
    """weight * sum over features of weights max(0, 1 - pred * label), mean over the batch.

    Args:
        weights: factors of the labels' losses, used as they are: one for each channel (axis 1) or each feature, or a
            number; [] for none.
        pos_weight: factors of the losses of labels 1, besides `weights` and of the same shapes: with 3, a label that is
            there counts as three.
        weight: factor of the loss in the objective, >= 0. (The CPU backend of Mocha ignores it.)
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [pred (batch, ...), label (batch, ...)] with equal numbers of features, compared in row-major
    order; labels -1 or 1; optional top: the loss, ().
    Statistic: `<name>-hinge-loss`, the loss itself.
    Gradient: -weight / batch * label to pred and -weight / batch * pred to the label if pred * label < 1, else 0; times
    weights, and pos_weight where the label is 1.
    Source: Mocha.jl src/layers/hinge-loss.jl.
    """

    is_statistic: ClassVar[bool] = True
    reported: ClassVar[str] = "hinge-loss"
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), Blob((3,), signs=True)),
        fits((2, 2), (4,), weight=2.0, tops=["value"]),
        fits((3,), Blob((3,), signs=True), weights=[1.0, 0.5, 2.0], pos_weight=[3.0, 0.5, 0.0]),
        breaks("pos_weight does not fit the prediction", (3,), (3,), pos_weight=[1, 2]),
        breaks("pred and label differ in size", (3,), (4,)),
        breaks("no samples", LOSS, (1,)),
        breaks("differ in their number of samples", (3,), (3,), near=TWICE, bottoms=["twice", "b1"]),
    )

    name: str = option(text(), default="hinge-loss")

    def label_losses(self, ctx: TraceContext, pred: Value, label: Value) -> Value:
        ctx.target(label, "sign")
        agreed = ctx.op("mul", pred, label)
        short = ctx.op("relu", ctx.op("sub", ctx.constant(1.0, agreed), agreed))
        positive = self.positive(ctx, pred)
        if positive is None:
            return short
        there = ctx.op("gt", label, ctx.constant(0.0, label))
        return ctx.op("mul", short, ctx.op("select", there, positive, ctx.constant(1.0, short)))
