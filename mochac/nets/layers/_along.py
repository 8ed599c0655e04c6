"""Numbers along some axes of a blob, learnt or given by a second blob; for ScaleLayer and BiasLayer."""

from __future__ import annotations

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._axes import over
from mochac.nets.layers.context import TraceContext


def learnt_shape(ctx: TraceContext, x: Value, axis: int, num_axes: int) -> tuple[int, ...]:
    """Extents of `num_axes` axes of `x` from `axis` on; of all of these with -1.

    Raises:
        OpTypeError: `x` does not have these axes.
    """
    if not num_axes:
        return ()
    first, rank = ctx.axis(axis, x), len(x.type.shape)
    end = rank if num_axes < 0 else first + num_axes
    if end > rank:
        raise OpTypeError("the bottom has too few axes", f"{num_axes} from axis {first} on", f"{rank - first}")
    return x.type.shape[first:end]


def spread(ctx: TraceContext, numbers: Value, x: Value, axis: int) -> Value:
    """`numbers`, which have the axes of `x` from `axis` on, repeated to the shape of `x`.

    Raises:
        OpTypeError: their shape is not that of these axes.
    """
    shape, rank = x.type.shape, len(x.type.shape)
    first = axis + rank if axis < 0 else axis
    axes = tuple(range(first, first + len(numbers.type.shape)))
    have = shape[axes[0] : axes[-1] + 1] if axes else ()
    if first < 0 or numbers.type.shape != have:
        raise OpTypeError(
            f"the second bottom does not fit axis {axis} of the first", str(shape), str(numbers.type.shape)
        )
    if numbers.type.batch != (x.type.batch and 0 in axes):
        wanted = "axis=0 if the second bottom holds samples, else another"
        raise OpTypeError("samples and axis do not agree", wanted, f"axis={axis}")
    return over(ctx, numbers, x, axes)
