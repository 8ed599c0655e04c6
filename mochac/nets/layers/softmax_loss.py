"""SoftmaxLossLayer: multinomial logistic loss of a softmax."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._class_weights import ClassLoss
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Blob, Example, breaks, fits
from mochac.nets.layers.fields import option, real, text


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
        """A softmax: the loss has it."""
        return {"softmax": "it computes the softmax itself: leave out the SoftmaxLayer"}

    def position_losses(self, ctx: TraceContext, pred: Value, label: Value, axis: int) -> Value:
        smoothed = {"smoothing": self.label_smoothing} if self.label_smoothing else {}
        return ctx.ops("softmax_loss", pred, label, axis=axis, **smoothed)[0]
