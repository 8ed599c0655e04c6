"""What a break of the user's own hears about wrong names and values."""

import copy
import pickle

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    EarlyStopping,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    Snapshot,
    Solver,
    SquareLossLayer,
    TrainingSummary,
)
from mochac.training.loop.coffee import TrainingState
from mochac.training.loop.lounge import CoffeeLounge


def test_a_break_shows_how_it_was_made():
    shown = [repr(coffee) for coffee in (Snapshot("kept", keep_last=2), TrainingSummary(), EarlyStopping("loss"))]
    assert shown == ["Snapshot('kept', keep_last=2)", "TrainingSummary()", "EarlyStopping('loss')"]
    for copied in (copy.deepcopy(Snapshot("kept")), pickle.loads(pickle.dumps(Snapshot("kept")))):
        assert repr(copied) == "Snapshot('kept')"


def trained(solver):
    """The weight after a training by this solver."""
    x = np.random.default_rng(0).normal(size=(8, 3))
    data = MemoryDataLayer(data=[x, x[:, :1]], batch_size=4)
    ip = InnerProductLayer(name="ip", output_dim=1, bottoms=["data"])
    with mochac.compile(Net("net", [data, ip, SquareLossLayer(bottoms=["ip", "label"])]), seed=2) as program:
        program.train(solver, verbose=0)
        return program.params["ip"]["weight"][...]


def test_a_solver_can_be_copied_after_a_training(tmp_path):
    solver = Solver(SGD(0.1, momentum=0.5), max_iter=3)
    solver.add_coffee_break(Snapshot(tmp_path), every_n_iter=3)
    weight = trained(solver)
    for copied in (copy.deepcopy(solver), pickle.loads(pickle.dumps(solver))):
        with pytest.raises(mochac.OptionError, match="state before init_solve"):
            _ = copied.state
        np.testing.assert_array_equal(trained(copied), weight)
    assert solver.state.iter == 3


def test_a_name_that_the_state_does_not_have():
    state = TrainingState(iter=0)
    with pytest.raises(KeyError, match=r"state has no 'obj_vall'; did you mean 'obj_val'.; known now: .*epoch"):
        state["obj_vall"]


def test_a_value_that_is_no_number():
    with pytest.raises(mochac.OptionError, match=r"lounge.record\('norm'\): the value is not a number") as caught:
        CoffeeLounge().record("norm", 3, "text")
    assert "'text' at iteration 3" in str(caught.value)
