"""FocalLossLayer: a softmax loss in which samples that are predicted well count less."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._class_weights import ClassLoss
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Blob, Example, breaks, fits
from mochac.nets.layers.fields import option, real, text

LEAST = 1e-30
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
        """A softmax: the loss has it."""
        return {"softmax": "it computes the softmax itself: leave out the SoftmaxLayer"}

    def position_losses(self, ctx: TraceContext, pred: Value, label: Value, axis: int) -> Value:
        plain = ctx.ops("softmax_loss", pred, label, axis=axis)[0]
        if not self.gamma:
            return plain
        one = ctx.constant(1.0, plain)
        missing = ctx.op("neg", ctx.op("elu", ctx.op("neg", plain), one, one))  # 1 - e^-loss
        above = ctx.op("max", missing, ctx.constant(LEAST, plain))
        return ctx.op("mul", plain, ctx.op("power", above, exponent=self.gamma))
