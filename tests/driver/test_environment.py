"""MOCHAC_VERIFY, MOCHAC_DEBUG and MOCHAC_CHECK: what they do to a compilation and to a training."""

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    InnerProductLayer,
    LRPolicy,
    MemoryDataLayer,
    Net,
    Neurons,
    NumericError,
    SoftmaxLossLayer,
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


def test_every_stage_verifies(monkeypatch):
    monkeypatch.setenv("MOCHAC_VERIFY", "1")
    with mochac.compile(small_net()) as program:
        program.train(SGD(), max_iter=2)
        program.forward()
        program.backward()
        program.evaluate()
        program.predict(np.zeros((3, 6)))


@pytest.mark.parametrize(
    ("level", "shown", "hidden"),
    [
        ("1", "plan step:", "simplify"),
        ("2", "mochac:   ip1.inner_product: schedule and print ", "# after fuse"),
        ("2", ", object code ", "# after fuse"),
        ("2", "simplify", "# after fuse"),
        ("3", "# after fuse", "schedule generic"),
        ("4", "schedule generic", "define void"),
        ("5", "define void", "\0"),
    ],
)
def test_debug_is_a_ladder(level, shown, hidden, monkeypatch, capsys):
    monkeypatch.setenv("MOCHAC_DEBUG", level)
    with mochac.compile(small_net()) as program:
        program.train(SGD(), max_iter=1)
    err = capsys.readouterr().err
    assert shown in err
    assert hidden not in err


def test_check_names_the_first_bad_blob(monkeypatch):
    monkeypatch.setenv("MOCHAC_CHECK", "nan")
    with mochac.compile(small_net()) as program:
        program.params["ip1"]["weight"] = np.full((5, 6), 80.0)
        with pytest.raises(NumericError, match=r"iteration \d+: blob 'ip1' became inf first at \(\d, \d\)"):
            program.train(SGD(lr_policy=LRPolicy.Fixed(0.1)), max_iter=5)


def test_check_changes_no_result(monkeypatch):
    weights = []
    for check in ("", "nan"):
        monkeypatch.setenv("MOCHAC_CHECK", check)
        with mochac.compile(small_net()) as program:
            program.train(SGD(lr_policy=LRPolicy.Fixed(0.01)), max_iter=7)
            weights.append(program.params["ip1"]["weight"][...])
    np.testing.assert_array_equal(*weights)
