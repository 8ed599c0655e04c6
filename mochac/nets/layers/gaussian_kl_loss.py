"""GaussianKLLossLayer: KL divergence of diagonal Gaussians from the standard normal distribution."""

from __future__ import annotations

from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._losses import Loss, matched, per_sample
from mochac.nets.layers.base import Names, layer
from mochac.nets.layers.blob_fields import names
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, TWICE, Blob, Example, breaks, fits
from mochac.nets.layers.fields import option, text


@layer
class GaussianKLLossLayer(Loss):
    """weight * 1/2 * sum over features of mu^2 + sigma^2 - 2 log(sigma) - 1, mean over the batch.

    This is KL(N(mu, sigma^2) || N(0, 1)), the loss of the encoder in a variational auto-encoder (arXiv:1312.6114,
    appendix B).

    Args:
        bottoms: ["mu", "sigma"] by default.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [mu (batch, ...), sigma (batch, ...)] with equal numbers of features; sigma is the standard
    deviation, > 0 (as after Neurons.Exponential()); optional top: the loss, ().
    Statistic: `<name>-encoder-loss`, the loss itself.
    Gradient: weight / batch * mu to mu, weight / batch * (sigma - 1 / sigma) to sigma.
    Source: Mocha.jl src/layers/gaussian-kl-loss.jl.
    """

    is_statistic: ClassVar[bool] = True
    reported: ClassVar[str] = "encoder-loss"
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), Blob((3,), 0.5, 2.0)),
        fits((2, 3), Blob((6,), 0.5, 2.0), weight=0.3),
        breaks("mu and sigma differ in size", (3,), (4,)),
        breaks("no samples", LOSS, (1,)),
        breaks("differ in their number of samples", (3,), (3,), near=TWICE, bottoms=["twice", "b1"]),
    )

    name: str = option(text(), default="gaussian-kl-loss")
    bottoms: Names = option(names(distinct=False), default=("mu", "sigma"))

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        mu, sigma = matched(ctx, bottoms, names=("mu", "sigma"))
        squares = ctx.op("add", ctx.op("square", mu), ctx.op("square", sigma))
        logs = ctx.op("sub", ctx.scaled(ctx.op("log", sigma), -2.0), ctx.constant(1.0, sigma))
        return ctx.scaled(per_sample(ctx, ctx.op("add", squares, logs)), 0.5)
