"""AccuracyLayer: the share of samples whose largest prediction is their label.

The op accuracy gives 0 or 1 per position; the context keeps the statistic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.layers._losses import class_numbers
from mochac.layers.base import Layer, layer
from mochac.layers.context import TraceContext
from mochac.layers.examples import LOSS, Blob, Example, breaks, fits
from mochac.layers.fields import axis, boolean, option, text


@layer
class AccuracyLayer(Layer):
    """Statistic `<name>-accuracy`, and `<name>-error` = 1 - accuracy on request.

    Args:
        axis: the classes' axis of pred, 1 by default; not the batch.
        report_error: keep the error rate as well.

    Shapes: bottoms = [pred (batch, classes, ...), label (batch, 1, ...)], labels 0-based, axes of extent 1 left out at
    will; of equal predictions the first counts. Source: Mocha.jl src/layers/accuracy.jl.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (2, 2)
    n_tops: ClassVar[tuple[int, int | None]] = (0, 0)
    is_statistic: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,), Blob((1,), classes=4)),
        fits((3, 2, 2), Blob((1, 2, 2), classes=3), report_error=True),
        fits((2, 3), Blob((2, 1), classes=3), axis=-1),
        fits((4, 1, 1), Blob((1,), classes=4)),
        breaks("labels must be one class number per position", (4,), Blob((2,), classes=4)),
        breaks("labels must be one class number per position", (3, 2, 2), Blob((1, 2), classes=3)),
        breaks("axis 2 is not an axis", (4,), Blob((1,), classes=4), axis=2),
        breaks("not an axis", LOSS, Blob((1,), classes=4)),
    )

    name: str = option(text(), default="accuracy")
    axis: int = option(axis(), default=1)
    report_error: bool = option(boolean(), default=False)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        pred, label = bottoms
        axis = ctx.axis(self.axis, pred)
        label = class_numbers(ctx, pred, label, axis)
        correct = ctx.op("accuracy", pred, label, axis=axis)
        ctx.label(label, pred.type.shape[axis])
        ctx.statistic("accuracy", correct)
        if self.report_error:
            ctx.statistic("error", ctx.op("sub", ctx.constant(1.0, correct), correct))
        return []
