"""PowerLayer against (scale x + shift)^power in float64, finite wherever that is."""

import numpy as np
import pytest
from layers.layer_values import TOLERANCE, values

from mochac import PowerLayer

ULP = {"float32": 2.0**-23, "float64": 2.0**-52}
POWERS = [0.0, 1.0, 2.0, 3.0, 4.0, 7.0, 9.0, 13.0, -1.0, -2.0, -3.0, -9.0, 0.5, 0.25, 0.75, 1.5, 2.75, 7.25]
POWERS += [-0.5, -0.25, -0.75, -1.75, -2.5, 0.1, 1.3, -0.7, 1e-3, 100.0, -100.0]


def formula(x, power, scale=1.0, shift=0.0):
    """y and dy/dx, exact for whole powers of negative numbers; power 0 is the constant 1."""
    with np.errstate(all="ignore"):
        base = scale * x + shift
        slope = power * scale * np.power(base, power - 1.0) if power and scale else np.zeros_like(x)
        return np.power(base, power), slope


def found(x, power, scale=1.0, shift=0.0, *, dtype="float64", compiled=False, arriving=1.0):
    layer = PowerLayer(bottoms=["x"], tops=["y"], power=power, scale=scale, shift=shift)
    ones = np.full(x.shape, arriving)
    y, grads = values([layer], {"x": x}, "y", ones, dtype=dtype, compiled=compiled)
    return y, grads["x"]


def test_defaults_are_mochas():
    layer = PowerLayer(bottoms=["x"])
    assert (layer.power, layer.scale, layer.shift) == (1.0, 1.0, 0.0)


def near(got, wanted, dtype, ulps=24.0):
    """Relative; results beyond the type's range are infinite or 0, as np.power in that type says."""
    info = np.finfo(dtype)
    with np.errstate(over="ignore", under="ignore"):
        rounded = wanted.astype(dtype).astype(np.float64)
    edge = np.isfinite(wanted) & ((np.abs(wanted) > info.max / 2) | (np.abs(wanted) < 2 * info.tiny) & (wanted != 0))
    keep = ~edge
    np.testing.assert_array_equal(np.isnan(got[keep]), np.isnan(rounded[keep]))
    np.testing.assert_allclose(got[keep], rounded[keep], rtol=ulps * ULP[dtype], atol=0)


@pytest.mark.parametrize("power", POWERS)
def test_values_and_gradients(power):
    x = np.random.default_rng(1).uniform(0.01, 5.0, (20, 1))
    x = np.concatenate([x, -x]) if power.is_integer() else x
    x = np.concatenate([x, [[0.0], [1.0]]])
    for got, wanted in zip(found(x, power), formula(x, power), strict=True):
        near(got, wanted, "float64", 4000.0)


@pytest.mark.parametrize("power", [1.0, 2.0, 3.0, 4.5, 1.25, 0.0])
def test_gradient_at_zero_is_finite(power):
    """Mocha divides y by x there: NaN for all but 1 and 2."""
    x = np.zeros((2, 1))
    y, dx = found(x, power)
    np.testing.assert_array_equal(y, 0.0 if power else 1.0)
    np.testing.assert_array_equal(dx, 1.0 if power == 1.0 else 0.0)
    y, dx = found(np.full((2, 1), 2.0), power, scale=0.5, shift=-1.0)
    np.testing.assert_array_equal(dx, 0.5 if power == 1.0 else 0.0)


def test_nan_only_where_undefined():
    x = np.array([-2.0, -0.0, 0.0, 2.0])[:, None]
    for power in (0.5, 0.75, 1.5, 0.3, -0.5, -1.75, -0.3):
        y, dx = found(x, power)
        assert np.isnan(y).ravel().tolist() == np.isnan(dx).ravel().tolist() == [True, False, False, False], power
    for power in (3.0, -3.0, 2.0, -2.0, 11.0, -11.0):
        assert not np.isnan(found(x, power)).any()


def test_without_scale_the_top_is_constant():
    x = np.array([-1.0, 0.0, 3.0])[:, None]
    for power, y in ((0.5, 1.5), (2.0, 5.0625), (1.0, 2.25), (-1.0, 1 / 2.25)):
        got, dx = found(x, power, scale=0.0, shift=2.25)
        np.testing.assert_array_equal(got, y)
        np.testing.assert_array_equal(dx, 0.0)
    for power in (0.5, 3.0):
        got, dx = found(x, power, scale=0.0, shift=0.0)
        np.testing.assert_array_equal(got, 0.0)
        np.testing.assert_array_equal(dx, 0.0)


def test_several_bottoms_of_several_ranks():
    rng = np.random.default_rng(3)
    feeds = {"a": rng.uniform(0.5, 2, (3, 4)), "b": rng.uniform(0.5, 2, (3, 2, 1, 2, 2))}
    layer = PowerLayer(bottoms=["a", "b"], tops=["c", "d"], power=-1.5, scale=2.0, shift=0.25)
    for bottom, top in (("a", "c"), ("b", "d")):
        y, _ = values([layer], feeds, top)
        np.testing.assert_allclose(y, (2 * feeds[bottom] + 0.25) ** -1.5, rtol=TOLERANCE["float64"])


def test_compiled():
    x = np.random.default_rng(4).uniform(0.1, 3, (17, 3))
    for got, wanted in zip(
        found(x, 0.75, 2.0, 1.0, dtype="float32", compiled=True), formula(x, 0.75, 2.0, 1.0), strict=True
    ):
        np.testing.assert_allclose(got, wanted, rtol=2e-6)


@pytest.mark.slow
@pytest.mark.parametrize("power", POWERS)
def test_compiled_over_all_magnitudes(power):
    """From the smallest normal to the largest number: finite and right wherever the formula is in range."""
    for dtype in ("float32", "float64"):
        info = np.finfo(dtype)
        steps = np.linspace(np.log2(info.tiny) + 1, np.log2(info.max) - 1, 200)
        x = (2.0**steps).astype(dtype).astype(np.float64)[:, None]
        x = np.concatenate([x, -x]) if power.is_integer() else x
        x = np.concatenate([x, [[0.0], [1.0]]])
        y, _ = found(x, power, dtype=dtype, compiled=True)
        near(y, formula(x, float(np.dtype(dtype).type(power)))[0], dtype)  # the exponent is rounded to the type
