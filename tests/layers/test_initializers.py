"""Initial values against their distributions, and regularizers' gradients against their formulas."""

from __future__ import annotations

import numpy as np
import pytest

from mochac import (
    ConstantInitializer,
    GaussianInitializer,
    L1Regu,
    L2Regu,
    NoRegu,
    NullInitializer,
    XavierInitializer,
)
from mochac.ir import GraphBuilder, TensorType, run

SEED = 17


def drawn(initializer, shape, dtype=np.float32):
    return initializer.fill(shape, np.dtype(dtype), np.random.default_rng(SEED))


@pytest.mark.parametrize(("shape", "fan_in"), [((500, 800), 800), ((20, 5, 5, 5), 125), ((400,), 1)])
def test_xavier_is_uniform_by_fan_in(shape, fan_in):
    w = drawn(XavierInitializer(), shape)
    limit = np.sqrt(3 / fan_in)
    assert w.dtype == np.float32
    assert w.shape == shape
    assert abs(w).max() <= limit
    assert abs(w).max() > 0.95 * limit
    assert abs(w.mean()) < 0.2 * limit


def test_gaussian_has_mean_and_deviation():
    w = drawn(GaussianInitializer(mean=3, std=0.5), (200, 200), np.float64)
    assert w.dtype == np.float64
    assert abs(w.mean() - 3) < 0.02
    assert abs(w.std() - 0.5) < 0.02


def test_float32_is_the_rounded_float64():
    narrow, wide = (drawn(XavierInitializer(), (5, 7), t) for t in (np.float32, np.float64))
    assert np.array_equal(narrow, wide.astype(np.float32))


def test_constant_and_null():
    assert drawn(ConstantInitializer(2), (3,)).tolist() == [2, 2, 2]
    assert drawn(NullInitializer(), (2,)).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("regu", "expected"),
    [
        (L2Regu(3), lambda w: 2 * 3 * 0.01 * w),
        (L1Regu(3), lambda w: 3 * 0.01 * np.sign(w)),
        (NoRegu(), None),
        (L2Regu(0), None),
    ],
)
def test_regularizers_follow_mochas_convention(regu, expected):
    b = GraphBuilder("g")
    w = b.input("w", TensorType("f64", (5,)), "param")
    g = regu.gradient(b, w, 0.01)
    if expected is None:
        assert g is None
        return
    values = np.array([-2.0, -0.5, 0.0, 0.5, 2.0])
    assert np.allclose(run(b.finish([g]), {"w": values})[g.name], expected(values), rtol=1e-15)
