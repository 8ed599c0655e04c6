"""Axes of a blob: the same elements along other axes, sums, means and extremes over some, parameters along some.

A maximum is a max_pool of the axes as one row.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import gcd
from typing import ClassVar

from mochac.base.records import option
from mochac.base.rules import choice, integer, text
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.ir.ops._window import SPATIAL
from mochac.nets.layers._losses import of_samples
from mochac.nets.layers._operators import largest
from mochac.nets.layers.base import Paired, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Blob, Example, breaks, fits
from mochac.nets.layers.fields import axes, sample_blob, shape


def over(ctx: TraceContext, value: Value, x: Value, axes: Sequence[int]) -> Value:
    """A tensor repeated to the shape of x; its axes become `axes` of x."""
    return ctx.op("broadcast", value, shape=x.type.shape, axes=tuple(axes), batch=x.type.batch)


def within(ctx: TraceContext, x: Value, axes: Sequence[int]) -> Value:
    """The mean of x over axes other than the batch."""
    count = math.prod(x.type.shape[a] for a in axes)
    return ctx.scaled(ctx.op("reduce_sum", x, axes=tuple(axes)), 1 / count)


def kept_in_front(ctx: TraceContext, x: Value) -> tuple[int, ...]:
    """The extents of x that a layer must keep in front: the batch; () for a blob without samples.

    Raises:
        OpTypeError: x has no axes, but depends on samples, such as a loss.
    """
    if ctx.without_samples(x):
        return ()
    if not x.type.shape:
        raise OpTypeError("a bottom has no samples", "a batch of samples", "the value of a loss")
    return x.type.shape[:1]


def distinct_axes(ctx: TraceContext, x: Value, axes: Sequence[int]) -> tuple[int, ...]:
    """Axes of x, counted from 0, in order.

    Raises:
        OpTypeError: x has no such axis, or one is named twice.
    """
    found = sorted(ctx.axis(a, x) for a in axes)
    if len(set(found)) < len(found):
        raise OpTypeError("an axis is named twice", f"distinct axes of {x.type.shape}", str(tuple(axes)))
    return tuple(found)


PerAxis = int | tuple[int, ...]
"""One number for all spatial axes, or one for each."""
RESHAPE = "ReshapeLayer(shape=(channels, height, width)) turns features into images"


def spatial_axes(x: Value) -> int:
    """The number of spatial axes of images (batch, channels, ...).

    Raises:
        OpTypeError: it is not 1, 2 or 3.
    """
    axes = len(x.type.shape) - 2
    if axes not in SPATIAL:
        wanted = "3 to 5 axes (batch, channels, then one to three spatial ones, such as height, width)"
        hint = RESHAPE if axes < 1 else ""
        raise OpTypeError("a bottom is not a batch of images", wanted, f"{axes + 2} axes", hint)
    return axes


def per_axis(name: str, value: PerAxis, x: Value) -> tuple[int, ...]:
    """The numbers of field `name` for the spatial axes of x.

    Raises:
        OpTypeError: it has another number of them.
    """
    axes = spatial_axes(x)
    if isinstance(value, int):
        return (value,) * axes
    if len(value) != axes:
        names = ", ".join(SPATIAL[axes])
        count = f"{axes} number{'s' if axes > 1 else ''} ({names})"
        hint = "one integer is for all axes" if len(set(value)) > 1 else f"{name}={value[0]} is for all axes"
        raise OpTypeError(f"{name} needs one number per spatial axis", count, str(value), hint)
    return value


MAX_HINTS = 8
"""How many numbers a hint names at most."""


def that_divide(what: str, number: int, *counts: int) -> str:
    """The numbers that divide all counts, as a hint; if there are many, those closest to what was asked for.

    >>> that_divide("groups", 4, 6), that_divide("n_group", 3, 4, 6)
    ('groups that divide 6: 1, 2, 3, 6', 'n_group that divides 4 and 6: 1, 2')
    >>> that_divide("heads", 7, 720)
    'heads that divide 720: 2, 3, 4, 5, 6, 8, 9, 10, ...'
    """
    common = gcd(*counts)
    found = sorted((n for n in range(1, common + 1) if common % n == 0), key=lambda n: abs(n - number))
    named = sorted(found[:MAX_HINTS])
    verb = "divide" if what.endswith("s") else "divides"
    more = ", ..." if len(found) > MAX_HINTS else ""
    return f"{what} that {verb} {' and '.join(map(str, dict.fromkeys(counts)))}: {', '.join(map(str, named))}{more}"


@layer
class FlattenLayer(Paired):
    """Reshapes its bottoms to `outdim` axes: the last axis takes all that remain.

    Args:
        outdim: number of axes of the top, including the batch, >= 2.

    Shapes: (batch, d1, d2, ...) -> (batch, d1 * d2 * ...) for outdim=2. Layers that need features, such as
    InnerProductLayer, flatten their bottoms themselves. Source: Slugnet's Flatten.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 3)),
        fits((3,)),
        fits((2, 3, 2), outdim=3),
        fits(near=PARAMETER, bottoms=["W"]),
        breaks("cannot flatten to more axes than there are", (3,), outdim=3),
        breaks("cannot flatten to more axes than there are", LOSS),
    )

    name: str = option(text(), default="flatten")
    outdim: int = option(integer(2), default=2)

    def each(self, ctx: TraceContext, x: Value) -> Value:
        shape, kept = x.type.shape, self.outdim - 1
        if len(shape) < self.outdim:
            raise OpTypeError("cannot flatten to more axes than there are", f"{self.outdim} or more axes", str(shape))
        return ctx.op("reshape", x, shape=(*shape[:kept], math.prod(shape[kept:])))


