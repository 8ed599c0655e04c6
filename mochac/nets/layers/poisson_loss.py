"""PoissonLossLayer: the negative log-likelihood of counts."""

from __future__ import annotations

from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._losses import Loss, averaged, matched
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Blob, Example, breaks, fits
from mochac.nets.layers.fields import boolean, option, text

EPSILON = 1e-8
"""Added to means before their logarithm, as in PyTorch."""


@layer
class PoissonLossLayer(Loss):
    """weight * mean over batch and features of mean - label * log(mean), where exp(pred) is the mean.

    The logarithm of label!, which does not depend on the prediction, is left out, as in PyTorch's PoissonNLLLoss.

    Args:
        log: pred is the logarithm of the mean, as PyTorch's log_input; False: it is the mean itself, >= 0, as in Keras'
            Poisson, and label * log(mean + 1e-8) is subtracted.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [pred (batch, ...), label (batch, ...)] with equal numbers of features, compared in row-major
    order; optional top: the loss, (). Labels are counts or rates, >= 0.
    Gradient: weight / elements * (exp(pred) - label) to pred, and -weight / elements * pred to the label.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), Blob((3,), 0.0, 4.0)),
        fits((1, 2, 3), Blob((6,), 0.0, 4.0, learned=False), weight=0.3, tops=["value"]),
        fits(Blob((3,), 0.2, 4.0), Blob((3,), 0.0, 4.0), log=False),
        fits((3,), Blob((3,), 0.0, 4.0), Blob((1,), 0.0, 2.0), bottoms=["b0", "b1"], sample_weights="b2"),
        breaks("pred and label differ in size", (3,), (4,)),
    )

    name: str = option(text(), default="poisson-loss")
    log: bool = option(boolean(), default=True)

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        pred, label = matched(ctx, bottoms)
        ctx.target(bottoms[1], "count")
        mean = ctx.op("exp", pred) if self.log else pred
        logarithm = pred if self.log else ctx.op("log", ctx.op("add", pred, ctx.constant(EPSILON, pred)))
        return averaged(ctx, ctx.op("sub", mean, ctx.op("mul", label, logarithm)))
