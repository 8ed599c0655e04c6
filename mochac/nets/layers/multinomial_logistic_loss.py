"""MultinomialLogisticLossLayer: minus the logarithm of the predicted probability of the label."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._class_weights import ClassLoss
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Blob, Example, breaks, fits
from mochac.nets.layers.fields import option, text

SMALLEST = 1e-20
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
        return ctx.op("neg", ctx.op("log_above", above, ctx.constant(SMALLEST, picked)))
