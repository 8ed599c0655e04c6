"""Losses of numbers that are to be predicted, and the mean of a blob as a loss."""

from __future__ import annotations

from typing import ClassVar

from mochac.base.records import option
from mochac.base.rules import Refusal, Rule, boolean, real, text
from mochac.ir.graph import Value
from mochac.nets.layers._losses import Loss, averaged, matched, per_sample
from mochac.nets.layers.base import Names, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, TWICE, Blob, Example, breaks, fits
from mochac.nets.layers.fields import names


@layer
class SquareLossLayer(Loss):
    """weight * 1/2 * sum over features of (pred - label)^2, mean over the batch.

    Args:
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [pred (batch, ...), label (batch, ...)] with equal numbers of features, compared in row-major
    order; optional top: the loss, ().
    Statistic: `<name>-square-loss`, the loss itself.
    Gradient: weight / batch * (pred - label) to pred, and its opposite to the label.
    Source: Mocha.jl src/layers/square-loss.jl.
    """

    is_statistic: ClassVar[bool] = True
    reported: ClassVar[str] = "square-loss"
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), (3,)),
        fits((1, 2, 3), Blob((6,), learned=False), weight=0.3, tops=["value"]),
        breaks("pred and label differ in size", (3,), (4,)),
        breaks("no samples", (1,), LOSS),
        breaks("differ in their number of samples", (3,), (3,), near=TWICE, bottoms=["twice", "b1"]),
    )

    name: str = option(text(), default="square-loss")

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        pred, label = matched(ctx, bottoms)
        difference = ctx.op("sub", pred, label)
        return ctx.scaled(per_sample(ctx, ctx.op("square", difference)), 0.5)


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
        difference = ctx.op("sub", pred, label)
        return averaged(ctx, ctx.op("huber", difference, ctx.constant(self.delta, difference)))


def share() -> Rule:
    """Field rule: a number between 0 and 1, neither included."""
    rule = real(above=0)

    def convert(value: object) -> float:
        if (number := rule.convert(value)) >= 1:
            raise Refusal("a quantile is a share: 0.9 for the value that nine of ten labels are below")
        return number

    return Rule("a number > 0 and < 1", convert, 0.5, (0.0, 1.0, 90, "a", None))


@layer
class QuantileLossLayer(Loss):
    """weight * mean over batch and features of quantile * d if d >= 0, else (quantile - 1) * d, with d = label - pred.

    Predictions become that quantile of the labels: with 0.9, labels are below them in nine of ten cases. 0.5 is half
    the absolute error, and predicts medians.

    Args:
        quantile: 0 < quantile < 1.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [pred (batch, ...), label (batch, ...)] with equal numbers of features, compared in row-major
    order; optional top: the loss, ().
    Gradient: weight / elements * (1 - quantile where pred > label, else -quantile) to pred, and its opposite to the
    label. Source: Koenker and Bassett, Regression Quantiles, 1978; scikit-learn's mean_pinball_loss.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), (3,), quantile=0.9),
        fits((1, 2, 3), Blob((6,), -3.0, 3.0, learned=False), quantile=0.2, weight=0.3, tops=["value"]),
        fits((3,), (3,), Blob((1,), 0.0, 2.0), bottoms=["b0", "b1"], sample_weights="b2"),
        breaks("pred and label differ in size", (3,), (4,)),
    )

    name: str = option(text(), default="quantile-loss")
    quantile: float = option(share(), default=0.5)

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        pred, label = matched(ctx, bottoms)
        short = ctx.op("sub", label, pred)
        return averaged(ctx, ctx.op("max", ctx.scaled(short, self.quantile), ctx.scaled(short, self.quantile - 1)))


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


@layer
class MeanLossLayer(Loss):
    """weight * mean over batch and features of the bottom, for losses that other layers compute element by element.

    Args:
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [x (batch, ...)]; optional top: the loss, (). Gradient: weight / elements. Source: Keras'
    add_loss.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, 1)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,)),
        fits((2, 3), weight=0.3, tops=["value"]),
        breaks("no samples", LOSS),
    )

    name: str = option(text(), default="mean-loss")

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        return averaged(ctx, bottoms[0])
