"""BinaryCrossEntropyLossLayer: cross entropy of independent probabilities.

Rows of the scalar table give it element by element; autodiff gives both gradients.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.layers._losses import matched, per_sample
from mochac.layers.base import Layer, layer
from mochac.layers.context import TraceContext
from mochac.layers.examples import LOSS, TWICE, Blob, Example, breaks, fits
from mochac.layers.fields import option, real, text

MARGIN = {"f32": 1e-7, "f64": 1e-12}
"""Probabilities are taken no closer to 0 and 1 than this, by element type."""


@layer
class BinaryCrossEntropyLossLayer(Layer):
    """-weight * sum over features of label log(pred) + (1 - label) log(1 - pred), mean over the batch.

    Args:
        weight: factor of the loss in the objective, >= 0.

    Shapes: bottoms = [pred (batch, ...), label (batch, ...)] with equal numbers of features, compared in row-major
    order, both probabilities (put Neurons.Sigmoid() in front); optional top: the loss, ().
    pred is clamped to [1e-7, 1 - 1e-7], in float64 [1e-12, 1 - 1e-12], where Mocha gives NaN.
    Gradient: -weight / batch * (label / pred - (1 - label) / (1 - pred)) to pred, 0 where it is clamped;
    -weight / batch * log(pred / (1 - pred)) to the label.
    Source: Mocha.jl src/layers/binary-cross-entropy-loss.jl.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (2, 2)
    n_tops: ClassVar[tuple[int, int | None]] = (0, 1)
    is_loss: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits(Blob((3,), 0.1, 0.9), Blob((3,), 0.1, 0.9)),
        fits(Blob((2, 3), 0.1, 0.9), Blob((6,), 0.0, 1.0, learned=False), weight=0.3),
        breaks("pred and label differ in size", (3,), (4,)),
        breaks("no samples", (1,), LOSS),
        breaks("differ in their number of samples", (3,), (3,), near=TWICE, bottoms=["twice", "b1"]),
    )

    name: str = option(text(), default="binary-cross-entropy-loss")
    weight: float = option(real(0), default=1.0)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        pred, label = matched(ctx, bottoms)
        ctx.target(bottoms[1], "probability")
        one = ctx.constant(1.0, pred)
        yes = ctx.op("mul", label, _log(ctx, pred))
        no = ctx.op("mul", ctx.op("sub", one, label), _log(ctx, ctx.op("sub", one, pred)))
        losses = ctx.op("neg", per_sample(ctx, ctx.op("add", yes, no)))
        return [ctx.loss(losses, self.weight)][: len(self.tops)]


def _log(ctx: TraceContext, p: Value) -> Value:
    """log of a clamped probability. p and 1 - p are clamped each by itself: in float32 1 - (1 - 1e-7) is 1.19e-7."""
    margin = MARGIN[p.type.dtype]
    above = ctx.op("max", p, ctx.constant(margin, p))
    return ctx.op("log", ctx.op("min", above, ctx.constant(1 - margin, p)))
