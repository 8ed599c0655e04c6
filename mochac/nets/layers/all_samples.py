"""Layers between samples and the whole batch: samples as an array, and means as statistics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.base.records import option
from mochac.base.rules import real, text
from mochac.ir.graph import Value
from mochac.nets.layers._losses import averaged
from mochac.nets.layers.base import Layer, Paired, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Example, fits


@layer
class AllSamplesLayer(Paired):
    """The samples of a batch as an array without a batch, which layers may reduce, transpose or multiply as any blob
    without samples: for means over the batch, or products of samples with samples.

    What is computed from it depends on all samples of a batch, and so on the batch size: see [losses across
    samples](losses.md#losses-across-samples).

    Shapes: (batch, ...) -> the same extents, without a batch. The value of a loss, () -> (1,). A blob without samples
    stays as it is.

    >>> AllSamplesLayer(name="features", bottoms=["ip1"]).tops
    ('features',)
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,)),
        fits((2, 3), (4,), tops=["left", "right"]),
        fits(LOSS),
        fits(near=PARAMETER, bottoms=["W"]),
    )

    name: str = option(text(), default="all-samples")

    def each(self, ctx: TraceContext, x: Value) -> Value:
        return ctx.as_array(x)


@layer
class MeanStatisticLayer(Layer):
    """The mean over batch and features of the bottom as the statistic `<name>-mean`, which is no loss, such as the
    share of samples that are classified correctly.

    Args:
        factor: what the mean is multiplied by, such as the number of features for a sum over them.

    Shapes: bottoms = [x (batch, ...)], or a blob without samples; no top.

    >>> MeanStatisticLayer(name="length", bottoms=["lengths"], factor=2.0).factor
    2.0
    """

    n_tops: ClassVar[tuple[int, int | None]] = (0, 0)
    is_statistic: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,)),
        fits((2, 3), factor=6.0),
        fits(near=PARAMETER, bottoms=["W"]),
    )

    name: str = option(text(), default="mean")
    factor: float = option(real(), default=1.0)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        ctx.statistic("mean", ctx.scaled(averaged(ctx, bottoms[0]), self.factor))
        return []
