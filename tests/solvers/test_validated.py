"""DecayOnValidation and EarlyStopping on compiled programs: bits after a resume, and the names of statistics."""

import numpy as np
import pytest
import small_net
from small_net import BATCH, weights

import mochac
from mochac import (
    AccuracyLayer,
    EarlyStopping,
    LRPolicy,
    MemoryDataLayer,
    MomPolicy,
    Net,
    Snapshot,
    SoftmaxLossLayer,
    Solver,
    ValidationPerformance,
)

POLICY = LRPolicy.DecayOnValidation(0.5, "test-loss", gamma=0.5, higher_better=False)
METHODS = [
    mochac.SGD(POLICY, MomPolicy.Fixed(0.9)),
    mochac.Nesterov(POLICY, MomPolicy.Fixed(0.9)),
    mochac.Adam(POLICY),
    mochac.RMSProp(POLICY),
]


def pair():
    """The net of small_net.py and a test net on other samples of which 57 do not divide into batches."""
    program = mochac.compile(small_net.net())
    x, label = (np.concatenate([a, a])[:57] for a in small_net.samples(seed=12))
    common = [program.net.layer(name) for name in ("h", "y")]
    data = MemoryDataLayer(name="test-in", data=[x, label], batch_size=BATCH)
    judges = [
        AccuracyLayer(name="test", bottoms=["y", "label"]),
        SoftmaxLossLayer(name="test-loss", bottoms=["y", "label"]),
    ]
    return program, mochac.compile(Net("test", [data, *common, *judges]), params=program.params)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("stop", [15, 20])
def test_a_resume_is_bit_identical(method, stop, tmp_path):
    def go(folder, max_iter):
        program, test = pair()
        with program, test:
            solver = Solver(method, max_iter=max_iter, load_from=folder)
            solver.add_coffee_break(Snapshot(folder), every_n_iter=5)
            solver.add_coffee_break(ValidationPerformance(test), every_n_iter=5)
            solver.add_coffee_break(EarlyStopping("test-accuracy", patience=4), every_n_iter=5)
            rates = program.train(solver).statistics["test-loss"]
            return {**weights(program), **{n: a.copy() for n, a in program.session.slots().items()}}, rates

    whole, losses = go(tmp_path / "a", 60)
    go(tmp_path / "b", stop)
    resumed, late = go(tmp_path / "b", 60)
    assert whole.keys() == resumed.keys()
    assert all(whole[n].tobytes() == resumed[n].tobytes() for n in whole)
    assert all(losses[i] == v for i, v in late.items())
    assert any(b > a for a, b in zip(losses.values(), list(losses.values())[1:], strict=False)), "nothing decayed"


@pytest.mark.slow
def test_the_names_are_those_of_evaluate():
    program, test = pair()
    with program, test:
        assert test.statistic_names() == list(test.evaluate()) == ["test-accuracy", "test-loss"]
        assert program.statistic_names() == list(program.evaluate()) == ["loss"]
