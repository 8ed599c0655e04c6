"""What ops on quantized numbers share: checks of dtypes, scales and zero points, numbers as literals of a kernel."""

from __future__ import annotations

import math

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder
from mochac.ir.op import OpTypeError
from mochac.ir.types import DTYPES, TensorType

BYTES = ("i8", "u8")
"""Dtypes of quantized activations; weights are i8."""


def require_bytes(what: str, dtype: str) -> None:
    """Check that a dtype is one of BYTES."""
    if dtype not in BYTES:
        raise OpTypeError(f"{what} must hold quantized numbers", " or ".join(BYTES), dtype)


def require_type(what: str, t: TensorType, dtype: str) -> None:
    """Check a dtype."""
    if t.dtype != dtype:
        raise OpTypeError(f"{what} must be {dtype}", dtype, str(t))


def require_scale(scale: float) -> None:
    """Check that a scale is a positive number."""
    if not (math.isfinite(scale) and scale > 0):
        raise OpTypeError("a scale must be a positive number", "scale > 0", str(scale))


def require_zero(zero: int, dtype: str) -> None:
    """Check that numbers of a dtype can be the zero point."""
    limits = np.iinfo(DTYPES[dtype])
    if not limits.min <= zero <= limits.max:
        raise OpTypeError("the zero point must be a number of the dtype", f"{limits.min} .. {limits.max}", str(zero))


def scale_and_zero(bound: BoundNode) -> tuple[float, int]:
    """The attributes of these names, 1.0 and 0 if absent."""
    scale, zero = bound.attr.get("scale", 1.0), bound.attr.get("zero", 0)
    assert isinstance(scale, (int, float))
    assert isinstance(zero, int)
    return float(scale), zero


def number(value: float, dtype: str) -> float:
    """A number as a literal of a float dtype: rounded to it."""
    return float(DTYPES[dtype].type(value))


def distance(k: KernelBuilder, q: Operand, zero: int) -> Operand:
    """q - zero, of an element of 8 bits, as i32."""
    whole = k.call("to_i32", q)
    return k.call("sub", whole, k.const(zero, "i32")) if zero else whole
