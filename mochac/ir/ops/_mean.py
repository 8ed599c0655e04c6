"""The number of cells that mean pooling divides by, in NumPy and as kernel code, for mean_pool and mean_pool_dx."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import prod

import numpy as np

from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder
from mochac.ir.op import OpTypeError
from mochac.ir.ops._pool import Pool

DIVISORS = ("kernel", "caffe", "valid")


def require_divisor(divisor: str) -> None:
    """Check the attribute `divisor`."""
    if divisor not in DIVISORS:
        raise OpTypeError("unknown divisor of mean pooling", " ".join(DIVISORS), str(divisor))


def margins(pool: Pool, divisor: str) -> list[tuple[int, int]]:
    """First and end position of the cells that count, along every axis."""
    if divisor == "caffe":
        return [(-p, n + end) for p, n, end in zip(pool.pad, pool.image, pool.pad_end, strict=True)]
    return [(0, n) for n in pool.image]


def constant_count(pool: Pool, divisor: str) -> bool:
    """Whether every window divides by the size of the kernel."""
    if divisor == "kernel":
        return True
    for axis, (low, high) in enumerate(margins(pool, divisor)):
        last = (pool.out[axis] - 1) * pool.stride[axis] - pool.pad[axis]
        if -pool.pad[axis] < low or last + pool.kernel[axis] > high:
            return False
    return True


def counts(pool: Pool, divisor: str) -> np.ndarray:
    """The divisor of every window, in the shape of the result's images.

    >>> counts(Pool((3, 3), (2, 2), (2, 2), (0, 0), (0, 0)), "valid").tolist()
    [[4.0, 2.0], [2.0, 1.0]]
    """
    if divisor == "kernel":
        return np.full(pool.out, float(prod(pool.kernel)))
    lengths = []
    for axis, (low, high) in enumerate(margins(pool, divisor)):
        start = np.arange(pool.out[axis]) * pool.stride[axis] - pool.pad[axis]
        lengths.append(np.minimum(start + pool.kernel[axis], high) - np.maximum(start, low))
    return reduce(np.multiply.outer, lengths).astype(np.float64)


def divide_by_count(
    k: KernelBuilder, pool: Pool, divisor: str, total: Operand, dtype: str, window: Sequence[Index]
) -> Operand:
    """total / the count of a window. If the count varies, the kernel counts the cells along each axis."""
    if constant_count(pool, divisor):
        return k.call("mul", total, k.const(1.0 / prod(pool.kernel), dtype))
    lengths = []
    for axis, (low, high) in enumerate(margins(pool, divisor)):
        length = k.local("count", dtype, k.const(0.0, dtype))
        with k.sum("cell", pool.kernel[axis]) as cell:
            position = window[axis] * pool.stride[axis] - pool.pad[axis] + cell
            with k.where(position - low, high - 1 - position):
                k.accum(length, "add", k.const(1.0, dtype))
        lengths.append(k.get(length))
    return k.call("div", total, reduce(lambda a, b: k.call("mul", a, b), lengths))
