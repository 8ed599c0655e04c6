"""Shared type rules of ops: result types, and refusals worded for users.

Every `infer` rule calls it. It registers nothing and knows no particular op.
"""

from __future__ import annotations

from typing import Any

from mochac.ir.graph import BoundNode
from mochac.ir.op import OpTypeError
from mochac.ir.types import DTYPES, TensorType

FLOATS = ("f32", "f64")


def result(dtype: str, shape: tuple[int, ...], batch: bool, *operands: TensorType) -> TensorType:
    """A result type; a batch-marked result has the lanes of the first batch-marked operand.

    >>> x = TensorType("f32", (64, 3), batch=True, lanes=16)
    >>> print(result("f32", (64,), True, x), result("f32", (3,), False, x))
    f32[b64] blocked(16) f32[3]
    """
    lanes = next((t.lanes for t in operands if t.batch), 0) if batch else 0
    return TensorType(dtype, shape, batch, lanes)


def require_rank(what: str, t: TensorType, rank: int, axes: str) -> None:
    """Refuse an operand with another number of axes."""
    if len(t.shape) != rank:
        raise OpTypeError(f"{what} must have {rank} axes ({axes})", f"{rank} axes ({axes})", str(t))


def require_extents(what: str, t: TensorType, rule: str) -> None:
    """Refuse empty axes, for ops that have no meaning on them."""
    if any(d < 1 for d in t.shape):
        raise OpTypeError(rule, f"{what} with every extent >= 1", str(t))


def require_float(what: str, t: TensorType) -> None:
    """Refuse anything but f32 and f64."""
    if t.dtype not in FLOATS:
        raise OpTypeError(f"{what} must be floating point", "f32 or f64", str(t), "convert it with cast")


def require_same_dtype(first: tuple[str, TensorType], *others: tuple[str, TensorType]) -> None:
    """Refuse operands of different element types; each is (name, type)."""
    name, t = first
    for other, u in others:
        if u.dtype != t.dtype:
            raise OpTypeError(f"{other} must have the element type of {name}", t.dtype, u.dtype)


def require_shape(what: str, t: TensorType, shape: tuple[int, ...], why: str, hint: str = "") -> None:
    """Refuse an operand of another shape; `why` is the rule it breaks."""
    if t.shape != tuple(shape):
        raise OpTypeError(why, f"{what} {dims(shape)}", dims(t.shape), hint)


def require_dtype_name(dtype: str) -> None:
    """Refuse an attribute that names no element type."""
    if dtype not in DTYPES:
        raise OpTypeError("unknown element type", " ".join(DTYPES), dtype)


def dims(shape: tuple[int, ...]) -> str:
    """A shape as users write it.

    >>> dims((20,)), dims(())
    ('(20,)', '()')
    """
    return str(tuple(int(d) for d in shape))


def pair(name: str, value: object, least: int) -> tuple[int, int]:
    """A (height, width) attribute, both >= `least`."""
    items = tuple(value) if isinstance(value, (tuple, list)) else ()
    if len(items) != 2 or not all(isinstance(v, int) and not isinstance(v, bool) and v >= least for v in items):
        raise OpTypeError(f"{name} must be (height, width)", f"two integers >= {least}", str(value))
    return items[0], items[1]


def attrs_of(bound: BoundNode, *dropped: str) -> dict[str, Any]:
    """A node's attributes, less some, ready to make a node of its gradient."""
    return {name: value for name, value in bound.attr.items() if name not in dropped}
