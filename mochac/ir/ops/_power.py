"""Powers with a constant exponent, in NumPy and as kernel code, which uses roots and products where they suffice."""

from __future__ import annotations

import math

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder
from mochac.ir.op import OpTypeError

MOST_PRODUCTS = 8.0
TOLERANCE = 2e-6


def require_exponent(exponent: object) -> float:
    """Check that the exponent is a finite number."""
    if isinstance(exponent, bool) or not isinstance(exponent, (int, float)) or not math.isfinite(exponent):
        raise OpTypeError("the exponent must be a number", "a finite number", str(exponent))
    return float(exponent)


def numpy_power(x: np.ndarray, exponent: float) -> np.ndarray:
    """x^exponent in the type of x; NaN for negative x and a fractional exponent."""
    with np.errstate(all="ignore"):
        return np.power(x, x.dtype.type(exponent))


def raised(b: GraphBuilder, x: Value, exponent: float) -> Value:
    """x^exponent as a graph value; for simple exponents x itself, a fill or a square."""
    if exponent == 0.0:
        return b.const(1.0, x.type)
    if exponent == 1.0:
        return x
    return b.op("square", x) if exponent == 2.0 else b.op("power", x, exponent=exponent)


def emit_power(k: KernelBuilder, x: Operand, exponent: float, dtype: str) -> Operand:
    """x^exponent: products and square roots for small multiples of 1/4, else the scalar function pow.

    The reciprocal is taken first for exponents below -1 and last for those above, so that no intermediate result
    overflows or underflows before the result does.
    """
    size = abs(exponent)
    if size > MOST_PRODUCTS or not (4.0 * size).is_integer():
        return k.call("pow", x, k.const(exponent, dtype))
    one = k.const(1.0, dtype)
    if not size.is_integer():
        x = k.call("add", x, k.const(0.0, dtype))  # -0 becomes 0: roots of -0 are -0, powers of it are not
    if exponent < -1.0:
        return _positive(k, k.call("div", one, x), size, dtype)
    result = _positive(k, x, size, dtype)
    return k.call("div", one, result) if exponent < 0.0 else result


def _positive(k: KernelBuilder, x: Operand, size: float, dtype: str) -> Operand:
    """x^size for a multiple of 1/4 >= 0: a product of binary powers and roots of x."""
    whole, quarters = int(size), round(4 * (size - int(size)))
    factors: list[Operand] = []
    root = x
    for bit in (2, 1):
        if quarters:
            root = k.call("sqrt", root)
            if quarters & bit:
                factors.append(root)
                quarters -= bit
    power = x
    while whole:
        if whole & 1:
            factors.append(power)
        whole >>= 1
        if whole:
            power = k.call("mul", power, power)
    result = factors.pop(0) if factors else k.const(1.0, dtype)
    for factor in factors:
        result = k.call("mul", result, factor)
    return result
