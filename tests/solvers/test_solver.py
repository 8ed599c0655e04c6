"""Solver's settings and what it says about wrong ones."""

import math
from pathlib import Path

import pytest

from mochac.base.errors import OptionError
from mochac.nets.solvers.policies import LRPolicy
from mochac.nets.solvers.sgd import SGD
from mochac.nets.solvers.solver import Solver, as_solver


class Coffee:
    def enjoy(self, lounge, program, state):
        pass


def test_settings():
    solver = Solver(SGD(), max_iter=10, load_from=Path("snapshots"), clip_norm=1, clip_value=2)
    assert (solver.max_iter, solver.max_epoch, solver.regu_coef) == (10, None, 0.0005)
    assert (solver.load_from, solver.clip_norm, solver.clip_value) == ("snapshots", 1.0, 2.0)
    solver.setup_coffee_lounge(save_into="s.h5", every_n_iter=1000, file_exists="panic")
    assert (solver.save_into, solver.save_every_n_iter, solver.file_exists) == ("s.h5", 1000, "panic")
    solver.add_coffee_break(Coffee(), every_n_iter=5)
    solver.add_coffee_break(Coffee(), every_n_epoch=2)
    assert [(e.every_n_iter, e.every_n_epoch) for e in solver.breaks] == [(5, 0), (0, 2)]
    shown = "max_iter=10, regu_coef=0.0005, load_from='snapshots', clip_norm=1.0, clip_value=2.0"
    assert repr(solver) == f"Solver(SGD, {shown})"


def test_the_short_form():
    solver = Solver(SGD(), max_iter=10)
    assert as_solver(solver) is solver
    assert as_solver(SGD(), max_iter=7).max_iter == 7
    with pytest.raises(OptionError, match=r"train\(solver\) takes no further parameters\n  got  max_iter"):
        as_solver(solver, max_iter=3)


def test_the_program_runs_the_loop():
    class Loop:
        state = "state"

        def step(self, arrays=None):
            return 0.5

        def finalize(self):
            return "lounge"

    class Program:
        def train(self, solver):
            return solver

        def start_training(self, solver, comm, ordered):
            solver.state = Loop.state
            return Loop()

    solver = Solver(SGD(), max_iter=1)
    assert solver.solve(Program()) is solver
    with pytest.raises(OptionError, match="step\\(\\) before init_solve"):
        solver.step()
    with pytest.raises(OptionError, match="state before init_solve"):
        _ = solver.state
    solver.init_solve(Program())
    assert solver.step() == 0.5
    assert solver.finalize() == "lounge"
    assert solver.state == "state"
    with pytest.raises(
        OptionError, match="finalize\\(\\) after finalize\\(\\)\n  hint: init_solve\\(program\\) begins"
    ):
        solver.finalize()


def complaint(**parameters):
    with pytest.raises(OptionError) as caught:
        Solver(parameters.pop("method", SGD()), **parameters)
    return str(caught.value)


def test_misspelt_parameters():
    assert complaint(max_itr=3) == "solver SGD has no parameter 'max_itr'\n  hint: did you mean 'max_iter'?"
    hint = "did you mean 'lr_policy'? It belongs to the method: SGD(lr_policy=...)"
    assert complaint(lr_polcy=LRPolicy.Fixed(1.0)) == f"solver SGD has no parameter 'lr_polcy'\n  hint: {hint}"
    hint = "it is an argument of train: program.train(solver, resume=...)"
    assert complaint(resume=True) == f"solver SGD has no parameter 'resume'\n  hint: {hint}"
    assert "hint: parameters: max_iter, max_epoch, regu_coef, load_from, clip_norm, clip_value" in complaint(zebra=1)
    with pytest.raises(OptionError, match="solver SGD has no parameter 'lr_polcy'\n  hint: did you mean 'lr_policy'"):
        SGD(lr_polcy=LRPolicy.Fixed(1.0))  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"max_iter": -1}, "max_iter is out of range\n  expected  an integer >= 0, or None,  got  -1"),
        ({"max_iter": 1.5}, "max_iter is out of range"),
        ({"max_epoch": 0}, "max_epoch is out of range\n  expected  an integer >= 1, or None,  got  0"),
        ({"regu_coef": -0.1}, "regu_coef is out of range\n  expected  a finite number >= 0,  got  -0.1"),
        ({"regu_coef": math.nan}, "regu_coef is out of range"),
        ({"clip_norm": 0}, "clip_norm is out of range\n  expected  a finite number > 0, or None,  got  0"),
        ({"clip_value": 0}, "clip_value is out of range\n  expected  a finite number > 0, or None,  got  0"),
        ({"clip_value": -0.5}, "clip_value is out of range\n  expected  a finite number > 0, or None,  got  -0.5"),
        ({"clip_value": math.nan}, "clip_value is out of range"),
        ({"load_from": 3}, "load_from is out of range\n  expected  a file name,  got  3"),
        ({"method": SGD}, "Solver: method is a class\n  hint: write SGD() with parentheses"),
        ({"method": "sgd"}, "Solver: not a solver method\n  expected  SGD(...) or another method,  got  'sgd'"),
    ],
)
def test_bad_parameters(parameters, text):
    assert complaint(**parameters).startswith(text)


def test_bad_breaks_and_lounges():
    solver = Solver(SGD(), max_iter=1)
    with pytest.raises(OptionError, match=r"not a coffee break(?s:.*)write Coffee\(...\)"):
        solver.add_coffee_break(Coffee)
    with pytest.raises(OptionError, match="not a coffee break"):
        solver.add_coffee_break(print)
    with pytest.raises(OptionError, match="every_n_iter is out of range"):
        solver.add_coffee_break(Coffee(), every_n_iter=-1)
    with pytest.raises(OptionError, match="Coffee would never run\n  expected  every_n_iter or every_n_epoch, >= 1"):
        solver.add_coffee_break(Coffee())
    with pytest.raises(OptionError, match="file_exists is out of range\n  expected  'merge', 'overwrite' or 'panic'"):
        solver.setup_coffee_lounge("s.h5", file_exists="append")
    with pytest.raises(OptionError, match="every_n_iter is out of range\n  expected  an integer >= 1,  got  0"):
        solver.setup_coffee_lounge("s.h5", every_n_iter=0)


def test_nothing_to_load_is_none_or_an_empty_path():
    assert Solver(SGD(), load_from=None).load_from == Solver(SGD(), load_from="").load_from == ""
