"""MulticlassHingeLossLayer: a hinge loss per class, one against the others."""

from __future__ import annotations

from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._class_weights import ClassLoss
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Blob, Example, breaks, fits
from mochac.nets.layers.fields import choice, option, text


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
