"""What editors complete and type checkers know: arguments are named, and dir() shows what is public."""

import inspect
from typing import Never, get_type_hints

import pytest

import mochac
from mochac import SGD, InnerProductLayer, InputLayer, Net, Program, Solver

NET = Net("n", [InputLayer(name="data", shape=(2, 3)), InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])])


def test_train_names_the_parameters_of_a_solver():
    solver, train = inspect.signature(Solver).parameters, inspect.signature(Program.train).parameters
    for name in set(solver) - {"method"}:
        assert train[name].default == solver[name].default and train[name].kind == solver[name].kind, name
    assert set(train) - set(solver) == {"self", "resume", "verbose", "comm", "ordered"}


@pytest.mark.parametrize("function", [mochac.compile, Solver.__init__])
def test_type_checkers_refuse_unknown_arguments(function):
    """A name that is not in the signature is refused, or needs a value of type Never; at run time it gets a hint."""
    parameters = inspect.signature(function).parameters.values()
    assert all(p.kind is not p.VAR_POSITIONAL for p in parameters)
    assert {get_type_hints(function)[p.name] for p in parameters if p.kind is p.VAR_KEYWORD} <= {Never}


def test_dir_of_a_program_shows_what_is_public():
    names = dir(mochac.compile(NET, threads=1))
    assert {"train", "predict", "load", "state_dict", "params", "net", "blobs"} <= set(names)
    assert not {"session", "start_training"} & set(names) and not [name for name in names if name.startswith("_")]


def test_defaults_are_not_given_to_a_solver(tmp_path):
    with pytest.raises(mochac.OptionError, match="takes no further parameters\n  got  max_iter"):
        mochac.compile(NET, threads=1).train(Solver(SGD(), max_iter=3), max_iter=3)
