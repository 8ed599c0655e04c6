"""Values along some axes of a blob, numbers for each spatial axis, hints for numbers that do not divide."""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import gcd

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.ir.ops._window import SPATIAL
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


MOST = 8
"""How many numbers a hint names at most."""


def that_divide(what: str, asked: int, *counts: int) -> str:
    """The numbers that divide all counts, as a hint; if there are many, those closest to what was asked for.

    >>> that_divide("groups", 4, 6), that_divide("n_group", 3, 4, 6)
    ('groups that divide 6: 1, 2, 3, 6', 'n_group that divides 4 and 6: 1, 2')
    >>> that_divide("heads", 7, 720)
    'heads that divide 720: 2, 3, 4, 5, 6, 8, 9, 10, ...'
    """
    common = gcd(*counts)
    found = sorted((n for n in range(1, common + 1) if common % n == 0), key=lambda n: abs(n - asked))
    named = sorted(found[:MOST])
    verb = "divide" if what.endswith("s") else "divides"
    more = ", ..." if len(found) > MOST else ""
    return f"{what} that {verb} {' and '.join(map(str, dict.fromkeys(counts)))}: {', '.join(map(str, named))}{more}"
