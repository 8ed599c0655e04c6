"""solver.hypers: reading, setting and releasing learning rate and momentum during a training."""

import numpy as np
import pytest
import small_net
from small_net import METHODS, weights

import mochac
from mochac import SGD, Adam, LRPolicy, MomPolicy, OptionError, Snapshot, Solver

FALLING = LRPolicy.Exp(0.1, 0.5)


def run(method, n, changes=(), breaks=(), **how):
    """Own loop of n steps; changes: {step: what to do with solver.hypers before it}."""
    changes, rates = dict(changes), []
    with mochac.compile(small_net.net(), dtype="float64") as program:
        solver = Solver(method, max_iter=n, **how)
        for coffee, every in breaks:
            solver.add_coffee_break(coffee, every_n_iter=every)
        solver.init_solve(program)
        while solver.state.iter < n:
            changes.get(solver.state.iter, lambda hypers: None)(solver.hypers)
            rates.append(solver.hypers["lr"])
            solver.step()
            assert solver.state.hypers["learning_rate"] == rates[-1]
        solver.finalize()
        return rates, weights(program)


def set_lr(value):
    return lambda hypers: hypers.__setitem__("lr", value)


@pytest.mark.slow
def test_reading_gives_what_the_next_update_uses():
    assert run(SGD(FALLING), 4)[0] == [0.1, 0.05, 0.025, 0.0125]


def test_setting_holds_until_it_is_released():
    def release(hypers):
        del hypers["lr"]

    rates, found = run(SGD(FALLING, momentum=0.9), 6, {1: set_lr(0.3), 3: set_lr(0.2), 4: release})
    assert rates == [0.1, 0.3, 0.3, 0.2, 0.1 * 0.5**4, 0.1 * 0.5**5]
    staged = LRPolicy.Staged((1, FALLING), (2, 0.3), (1, 0.2), (1, FALLING))
    want = run(SGD(staged, momentum=0.9), 6)[1]
    assert all(np.array_equal(found[n], want[n]) for n in want)


@pytest.mark.slow
def test_adams_step_size_follows():
    found = run(Adam(0.01), 5, {2: set_lr(0.5)})[1]
    want = run(Adam(LRPolicy.Staged((2, 0.01), (1, 0.5))), 5)[1]
    assert all(np.array_equal(found[n], want[n]) for n in want)


def test_momentum():
    found = run(SGD(0.1, momentum=0.9), 5, {2: lambda hypers: hypers.update(momentum=0.1)})[1]
    want = run(SGD(0.1, momentum=MomPolicy.Staged((2, 0.9), (1, 0.1))), 5)[1]
    assert all(np.array_equal(found[n], want[n]) for n in want)


@pytest.mark.slow
def test_names_and_print():
    with mochac.compile(small_net.net()) as program:
        for method, names in ((SGD(), ["lr", "momentum"]), (Adam(), ["lr"]), (mochac.Adadelta(), [])):
            solver = Solver(method, max_iter=1)
            solver.init_solve(program)
            assert list(solver.hypers) == names
            assert len(solver.hypers) == len(names)
            solver.finalize()
        assert repr(solver.hypers) == "<no hypers>"
        solver = Solver(SGD(0.1), max_iter=1)
        program.train(solver)
        assert repr(solver.hypers) == "<lr 0.1, momentum 0>"


def test_in_a_coffee_break_of_train():
    class Halve:
        def enjoy(self, lounge, program, state):
            if state.iter == 3:
                solver.hypers["lr"] = solver.hypers["lr"] / 2

    with mochac.compile(small_net.net(), dtype="float64") as program:
        solver = Solver(SGD(0.1), max_iter=9)
        solver.add_coffee_break(Halve(), every_n_iter=3)
        program.train(solver)
        found = weights(program)
    want = run(SGD(LRPolicy.Staged((3, 0.1), (1, 0.05))), 9)[1]
    assert all(np.array_equal(found[n], want[n]) for n in want)


def test_the_solver_itself_keeps_nothing():
    solver = Solver(SGD(FALLING), max_iter=3)
    with mochac.compile(small_net.net()) as program:
        for _ in range(2):
            solver.init_solve(program)
            assert solver.hypers["lr"] == 0.1
            solver.hypers["lr"] = 7.0
            solver.finalize()
    assert solver.method == SGD(FALLING)


