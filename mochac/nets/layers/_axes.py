"""Values along some axes of a blob: repeated over the others, or means over them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers.context import TraceContext


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
