"""Losses over classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from mochac.base.records import option
from mochac.base.rules import choice, real, text
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._losses import ClassLoss, Loss, label_weights, matched, spread
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Blob, Example, breaks, fits
from mochac.nets.layers.fields import Table, axis


@layer
class SoftmaxLossLayer(ClassLoss):
    """weight * mean over samples and positions of -log(softmax(pred)[label]) * weights[label].

    Args:
        label_smoothing: 0 to 1: instead of -log(p[label]), (1 - label_smoothing) times that plus label_smoothing times
            the mean of -log(p) over all classes. weights[label] multiplies both.
        axis: axis of the classes in pred, not the batch: 1 for images, -1 for sequences (batch, time, classes). None:
            1, but an error if the label fits the last axis, too.
        weights: class weights: (classes,), or the shape of pred with or without the batch; [] for none.
        normalize: "local": scale the weights of the classes to mean 1 at each position; "global": scale all weights of
            a sample to mean 1; "no": do not scale them.
        ignore_label: positions with this label do not count; None: all count. It need not be a class index.
        normalization: the divisor of the sum over samples and positions: "valid": the number of positions that are not
            ignored, at least 1; "full": of all positions; "batch_size": of samples.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [pred (batch, classes, ...), label (batch, 1, ...)], labels are 0-based, and may lack axes of
    extent 1; optional top: the loss, ().
    Gradient: weight / positions * weights[label] * (softmax(pred) - q), 0 if the label is ignored; none to the label.
    q is onehot(label), smoothed: (1 - label_smoothing) onehot(label) + label_smoothing / classes.
    Source: Mocha.jl src/layers/softmax-loss.jl; ignore_label and normalization are Caffe's, label_smoothing is that of
    PyTorch's CrossEntropyLoss (Szegedy et al. 2015, arXiv:1512.00567).
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,), Blob((1,), classes=4)),
        fits((3, 2, 2), Blob((1, 2, 2), classes=3), weights=[1.0, 0.5, 2.0], weight=0.3),
        fits((3, 2), Blob((1, 2), classes=3), weights=[[1, 2], [3, 4], [5, 6]], normalize="global"),
        fits((2, 3), Blob((2, 1), classes=3), axis=-1, weights=[1, 2, 3], normalize="no"),
        fits((3, 2, 2), Blob((2, 2), classes=3), weights=[1.0, 0.5, 2.0]),
        fits((3, 2, 2), Blob((1, 2, 2), classes=3), ignore_label=1),
        fits((3, 2), Blob((1, 2), classes=3), ignore_label=0, normalization="full", weights=[1.0, 0.5, 2.0]),
        fits((3, 2), Blob((1, 2), classes=3), ignore_label=255, normalization="batch_size"),
        fits((4,), Blob((1,), classes=4), label_smoothing=0.1, ignore_label=3),
        fits((3, 2), Blob((1, 2), classes=3), label_smoothing=1.0, weights=[1.0, 0.5, 2.0]),
        fits((4,), Blob((1,), classes=4), Blob((1,), 0.0, 2.0), bottoms=["b0", "b1"], sample_weights="b2"),
        fits((3, 3), Blob((3,), classes=3), axis=1),
        fits((3, 3), Blob((1, 3), classes=3)),
        fits((3, 3), Blob((3, 1), classes=3), axis=-1),
        breaks("the classes may be along either of two axes", (3, 3), Blob((3,), classes=3)),
        breaks("the classes may be along either of two axes", (3, 3), Blob((3, 1), classes=3)),
        breaks("labels must be one class index per position", (4,), Blob((2,), classes=4)),
        breaks("axis 2 is not an axis", (4,), Blob((1,), classes=4), axis=2),
        breaks("not an axis", LOSS, Blob((1,), classes=4)),
        breaks("weights do not fit the prediction", (4,), Blob((1,), classes=4), weights=[1, 2]),
        breaks("weights of the classes of a position sum to 0", (2,), Blob((1,), classes=2), weights=[0, 0]),
    )

    name: str = option(text(), default="softmax-loss")
    label_smoothing: float = option(real(0, most=1), default=0.0)

    @property
    def unsuited(self) -> Mapping[str, str]:
        """A softmax, which the loss includes."""
        return {"softmax": "it computes the softmax itself: leave out the SoftmaxLayer"}

    def position_losses(self, ctx: TraceContext, pred: Value, label: Value, axis: int) -> Value:
        smoothed = {"smoothing": self.label_smoothing} if self.label_smoothing else {}
        return ctx.ops("softmax_loss", pred, label, axis=axis, **smoothed)[0]


