"""ParameterAverage: averages by hand, evaluation with them, snapshots, and what it costs in calls."""

import numpy as np
import pytest
import small_net
from small_net import METHODS, weights
from test_validated import pair

import mochac
from mochac import (
    SGD,
    BatchNormLayer,
    EarlyStopping,
    OptionError,
    ParameterAverage,
    Snapshot,
    Solver,
    ValidationPerformance,
)
from mochac.training.session.training_step import TrainingStep


class Look:
    def __init__(self):
        self.seen = []

    def enjoy(self, lounge, program, state):
        self.seen.append(weights(program))


def solver_of(method, n, *, decay=0.8, every=0, **more):
    solver = Solver(method, max_iter=n, regu_coef=0.01, **more)
    solver.add_coffee_break(ParameterAverage(decay), every_n_iter=every)
    return solver


def averages(program):
    return {f"{key}___{name}": p[...] for key, group in program.averages.items() for name, p in group.items()}


def by_hand(seen, decay, every=1):
    mean = seen[0]
    for iteration, now in enumerate(seen[1:], 1):
        if iteration % every == 0:
            mean = {n: decay * mean[n] + (1 - decay) * now[n] for n in mean}
    return mean


@pytest.mark.sampled(10)
@pytest.mark.parametrize("every", [0, 1, 3])
@pytest.mark.parametrize(("dtype", "rtol"), [("float64", 1e-13), ("float32", 1e-5)])
def test_averages_by_hand(every, dtype, rtol):
    with mochac.compile(small_net.net(), dtype=dtype) as program:
        solver, look = solver_of(METHODS["SGD"], 11, every=every), Look()
        solver.add_coffee_break(look, every_n_iter=1)
        program.train(solver)
        found, want = averages(program), by_hand(look.seen, 0.8, every or 1)
        assert found.keys() == want.keys()
        for name in want:
            np.testing.assert_allclose(found[name], want[name], rtol=rtol, atol=rtol, err_msg=name)
        assert not np.allclose(found["h___weight"], weights(program)["h___weight"], rtol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SGD", "AdamW"])
def test_averaging_changes_no_bit_of_the_training(name):
    found = []
    for average in (False, True):
        with mochac.compile(small_net.net()) as program:
            solver = Solver(METHODS[name], max_iter=7)
            if average:
                solver.add_coffee_break(ParameterAverage())
            program.train(solver)
            found.append(weights(program))
    assert all(found[0][n].tobytes() == found[1][n].tobytes() for n in found[0])


@pytest.mark.slow
def test_it_does_not_interrupt_the_steps(monkeypatch):
    calls = []
    advance, advance_one = TrainingStep.advance, TrainingStep.advance_one
    monkeypatch.setattr(TrainingStep, "advance", lambda self, n, *a: calls.append(n) or advance(self, n, *a))
    monkeypatch.setattr(TrainingStep, "advance_one", lambda self, *a: calls.append(1) or advance_one(self, *a))
    with mochac.compile(small_net.net()) as program:
        program.train(solver_of(SGD(0.01), 500))
    assert sum(calls) == 500
    assert max(calls) > 1


@pytest.mark.slow
def test_the_average_is_part_of_the_update_kernel():
    with mochac.compile(small_net.net()) as program:
        program.train(solver_of(SGD(0.01), 1))
        kernels = {k.name: k for k in program.kernels}
        assert not [name for name in kernels if "average" in name]
        dw = next(k for name, k in kernels.items() if "inner_product_dw+h.weight" in name)
        assert "h.weight.average" in dw.text


@pytest.mark.slow
def test_evaluate_uses_them_here_and_in_test_programs():
    train, test = pair()
    with train, test:
        with pytest.raises(OptionError, match=r"the parameters of net '.*' have no averages\n  hint: solver.add"):
            test.evaluate(average=True)
        with pytest.raises(OptionError, match="has no averages"):
            _ = train.averages
        train.train(solver_of(SGD(0.5), 20, decay=0.9))
        plain, averaged = test.evaluate(), test.evaluate(average=True)
        before = weights(train)
        assert plain == test.evaluate()
        assert averaged == test.evaluate(average=True)
        assert all(np.array_equal(before[n], a) for n, a in weights(train).items())
        for key, group in train.averages.items():
            for name, p in group.items():
                train.params[key][name] = p
        assert test.evaluate() == averaged != plain
        assert train.evaluate(average=True) == train.evaluate()


@pytest.mark.slow
def test_validations_with_them_are_recorded_beside_the_others():
    with mochac.compile(small_net.net()) as program:
        with mochac.compile(small_net.net(), mode="test", params=program.params) as test:
            solver = Solver(METHODS["SGD"], max_iter=6)
            solver.add_coffee_break(ParameterAverage(0.7))
            solver.add_coffee_break(ValidationPerformance(test), every_n_iter=3)
            solver.add_coffee_break(ValidationPerformance(test, average=True), every_n_iter=3)
            solver.add_coffee_break(EarlyStopping("average-loss", restore_best=False), every_n_iter=3)
            recorded = program.train(solver).statistics
            assert recorded["average-loss"][6] == test.evaluate(average=True)["loss"] != recorded["loss"][6]
            assert recorded["average-loss"][0] == recorded["loss"][0]


def test_they_are_a_store_for_other_programs(tmp_path):
    x = small_net.samples()[0]
    with mochac.compile(small_net.net()) as program:
        program.train(solver_of(SGD(0.5), 20))
        with mochac.compile(small_net.net(), params=program.averages) as smooth:
            found = smooth.predict(x)
            smooth.save(tmp_path / "smooth.h5")
        assert not np.allclose(found, program.predict(x), rtol=1e-3)
        program.load(tmp_path / "smooth.h5")
        assert np.array_equal(found, program.predict(x))


@pytest.mark.slow
def test_every_training_starts_from_its_parameters():
    with mochac.compile(small_net.net(), dtype="float64") as program:
        program.train(solver_of(SGD(0.5), 9))
        program.train(SGD(0.5), max_iter=3)
        kept = averages(program)
        look = Look()
        solver = solver_of(SGD(0.5), 4)
        solver.add_coffee_break(look, every_n_iter=1)
        program.train(solver)
        assert not np.array_equal(kept["h___weight"], look.seen[0]["h___weight"])
        np.testing.assert_allclose(averages(program)["h___weight"], by_hand(look.seen, 0.8)["h___weight"], rtol=1e-12)


@pytest.mark.slow
def test_a_resumed_run_has_the_bits_of_the_whole(tmp_path):
    found = []
    for folder, stops in (("whole", (9,)), ("cut", (4, 9))):
        for stop in stops:
            with mochac.compile(small_net.net()) as program:
                solver = solver_of(METHODS["AdamW"], stop, load_from=tmp_path / folder)
                solver.add_coffee_break(Snapshot(tmp_path / folder), every_n_iter=4)
                program.train(solver)
                found.append({**averages(program), **{f"w {n}": a for n, a in weights(program).items()}})
    assert all(found[0][n].tobytes() == found[2][n].tobytes() for n in found[0])
    assert found[0]["h___weight"].tobytes() != found[1]["h___weight"].tobytes()


def test_train_resume_goes_on_with_them():
    found = []
    for calls in ((8,), (3, 5)):
        with mochac.compile(small_net.net()) as program:
            for n in calls:
                program.train(solver_of(SGD(0.3), n), resume=True)
            found.append(averages(program))
    assert all(found[0][n].tobytes() == found[1][n].tobytes() for n in found[0])


@pytest.mark.slow
def test_a_snapshot_without_them_starts_them_from_its_parameters(tmp_path):
    with mochac.compile(small_net.net()) as program:
        solver = Solver(SGD(0.3), max_iter=3)
        solver.add_coffee_break(Snapshot(tmp_path), every_n_iter=3)
        program.train(solver)
        saved = weights(program)
    with mochac.compile(small_net.net()) as program:
        program.train(solver_of(SGD(0.3), 3, load_from=tmp_path))
        assert all(np.array_equal(saved[n], a) for n, a in averages(program).items())
        program.train(solver_of(SGD(0.3), 4, load_from=tmp_path))
        assert not np.array_equal(saved["h___weight"], averages(program)["h___weight"])


@pytest.mark.slow
def test_frozen_parameters_are_averaged_too():
    with mochac.compile(small_net.net(), dtype="float64") as program:
        solver = solver_of(SGD(0.3), 60)
        solver.init_solve(program)
        for _ in range(3):
            solver.step()
        program.freeze("h")
        for _ in range(57):
            solver.step()
        solver.finalize()
        np.testing.assert_allclose(averages(program)["h___weight"], weights(program)["h___weight"], rtol=1e-4)


@pytest.mark.slow
def test_running_statistics_are_shared_not_averaged():
    _, h, *rest = small_net.net().layers
    layers = [
        small_net.net().layers[0],
        h.replace(tops=["g"]),
        BatchNormLayer(name="n", bottoms=["g"], tops=["h"]),
        *rest,
    ]
    with mochac.compile(mochac.Net("norm", layers)) as program:
        program.train(solver_of(SGD(0.1), 10))
        assert "n" in program.averages
        assert program.averages.states is program.states
        assert program.evaluate(average=True) != program.evaluate()


@pytest.mark.slow
def test_together_with_accumulation():
    with mochac.compile(small_net.net(), dtype="float64") as program:
        solver, look = solver_of(SGD(0.1), 6, accumulate=3), Look()
        solver.add_coffee_break(look, every_n_iter=1)
        program.train(solver)
        np.testing.assert_allclose(averages(program)["y___weight"], by_hand(look.seen, 0.8)["y___weight"], rtol=1e-12)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (
            lambda: ParameterAverage(1.0),
            "ParameterAverage: decay is out of range\n  expected  a finite number >= 0 and < 1",
        ),
        (lambda: ParameterAverage(-0.1), "ParameterAverage: decay is out of range"),
        (lambda: ParameterAverage("0.9"), "ParameterAverage: decay is out of range"),
        (lambda: train_with((ParameterAverage(), {}), (ParameterAverage(0.9), {})), "got  2 ParameterAverage breaks"),
        (
            lambda: train_with((ParameterAverage(), {"every_n_epoch": 1})),
            "ParameterAverage is due by iterations\n  got  every_n_epoch=1\n  hint: solver.add_coffee_break(Param",
        ),
    ],
)
def test_bad_breaks(make, text):
    with pytest.raises(OptionError) as caught:
        make()
    assert text in str(caught.value)


def train_with(*breaks):
    solver = Solver(SGD(), max_iter=1)
    for coffee, when in breaks:
        solver.add_coffee_break(coffee, **when)
    with mochac.compile(small_net.net()) as program:
        program.train(solver)
