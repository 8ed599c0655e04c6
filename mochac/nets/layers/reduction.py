"""ReductionLayer: sums, means and extremes over some axes of every sample.

A maximum is a max_pool of the axes as one row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.base.records import option
from mochac.base.rules import choice, text
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._axes import distinct_axes, within
from mochac.nets.layers._losses import of_samples
from mochac.nets.layers._operators import largest
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Blob, Example, breaks, fits
from mochac.nets.layers.field_kinds import axes, sample_blob

_OF_ELEMENTS = {"asum": "abs", "sumsq": "square"}
LOWEST = {"f32": -3.4e38, "f64": -1.7e308}
"""What does not count in a maximum."""


@layer
class ReductionLayer(Layer):
    """Sums, or another result, over `axes`, which the top does not have.

    Args:
        operation: "sum"; "mean"; "asum", the sum of absolute values; "sumsq", the sum of squares; "max" and "min",
            whose gradient goes to the first of equal elements.
        axes: in NumPy order, not the batch; negative numbers count from the end; an integer stands for one axis. Of a
            blob without samples, any axes; of all, the top is one number, of shape ().
        mask: name of a blob (batch, d1, ...) of 0 and 1, which has the first axes of the bottoms, such as (batch, time)
            for sequences; they must be among `axes`. Elements where it is 0 do not count, whatever they hold: a mean is
            over the others. Where nothing counts, the result is 0. "": all count.

    Shapes: (batch, d1, d2, d3) -> (batch, d1) for axes=(2, 3). Source: Caffe's Reduction, which reduces all axes from
    one on.

    >>> ReductionLayer(operation="mean", axes=-1, bottoms=["x"]).axes
    (-1,)
    """

    blob_fields: ClassVar[tuple[str, ...]] = ("mask",)
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
        *(
            fits((4, 3), Blob((4,), classes=2), bottoms=["b0"], mask="b1", operation=operation, axes=1)
            for operation in ("sum", "mean", "sumsq", "max", "min")
        ),
        fits((4, 3, 2), Blob((4, 1), classes=2), bottoms=["b0"], mask="b1", operation="mean", axes=(1, 3)),
        fits((2, 3, 2), Blob((2, 3), classes=2), bottoms=["b0"], mask="b1", operation="max", axes=(1, 2, 3)),
        breaks("the mask does not fit", (4, 3), Blob((3,), classes=2), bottoms=["b0"], mask="b1", axes=1),
        breaks(
            "the mask is along an axis that stays", (4, 3), Blob((4,), classes=2), bottoms=["b0"], mask="b1", axes=2
        ),
        breaks("the mask does not fit", (4,), near=PARAMETER, bottoms=["W"], mask="b0", axes=0),
        breaks("axis 3 is not an axis", (2, 3), axes=(1, 3)),
        breaks("not an axis", LOSS, axes=(1,)),
        breaks("samples must not mix", (2, 3), axes=(0, 1)),
        breaks("an axis is named twice", (2, 3), axes=(2, -1)),
    )

    name: str = option(text(), default="reduction")
    operation: str = option(choice("sum", "mean", "asum", "sumsq", "max", "min"), default="sum")
    axes: tuple[int, ...] = option(axes())
    mask: str = option(sample_blob(), default="")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self._reduced(ctx, x) for x in bottoms]

    def _reduced(self, ctx: TraceContext, x: Value) -> Value:
        if 0 in self.axes and not ctx.without_samples(x):
            raise OpTypeError("samples must not mix: axis 0 cannot be reduced", "axes other than 0", str(self.axes))
        axes = distinct_axes(ctx, x, self.axes)
        if self.mask:
            return self._of_counted(ctx, x, axes)
        return self._of_all(ctx, x, axes)

    def _of_all(self, ctx: TraceContext, x: Value, axes: tuple[int, ...]) -> Value:
        elements = ctx.op(_OF_ELEMENTS[self.operation], x) if self.operation in _OF_ELEMENTS else x
        if self.operation == "mean":
            return within(ctx, x, axes)
        if self.operation == "max":
            return largest(ctx, x, axes)
        if self.operation == "min":
            return ctx.op("neg", largest(ctx, ctx.op("neg", x), axes))
        return ctx.op("reduce_sum", elements, axes=axes)

    def _of_counted(self, ctx: TraceContext, x: Value, axes: tuple[int, ...]) -> Value:
        """The result of the elements where the mask is not 0."""
        mask = _fitting(ctx, of_samples(ctx, "mask"), x, axes)
        ctx.label(ctx.blob("mask"), 2, what="mask")
        counts = ctx.op("gt", mask, ctx.constant(0.0, mask))
        lead = tuple(range(len(mask.type.shape)))
        spread = ctx.op("broadcast", counts, shape=x.type.shape, axes=lead, batch=True)
        rest = {"max": LOWEST[ctx.dtype], "min": -LOWEST[ctx.dtype]}.get(self.operation, 0.0)
        kept = ctx.op("select", spread, x, ctx.constant(rest, x))
        if self.operation not in ("mean", "max", "min"):
            return self._of_all(ctx, kept, axes)
        count = ctx.op("reduce_sum", ctx.op("cast", spread, dtype=ctx.dtype), axes=axes)
        if self.operation == "mean":
            return ctx.op("div", ctx.op("reduce_sum", kept, axes=axes), ctx.op("max", count, ctx.constant(1.0, count)))
        found = self._of_all(ctx, kept, axes)
        return ctx.op("select", ctx.op("gt", count, ctx.constant(0.0, count)), found, ctx.constant(0.0, found))


def _fitting(ctx: TraceContext, mask: Value, x: Value, axes: tuple[int, ...]) -> Value:
    """The mask without axes of extent 1 behind those that it shares with x.

    Raises:
        OpTypeError: its axes are not the first ones of x, or not reduced.
    """
    shape = mask.type.shape
    while len(shape) > 2 and shape[-1] == 1 and shape != x.type.shape[: len(shape)]:
        shape = shape[:-1]
    if not x.type.batch or len(shape) < 2 or shape != x.type.shape[: len(shape)]:
        wanted = " or ".join(str(x.type.shape[: k + 1]) for k in range(1, len(x.type.shape)))
        raise OpTypeError("the mask does not fit the bottom", wanted or "a bottom with samples", str(mask.type.shape))
    left = [a for a in range(1, len(shape)) if a not in axes and shape[a] > 1]
    if left:
        rule = "the mask is along an axis that stays"
        raise OpTypeError(rule, f"axes with {left[0]}", f"axes={axes}")
    return mask if shape == mask.type.shape else ctx.op("reshape", mask, shape=shape)
