"""What check_gradients says; that it finds wrong gradients is tested with the layers."""

import math

from mochac.testing.gradients import GradientCheck


def test_nan_is_called_nan():
    found = GradientCheck({"ip.weight": math.nan, "ip.bias": 1e-9, "w": 0.5}, tolerance=1e-5)
    assert not found.ok
    assert str(found).splitlines()[1:] == [
        "  ip.weight  nan  WRONG: the loss or the gradient is NaN or infinite",
        "  ip.bias    1.00e-09  ok",
        "  w          5.00e-01  WRONG",
    ]
