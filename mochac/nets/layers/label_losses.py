"""Losses and accuracies of independent labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mochac.base.records import option
from mochac.base.rules import boolean, real, text
from mochac.ir.graph import Value
from mochac.nets.layers._losses import LabelLoss, matched
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, TWICE, Blob, Example, breaks, fits

MARGIN = {"f32": 1e-7, "f64": 1e-12}
"""The smallest number of which the logarithm is taken, by element type."""


@layer
class BinaryCrossEntropyLossLayer(LabelLoss):
    """-weight * sum over features of weights (pos_weight label log(p) + (1 - label) log(1 - p)), mean over the batch.

    Args:
        logits: False: p = pred, which are probabilities. True: p = sigmoid(pred) for any numbers, without a
            Neurons.Sigmoid() before; the loss is max(pred, 0) - pred label + log(1 + e^-|pred|), which does not
            saturate.
        weights: factors of the labels' losses, used as they are: one for each channel (axis 1) or each feature, or a
            number; [] for none.
        pos_weight: factors of the part with log(p), as `weights`: with 3, a label that is there counts as three, which
            raises recall; (1 - share) / share balances a label that a share of the samples has.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [pred (batch, ...), label (batch, ...)] with equal numbers of features, compared in row-major
    order; labels are probabilities; optional top: the loss, ().
    Gradient, logits: weight / batch * (sigmoid(pred) - label) to pred, -weight / batch * pred to the label; with
    weights and pos_weight: weight / batch * weights ((1 - label) sigmoid(pred) - pos_weight label sigmoid(-pred)).
    Gradient, probabilities: -weight / batch * (label / p - (1 - label) / (1 - p)) to pred, 0 if pred is below 0 or
    above 1; -weight / batch * log(p / (1 - p)) to the label. p and 1 - p are at least 1e-7 (float64: 1e-12); Mocha
    gives NaN for less. A Neurons.Sigmoid() before it is 1 above about 17 and has no gradient there: use logits. Source:
    Mocha.jl src/layers/binary-cross-entropy-loss.jl; logits: Caffe's SigmoidCrossEntropyLoss; weights and pos_weight:
    PyTorch's BCEWithLogitsLoss, which calls the former weight.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits(Blob((3,), 0.1, 0.9), Blob((3,), 0.1, 0.9)),
        fits(Blob((2, 3), 0.1, 0.9), Blob((6,), 0.0, 1.0, learned=False), weight=0.3),
        fits(Blob((3,), -4.0, 4.0), Blob((3,), 0.1, 0.9), logits=True),
        fits(Blob((2, 3), -40.0, 40.0), Blob((6,), 0.0, 1.0, learned=False), logits=True, weight=0.3),
        fits(Blob((3,), 0.1, 0.9), Blob((3,), 0.1, 0.9), weights=[1.0, 0.5, 2.0], pos_weight=3),
        fits(Blob((3,), -4.0, 4.0), Blob((3,), 0.1, 0.9), logits=True, weights=2.0, pos_weight=[0.0, 0.5, 4.0]),
        fits(Blob((2, 3), -4.0, 4.0), Blob((6,), 0.0, 1.0), logits=True, pos_weight=[2.0, 0.5]),
        fits(Blob((2, 3), -4.0, 4.0), Blob((6,), 0.0, 1.0), logits=True, pos_weight=[[1, 2, 3], [4, 5, 6]]),
        breaks("pos_weight does not fit the prediction", (3,), (3,), pos_weight=[1, 2]),
        breaks("weights do not fit the prediction", (3,), (3,), weights=[[1, 2, 3]]),
        breaks("pred and label differ in size", (3,), (4,)),
        breaks("no samples", (1,), LOSS),
        breaks("differ in their number of samples", (3,), (3,), near=TWICE, bottoms=["twice", "b1"]),
    )

    name: str = option(text(), default="binary-cross-entropy-loss")
    logits: bool = option(boolean(), default=False)

    @property
    def unsuited(self) -> Mapping[str, str]:
        """Scores, or with `logits` their sigmoid."""
        if self.logits:
            return {"sigmoid": "with logits=True it computes the sigmoid itself: leave out Neurons.Sigmoid()"}
        return {"scores": "it takes probabilities: logits=True takes any numbers"}

    def label_losses(self, ctx: TraceContext, pred: Value, label: Value) -> Value:
        ctx.target(label, "probability")
        positive = self.positive(ctx, pred)
        if not self.logits:
            ctx.target(pred, "predicted probability")
            return _of_probabilities(ctx, pred, label, positive)
        if positive is None:
            return ctx.op("sigmoid_cross_entropy", pred, label)
        yes = ctx.op("mul", label, ctx.op("softplus", ctx.op("neg", pred)))
        no = ctx.op("mul", ctx.op("sub", ctx.constant(1.0, label), label), ctx.op("softplus", pred))
        return ctx.op("add", ctx.op("mul", positive, yes), no)


def _of_probabilities(ctx: TraceContext, pred: Value, label: Value, positive: Value | None) -> Value:
    one, least = ctx.constant(1.0, pred), ctx.constant(MARGIN[pred.type.dtype], pred)
    p = ctx.op("min", ctx.op("max", pred, ctx.constant(0.0, pred)), one)
    yes = ctx.op("mul", label, ctx.op("log_above", p, least))
    if positive is not None:
        yes = ctx.op("mul", positive, yes)
    no = ctx.op("mul", ctx.op("sub", one, label), ctx.op("log_above", ctx.op("sub", one, p), least))
    return ctx.op("neg", ctx.op("add", yes, no))


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


@layer
class BinaryAccuracyLayer(Layer):
    """Statistic `<name>-accuracy`, and optionally `<name>-error` = 1 - accuracy.

    An element is correct if (pred > threshold) == (label > threshold); all elements of a sample are counted.

    Args:
        threshold: a finite number: 0 for labels -1 and 1 (or 0 and 1) and margins, 0.5 for probabilities.
        report_error: compute the error rate too.

    Shapes: bottoms = [pred (batch, ...), label (batch, ...)] with equal numbers of features, compared in row-major
    order. Source: Mocha.jl src/layers/binary-accuracy.jl.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (2, 2)
    n_tops: ClassVar[tuple[int, int | None]] = (0, 0)
    is_statistic: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), (3,)),
        fits((2, 3), (6,), threshold=0.5, report_error=True),
        breaks("pred and label differ in size", (3,), (4,)),
        breaks("no samples", LOSS, (1,)),
        breaks("differ in their number of samples", (3,), (3,), near=TWICE, bottoms=["twice", "b1"]),
    )

    name: str = option(text(), default="binary-accuracy")
    threshold: float = option(real(), default=0.0)
    report_error: bool = option(boolean(), default=False)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        pred, label = matched(ctx, bottoms)
        limit, one, zero = (ctx.constant(v, pred) for v in (self.threshold, 1.0, 0.0))
        sides = [ctx.op("select", ctx.op("gt", x, limit), one, zero) for x in (pred, label)]
        wrong = ctx.op("abs", ctx.op("sub", *sides))
        ctx.statistic("accuracy", ctx.op("sub", one, wrong))
        if self.report_error:
            ctx.statistic("error", wrong)
        return []
