"""evaluate() and ValidationPerformance on arrays: as a net whose data layers hold them, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    AccuracyLayer,
    DataError,
    DataTransformers,
    InnerProductLayer,
    InputLayer,
    MemoryDataLayer,
    MemoryOutputLayer,
    Net,
    OptionError,
    ParameterAverage,
    ShapeError,
    SoftmaxLossLayer,
    Solver,
    ValidationPerformance,
)

rng = np.random.default_rng(20261128)
X, Y = rng.standard_normal((40, 6)), np.arange(40) % 3
XT, YT = rng.standard_normal((37, 6)), np.arange(37) % 3
SCALED = [("x", DataTransformers.Scale(0.5))]
LAYERS = [
    InnerProductLayer(name="ip", output_dim=3, bottoms=["x"]),
    SoftmaxLossLayer(name="loss", bottoms=["ip", "y"]),
    AccuracyLayer(name="acc", bottoms=["ip", "y"]),
]


def reading(x, y, **fields):
    data = MemoryDataLayer(name="data", data=[x, y], tops=["x", "y"], batch_size=16, transformers=SCALED, **fields)
    return Net("n", [data, *LAYERS])


@pytest.fixture
def programs():
    """One whose data layer holds X, and one with its parameters whose data layer holds XT."""
    with mochac.compile(reading(X, Y, shuffle=True)) as program:
        with mochac.compile(reading(XT, YT), params=program.params) as other:
            yield program, other


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int8])
def test_arrays_are_evaluated_as_the_data_of_a_layer(programs, dtype):
    program, _ = programs
    x = (10 * XT).astype(dtype)
    with mochac.compile(reading(x, YT), params=program.params) as other:
        assert program.evaluate(x=x, y=YT) == other.evaluate()
    assert program.evaluate(x=X.tolist(), y=Y[:, None]) == program.evaluate()


def test_the_training_does_not_notice(programs):
    program, other = programs
    program.train(SGD(0.1), max_iter=4, verbose=0)
    with mochac.compile(reading(X, Y, shuffle=True)) as alone:
        alone.train(SGD(0.1), max_iter=2, verbose=0)
        found = alone.evaluate(x=XT, y=YT)
        alone.train(SGD(0.1), max_iter=2, resume=True, verbose=0)
        np.testing.assert_array_equal(alone.params["ip"]["weight"][...], program.params["ip"]["weight"][...])
        assert found != other.evaluate() == alone.evaluate(x=XT, y=YT)


@pytest.mark.slow
def test_averages_and_collectors():
    seen = MemoryOutputLayer(name="seen", bottoms=["ip"])
    with mochac.compile(Net("n", [*reading(X, Y).layers, seen])) as program:
        solver = Solver(SGD(0.5), max_iter=5)
        solver.add_coffee_break(ParameterAverage(0.9))
        program.train(solver, verbose=0)
        program.reset_outputs()
        found = program.evaluate(average=True, x=XT, y=YT)
        assert [len(a) for a in program.outputs["seen"][0]] == [16, 16, 5]
        with mochac.compile(reading(XT, YT), params=program.averages) as smooth:
            assert smooth.evaluate() == found


def test_a_net_without_data(programs):
    program, other = programs
    inputs = [InputLayer(name="x", shape=(16, 6)), InputLayer(name="y", shape=(16,))]
    with mochac.compile(Net("inputs", [*inputs, *LAYERS]), params=program.params) as given:
        assert given.evaluate(x=XT / 2, y=YT) == other.evaluate()
        with pytest.raises(DataError, match=r"layers of one evaluation differ[\s\S]*'x': 37, 'y': 20"):
            given.evaluate(x=XT, y=YT[:20])


def test_validation_of_the_program_in_training(programs):
    program, other = programs
    solver = Solver(SGD(0.1), max_iter=6)
    solver.add_coffee_break(ValidationPerformance(program, data={"x": XT, "y": YT}), every_n_iter=3)
    solver.add_coffee_break(ValidationPerformance(other, prefix="net-"), every_n_iter=3)
    found = program.train(solver, verbose=0).statistics
    assert set(found["acc-accuracy"]) == {0, 3, 6}
    for name in ("loss", "acc-accuracy"):
        assert found[name] == found[f"net-{name}"]
    with pytest.raises(OptionError, match="data is not a dict"):
        ValidationPerformance(program, data=(XT, YT))


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"x": XT}, OptionError, "evaluate() needs 'y' too\n  expected  x y,  got  x"),
        ({"x": XT, "y": YT, "z": YT}, OptionError, "evaluate(): no data layer makes 'z'"),
        (
            {"x": XT[:, :3], "y": YT},
            ShapeError,
            "does not fit its data layer\n  expected  (any number, 6),  got  (37, 3)",
        ),
        ({"x": XT, "y": YT[:3]}, DataError, "arrays differ in their number of samples\n  got  'x': 37, 'y': 3"),
        ({"x": XT[:0], "y": YT[:0]}, DataError, "there are no samples"),
        ({"x": XT, "y": YT + 1}, DataError, "label out of range\n  expected  0 <= label < 3,  got  3"),
        ({"x": np.full((37, 6), np.nan), "y": YT}, DataError, "data holds NaN"),
        ({"x": "text", "y": YT}, OptionError, "array 0 holds text"),
    ],
)
def test_what_does_not_fit_is_refused(programs, given, error, said):
    with pytest.raises(error) as caught:
        programs[0].evaluate(**given)
    assert said in str(caught.value)


def test_arrays_need_names(programs):
    with pytest.raises(OptionError, match=r"takes arrays by the tops[\s\S]*hint: evaluate\(x=..., y=...\)"):
        programs[0].evaluate(XT, YT)
    with pytest.raises(OptionError, match=r"evaluate\(\): average is out of range"):
        programs[0].evaluate(3)
