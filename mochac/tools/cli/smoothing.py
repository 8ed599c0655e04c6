"""A low-pass filter for learning curves."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np


def low_pass(series: Mapping[int, float], window: int) -> dict[int, float]:
    """Replace each value by the mean of itself and the (up to) window - 1 values before it, in order of iteration.

    Later values have no influence, as in Mocha's examples/mnist/mnist_learning_curve.jl. Values that are not finite are
    left out.

    Args:
        series: values by iteration.
        window: number of values in a mean, >= 1.

    >>> low_pass({0: 4.0, 10: 2.0, 20: 0.0, 30: 1.0}, 2)
    {0: 4.0, 10: 3.0, 20: 1.0, 30: 0.5}
    """
    kept = [(i, v) for i, v in sorted(series.items()) if np.isfinite(v)]
    values = np.array([v for _, v in kept])
    means = [float(values[max(0, k + 1 - window) : k + 1].mean()) for k in range(len(values))]
    return {i: v for (i, _), v in zip(kept, means, strict=True)}
