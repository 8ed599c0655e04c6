"""What loss layers and statistics share: bottoms that fit each other, and sums over the features of a sample.

Layers of this folder call it from `emit`. It registers nothing and knows no particular loss.
"""

from __future__ import annotations

import math

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.layers.base import features
from mochac.layers.context import TraceContext


def matched(ctx: TraceContext, bottoms: tuple[Value, ...], names: tuple[str, str] = ("pred", "label")) -> list[Value]:
    """Both bottoms in the shape of the first.

    As in Mocha only the number of elements must agree, so that the output of an inner product (batch, 784) compares
    with an image (batch, 1, 28, 28). Where it does not, Mocha reads out of bounds.

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
    """`x`, a number per position, with 0 where the label is `ignored`; and 1 where it is not, 0 where it is.

    Without an `ignored` label all positions count: `x` itself, and None.
    """
    if ignored is None:
        return x, None
    flat = ctx.op("reshape", label, shape=x.type.shape)
    kept, zero = ctx.op("ne", flat, ctx.constant(float(ignored), flat)), ctx.constant(0.0, x)
    return ctx.op("select", kept, x, zero), ctx.op("select", kept, ctx.constant(1.0, x), zero)


def class_indices(ctx: TraceContext, pred: Value, label: Value, axis: int) -> Value:
    """The label with extent 1 at `axis` and the prediction's extents elsewhere, where axes of extent 1 make the
    difference, or the label has all positions in one axis.

    As in Mocha, so that (batch, 1) labels (batch, classes, 1, 1), and (batch, height, width) a map of classes. Another
    label is returned as it is, for the op to refuse.
    """
    batch, *rest = (1 if a == axis else d for a, d in enumerate(pred.type.shape))
    rows, *own = label.type.shape
    alike = [d for d in own if d != 1] == [d for d in rest if d != 1] or own == [math.prod(rest)]
    return ctx.op("reshape", label, shape=(batch, *rest)) if own != rest and rows == batch and alike else label
