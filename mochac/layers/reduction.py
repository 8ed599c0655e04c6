"""ReductionLayer: sums, means and extremes over some axes of every sample.

A maximum is a max_pool of the axes as one row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.layers._axes import distinct_axes, within
from mochac.layers._largest import largest
from mochac.layers.axis_fields import axes
from mochac.layers.base import Layer, layer
from mochac.layers.context import TraceContext
from mochac.layers.examples import LOSS, PARAMETER, Blob, Example, breaks, fits
from mochac.layers.fields import choice, option, text

_OF_ELEMENTS = {"asum": "abs", "sumsq": "square"}


@layer
class ReductionLayer(Layer):
    """Sums, or another result, over `axes`, which the top does not have.

    Args:
        operation: "sum"; "mean"; "asum", the sum of absolute values; "sumsq", the sum of squares; "max" and "min",
            whose gradient goes to the first of equal elements.
        axes: in NumPy order, not the batch; negative numbers count from the end; an integer stands for one axis. Of a
            blob without samples, any axes; of all, the top is one number, of shape ().

    Shapes: (batch, d1, d2, d3) -> (batch, d1) for axes=(2, 3). Source: Caffe's Reduction, which reduces all axes from
    one on.

    >>> ReductionLayer(operation="mean", axes=-1, bottoms=["x"]).axes
    (-1,)
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 3, 4), axes=(2, 3)),
        fits((2, 5), (1, 2), operation="mean", axes=(-1,), tops=["left", "right"]),
        fits((5,), operation="sumsq", axes=(1,)),
        fits(Blob((3, 2), 0.5, 1.0), operation="asum", axes=(1,)),
        fits((2, 3, 4), operation="max", axes=(1, 3)),
        fits((3,), operation="min", axes=(1,)),
        fits(near=PARAMETER, bottoms=["W"], operation="sumsq", axes=0),
        fits(near=PARAMETER, bottoms=["W"], operation="max", axes=-2),
        breaks("axis 3 is not an axis", (2, 3), axes=(1, 3)),
        breaks("not an axis", LOSS, axes=(1,)),
        breaks("samples must not mix", (2, 3), axes=(0, 1)),
        breaks("an axis is named twice", (2, 3), axes=(2, -1)),
    )

    name: str = option(text(), default="reduction")
    operation: str = option(choice("sum", "mean", "asum", "sumsq", "max", "min"), default="sum")
    axes: tuple[int, ...] = option(axes())

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self._reduced(ctx, x) for x in bottoms]

    def _reduced(self, ctx: TraceContext, x: Value) -> Value:
        if 0 in self.axes and not ctx.without_samples(x):
            raise OpTypeError("samples must not mix: axis 0 cannot be reduced", "axes other than 0", str(self.axes))
        axes = distinct_axes(ctx, x, self.axes)
        elements = ctx.op(_OF_ELEMENTS[self.operation], x) if self.operation in _OF_ELEMENTS else x
        if self.operation == "mean":
            return within(ctx, x, axes)
        if self.operation == "max":
            return largest(ctx, x, axes)
        if self.operation == "min":
            return ctx.op("neg", largest(ctx, ctx.op("neg", x), axes))
        return ctx.op("reduce_sum", elements, axes=axes)
