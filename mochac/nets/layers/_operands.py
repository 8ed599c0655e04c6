"""Operands of NumPy's operators: values, numbers and arrays of fixed numbers, as values of one shape and dtype."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from mochac.base.support.array_like import is_array
from mochac.ir.graph import Value
from mochac.ir.op_call import OpCallError, require_value
from mochac.ir.types import FLOATS
from mochac.nets.layers._aligned import common_dtype, of_dtype, taken_by, together
from mochac.nets.layers._op_writer import OpWriter

NUMBERS = (bool, int, float, np.bool_, np.number)
Operand: TypeAlias = "Value | float | np.ndarray"


def as_value(ctx: OpWriter, what: str, x: Operand) -> Value:
    """An operand as a value; `what` is what messages call the operation.

    Raises:
        OpCallError: it is neither a value nor an array.
    """
    if is_array(x):
        array = np.asarray(x)
        table = ctx.table("array", array)
        return element_wise(ctx, what, "ne", (table, 0)) if array.dtype == bool else table
    require_value(f"an operand of {what}", x)
    assert isinstance(x, Value)
    return x


def as_mask(ctx: OpWriter, what: str, condition: Operand) -> Value:
    """A condition as bools: numbers hold where they are not 0."""
    value = as_value(ctx, what, condition)
    return value if value.type.dtype == "bool" else element_wise(ctx, what, "ne", (value, 0))


def element_wise(ctx: OpWriter, what: str, op: str, operands: tuple[Operand, ...]) -> Value:
    """An element-wise operation, of operands that are given one shape and dtype."""
    return ctx.op(op, *equal(ctx, what, op, operands))


def equal(ctx: OpWriter, what: str, op: str, operands: tuple[Operand, ...], choosing: int = 0) -> list[Value]:
    """The operands as values of one shape and one dtype; the first `choosing` operands may have another dtype."""
    numbers = {k: x for k, x in enumerate(operands) if isinstance(x, NUMBERS)}
    values = tuple(as_value(ctx, what, x) for x in operands if not isinstance(x, NUMBERS))
    counting = not all(isinstance(x, (bool, np.bool_)) for x in numbers.values())
    dtype = common_dtype(ctx, values[choosing:], counting=counting)
    dtype = dtype if choosing else taken_by(ctx, op, dtype, len(operands))
    values = (*values[:choosing], *of_dtype(ctx, values[choosing:], dtype))
    made = list(together(ctx, what, values))
    like = Value("", made[0].type.with_(dtype=dtype))
    for k, x in numbers.items():
        made.insert(k, _number(ctx, what, x, like))
    return made


def _number(ctx: OpWriter, what: str, x: float | np.number | np.bool_, like: Value) -> Value:
    if like.type.dtype not in FLOATS and x != int(x):
        rule = f"{what} of integers and a fraction"
        raise OpCallError(rule, f"a whole number, for {like.type.dtype}", repr(x))
    return ctx.constant(float(x), like)
