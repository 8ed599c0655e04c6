"""TripletLossLayer: an anchor should be nearer to its positive sample than to a negative one, by a margin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._losses import Loss, distance, matched, per_sample
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, TWICE, Blob, Example, breaks, fits
from mochac.nets.layers.fields import option, real, text

SHIFT = 1e-6
"""PyTorch's eps, which is added to every difference."""


@layer
class TripletLossLayer(Loss):
    """weight * mean over the batch of max(0, |anchor - positive| - |anchor - negative| + margin).

    Args:
        margin: > 0.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [anchor (batch, ...), positive (batch, ...), negative (batch, ...)] with equal numbers of
    features; optional top: the loss, ().
    Gradient where the loss is positive, with the unit vectors u from positive and v from negative to anchor: weight /
    batch * (u - v) to anchor, -u to positive, v to negative. Source: Schroff et al. 2015 (arXiv:1503.03832); PyTorch's
    TripletMarginLoss, whose 1e-6 is added to every difference here too.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (3, 3)
    absent: ClassVar[Mapping[str, str]] = {"p": "the distance is Euclidean, PyTorch's p=2"}
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), (3,), (3,), margin=2.0),
        fits((2, 2), (4,), Blob((4,), learned=False), margin=5, weight=0.3, tops=["value"]),
        fits((3,), (3,), (3,), Blob((1,), 0.0, 2.0), margin=3, bottoms=["b0", "b1", "b2"], sample_weights="b3"),
        breaks("anchor and positive differ in size", (3,), (4,), (3,)),
        breaks("anchor and negative differ in size", (3,), (3,), (4,)),
        breaks("no samples", (1,), (1,), LOSS),
        breaks("differ in their number of samples", (3,), (3,), (3,), near=TWICE, bottoms=["twice", "b1", "b2"]),
    )

    name: str = option(text(), default="triplet-loss")
    margin: float = option(real(above=0), default=1.0)

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        anchor, positive, negative = bottoms
        near = self._apart(ctx, anchor, positive, "positive")
        far = self._apart(ctx, anchor, negative, "negative")
        return ctx.op("relu", ctx.op("add", ctx.op("sub", near, far), ctx.constant(self.margin, near)))

    def _apart(self, ctx: TraceContext, anchor: Value, other: Value, name: str) -> Value:
        a, b = matched(ctx, (anchor, other), names=("anchor", name))
        shifted = ctx.op("add", ctx.op("sub", a, b), ctx.constant(SHIFT, a))
        return distance(ctx, per_sample(ctx, ctx.op("square", shifted)))
