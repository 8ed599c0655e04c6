"""CosineLossLayer: how far the directions of two blobs are from each other."""

from __future__ import annotations

from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._losses import Loss, matched, one_each, per_sample
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, TWICE, Blob, Example, breaks, fits
from mochac.nets.layers.fields import option, real, text

LEAST = 1e-12
"""PyTorch's epsilon, which is added to squared lengths."""


@layer
class CosineLossLayer(Loss):
    """weight * mean over the batch of 1 - cos(a, b), or of max(0, cos(a, b) - margin) for pairs with y = -1.

    cos(a, b) = <a, b> / sqrt((|a|^2 + 1e-12) (|b|^2 + 1e-12)), over all features of a sample.

    Args:
        margin: of pairs with y = -1; -1 to 1.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [a (batch, ...), b (batch, ...)] with equal numbers of features, and optionally y (batch,), 1 or
    -1; optional top: the loss, ().
    Gradient: weight / batch * (cos a / |a|^2 - b / |a| / |b|) to a, and likewise to b; for y = -1 its opposite, 0 below
    the margin. Source: PyTorch's CosineEmbeddingLoss; without y, 1 + Keras's CosineSimilarity.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (2, 3)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), (3,)),
        fits((2, 2), (4,), Blob((1,), signs=True), margin=-0.9, weight=0.3, tops=["value"]),
        fits((3,), (3,), Blob((1,), 0.0, 2.0), bottoms=["b0", "b1"], sample_weights="b2"),
        breaks("a and b differ in size", (3,), (4,)),
        breaks("y must be one number per sample", (3,), (3,), Blob((2,), signs=True)),
        breaks("no samples", (1,), LOSS),
        breaks("differ in their number of samples", (3,), (3,), near=TWICE, bottoms=["twice", "b1"]),
    )

    name: str = option(text(), default="cosine-loss")
    margin: float = option(real(-1, most=1), default=0.0)

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        a, b = matched(ctx, bottoms[:2], names=("a", "b"))
        inner = per_sample(ctx, ctx.op("mul", a, b))
        lengths = ctx.op("mul", self._square(ctx, a), self._square(ctx, b))
        cosine = ctx.op("div", inner, ctx.op("sqrt", lengths))
        alike = ctx.op("sub", ctx.constant(1.0, cosine), cosine)
        if len(bottoms) == 2:
            return alike
        ctx.target(bottoms[2], "sign")
        y = one_each(ctx, "y", bottoms[2], like=cosine)
        unlike = ctx.op("relu", ctx.op("sub", cosine, ctx.constant(self.margin, cosine)))
        return ctx.op("select", ctx.op("gt", y, ctx.constant(0.0, y)), alike, unlike)

    def _square(self, ctx: TraceContext, x: Value) -> Value:
        """The squared length of each sample."""
        squares = per_sample(ctx, ctx.op("square", x))
        return ctx.op("add", squares, ctx.constant(LEAST, squares))