@layer
class SoftlabelSoftmaxLossLayer(Loss):
    """weight * mean over samples and positions of -sum over classes of weights label log(softmax(pred)).

    Args:
        axis: axis of the classes in pred and label, 1 by default; not the batch.
        weights: factors of the classes, used as they are: (classes,), or one for each feature; [] for none.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [pred (batch, classes, ...), label (batch, classes, ...)] with equal numbers of features; the
    label holds the probabilities of the classes; optional top: the loss, ().
    Gradient: weight / positions * (softmax(pred) * sum(label) - label), where Mocha assumes that the sum is 1; none to
    the label. With weights, weights label is in the place of label. Source: Mocha.jl
    src/layers/softlabel-softmax-loss.jl; weights: PyTorch's CrossEntropyLoss.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,), Blob((4,), sum_over=1, learned=False)),
        fits((3, 2), Blob((3, 2), sum_over=1, learned=False), axis=1, weight=0.3),
        fits((2, 3), Blob((2, 3), sum_over=2, learned=False), axis=-1),
        fits((3, 2), Blob((3, 2), sum_over=1, learned=False), weights=[1.0, 0.5, 2.0]),
        breaks("weights do not fit the prediction", (3,), (3,), weights=[1, 2]),
        breaks("pred and label differ in size", (3,), (4,)),
        breaks("axis 2 is not an axis", (3,), (3,), axis=2),
        breaks("no samples", LOSS, (1,)),
    )

    name: str = option(text(), default="softlabel-softmax-loss")
    axis: int = option(axis(), default=1)
    weights: Table = option(label_weights(), default=Table([]))

    @property
    def unsuited(self) -> Mapping[str, str]:
        """A softmax, which the loss includes."""
        return {"softmax": "it computes the softmax itself: leave out the SoftmaxLayer"}

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        pred, label = matched(ctx, bottoms)
        axis = ctx.axis(self.axis, pred)
        if self.weights:
            label = ctx.op("mul", label, spread(ctx, "weights", self.weights, pred, axis))
        return ctx.ops("softlabel_softmax_loss", pred, label, axis=axis)[0]


MIN_PROBABILITY = 1e-20
"""Lower limit of probabilities, as in Mocha."""


@layer
class MultinomialLogisticLossLayer(ClassLoss):
    """weight * mean over samples and positions of -log(max(pred[label], 1e-20)) * weights[label].

    pred are probabilities. SoftmaxLossLayer includes the softmax, and is finite for all predictions.

    Args:
        axis: axis of the classes in pred, not the batch: 1 for images, -1 for sequences (batch, time, classes). None:
            1, but an error if the label fits the last axis, too.
        weights: class weights: (classes,), or the shape of pred with or without the batch; [] for none.
        normalize: "local": scale the weights of the classes to mean 1 at each position; "global": scale all weights of
            a sample to mean 1; "no": do not scale them.
        ignore_label: positions with this label do not count; None: all count. It need not be a class index.
        normalization: the divisor of the sum over samples and positions: "valid": the number of positions that are not
            ignored, at least 1; "full": of all positions; "batch_size": of samples.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [pred (batch, classes, ...), label (batch, 1, ...)], labels are 0-based, and may lack axes of
    extent 1; optional top: the loss, ().
    Gradient: -weight / positions * weights[label] / max(pred[label], 1e-20) to the probability of the label, 0 if that
    is negative; none to the label. Mocha has no gradient. Source: Mocha.jl src/layers/multinomial-logistic-loss.jl;
    ignore_label and normalization are Caffe's.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits(Blob((4,), 0.1, 0.9), Blob((1,), classes=4)),
        fits(Blob((3, 2, 2), 0.1, 0.9), Blob((1, 2, 2), classes=3), weights=[1.0, 0.5, 2.0], weight=0.3),
        fits(Blob((3, 2), 0.1, 0.9), Blob((1, 2), classes=3), weights=[[1, 2], [3, 4], [5, 6]], normalize="global"),
        fits(Blob((2, 3), 0.1, 0.9), Blob((2, 1), classes=3), axis=-1, weights=[1, 2, 3], normalize="no"),
        fits(Blob((3, 2, 2), 0.1, 0.9), Blob((4,), classes=3)),
        fits(Blob((3, 2, 2), 0.1, 0.9), Blob((1, 2, 2), classes=3), ignore_label=2),
        breaks("labels must be one class index per position", (4,), Blob((2,), classes=4)),
        breaks("axis 2 is not an axis", (4,), Blob((1,), classes=4), axis=2),
        breaks("not an axis", LOSS, Blob((1,), classes=4)),
        breaks("weights do not fit the prediction", (4,), Blob((1,), classes=4), weights=[1, 2]),
        breaks("weights of the classes of a position sum to 0", (2,), Blob((1,), classes=2), weights=[0, 0]),
    )

    name: str = option(text(), default="multinomial-logistic-loss")

    @property
    def unsuited(self) -> Mapping[str, str]:
        """Scores."""
        return {"scores": "it takes probabilities: use SoftmaxLossLayer, or put a SoftmaxLayer before it"}

    def position_losses(self, ctx: TraceContext, pred: Value, label: Value, axis: int) -> Value:
        ctx.target(pred, "predicted probability")
        picked = ctx.op("pick", pred, label, axis=axis)
        above = ctx.op("max", picked, ctx.constant(0.0, picked))
        return ctx.op("neg", ctx.op("log_above", above, ctx.constant(MIN_PROBABILITY, picked)))


