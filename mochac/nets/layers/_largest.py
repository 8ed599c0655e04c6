"""The maximum over some axes: these become one axis, which is the window of a pooling."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mochac.ir.graph import Value
from mochac.ir.op_call import OpCallError
from mochac.nets.layers._op_writer import OpWriter


def largest(ctx: OpWriter, x: Value, axes: Sequence[int]) -> Value:
    """The maximum of x over axes, which are removed.

    Raises:
        OpCallError: it would be the maximum over samples.
    """
    kept = [a for a in range(len(x.type.shape)) if a not in axes]
    if x.type.batch and 0 not in kept:
        raise OpCallError("a maximum over the samples of a batch", "axes other than 0", str(tuple(axes)))
    order = (*kept, *axes)
    rows = x if order == tuple(range(len(order))) else ctx.op("permute", x, order=order)
    extents, cells = [x.type.shape[a] for a in kept], math.prod(x.type.shape[a] for a in axes)
    first = x.type.shape[0] if x.type.batch else 1
    rows = ctx.op("reshape", rows, shape=(first, math.prod(extents) // first, 1, cells))
    found = ctx.op("max_pool", rows, kernel=(1, cells), stride=(1, 1), pad=(0, 0))
    return ctx.op("reshape", found, shape=tuple(extents))
