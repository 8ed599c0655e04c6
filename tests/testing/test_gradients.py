"""What check_gradients says; that it finds wrong gradients of layers is tested with the layers."""

import math

import numpy as np
import pytest

import mochac
from mochac import BatchNormLayer, InnerProductLayer, MemoryDataLayer, Net, SoftmaxLossLayer
from mochac.tools.testing import gradients
from mochac.tools.testing.gradients import GradientCheck


def test_nan_is_called_nan():
    found = GradientCheck({"ip.weight": math.nan, "ip.bias": 1e-9, "w": 0.5}, tolerance=1e-5)
    assert not found.ok
    assert str(found).splitlines()[1:] == [
        "  ip.weight  nan  WRONG: the loss or the gradient is NaN or infinite",
        "  ip.bias    1.00e-09  ok",
        "  w          5.00e-01  WRONG",
    ]


@pytest.fixture
def normed():
    """The gradient of h.bias is 0 but for rounding."""
    rng = np.random.default_rng(0)
    layers = [
        MemoryDataLayer(data=[rng.normal(size=(6, 3)), rng.integers(0, 2, 6)], batch_size=6),
        InnerProductLayer(name="h", output_dim=4, bottoms=["data"]),
        BatchNormLayer(name="bn", bottoms=["h"]),
        InnerProductLayer(name="o", output_dim=2, bottoms=["bn"]),
        SoftmaxLossLayer(name="loss", bottoms=["o", "label"]),
    ]
    return Net("normed", layers)


@pytest.mark.slow
def test_gradients_whose_terms_cancel_are_right(normed):
    found = mochac.check_gradients(normed)
    assert found.ok and 0 < found.native["h.bias"] < gradients.NATIVE_TOLERANCE, str(found)


@pytest.mark.slow
@pytest.mark.parametrize(("parameter", "error"), [("h.bias", 1e-4), ("h.weight", 1e-2), ("o.bias", 1e-2)])
def test_wrong_gradients_beside_them_are_found(normed, monkeypatch, parameter, error):
    def wrong(*args, **how):
        results = run_graph(*args, **how)
        name = f"update {parameter}.{gradients.GRADIENT_SUM}"
        results[name] = results[name] + np.float32(error)
        return results

    run_graph = gradients.run_graph
    monkeypatch.setattr(gradients, "run_graph", wrong)
    found = mochac.check_gradients(normed)
    assert [name for name, size in found.native.items() if size > gradients.NATIVE_TOLERANCE] == [parameter]
