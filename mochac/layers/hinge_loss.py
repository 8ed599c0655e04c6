"""HingeLossLayer: the hinge loss, for labels -1 and 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.layers._losses import matched, per_sample
from mochac.layers.base import Layer, layer
from mochac.layers.context import TraceContext
from mochac.layers.examples import LOSS, TWICE, Blob, Example, breaks, fits
from mochac.layers.fields import option, real, text


@layer
class HingeLossLayer(Layer):
    """weight * sum over features of max(0, 1 - pred * label), mean over the batch.

    Args:
        weight: factor of the loss in the objective, >= 0. (The CPU backend of Mocha ignores it.)

    Shapes: bottoms = [pred (batch, ...), label (batch, ...)] with equal numbers of features, compared in row-major
    order; labels -1 or 1; optional top: the loss, ().
    Statistic: `<name>-hinge-loss`, the loss itself.
    Gradient: -weight / batch * label to pred and -weight / batch * pred to the label if pred * label < 1, else 0.
    Source: Mocha.jl src/layers/hinge-loss.jl.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (2, 2)
    n_tops: ClassVar[tuple[int, int | None]] = (0, 1)
    is_loss: ClassVar[bool] = True
    is_statistic: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), Blob((3,), signs=True)),
        fits((2, 2), (4,), weight=2.0, tops=["value"]),
        breaks("pred and label differ in size", (3,), (4,)),
        breaks("no samples", LOSS, (1,)),
        breaks("differ in their number of samples", (3,), (3,), near=TWICE, bottoms=["twice", "b1"]),
    )

    name: str = option(text(), default="hinge-loss")
    weight: float = option(real(0), default=1.0)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        pred, label = matched(ctx, bottoms)
        ctx.target(bottoms[1], "sign")
        agreed = ctx.op("mul", pred, label)
        short = ctx.op("relu", ctx.op("sub", ctx.constant(1.0, agreed), agreed))
        losses = per_sample(ctx, short)
        ctx.statistic("hinge-loss", ctx.scaled(losses, self.weight))
        return [ctx.loss(losses, self.weight)][: len(self.tops)]
