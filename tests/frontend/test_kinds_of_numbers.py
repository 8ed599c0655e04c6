"""Warnings of losses whose bottom certainly is of another kind than they are for."""

import numpy as np
import pytest

import mochac
from mochac import (
    ActivationLayer,
    BinaryCrossEntropyLossLayer,
    DataError,
    DropoutLayer,
    FocalLossLayer,
    InnerProductLayer,
    MemoryDataLayer,
    MultinomialLogisticLossLayer,
    Net,
    Neurons,
    SoftlabelSoftmaxLossLayer,
    SoftmaxLayer,
    SoftmaxLossLayer,
)
from mochac.base.support import log


@pytest.fixture(autouse=True)
def nothing_told(monkeypatch):
    monkeypatch.setattr(log, "_logged_lines", set())


def told(caplog, layers, **loss):
    kind = loss.pop("kind")
    data = MemoryDataLayer(data=[np.zeros((4, 3)), np.zeros(4)], batch_size=4)
    if kind is SoftlabelSoftmaxLossLayer:
        data = MemoryDataLayer(data=[np.zeros((4, 3)), np.full((4, 2), 0.5)], batch_size=4)
    elif kind is BinaryCrossEntropyLossLayer:
        data = MemoryDataLayer(data=[np.zeros((4, 3)), np.zeros((4, 2))], batch_size=4)
    Net("n", [data, *layers, kind(name="l", bottoms=[layers[-1].tops[0], "label"], **loss)])
    return [r.getMessage() for r in caplog.records if r.levelname == "WARNING"]


IDENTITY = Neurons.Identity()


def scores(neuron=IDENTITY):
    return InnerProductLayer(name="o", output_dim=2, bottoms=["data"], neuron=neuron)


IN_PLACE = ActivationLayer(name="a", neuron=Neurons.Sigmoid(), bottoms=["o"], tops=["o"])
SOFTMAX = SoftmaxLayer(name="s", bottoms=["o"])


@pytest.mark.parametrize("kind", [SoftmaxLossLayer, FocalLossLayer, SoftlabelSoftmaxLossLayer])
def test_softmax_before_a_softmax_loss(caplog, kind):
    (line,) = told(caplog, [scores(), SOFTMAX], kind=kind)
    assert line.startswith(f"net 'n': layer 'l' ({kind.__name__.removesuffix('Layer')}), ")
    rest = "it computes the softmax itself: leave out the SoftmaxLayer; bottom 's' is the softmax of layer 's'"
    assert line.endswith(f": {rest}")


def test_scores_in_place_of_probabilities(caplog):
    (line,) = told(caplog, [scores()], kind=MultinomialLogisticLossLayer)
    rule = "it takes probabilities: use SoftmaxLossLayer, or put a SoftmaxLayer before it"
    assert line.endswith(f": {rule}; bottom 'o' is any numbers, of layer 'o'")


def test_logits_without_logits(caplog):
    (line,) = told(caplog, [scores()], kind=BinaryCrossEntropyLossLayer)
    assert line.endswith(
        ": it takes probabilities: logits=True takes any numbers; bottom 'o' is any numbers, of layer 'o'"
    )


@pytest.mark.parametrize("own_layer", [False, True])
def test_sigmoid_before_logits(caplog, own_layer):
    neuron = ActivationLayer(name="a", neuron=Neurons.Sigmoid(), bottoms=["o"], tops=["a"])
    layers = [scores(), neuron] if own_layer else [scores(Neurons.Sigmoid())]
    (line,) = told(caplog, layers, kind=BinaryCrossEntropyLossLayer, logits=True)
    rule = "with logits=True it computes the sigmoid itself: leave out Neurons.Sigmoid()"
    assert f": {rule}; bottom {'a' if own_layer else 'o'!r} is the sigmoid of layer" in line


@pytest.mark.parametrize(
    ("layers", "loss"),
    [
        ([scores()], {"kind": SoftmaxLossLayer}),
        ([scores(Neurons.Sigmoid())], {"kind": SoftmaxLossLayer}),
        ([scores(), SOFTMAX], {"kind": MultinomialLogisticLossLayer}),
        ([scores(Neurons.ReLU())], {"kind": MultinomialLogisticLossLayer}),
        ([scores(Neurons.Sigmoid())], {"kind": BinaryCrossEntropyLossLayer}),
        ([scores(), SOFTMAX], {"kind": BinaryCrossEntropyLossLayer}),
        ([scores()], {"kind": BinaryCrossEntropyLossLayer, "logits": True}),
        ([scores(), IN_PLACE], {"kind": BinaryCrossEntropyLossLayer}),
        ([scores(), DropoutLayer(name="d", bottoms=["o"], tops=["o"])], {"kind": BinaryCrossEntropyLossLayer}),
    ],
)
def test_nothing_is_said_otherwise(caplog, layers, loss):
    """Nor where the kind is not known: behind ReLU, or behind a layer that replaces its bottom."""
    assert told(caplog, layers, **loss) == []


@pytest.mark.parametrize("kind", [BinaryCrossEntropyLossLayer, MultinomialLogisticLossLayer])
def test_predictions_that_are_read_are_checked(kind):
    data = MemoryDataLayer(data=[[[0.5], [3.0]], [[0.0], [0.0]]], batch_size=2)
    with mochac.compile(Net("read", [data, kind(name="l", bottoms=["data", "label"])])) as program:
        rule = "prediction out of range\n  expected  0 <= prediction <= 1,  got  3\n  blob 'data', sample 1\n  hint: "
        with pytest.raises(DataError, match=rule + "losses of any numbers are SoftmaxLossLayer and"):
            program.evaluate()
