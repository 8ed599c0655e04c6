"""AccuracyLayer(top_k=): against Caffe's loop, with ties, NaN and ignored labels."""

import numpy as np
import pytest

import mochac
from mochac import AccuracyLayer, MemoryDataLayer, Net


def caffe_accuracy(scores, labels, top_k, ignored=None):
    """accuracy_layer.cpp, Forward_cpu; scores (n, classes, ...), labels (n, 1, ...)."""
    right = count = 0
    for at in np.ndindex(labels[:, 0].shape):
        row, label = scores[(at[0], slice(None), *at[1:])], int(labels[(at[0], 0, *at[1:])])
        if label == ignored:
            continue
        better = -1
        for score in row:
            better += score >= row[label]
        right, count = right + (better < top_k), count + 1
    return right / count


def measured(scores, labels, dtype="float64", **fields):
    data = MemoryDataLayer(data=[scores, labels], tops=["scores", "label"], batch_size=4)
    judge = AccuracyLayer(name="a", bottoms=["scores", "label"], **fields)
    with mochac.compile(Net("judged", [data, judge]), dtype=dtype) as program:
        return program.evaluate()["a-accuracy"]


@pytest.mark.slow
@pytest.mark.parametrize("top_k", [2, *(pytest.param(k, marks=pytest.mark.slow) for k in (3, 5))])
def test_random_scores_with_many_ties(top_k):
    rng = np.random.default_rng(top_k)
    scores, labels = rng.integers(0, 6, (13, 7, 2, 3)).astype(float), rng.integers(0, 7, (13, 1, 2, 3))
    wanted = caffe_accuracy(scores, labels, top_k)
    assert 0.1 < wanted < 0.9
    for dtype in ("float32", "float64"):
        assert measured(scores, labels, dtype, top_k=top_k) == pytest.approx(wanted)
    wanted = caffe_accuracy(scores, labels, top_k, ignored=3)
    assert measured(scores, labels, top_k=top_k, ignore_label=3) == pytest.approx(wanted)


def test_equal_predictions_count_as_larger():
    assert measured(np.ones((4, 3)), np.zeros((4, 1)), top_k=2) == 0.0
    assert measured(np.ones((4, 3)), np.zeros((4, 1)), top_k=3) == 1.0
    assert measured(np.ones((4, 3)), np.zeros((4, 1))) == 1.0  # Mocha's rule: the first of equal ones


def test_all_classes_are_always_enough_and_one_is_argmax():
    rng = np.random.default_rng(4)
    scores, labels = rng.normal(size=(9, 5)), rng.integers(0, 5, (9, 1))
    assert measured(scores, labels, top_k=5) == 1.0
    assert measured(scores, labels, top_k=1) == np.mean(scores.argmax(axis=1) == labels[:, 0])


def test_a_label_whose_prediction_is_nan_is_wrong():
    """Where Caffe, to which nothing compares, calls it right."""
    data = MemoryDataLayer(data=[np.zeros((1, 3)), [[1]]], tops=["x", "label"], batch_size=1)
    one = mochac.PowerLayer(name="scores", scale=0.0, shift=-1.0, power=0.5, bottoms=["x"])
    judge = AccuracyLayer(name="a", bottoms=["scores", "label"], top_k=2)
    with mochac.compile(Net("nan", [data, one, judge])) as program:
        assert program.evaluate()["a-accuracy"] == 0.0
        assert np.isnan(program.predict([[0.0, 0.0, 0.0]], blob="scores")).all()
