"""BinaryAccuracyLayer: the share of predictions on the same side of a threshold as their labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._losses import matched
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, TWICE, Example, breaks, fits
from mochac.nets.layers.fields import boolean, option, real, text


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