def resumed(tmp_path, method):
    """The rate at iteration 4 of a training that set 0.3 before a snapshot there."""
    run(SGD(FALLING), 4, {1: set_lr(0.3)}, [(Snapshot(tmp_path), 2)])
    return run(method, 6, load_from=tmp_path)[0][0]


@pytest.mark.slow
def test_snapshots_keep_what_was_set_for_the_same_policy(tmp_path):
    assert resumed(tmp_path, SGD(FALLING)) == 0.3
    assert resumed(tmp_path, SGD(0.2)) == 0.2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SGD", "Adam"])
def test_a_resumed_run_has_the_bits_of_the_whole(name, tmp_path):
    changes, snapshot = {2: set_lr(0.3)}, [(Snapshot(tmp_path), 5)]
    whole = run(METHODS[name], 9, changes)[1]
    run(METHODS[name], 5, changes, snapshot)
    rest = run(METHODS[name], 9, load_from=tmp_path)[1]
    assert all(whole[n].tobytes() == rest[n].tobytes() for n in whole)


def test_train_resume_goes_on_with_it():
    with mochac.compile(small_net.net()) as program:
        solver = Solver(SGD(FALLING), max_iter=2)
        solver.init_solve(program)
        solver.hypers["lr"] = 0.3
        solver.step()
        solver.finalize()
        program.train(Solver(SGD(FALLING), max_iter=1), resume=True)
        again = Solver(SGD(FALLING), max_iter=1)
        program.train(again, resume=True)
        assert again.hypers["lr"] == 0.3
        other = Solver(SGD(0.7), max_iter=1)
        program.train(other, resume=True)
        assert other.hypers["lr"] == 0.7


def test_a_policy_that_watches_validations_rests_while_a_rate_is_set():
    hypers = mochac.training.loop.hypers.Hypers(SGD(LRPolicy.DecayOnValidation(0.5, "acc-accuracy")).begin())
    assert hypers.method.watching(0)
    hypers["lr"] = 0.1
    assert not hypers.method.watching(0)
    del hypers["lr"]
    assert hypers.method.watching(0)
    assert hypers["lr"] == 0.5


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda h: h["rate"], "SGD has no hyper-parameter 'rate'\n  known: lr momentum"),
        (lambda h: h["momentun"], "hint: did you mean 'momentum'?"),
        (
            lambda h: h.update(lr=-1),
            "SGD: lr_policy is out of range\n  expected  a number >= 0, or a policy such as",
        ),
        (lambda h: h.update(lr="0.1"), "hypers['lr'] is not a number\n  got  '0.1'"),
        (lambda h: h.update(lr=LRPolicy.Fixed(0.1)), "hint: a policy belongs to the method: SGD(lr_policy=...)"),
        (lambda h: h.update(momentum=1.5), "mom_policy is out of range"),
        (lambda h: h.pop("bata"), "SGD has no hyper-parameter 'bata'"),
    ],
)
def test_bad_names_and_values(change, text):
    with mochac.compile(small_net.net()) as program:
        solver = Solver(SGD(0.1), max_iter=1)
        with pytest.raises(OptionError, match="hypers before init_solve"):
            _ = solver.hypers
        solver.init_solve(program)
        with pytest.raises(OptionError) as caught:
            change(solver.hypers)
        solver.step()
        solver.finalize()
        assert solver.hypers["lr"] == 0.1
        with pytest.raises(OptionError, match="the training has ended"):
            solver.hypers["lr"] = 1
    assert text in str(caught.value), str(caught.value)


@pytest.mark.slow
def test_constants_of_the_step_cannot_be_set():
    with mochac.compile(small_net.net()) as program:
        solver = Solver(Adam(), max_iter=1)
        solver.init_solve(program)
        with pytest.raises(OptionError) as caught:
            solver.hypers["beta1"] = 0.5
        solver.finalize()
    assert str(caught.value) == (
        "Adam has no hyper-parameter 'beta1'\n  known: lr\n"
        "  hint: beta1 is a constant of the compiled step: train(Adam(beta1=...), resume=True)"
    )
