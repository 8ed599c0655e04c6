"""pick, pick_dx, softlabel_softmax_loss and sinkhorn: definitions by hand, and what they refuse."""

import numpy as np
import pytest

from mochac.ir.op import OPS, OpTypeError, run_reference
from mochac.ir.types import parse_type


def made(op, *arrays, **attrs):
    return run_reference(OPS[op], arrays, attrs)


def test_pick_takes_the_element_that_the_label_names_and_pick_dx_puts_it_back():
    x = np.arange(12.0).reshape(2, 3, 2)
    label = np.array([[[2.0, 0.0]], [[1.0, 1.0]]])
    (y,) = made("pick", x, label, axis=1)
    np.testing.assert_array_equal(y, [[4, 1], [8, 9]])
    (back,) = made("pick_dx", y, label, axis=1, classes=3)
    np.testing.assert_array_equal(back, [[[0, 1], [0, 0], [4, 0]], [[0, 0], [8, 9], [0, 0]]])


def test_pick_does_not_spread_what_it_does_not_take():
    (y,) = made("pick", np.array([[np.nan, 2.0, np.inf]]), np.array([[1.0]]), axis=1)
    np.testing.assert_array_equal(y, [2])


def test_soft_labels_that_are_one_hot_give_the_softmax_loss():
    x, label = np.random.default_rng(1).normal(size=(4, 3)), np.array([[0.0], [2], [1], [0]])
    hard = made("softmax_loss", x, label, axis=1)
    soft = made("softlabel_softmax_loss", x, np.eye(3)[label[:, 0].astype(int)], axis=1)
    for a, b in zip(hard, soft, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)


def test_sinkhorn_meets_both_marginals():
    rng = np.random.default_rng(2)
    a, b, m = rng.dirichlet(np.ones(3), 5), rng.dirichlet(np.ones(4), 5), rng.uniform(0, 1, (3, 4))
    alpha, beta, cost = made("sinkhorn", a, b, m, lam=4.0, iterations=300)
    plan = np.exp(4.0 * (alpha[:, :, None] + beta[:, None, :] - m))
    np.testing.assert_allclose(plan.sum(axis=2), a, rtol=1e-9)
    np.testing.assert_allclose(plan.sum(axis=1), b, rtol=1e-9)
    np.testing.assert_allclose((plan * m).sum(axis=(1, 2)), cost)


SINKHORN = {"lam": 1.0, "iterations": 5}
REFUSED = [
    ("pick", ["f32[b3,4]", "f32[b3,4]"], {"axis": 1}, "labels must be one class index per position"),
    ("pick", ["f32[b3,4]", "f32[b3,1]"], {"axis": 0}, "the class axis must exist and not be the batch"),
    ("pick_dx", ["f32[b3]", "f32[b3,1]"], {"axis": 1, "classes": 0}, "an empty prediction has no classes"),
    ("pick_dx", ["f32[b3,2]", "f32[b3,1]"], {"axis": 1, "classes": 4}, "labels must be one class index per position"),
    (
        "softlabel_softmax_loss",
        ["f32[b3,4]", "f32[b3,1]"],
        {"axis": 1},
        "labels must hold one weight per class, like the prediction",
    ),
    (
        "sinkhorn",
        ["f32[b3,4]", "f32[b2,4]", "f32[4,4]"],
        SINKHORN,
        "prediction and label differ in their number of samples",
    ),
    ("sinkhorn", ["f32[b3,4]", "f32[b3,2]", "f32[2,4]"], SINKHORN, "the cost matrix needs a row per predicted feature"),
    (
        "sinkhorn",
        ["f32[b3,4,1]", "f32[b3,2]", "f32[4,2]"],
        SINKHORN,
        "the prediction must have 2 axes (batch, features)",
    ),
    ("sinkhorn", ["f32[b3,0]", "f32[b3,2]", "f32[0,2]"], SINKHORN, "an empty prediction is not a distribution"),
    (
        "sinkhorn",
        ["f32[b3,2]", "f32[b3,2]", "f64[2,2]"],
        SINKHORN,
        "the cost matrix must have the element type of the prediction",
    ),
    (
        "sinkhorn",
        ["f32[b3,2]", "f32[b3,2]", "f32[2,2]"],
        {"lam": 0.0, "iterations": 1},
        "lam and iterations must be positive",
    ),
]


@pytest.mark.parametrize(("op", "types", "attrs", "rule"), REFUSED)
def test_what_does_not_fit_is_refused(op, types, attrs, rule):
    with pytest.raises(OpTypeError) as error:
        OPS[op].infer(*map(parse_type, types), **attrs)
    assert error.value.rule == rule
