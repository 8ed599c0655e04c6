"""MOCHAC_DEBUG and MOCHAC_CHECK: what they do to a compilation and to a training."""

import re

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    Adam,
    InnerProductLayer,
    LRPolicy,
    MemoryDataLayer,
    Net,
    Neurons,
    NumericError,
    SoftmaxLossLayer,
    SquareLossLayer,
)


def small_net() -> Net:
    rng = np.random.default_rng(11)
    data = [rng.standard_normal((12, 6)).astype(np.float32), rng.integers(0, 3, 12)]
    return Net(
        "small",
        [
            MemoryDataLayer(name="data", data=data, batch_size=4),
            InnerProductLayer(name="ip1", output_dim=5, bottoms=["data"], neuron=Neurons.Exponential()),
            InnerProductLayer(name="ip2", output_dim=3, bottoms=["ip1"]),
            SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"]),
        ],
    )


def square_net(scale: float) -> Net:
    """Blobs of about `scale`, and a loss of their squares."""
    x = np.random.default_rng(0).normal(size=(20, 4)) * scale
    return Net(
        "square",
        [
            MemoryDataLayer(name="data", data=[x, np.ones((20, 1))], batch_size=4),
            InnerProductLayer(name="ip", output_dim=1, bottoms=["data"]),
            SquareLossLayer(name="loss", bottoms=["ip", "label"]),
        ],
    )


LADDER = {
    "1": ["plan forward:"],
    "2": ["mochac:   ip.inner_product: schedule and print ", ", object code ", "simplify"],
    "3": ["# after fuse"],
    "4": ["schedule generic"],
    "5": ["define void"],
}
"""What each level shows first."""


@pytest.mark.parametrize("level", LADDER)
def test_debug_is_a_ladder(level, monkeypatch, capsys):
    monkeypatch.setenv("MOCHAC_DEBUG", level)
    with mochac.compile(square_net(1.0), mode="test") as program:
        program.forward()
    err = capsys.readouterr().err
    for step, shown in LADDER.items():
        assert [text in err for text in shown] == [step <= level] * len(shown)


@pytest.mark.slow
def test_check_names_the_first_bad_blob(monkeypatch):
    monkeypatch.setenv("MOCHAC_CHECK", "nan")
    with mochac.compile(small_net()) as program:
        program.params["ip1"]["weight"] = np.full((5, 6), 80.0)
        with pytest.raises(NumericError, match=r"iteration \d+: blob 'ip1' became inf first at \(\d, \d\)"):
            program.train(SGD(lr_policy=LRPolicy.Fixed(0.1)), max_iter=5)


def test_check_names_the_blob_of_a_loss_that_overflows(monkeypatch):
    """All blobs are finite; their squares are not."""
    monkeypatch.setenv("MOCHAC_CHECK", "nan")
    with mochac.compile(square_net(1e22)) as program, pytest.raises(NumericError) as caught:
        program.train(SGD(lr_policy=LRPolicy.Fixed(0.1)), max_iter=5)
    assert re.fullmatch(
        r"iteration 1: the loss of layer 'loss' became inf\n  everything computed before it was finite\n"
        r"  it read blob 'ip', which reaches -?\d\.\d+e\+22 at \(\d, 0\)\n"
        r"  hint: it is the first step: look at the data of this batch and the initial parameters",
        str(caught.value),
    )


UPDATES = [
    (SGD(lr_policy=LRPolicy.Fixed(1e30)), "parameter 'ip.weight'"),
    (Adam(), "solver slot 'ip.weight.square_mean'"),
]


@pytest.mark.parametrize(("method", "what"), UPDATES)
def test_check_names_what_an_update_spoilt(monkeypatch, method, what):
    """In the step that did it, not in the next one."""
    monkeypatch.setenv("MOCHAC_CHECK", "nan")
    with mochac.compile(square_net(1e14)) as program:
        program.forward()
        with pytest.raises(NumericError) as caught:
            program.train(method, max_iter=5)
    assert re.fullmatch(
        rf"iteration 1: {what} became -?inf in its update, first at \(0, 0\)\n"
        r"  losses and gradients were finite; the gradient of 'ip.weight' reaches -?\d\.\d+e\+2\d\n"
        r"  hint: lower the learning rate",
        str(caught.value),
    )


def test_check_changes_no_result(monkeypatch):
    weights = []
    for check in ("", "nan"):
        monkeypatch.setenv("MOCHAC_CHECK", check)
        with mochac.compile(small_net()) as program:
            program.train(SGD(lr_policy=LRPolicy.Fixed(0.01)), max_iter=7)
            weights.append(program.params["ip1"]["weight"][...])
    np.testing.assert_array_equal(*weights)