@layer
class ReshapeLayer(Paired):
    """Reshapes the features of each sample, in row-major order.

    Args:
        shape: extents without the batch, NumPy order (channels, height, width); with the same number of features; ()
            for one number per sample. For a blob without samples, it is the whole shape.

    Shapes: (batch, ...) -> (batch, *shape).
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((6,), shape=(1, 2, 3)),
        fits((2, 3), (3, 2), shape=(6,), tops=["left", "right"]),
        fits((1,), shape=()),
        fits(near=PARAMETER, bottoms=["W"], shape=(5, 1, 2)),
        breaks("shape does not fit its input", (2, 3), shape=(4,)),
        breaks("shape does not fit its input", near=PARAMETER, bottoms=["W"], shape=(5,)),
        breaks("no samples", LOSS, shape=(1,)),
    )

    name: str = option(text(), default="reshape")
    shape: tuple[int, ...] = option(shape(empty=True))

    def each(self, ctx: TraceContext, x: Value) -> Value:
        rows = kept_in_front(ctx, x)
        have, want = math.prod(x.type.shape[len(rows) :]), math.prod(self.shape)
        if have != want:
            size = " * ".join(map(str, self.shape))
            raise OpTypeError("shape does not fit its input", f"{have} features", f"{size} = {want}")
        return ctx.op("reshape", x, shape=(*rows, *self.shape))


@layer
class PermuteLayer(Paired):
    """Reorders axes: axis k of the top is axis order[k] of the bottom.

    Args:
        order: a permutation of all axes that begins with 0, the batch, unless the bottom is without samples; negative
            numbers count from the end.

    Shapes: (0, 2, 3, 1) turns (batch, channels, height, width) into (batch, height, width, channels). Source: Caffe's
    Permute (of SSD); PyTorch's permute.

    >>> PermuteLayer(order=(0, 2, 1), bottoms=["x"]).tops
    ('permute',)
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 3, 4), order=(0, 2, 3, 1)),
        fits((2, 3), (4, 1), order=(0, -1, 1), tops=["left", "right"]),
        fits(near=PARAMETER, bottoms=["W"], order=(1, 0)),
        breaks("order is not a permutation of the axes", (2, 3), order=(0, 2, 2)),
        breaks("order is not a permutation of the axes", (2, 3), order=(0, 1)),
        breaks("order is not a permutation of the axes", LOSS, order=(0, 1)),
        breaks("samples must stay in front", (2, 3), order=(1, 0, 2)),
    )

    name: str = option(text(), default="permute")
    order: tuple[int, ...] = option(axes())

    def each(self, ctx: TraceContext, x: Value) -> Value:
        rank = len(x.type.shape)
        order = tuple(a + rank if a < 0 else a for a in self.order)
        if sorted(order) != list(range(rank)):
            wanted = f"each of 0 .. {rank - 1} once" if rank else "a bottom with axes"
            raise OpTypeError("order is not a permutation of the axes", wanted, str(self.order))
        if order[0] and not ctx.without_samples(x):
            raise OpTypeError("samples must stay in front", "order[0] == 0", str(self.order))
        return ctx.op("permute", x, order=order)


_OF_ELEMENTS = {"asum": "abs", "sumsq": "square"}
LOWEST = {"f32": -3.4e38, "f64": -1.7e308}
"""What does not count in a maximum."""


@layer
class ReductionLayer(Paired):
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

    def each(self, ctx: TraceContext, x: Value) -> Value:
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
