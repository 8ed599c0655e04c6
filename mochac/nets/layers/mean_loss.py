"""MeanLossLayer: a blob of any kind as a loss."""

from __future__ import annotations

from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._losses import Loss, averaged
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Example, breaks, fits
from mochac.nets.layers.fields import option, text


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
