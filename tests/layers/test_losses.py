"""Losses: values and gradients against their formulas in float64, corners, refusals."""

import numpy as np
import pytest
from layers import loss_formulas as formula
from layers.layer_values import values
from layers.loss_cases import SHAPES, cases

import mochac
from mochac import (
    AccuracyLayer,
    BinaryAccuracyLayer,
    BinaryCrossEntropyLossLayer,
    DataError,
    GaussianKLLossLayer,
    HingeLossLayer,
    InnerProductLayer,
    MemoryDataLayer,
    MultinomialLogisticLossLayer,
    Net,
    ShapeError,
    SoftlabelSoftmaxLossLayer,
    SoftmaxLayer,
    SoftmaxLossLayer,
    SquareLossLayer,
    WassersteinLossLayer,
)

EXACT = {"rtol": 1e-9, "atol": 1e-11}
ROUNDED = {"rtol": 2e-4, "atol": 2e-5}


def check(case, weight, *, arriving=1.0, dtype="float64", compiled=False):
    """The layer's value and both gradients are the formula's, times what arrives at the loss."""
    feeds = {"pred": case.pred, "label": case.label}
    found, grads = values([case.layer], feeds, "loss", arriving, dtype=dtype, compiled=compiled)
    value, dpred, dlabel = case.expected(case.pred, case.label, weight=weight)
    near = EXACT if dtype == "float64" else ROUNDED
    np.testing.assert_allclose(found, value, **near)
    np.testing.assert_allclose(grads["pred"], arriving * dpred, **near)
    np.testing.assert_allclose(grads["label"], 0 if dlabel is None else (arriving * dlabel).reshape(case.label.shape), **near)


@pytest.mark.parametrize("case", cases(np.random.default_rng(1), (3, 4, 2), 0.75), ids=lambda c: c.name)
def test_value_and_gradients_are_the_formulas(case):
    check(case, 0.75, arriving=-1.5)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_compiled_value_and_gradients_are_the_formulas(shape, dtype):
    for case in cases(np.random.default_rng(2), shape, 1.25):
        check(case, 1.25, arriving=2.0, dtype=dtype, compiled=True)
