"""Helpers of loss and statistics layers: matching of bottoms, and sums over the features of a sample."""

from __future__ import annotations

import math

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.layers.base import features
from mochac.layers.context import TraceContext


def matched(ctx: TraceContext, bottoms: tuple[Value, ...], names: tuple[str, str] = ("pred", "label")) -> list[Value]:
    """Both bottoms in the shape of the first.

    As in Mocha, only the numbers of elements must agree, so the output of an inner product (batch, 784) can be compared
    with an image (batch, 1, 28, 28). If they do not agree, Mocha reads out of bounds.

    Raises:
        OpTypeError: the bottoms differ in their number of samples or of features.
    """
    first, second = bottoms
    n, m = features(first), features(second)
    rows, other = first.type.shape[0], second.type.shape[0]
    if rows != other:
        raise OpTypeError(f"{names[0]} and {names[1]} differ in their number of samples", str(rows), str(other))
    if n != m:
        expected, got = f"{names[1]} with {n} features, as {names[0]}", f"{m}"
        raise OpTypeError(f"{names[0]} and {names[1]} differ in size", expected, got)
    same = first.type.shape == second.type.shape
    return [first, second if same else ctx.op("reshape", second, shape=first.type.shape)]


def per_sample(ctx: TraceContext, x: Value) -> Value:
    """The sum over all features: (batch, ...) -> (batch,)."""
    axes = tuple(range(1, len(x.type.shape)))
    return ctx.op("reduce_sum", x, axes=axes) if axes else x


def counted(ctx: TraceContext, x: Value, label: Value, ignored: int | None) -> tuple[Value, Value | None]:
    """`x`, with 0 at positions whose label is `ignored`; and a mask of the other positions (1, else 0).

    If `ignored` is None: `x` itself, and None.
    """
    if ignored is None:
        return x, None
    flat = ctx.op("reshape", label, shape=x.type.shape)
    kept, zero = ctx.op("ne", flat, ctx.constant(float(ignored), flat)), ctx.constant(0.0, x)
    return ctx.op("select", kept, x, zero), ctx.op("select", kept, ctx.constant(1.0, x), zero)


def class_indices(ctx: TraceContext, pred: Value, label: Value, axis: int) -> Value:
    """The label reshaped to extent 1 at `axis` and the extents of the prediction elsewhere, if it differs from that by
    axes of extent 1, or has all positions in one axis.

    As in Mocha, (batch, 1) is then a label for (batch, classes, 1, 1), and (batch, height, width) for a map of classes.
    A label that does not fit is returned unchanged, and refused by the op.
    """
    batch, *rest = (1 if a == axis else d for a, d in enumerate(pred.type.shape))
    rows, *own = label.type.shape
    fits = [d for d in own if d != 1] == [d for d in rest if d != 1] or own == [math.prod(rest)]
    return ctx.op("reshape", label, shape=(batch, *rest)) if own != rest and rows == batch and fits else label
