"""SoftlabelSoftmaxLossLayer: cross entropy of a softmax and labels that are distributions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._label_weights import label_weights, spread
from mochac.nets.layers._losses import Loss, matched
from mochac.nets.layers.axis_fields import axis
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Blob, Example, breaks, fits
from mochac.nets.layers.fields import option, text
from mochac.nets.layers.tables import Table


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
        """A softmax: the loss has it."""
        return {"softmax": "it computes the softmax itself: leave out the SoftmaxLayer"}

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        pred, label = matched(ctx, bottoms)
        axis = ctx.axis(self.axis, pred)
        if self.weights:
            label = ctx.op("mul", label, spread(ctx, "weights", self.weights, pred, axis))
        return ctx.ops("softlabel_softmax_loss", pred, label, axis=axis)[0]
