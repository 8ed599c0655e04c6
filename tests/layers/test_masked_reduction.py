"""ReductionLayer(mask=): sums, means and extremes of the elements that count."""

from __future__ import annotations

import numpy as np
import pytest

import mochac
from mochac import DataError, InputLayer, MemoryDataLayer, Net, ReductionLayer

RNG = np.random.default_rng(4)
X = RNG.normal(size=(7, 5, 3))
MASK = (RNG.random((7, 5)) < 0.5).astype(float)
MASK[2], MASK[3] = 0, 1
HIDDEN = np.where(MASK[..., None] > 0, X, np.nan)
"""Padding may hold anything."""
BY_NUMPY = {"sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min}


@pytest.mark.parametrize("axes", [(1,), (1, 2)])
@pytest.mark.parametrize("operation", [*BY_NUMPY, "asum", "sumsq"])
def test_only_what_counts_is_reduced(operation, axes):
    made = ReductionLayer(name="y", bottoms=["x"], mask="m", operation=operation, axes=axes)
    data = [InputLayer(name="in", shape=(4, 5, 3), tops=["x"]), InputLayer(name="counts", shape=(4, 5), tops=["m"])]
    with mochac.compile(Net("masked", [*data, made]), dtype="float64", backend="cpu") as program:
        found = program.predict({"x": HIDDEN, "m": MASK}, blob="y")
    before = {"asum": np.abs, "sumsq": np.square}.get(operation, lambda x: x)
    reduce = BY_NUMPY.get(operation, np.sum)
    for k, row in enumerate(found):
        kept = before(X[k][MASK[k] > 0])
        want = reduce(kept, axis=0 if axes == (1,) else None) if len(kept) else 0.0
        np.testing.assert_allclose(row, want, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("wrong", "got"), [(MASK * 0.5, "0.5"), (MASK * 3, "3"), (-MASK, "-1"), (MASK * np.nan, "nan")]
)
def test_masks_hold_zeros_and_ones(wrong, got):
    data = MemoryDataLayer(data=[X, wrong], tops=["x", "m"], batch_size=7)
    loss = mochac.MeanLossLayer(name="loss", bottoms=["y"])
    with mochac.compile(
        Net("masked", [data, ReductionLayer(name="y", bottoms=["x"], mask="m", axes=1), loss])
    ) as program:
        with pytest.raises(DataError) as caught:
            program.train(mochac.SGD(0.1), max_iter=1, verbose=0)
    assert f"mask is neither 0 nor 1\n  expected  0 or 1 for layer 'y',  got  {got}" in str(caught.value)
