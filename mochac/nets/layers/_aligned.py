"""Give operands one shape and dtype by NumPy's rules: axes are aligned from the last one on, and extents of 1 repeated.

The axis of samples never moves and is never repeated, so that a layer means the same for every batch size; all samples
of a batch, on another axis, are an array like others.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import Value
from mochac.ir.op_call import OpCallError
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.types import FLOATS
from mochac.nets.layers._op_writer import OpWriter

RULE = "extents that are equal or 1, from the last axis on"
ALONE = "a layer computes each sample alone, whatever its place in the batch"
MORE_AXES = "x[:, None] has one more axis behind the samples"


def together(ctx: OpWriter, what: str, values: tuple[Value, ...]) -> tuple[Value, ...]:
    """The values with one shape. `what` is what messages call the operation.

    Raises:
        OpCallError: their shapes do not fit each other.
    """
    try:
        shape = np.broadcast_shapes(*(v.type.shape for v in values))
    except ValueError:
        got = " and ".join(str(v.type.shape) for v in values)
        short = any(v.type.batch and len(v.type.shape) < max(len(w.type.shape) for w in values) for v in values)
        rule = f"the operands of {what} do not fit each other"
        raise OpCallError(rule, RULE, got, MORE_AXES if short else "") from None
    batch = any(v.type.batch for v in values)
    return tuple(_spread(ctx, what, v, shape, batch) for v in values)


def whole(ctx: OpWriter, value: Value) -> Value:
    """All samples of the batch; the value itself if it has no samples."""
    return ctx.op("all_samples", value) if value.type.batch else value


def fixed_rows(value: Value) -> OpCallError:
    """The error about an operand that has the extent of the batch, but none of its samples."""
    rule, shape = "numbers that are none of the samples stand beside the samples of a batch", value.type.shape
    pairs = "ctx.eye() is true where a sample meets itself" if shape[:1] == shape[1:] else ""
    hint = pairs or f"{ALONE}; numbers of each sample are a blob of a data layer"
    return OpCallError(rule, "an array for one sample", str(shape), hint)


def common_dtype(ctx: OpWriter, values: tuple[Value, ...], *, counting: bool) -> str:
    """The dtype of the floats if there are any, else of the integers; if all are bools, bool, or floats where they
    count as 0 and 1."""
    kinds = [v.type.dtype for v in values]
    floats, numbers = [d for d in kinds if d in FLOATS], [d for d in kinds if d != "bool"]
    return next(iter(floats or numbers), ctx.dtype if counting else "bool")


def of_dtype(ctx: OpWriter, values: tuple[Value, ...], dtype: str) -> tuple[Value, ...]:
    """The values with bools as numbers, and integers as floats, where `dtype` is one; other dtypes stay."""
    return tuple(
        ctx.op("cast", v, dtype=dtype) if v.type.dtype != dtype and (dtype in FLOATS or v.type.dtype == "bool") else v
        for v in values
    )


def as_floats(ctx: OpWriter, value: Value) -> Value:
    """The value, with bools and integers as floats."""
    return value if value.type.dtype in FLOATS else ctx.op("cast", value, dtype=ctx.dtype)


def taken_by(ctx: OpWriter, op: str, dtype: str, count: int) -> str:
    """The dtype for `count` operands of an element-wise operation: floats if it takes no bools or integers."""
    try:
        FUNCTIONS[op].result((dtype,) * count)
    except ValueError:
        return dtype if dtype in FLOATS else ctx.dtype
    return dtype


def _spread(ctx: OpWriter, what: str, value: Value, shape: tuple[int, ...], batch: bool) -> Value:
    own = value.type.shape
    if own == shape:
        return value
    new = len(shape) - len(own)
    if value.type.batch and (new or own[0] != shape[0]):
        rule = f"{what} would repeat or move the axis of samples"
        raise OpCallError(
            rule, f"samples on axis 0 of {shape}", f"{own}, whose axis 0 is the samples", MORE_AXES if new else ""
        )
    if batch and not new and not value.type.batch and own[0] != 1:
        raise fixed_rows(value)
    kept = [k for k, extent in enumerate(own) if extent == shape[new + k]]
    if len(kept) < len(own):
        value = ctx.op("reshape", value, shape=tuple(own[k] for k in kept))
    return ctx.op("broadcast", value, shape=shape, axes=tuple(new + k for k in kept), batch=batch)
