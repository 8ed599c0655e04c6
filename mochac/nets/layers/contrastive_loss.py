"""ContrastiveLossLayer: similar pairs should be near each other, others at least a margin apart."""

from __future__ import annotations

from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._losses import Loss, distance, matched, one_each, per_sample
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, TWICE, Blob, Example, breaks, fits
from mochac.nets.layers.fields import boolean, option, real, text


@layer
class ContrastiveLossLayer(Loss):
    """weight * mean over the batch of y d^2 / 2 + (1 - y) max(0, margin - d)^2 / 2, where d = |a - b|.

    Args:
        margin: > 0; dissimilar pairs farther apart do not count.
        legacy: (1 - y) max(0, margin - d^2) / 2 instead, Caffe's legacy_version.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [a (batch, ...), b (batch, ...), y (batch,)]; a and b have equal numbers of features; y is 1 for
    similar pairs and 0 for others; optional top: the loss, ().
    Gradient to a, its opposite to b: weight / batch * (a - b) * (y - (1 - y) max(0, margin - d) / d), 0 where a = b.
    Source: Hadsell et al. 2006; Caffe's src/caffe/layers/contrastive_loss_layer.cpp.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (3, 3)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), (3,), Blob((1,), classes=2)),
        fits((2, 2), (4,), Blob((1,), 0.0, 1.0), margin=3.0, weight=0.3, tops=["value"]),
        fits((3,), (3,), Blob((1,), classes=2), legacy=True, margin=9.0),
        fits(
            (3,), (3,), Blob((1,), classes=2), Blob((1,), 0.0, 2.0),
            bottoms=["b0", "b1", "b2"], sample_weights="b3",
        ),
        breaks("a and b differ in size", (3,), (4,), Blob((1,), classes=2)),
        breaks("y must be one number per sample", (3,), (3,), Blob((2,), classes=2)),
        breaks("no samples", (1,), LOSS, (1,)),
        breaks("differ in their number of samples", (3,), (3,), (1,), near=TWICE, bottoms=["twice", "b1", "b2"]),
    )  # fmt: skip

    name: str = option(text(), default="contrastive-loss")
    margin: float = option(real(above=0), default=1.0)
    legacy: bool = option(boolean(), default=False)

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        a, b = matched(ctx, bottoms[:2], names=("a", "b"))
        ctx.target(bottoms[2], "probability")
        squares = per_sample(ctx, ctx.op("square", ctx.op("sub", a, b)))
        similar = one_each(ctx, "y", bottoms[2], like=squares)
        margin = ctx.constant(self.margin, squares)
        if self.legacy:
            short = ctx.op("relu", ctx.op("sub", margin, squares))
        else:
            short = ctx.op("square", ctx.op("relu", ctx.op("sub", margin, distance(ctx, squares))))
        others = ctx.op("mul", ctx.op("sub", ctx.constant(1.0, similar), similar), short)
        return ctx.scaled(ctx.op("add", ctx.op("mul", similar, squares), others), 0.5)
