"""bfloat16 in NumPy, which has no such type: pairs of numbers as u32, and the instruction that multiplies them.

A bfloat16 is the upper half of a float32. A pair, `bf16x2`, has its first number in the lower half. What is computed is
what the instructions of AVX512_BF16 do, whatever the settings of the CPU: numbers are rounded to nearest, ties to even,
and results and operands below the smallest normal number count as zero.
"""

from __future__ import annotations

import numpy as np

LEAST = np.float32(2.0**-126)
"""The smallest normal number."""
UPPER = np.uint32(0xFFFF0000)


def rounded(x: np.ndarray) -> np.ndarray:
    """The bits of float32 numbers rounded to bfloat16, as u32 below 2^16; NaN stays NaN.

    >>> [hex(bits) for bits in rounded(np.float32([1.0, 1 + 2**-8, 1 + 3 * 2**-8, np.inf]))]
    ['0x3f80', '0x3f80', '0x3f82', '0x7f80']
    """
    x = np.asarray(x, np.float32)
    bits = x.view(np.uint32)
    even = bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    bits = np.where(
        np.isnan(x), bits | np.uint32(0x400000), np.where(np.abs(x) < LEAST, bits & np.uint32(1 << 31), even)
    )
    return bits >> np.uint32(16)


def pair(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Pairs of float32 numbers, each rounded.

    >>> hex(pair(np.float32(1.0), np.float32(-2.0)))
    '0xc0003f80'
    """
    return rounded(first) | (rounded(second) << np.uint32(16))


def parts(pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both numbers of pairs, as float32.

    >>> parts(np.uint32(0xC0003F80))
    (np.float32(1.0), np.float32(-2.0))
    """
    pairs = np.asarray(pairs, np.uint32)
    return (pairs << np.uint32(16)).view(np.float32)[()], (pairs & UPPER).view(np.float32)[()]


def unpaired(pairs: np.ndarray, axis: int) -> np.ndarray:
    """The numbers of pairs along an axis, which gets twice as long, as float32.

    >>> unpaired(np.uint32([0x3F80, 0xC0003F80]), 0)
    array([ 1.,  0.,  1., -2.], dtype=float32)
    """
    both = np.stack(parts(pairs), axis=axis + 1)
    return both.reshape(*both.shape[:axis], -1, *both.shape[axis + 2 :])


def dot2(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """c + a[1] * b[1], then + a[0] * b[0], each rounded once.

    >>> dot2(pair(np.float32(2.0), np.float32(3.0)), pair(np.float32(5.0), np.float32(7.0)), np.float32(1.0))
    np.float32(32.0)
    """
    (a0, a1), (b0, b1) = parts(a), parts(b)
    return _multiply_add(a0, b0, _multiply_add(a1, b1, _flushed(c)))


def add_parts(a: np.ndarray, b: np.ndarray, sums: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The sums of products of first numbers and of second numbers of pairs, with those of one more pair, each rounded
    once: a term of `sum k tile`.

    >>> one = pair(np.float32(2.0), np.float32(3.0))
    >>> add_parts(one, one, (np.float32(1.0), np.float32(1.0)))
    (np.float32(5.0), np.float32(10.0))
    """
    (a0, a1), (b0, b1) = parts(a), parts(b)
    return _multiply_add(a0, b0, sums[0]), _multiply_add(a1, b1, sums[1])


def with_parts(c: np.ndarray, sums: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """c + (the sum of first products + that of second products), each rounded once: the end of `sum k tile`. The sums
    begin at 0. This is what Intel's manual says of the instruction tdpbf16ps.

    >>> with_parts(np.float32(0.5), (np.float32(5.0), np.float32(10.0)))
    np.float32(15.5)
    """
    with np.errstate(all="ignore"):
        return _flushed(_flushed(c) + _flushed(sums[0] + sums[1]))


def _multiply_add(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """a * b + c, rounded once. Products of two bfloat16 are exact in float64. The last bit of an inexact sum
    is made odd, so that rounding it to float32 gives what rounding the exact sum would give."""
    with np.errstate(all="ignore"):
        product, c = np.asarray(_flushed(a), np.float64) * _flushed(b), np.asarray(c, np.float64)
        total = np.asarray(product + c)
        near = total - product
        lost = (product - (total - near)) + (c - near)
        bits = total.view(np.int64)
        inexact = np.isfinite(total) & (lost != 0) & (bits & 1 == 0)
        odd = np.where(inexact, bits + np.where((lost > 0) == (total > 0), 1, -1), bits)
        return _flushed(odd.view(np.float64).astype(np.float32))


def _flushed(x: np.ndarray) -> np.ndarray:
    """Zero of the same sign in place of numbers below the smallest normal one."""
    x = np.asarray(x, np.float32)
    return np.where(np.abs(x) < LEAST, np.copysign(np.float32(0), x), x)[()]
