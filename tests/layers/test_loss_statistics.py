"""Losses and statistics over whole datasets: exact whatever the batch, compiled, under Mocha's names."""

import numpy as np
import pytest
from layers import loss_formulas as formula
from layers.loss_cases import cases

import mochac
from mochac import (
    AccuracyLayer,
    BinaryAccuracyLayer,
    ConcatLayer,
    GaussianKLLossLayer,
    HingeLossLayer,
    InfoNCELossLayer,
    MemoryDataLayer,
    Net,
    SquareLossLayer,
    WassersteinLossLayer,
)

SAMPLES, BATCH = 23, 5
IP = {"bottoms": ["pred", "label"]}


def evaluated(layers, pred, label, dtype="float64", batch=BATCH, more=None):
    blobs = {"pred": pred, "label": label} | (more or {})
    data = MemoryDataLayer(data=list(blobs.values()), batch_size=batch, tops=list(blobs))
    with mochac.compile(Net("statistics", [data, *layers]), dtype=dtype) as program:
        return program.evaluate()


def numbers(seed=6, shape=(SAMPLES, 4)):
    return np.random.default_rng(seed).normal(size=shape)


def test_losses_with_statistics_report_the_loss_itself():
    pred, label = numbers(), np.abs(numbers(7)) + 0.1
    layers = [SquareLossLayer(**IP, weight=0.5), GaussianKLLossLayer(**IP, name="kl", weight=2.0)]
    found = evaluated(layers, pred, label)
    square, kl = formula.square(pred, label, 0.5)[0], formula.gaussian_kl(pred, label, 2.0)[0]
    wanted = {"square-loss": square, "square-loss-square-loss": square, "kl": kl, "kl-encoder-loss": kl}
    assert found == pytest.approx(wanted, rel=1e-12)


@pytest.mark.slow
def test_hinge_reports_its_loss_and_wasserstein_its_transport():
    pred, label = numbers(), np.sign(numbers(8))
    hinge = formula.hinge(pred, label, 3.0)[0]
    found = evaluated([HingeLossLayer(**IP, name="h", weight=3.0)], pred, label)
    assert found == pytest.approx({"h": hinge, "h-hinge-loss": hinge}, rel=1e-12)
    rng = np.random.default_rng(9)
    a, b, cost = rng.dirichlet(np.ones(3), SAMPLES), rng.dirichlet(np.ones(4), SAMPLES), rng.uniform(0, 1, (3, 4))
    value, _, _, moved = formula.wasserstein(a, b, cost, 5.0, 100, 0.5)
    found = evaluated([WassersteinLossLayer(**IP, name="w", M=cost, lambda_=5, sinkhorn_iter=100, weight=0.5)], a, b)
    assert found == pytest.approx({"w": value, "w-transport-cost": moved}, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "dtype"), [((SAMPLES, 3), "float64"), ((SAMPLES, 2, 3, 2), "float32")], ids=str)
def test_evaluation_is_exact_over_all_samples(shape, dtype):
    for case in cases(np.random.default_rng(10), shape, 0.75):
        if getattr(case.layer, "weights", None) and case.layer.weights.shape == shape:
            continue  # such weights belong to places in the batch
        if isinstance(case.layer, InfoNCELossLayer):
            continue  # it compares the samples of a batch
        found = evaluated([case.layer.replace(name="loss", tops=())], case.pred, case.label, dtype, more=case.more)
        wanted = case.expected(case.pred, case.label, weight=0.75)[0]
        assert found["loss"] == pytest.approx(wanted, rel=1e-9 if dtype == "float64" else 2e-4), case.name


@pytest.mark.parametrize("threshold", [0.0, 0.5])
def test_binary_accuracy_counts_every_element(threshold):
    pred, label = numbers(11, (SAMPLES, 2, 3)), numbers(12, (SAMPLES, 6)).round(1)
    found = evaluated([BinaryAccuracyLayer(**IP, threshold=threshold, report_error=True)], pred, label)
    right = np.mean((pred > threshold) == (label.reshape(pred.shape) > threshold))
    assert found == pytest.approx({"binary-accuracy-accuracy": right, "binary-accuracy-error": 1 - right})


def test_a_prediction_on_the_threshold_is_below_it():
    found = evaluated([BinaryAccuracyLayer(**IP)], np.zeros((3, 1)), np.array([[1.0], [0.0], [-1.0]]))
    assert found == pytest.approx({"binary-accuracy-accuracy": 2 / 3})


def test_accuracy_and_error_add_up_to_one():
    pred, label = numbers(13, (SAMPLES, 2, 3)), np.random.default_rng(14).integers(0, 3, (SAMPLES, 2, 1))
    found = evaluated([AccuracyLayer(**IP, name="a", axis=-1, report_error=True)], pred, label)
    right = np.mean(pred.argmax(axis=2) == label[..., 0])
    assert found == pytest.approx({"a-accuracy": right, "a-error": 1 - right})


@pytest.mark.slow
def test_running_statistics_are_weighted_by_samples_and_reset():
    pred, label = numbers(15, (10, 3)), numbers(16, (10, 3))
    data = MemoryDataLayer(data=[pred, label], batch_size=4, tops=["pred", "label"])
    with mochac.compile(Net("n", [data, SquareLossLayer(**IP, name="s")]), dtype="float64") as program:
        for _ in range(2):
            program.forward()
        wanted = formula.square(pred[:8], label[:8])[0]
        assert program.statistics() == pytest.approx({"s": wanted, "s-square-loss": wanted})
        program.reset_statistics()
        program.forward()
        again = [8, 9, 0, 1]
        assert program.statistics()["s"] == pytest.approx(formula.square(pred[again], label[again])[0])


@pytest.mark.slow
def test_a_batch_of_two_inputs_is_counted_once_per_sample():
    """Rows put together along the batch are no samples of the plan; their mean is."""
    pred, label = numbers(17, (8, 21)), numbers(18, (8, 21))
    both = [ConcatLayer(name=n, axis=0, bottoms=[n[0] * 1, n[0] * 1], tops=[n]) for n in ("pp", "ll")]
    data = MemoryDataLayer(data=[pred, label], batch_size=4, tops=["p", "l"])
    net = Net("n", [data, *both, SquareLossLayer(name="s", bottoms=["pp", "ll"])])
    with mochac.compile(net, dtype="float64") as program:
        assert program.forward() == pytest.approx(formula.square(pred[:4], label[:4])[0])
