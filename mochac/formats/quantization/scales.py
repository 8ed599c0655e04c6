"""Scale: how integers of 8 bits stand for real numbers, and how a ratio of scales is multiplied in integers.

real = scale * (q - zero)          activations: zero anywhere in the range; weights: zero 0, a scale per filter
"""

from __future__ import annotations

import math

import numpy as np

from mochac.base.records import record
from mochac.ir.types import DTYPES

WEIGHT_LARGEST = 127
"""Weights are -127 .. 127, so that no range is lost by a zero in the middle."""
MULTIPLIER_BITS, SUM_BITS = 31, 21
"""Bits of the multiplier of a sum, and of those of two numbers that are added: 2 * 255 * 2^21 < 2^31."""
MOST_SHIFT = 62
LEAST_SCALE = 2.0**-100
"""Products of two such scales are still floats of 32 bits, if not normal ones."""
LARGEST_BIAS = 2**30 - 2**10
"""A quarter of the range of i32, but for the rounding of a scale."""


@record
class LinearScale:
    """real = scale * (q - zero) for integers q of a dtype."""

    scale: float
    zero: int
    dtype: str

    @property
    def limits(self) -> tuple[int, int]:
        """The smallest and the largest integer."""
        info = np.iinfo(DTYPES[self.dtype])
        return int(info.min), int(info.max)

    def whole(self, real: float) -> int:
        """The integer nearest to a real number, within the limits."""
        low, high = self.limits
        return int(min(max(self.zero + round(real / self.scale), low), high))


def scale_for(low: float, high: float, dtype: str) -> LinearScale:
    """The scale with which integers cover low .. high, and 0.0 exactly.

    >>> scale_for(0.0, 2.55, "u8"), scale_for(-1.0, 1.55, "i8").zero
    (LinearScale(scale=0.009999999776482582, zero=0, dtype='u8'), -28)
    """
    low, high = min(low, 0.0), max(high, 0.0)
    info = np.iinfo(DTYPES[dtype])
    width = (high - low) / (info.max - info.min) or 1.0
    scale = float(np.float32(max(width, LEAST_SCALE)))
    zero = min(max(round(info.min - low / scale), info.min), info.max)
    return LinearScale(scale, int(zero), dtype)


def weight_scales(weight: np.ndarray, bias: np.ndarray | None, input_scale: float) -> np.ndarray:
    """A scale for each filter, axis 0 of the weight; float32. It is larger where the bias would not fit 31 bits."""
    largest = np.abs(weight.reshape(len(weight), -1)).max(axis=1, initial=0.0).astype(np.float64)
    scales = largest / WEIGHT_LARGEST
    if bias is not None:
        scales = np.maximum(scales, np.abs(bias.astype(np.float64)) / input_scale / LARGEST_BIAS)
    return np.where(scales > 0, np.maximum(scales, LEAST_SCALE), 1.0).astype(np.float32)


def quantized_weight(weight: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """The weight as integers of 8 bits; halves are rounded to even ones."""
    along = scales.astype(np.float64).reshape(-1, *(1 for _ in weight.shape[1:]))
    return np.clip(np.rint(weight / along), -WEIGHT_LARGEST, WEIGHT_LARGEST).astype(np.int8)


def quantized_bias(bias: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """The bias as integers of 32 bits."""
    limits = np.iinfo(np.int32)
    return np.clip(np.rint(bias / scales.astype(np.float64)), limits.min, limits.max).astype(np.int32)


def fixed_point(factor: float) -> tuple[int, int]:
    """(multiplier, shift): factor is about multiplier / 2^shift, with 31 bits, for `requantize`.

    >>> fixed_point(0.5), fixed_point(0.75)
    ((1073741824, 31), (1610612736, 31))
    """
    mantissa, exponent = math.frexp(factor)
    multiplier, shift = round(mantissa * 2**MULTIPLIER_BITS), MULTIPLIER_BITS - exponent
    if multiplier == 2**MULTIPLIER_BITS:
        multiplier, shift = multiplier // 2, shift - 1
    if shift > MOST_SHIFT:
        multiplier, shift = multiplier >> min(MULTIPLIER_BITS, shift - MOST_SHIFT), MOST_SHIFT
    if shift < 1:
        multiplier, shift = 2**MULTIPLIER_BITS - 1, 1
    return multiplier, shift


def fixed_points(factors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Multipliers and shifts of several factors, as i32."""
    pairs = [fixed_point(float(f)) for f in factors.ravel()]
    multipliers, shifts = (np.array([pair[k] for pair in pairs], np.int32).reshape(factors.shape) for k in (0, 1))
    return multipliers, shifts


def sum_factors(first: float, second: float) -> tuple[int, int, int]:
    """(m, n, shift): first is about m / 2^shift and second n / 2^shift, so small that m * a + n * b fits 32 bits for
    differences a, b of 8-bit integers.

    >>> sum_factors(1.0, 0.5)
    (1048576, 524288, 20)
    """
    _, exponent = math.frexp(max(first, second))
    shift = min(max(SUM_BITS - exponent, 1), MOST_SHIFT)
    most = 2**SUM_BITS - 1
    return min(round(first * 2**shift), most), min(round(second * 2**shift), most), shift
