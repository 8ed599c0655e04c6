"""Fixed numbers of layers (class weights, a cost matrix) in every plan, in dumps, replays and profiles."""

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    InnerProductLayer,
    LRPolicy,
    MemoryDataLayer,
    MultinomialLogisticLossLayer,
    Net,
    SoftmaxLayer,
    SoftmaxLossLayer,
    WassersteinLossLayer,
)
from mochac.inspect.replay import replay

pytestmark = pytest.mark.slow


def weighted() -> Net:
    """Three losses with tables on one softmax."""
    rng = np.random.default_rng(2)
    arrays = [rng.normal(size=(11, 4)), np.arange(11) % 3, rng.dirichlet(np.ones(2), 11)]
    return Net(
        "weighted",
        [
            MemoryDataLayer(data=arrays, tops=["data", "label", "share"], batch_size=4),
            InnerProductLayer(name="ip", output_dim=3, bottoms=["data"]),
            SoftmaxLayer(name="p", bottoms=["ip"]),
            SoftmaxLossLayer(name="a", bottoms=["ip", "label"], weights=[1, 2, 3]),
            MultinomialLogisticLossLayer(name="b", bottoms=["p", "label"], weights=rng.uniform(0.5, 1, (4, 3))),
            WassersteinLossLayer(name="c", bottoms=["p", "share"], M=rng.uniform(0, 1, (3, 2)), lambda_=3, weight=0.1),
        ],
    )


@pytest.fixture
def program():
    with mochac.compile(weighted()) as made:
        yield made


def test_a_dump_is_replayed_with_its_tables(program, tmp_path):
    program.train(SGD(lr_policy=LRPolicy.Fixed(0.1)), max_iter=3)
    program.dump(tmp_path)
    with np.load(tmp_path / "inputs.npz") as inputs:
        np.testing.assert_allclose(inputs["%a.weights"], [0.5, 1, 1.5])
    report = replay(tmp_path)
    assert report.agreed, str(report)
    assert "const" in next(tmp_path.glob("*-trace.graph")).read_text()


def test_a_net_without_a_program_is_dumped_too(tmp_path):
    mochac.dump(weighted(), tmp_path)
    report = replay(tmp_path)
    assert report.agreed, str(report)


def test_a_profile_knows_the_tables(program):
    assert "c.sinkhorn" in str(program.profile(2))


def test_explain_counts_them(program):
    assert "tables        84 B in 3 arrays" in program.explain()


def test_tables_are_no_parameters(program, tmp_path):
    assert list(program.params) == ["ip"]
    before = program.evaluate()
    program.save(tmp_path / "model.h5")
    program.load(tmp_path / "model.h5")
    assert program.evaluate() == before
    assert program.predict(np.ones((9, 4)), "p").shape == (9, 3)


def test_gradients_of_all_three_are_right():
    assert mochac.check_gradients(weighted()).ok
