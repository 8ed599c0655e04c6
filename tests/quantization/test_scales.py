"""Scales and fixed-point factors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mochac.formats.quantization.qdq import (
    fixed_point,
    quantized_bias,
    quantized_weight,
    scale_for,
    sum_factors,
    weight_scales,
)
from mochac.ir.scalar import FUNCTIONS

REQUANTIZE = FUNCTIONS["requantize"].numpy


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.sampled_from(["i8", "u8"]))
def test_a_scale_covers_its_range_and_zero(a, b, dtype):
    low, high = min(a, b), max(a, b)
    scale = scale_for(low, high, dtype)
    least, most = scale.limits
    assert least <= scale.zero <= most
    slack = scale.scale * 0.51
    assert scale.scale * (least - scale.zero) <= min(low, 0) + slack
    assert scale.scale * (most - scale.zero) >= max(high, 0) - slack


@given(st.floats(1e-9, 1e3), st.integers(-(2**22), 2**22))
def test_fixed_point_multiplication_rounds_once(factor, x):
    multiplier, shift = fixed_point(factor)
    assert 0 <= multiplier < 2**31 and 1 <= shift <= 62
    if abs(x * factor) < 2**30:
        got = int(REQUANTIZE(np.int32(x), np.int32(multiplier), np.int32(shift)))
        assert got == (x * multiplier + (1 << (shift - 1))) >> shift
        assert abs(got - x * factor) <= 0.5 + abs(x * factor) * 2**-29 + 2**-20


@given(st.integers(-(2**31), 2**31 - 1), st.integers(2**30, 2**31 - 1), st.integers(33, 62))
def test_from_33_places_on_the_upper_half_of_the_product_is_enough(x, multiplier, shift):
    high = FUNCTIONS["mul_high"].numpy(np.int32(x), np.int32(multiplier))
    got = FUNCTIONS["half_up"].numpy(high, np.int32(shift - 33))
    assert int(got) == (x * multiplier + (1 << (shift - 1))) >> shift
    assert got == REQUANTIZE(np.int32(x), np.int32(multiplier), np.int32(shift))


@given(st.floats(1e-4, 200), st.floats(1e-4, 200), st.integers(-255, 255), st.integers(-255, 255))
def test_sums_of_two_fit_32_bits(first, second, a, b):
    m, n, shift = sum_factors(first, second)
    total = m * a + n * b
    assert abs(total) < 2**31
    got = int(REQUANTIZE(np.int32(total), np.int32(1), np.int32(shift)))
    assert abs(got - (first * a + second * b)) <= 0.5 + 512 * 2.0 ** -(shift + 1) + 1e-9


def test_halves_are_rounded_up():
    half = [int(REQUANTIZE(np.int32(x), np.int32(1), np.int32(1))) for x in (-3, -1, 1, 3)]
    assert half == [-1, 0, 1, 2]


def test_weights_are_symmetric_and_biases_fit():
    rng = np.random.default_rng(0)
    w, b = rng.normal(size=(4, 3, 2)).astype(np.float32), np.array([0, 1, -1e9, 5], np.float32)
    w[0] = 0
    scales = weight_scales(w, b, 0.01)
    whole = quantized_weight(w, scales)
    assert np.abs(whole.astype(int)).max(axis=(1, 2)).tolist()[1] == 127 and not whole[0].any()
    biases = quantized_bias(b, scales.astype(np.float64) * 0.01)
    assert np.abs(biases.astype(np.int64)).max() <= 2**30
    assert biases[2] * float(scales[2]) * 0.01 == pytest.approx(-1e9, rel=1e-6)
