"""Blobs that fields name, with a number or more for every sample."""

from __future__ import annotations

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers.context import TraceContext


def of_samples(ctx: TraceContext, field: str) -> Value:
    """The blob that a field of the current layer names.

    Raises:
        OpTypeError: it is a parameter, the same for all samples.
    """
    x = ctx.blob(field)
    if not x.type.batch:
        got = f"{x.type.shape}, the same for all samples"
        raise OpTypeError(f"{field} names a blob without samples", "a blob of a data layer, or computed from one", got)
    return x
