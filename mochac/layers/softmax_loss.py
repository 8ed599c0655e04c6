"""SoftmaxLossLayer: multinomial logistic loss of a softmax.

The op softmax_loss gives one loss per position; the context adds them to the objective.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.layers._class_weights import normalize, weighted, weights
from mochac.layers.base import Layer, layer
from mochac.layers.context import TraceContext
from mochac.layers.fields import axis, option, real, text
from mochac.layers.tables import Table


@layer
class SoftmaxLossLayer(Layer):
    """weight * mean over samples and positions of -log(softmax(pred)[label]) * weights[label].

    Args:
        axis: the classes' axis of pred, 1 by default; not the batch.
        weights: of the classes: (classes,), or the shape of pred with or without its batch; [] for none.
        normalize: "local": the weights of the classes are scaled to mean 1 at each position; "global": all weights
            of a sample are; "no": they are used as they are.
        weight: factor of the loss in the objective, >= 0.

    Shapes: bottoms = [pred (batch, classes, ...), label (batch, 1, ...)], labels 0-based; optional top: the loss, ().
    Gradient: weight / positions * weights[label] * (softmax(pred) - onehot(label)); none to the label.
    Source: Mocha.jl src/layers/softmax-loss.jl.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (2, 2)
    n_tops: ClassVar[tuple[int, int | None]] = (0, 1)
    is_loss: ClassVar[bool] = True

    name: str = option(text(), default="softmax-loss")
    axis: int = option(axis(), default=1)
    weights: Table = option(weights(), default=Table([]))
    normalize: str = option(normalize(), default="local")
    weight: float = option(real(0), default=1.0)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        pred, label = bottoms
        axis = ctx.axis(self.axis, pred)
        losses = ctx.ops("softmax_loss", pred, label, axis=axis)[0]
        ctx.label(label, pred.type.shape[axis])
        losses = weighted(ctx, losses, pred, label, axis, self.weights, self.normalize)
        return [ctx.loss(losses, self.weight)][: len(self.tops)]