@layer
class MulticlassHingeLossLayer(ClassLoss):
    """weight * mean over samples and positions of the sum over classes k of max(0, 1 - s_k pred[k])^p * weights[label].

    s_k is 1 for the class of the label and -1 for the others; p is 1 or 2. For labels -1 and 1 use HingeLossLayer.

    Args:
        norm: "L1": p = 1; "L2": p = 2, the squared hinge.
        axis: axis of the classes in pred, not the batch: 1 for images, -1 for sequences (batch, time, classes). None:
            1, but an error if the label fits the last axis, too.
        weights: class weights: (classes,), or the shape of pred with or without the batch; [] for none.
        normalize: "local": scale the weights of the classes to mean 1 at each position; "global": scale all weights of
            a sample to mean 1; "no": do not scale them.
        ignore_label: positions with this label do not count; None: all count. It need not be a class index.
        normalization: the divisor of the sum over samples and positions: "valid": the number of positions that are not
            ignored, at least 1; "full": of all positions; "batch_size": of samples.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [pred (batch, classes, ...), label (batch, 1, ...)], labels are 0-based, and may lack axes of
    extent 1; optional top: the loss, ().
    Gradient: -weight / positions * weights[label] * s_k to pred[k] if s_k pred[k] < 1, else 0; with "L2" times
    2 (1 - s_k pred[k]); none to the label. Source: Caffe's src/caffe/layers/hinge_loss_layer.cpp.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,), Blob((1,), classes=4)),
        fits((4,), Blob((1,), classes=4), norm="L2", weight=0.3),
        fits((3, 2, 2), Blob((1, 2, 2), classes=3), norm="L2", weights=[1.0, 0.5, 2.0], ignore_label=1),
        fits((2, 3), Blob((2,), classes=3), axis=-1, normalization="batch_size"),
        breaks("labels must be one class index per position", (4,), Blob((2,), classes=4)),
        breaks("labels must be one class index per position", (3, 2, 2), Blob((1, 2), classes=3)),
        breaks("axis 2 is not an axis", (4,), Blob((1,), classes=4), axis=2),
        breaks("not an axis", LOSS, Blob((1,), classes=4)),
    )

    name: str = option(text(), default="multiclass-hinge-loss")
    norm: str = option(choice("L1", "L2"), default="L1")

    def position_losses(self, ctx: TraceContext, pred: Value, label: Value, axis: int) -> Value:
        wanted = tuple(1 if a == axis else extent for a, extent in enumerate(pred.type.shape))
        if label.type.shape != wanted:  # for a better message than those of onehot and mul
            raise OpTypeError("labels must be one class index per position", str(wanted), str(label.type.shape))
        one = ctx.constant(1.0, pred)
        chosen = ctx.op("onehot", label, axis=axis, classes=pred.type.shape[axis])
        signs = ctx.op("sub", ctx.scaled(chosen, 2.0), one)
        short = ctx.op("relu", ctx.op("sub", one, ctx.op("mul", signs, pred)))
        margins = ctx.op("square", short) if self.norm == "L2" else short
        return ctx.op("reduce_sum", margins, axes=(axis,))


MIN_BASE = 1e-30
"""Smallest number raised to a power: 0 has no derivative if gamma < 1."""


@layer
class FocalLossLayer(ClassLoss):
    """weight * mean over samples and positions of -(1 - p)^gamma * log(p) * weights[label], p = softmax(pred)[label].

    Args:
        gamma: >= 0; with 0 it is SoftmaxLossLayer.
        axis: axis of the classes in pred, not the batch: 1 for images, -1 for sequences (batch, time, classes). None:
            1, but an error if the label fits the last axis, too.
        weights: class weights: (classes,), or the shape of pred with or without the batch; [] for none.
        normalize: "local": scale the weights of the classes to mean 1 at each position; "global": scale all weights of
            a sample to mean 1; "no": do not scale them.
        ignore_label: positions with this label do not count; None: all count. It need not be a class index.
        normalization: the divisor of the sum over samples and positions: "valid": the number of positions that are not
            ignored, at least 1; "full": of all positions; "batch_size": of samples.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [pred (batch, classes, ...), label (batch, 1, ...)], labels are 0-based, and may lack axes of
    extent 1; optional top: the loss, ().
    Gradient: that of SoftmaxLossLayer times (1 - p)^gamma - gamma p (1 - p)^(gamma - 1) log(p); none to the label.
    Source: Lin et al. 2017 (arXiv:1708.02002), for any number of classes; their alpha are the class weights.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,), Blob((1,), classes=4)),
        fits((3, 2, 2), Blob((1, 2, 2), classes=3), gamma=0.5, weights=[1.0, 0.5, 2.0], weight=0.3),
        fits((3, 2), Blob((1, 2), classes=3), gamma=0.0, ignore_label=1),
        fits((2, 3), Blob((2, 1), classes=3), gamma=5, axis=-1, weights=[1, 2, 3], normalize="no"),
        fits((4,), Blob((1,), classes=4), Blob((1,), 0.0, 2.0), bottoms=["b0", "b1"], sample_weights="b2"),
        breaks("labels must be one class index per position", (4,), Blob((2,), classes=4)),
        breaks("axis 2 is not an axis", (4,), Blob((1,), classes=4), axis=2),
        breaks("not an axis", LOSS, Blob((1,), classes=4)),
    )

    name: str = option(text(), default="focal-loss")
    gamma: float = option(real(0), default=2.0)

    @property
    def unsuited(self) -> Mapping[str, str]:
        """A softmax, which the loss includes."""
        return {"softmax": "it computes the softmax itself: leave out the SoftmaxLayer"}

    def position_losses(self, ctx: TraceContext, pred: Value, label: Value, axis: int) -> Value:
        plain = ctx.ops("softmax_loss", pred, label, axis=axis)[0]
        if not self.gamma:
            return plain
        one = ctx.constant(1.0, plain)
        missing = ctx.op("neg", ctx.op("elu", ctx.op("neg", plain), one, one))  # 1 - e^-loss
        above = ctx.op("max", missing, ctx.constant(MIN_BASE, plain))
        return ctx.op("mul", plain, ctx.op("power", above, exponent=self.gamma))
