"""LRPolicy.DecayOnValidation in a training: what it keeps, what it puts back, and that a resume changes nothing."""

import logging

import numpy as np
import pytest
from fake_program import solver

from mochac.base.errors import OptionError, SnapshotError
from mochac.lowering.measures import Statistics
from mochac.nets.solvers.adam import Adam
from mochac.nets.solvers.policies import LRPolicy, MomPolicy
from mochac.nets.solvers.sgd import SGD
from mochac.nets.solvers.solver import BreakEntry
from mochac.training.loop.coffee import CoffeeBreak, Snapshot, ValidationPerformance
from mochac.training.loop.loop import TrainingRun, train
from mochac.training.loop.snapshot import read_snapshot

KEY = "test-accuracy-accuracy"


class Scripted:
    """A test program whose accuracy is given by the iteration it is evaluated at."""

    def __init__(self, values, every=2, name="test-accuracy"):
        self.values, self.every, self.layer, self.at = values, every, name, 0

    def statistic_names(self):
        return [f"{self.layer}-accuracy", "loss"]

    def parameters(self):
        return {}

    def evaluation(self):
        found = Statistics()
        found.add(self.layer, "accuracy", self.values[self.at // self.every], 1)
        found.add("loss", "", 1 - self.values[self.at // self.every], 1)
        self.at += self.every
        return found


class Look(CoffeeBreak):
    """Writes down the weights, the slots and the learning rate seen by the next update."""

    def __init__(self):
        self.weights, self.history, self.iters = {}, {}, []

    def enjoy(self, lounge, program, state):
        self.weights[state.iter], self.history[state.iter] = program.weight.copy(), program.history.copy()
        self.iters.append(state.iter)


def policy(**kw):
    return SGD(LRPolicy.DecayOnValidation(0.04, KEY, **kw), MomPolicy.Fixed(0.9))


def run(program, values, max_iter=None, method=None, **kw):
    """Train with validations every 2 iterations; (before them, after them, learning rate of each update)."""
    seen, before, after = [], Look(), Look()
    plain = program.advance
    program.advance = lambda n, h, first: seen.extend(np.ravel(h["lr"]).tolist()) or plain(n, h, first)
    validation = ValidationPerformance(Scripted(values))
    entries = [BreakEntry(before, 1), BreakEntry(validation, 2), BreakEntry(after, 1)]
    method = method or policy()
    last = 2 * (len(values) - 1) if max_iter is None else max_iter
    train(program, solver(method=method, max_iter=last, breaks=tuple(entries), **kw))
    program.advance = plain
    return before, after, seen


def test_worse_than_the_best_goes_back_to_it(make, caplog):
    caplog.set_level(logging.INFO, "mochac")
    program = make()
    #               iteration: 0    2    4     6    8    10   12
    before, after, rates = run(program, [0.5, 0.6, 0.55, 0.6, 0.7, 0.1, 0.65])
    assert rates == [0.04] * 4 + [0.02] * 6 + [0.01] * 2
    for iteration, best in ((4, 2), (10, 8), (12, 8)):
        assert np.array_equal(after.weights[iteration], before.weights[best])
        assert not np.array_equal(before.weights[iteration], before.weights[best])
        assert not after.history[iteration].any()
        assert before.history[iteration].any()
    for iteration in (2, 6, 8):
        assert np.array_equal(after.weights[iteration], before.weights[iteration])
        assert after.history[iteration].any()
    assert program.rng_step == 12
    assert program.position.cursor()["train-data"]["position"] == 48 % 20
    assert f"{KEY} = 0.55 is worse than the best: parameters of iteration 2, learning rate 0.04 -> 0.02" in caplog.text


def test_a_loss_is_better_when_lower(make):
    method = SGD(LRPolicy.DecayOnValidation(0.04, "loss", gamma=0.1, higher_better=False))
    assert run(make(), [0.5, 0.6, 0.4, 0.6], method=method)[2] == pytest.approx([0.04] * 4 + [0.004] * 2)


def test_nan_is_worse(make):
    assert run(make(), [0.5, float("nan"), 0.6])[2] == [0.04] * 2 + [0.02] * 2


def test_nothing_happens_below_min_lr(make):
    method = policy(min_lr=0.015)
    before, after, rates = run(make(), [0.5, 0.4, 0.3, 0.2, 0.1], method=method)
    assert rates == [0.04] * 2 + [0.02] * 2 + [0.01] * 4
    assert np.array_equal(after.weights[4], before.weights[0])
    assert np.array_equal(after.weights[6], before.weights[6])


def test_the_policy_itself_keeps_nothing(make):
    """One Solver may train twice."""
    method = policy()
    assert run(make(), [0.5, 0.4, 0.6], method=method)[2] == [0.04] * 2 + [0.02] * 2
    assert run(make(), [0.5, 0.4, 0.6], method=method)[2] == [0.04] * 2 + [0.02] * 2
    assert method == policy()
    assert method.lr_policy.value(99) == 0.04


def test_as_a_stage_it_listens_in_its_stage_only(make):
    stages = LRPolicy.Staged((4, LRPolicy.Fixed(0.05)), (1, LRPolicy.DecayOnValidation(0.04, KEY)))
    rates = run(make(), [0.9, 0.1, 0.5, 0.6, 0.4, 0.7], method=SGD(stages))[2]
    assert rates == [0.05] * 4 + [0.04] * 4 + [0.02] * 2


def test_adams_bias_is_that_of_the_new_means():
    method = Adam(LRPolicy.DecayOnValidation(0.04, KEY)).begin()
    assert isinstance(method, Adam)
    (live,) = method.watching(None)
    assert live.judge(0.5)
    assert live.judge(0.4) is False
    assert method.hypers(0)["lr"] == 0.02
    assert method.hypers_since(10, 10)["step_size"] == method.hypers(0)["step_size"]


def test_training_counts_from_the_last_zeroing(make):
    asked = []

    class Curious(SGD):
        def hypers_since(self, t, zeroed):
            asked.append((t, zeroed))
            return self.hypers(t)

    run(make(), [0.5, 0.4, 0.6], method=Curious(policy().lr_policy))
    assert asked[-4:] == [(0, 0), (1, 0), (2, 2), (3, 2)]


VALUES = [0.5, 0.6, 0.55, 0.58, 0.7, 0.69, 0.71, 0.2, 0.3]


@pytest.mark.parametrize("first", ["snapshot", pytest.param("validation", marks=pytest.mark.slow)])
@pytest.mark.parametrize("stop", [6, *(pytest.param(n, marks=pytest.mark.slow) for n in (4, 10))])
def test_a_resume_is_bit_identical(make, tmp_path, stop, first):
    """Whatever the order in which the breaks were added."""

    def go(folder, max_iter, begin=0):
        program = make()
        scripted = Scripted(VALUES)
        scripted.at = begin
        entries = [BreakEntry(Snapshot(folder), 2), BreakEntry(ValidationPerformance(scripted), 2)]
        entries = entries if first == "snapshot" else entries[::-1]
        rates = []
        plain = program.advance
        program.advance = lambda n, h, first: rates.extend(np.ravel(h["lr"]).tolist()) or plain(n, h, first)
        train(program, solver(method=policy(), max_iter=max_iter, breaks=tuple(entries), load_from=str(folder)))
        return program.state(), rates

    whole, rates = go(tmp_path / "a", 16)
    _, early = go(tmp_path / "b", stop)
    resumed, late = go(tmp_path / "b", 16, begin=stop + 2)
    assert resumed == whole
    assert early + late == rates
    saved = read_snapshot(tmp_path / "a" / "snapshot-000004.h5")
    assert saved.memory["training"] == {"zeroed": 4}
    kept = saved.memory["policy-0"]
    assert {n: v for n, v in kept.items() if n != "best/ip___weight"} == {
        "key": KEY,
        "lr": 0.02,
        "best": 0.6,
        "best_iteration": 2,
    }
    assert np.array_equal(kept["best/ip___weight"], saved.parameters["ip___weight"])


@pytest.mark.slow
def test_a_snapshot_of_another_policy_starts_it_anew(make, tmp_path):
    folder = str(tmp_path)
    run_breaks = (BreakEntry(Snapshot(folder), 2),)
    train(make(), solver(method=SGD(), max_iter=2, breaks=run_breaks))
    assert run(make(), [0.5, 0.4], max_iter=4, load_from=folder)[2] == [0.04] * 2
    validation = BreakEntry(ValidationPerformance(Scripted(VALUES)), 2)
    train(make(), solver(method=policy(), max_iter=6, breaks=(validation, *run_breaks)))
    other = SGD(LRPolicy.DecayOnValidation(0.03, "loss", higher_better=False), MomPolicy.Fixed(0.9))
    assert run(make(), [0.5, 0.4], max_iter=8, load_from=folder, method=other)[2] == [0.03] * 2


def test_best_parameters_of_another_net_are_refused(make, tmp_path):
    validation = BreakEntry(ValidationPerformance(Scripted(VALUES)), 2)
    train(make(), solver(method=policy(), max_iter=2, breaks=(validation, BreakEntry(Snapshot(tmp_path), 2))))
    training = TrainingRun(make(), solver(method=policy(), max_iter=2, breaks=(validation,)))
    memory = {**training._memory.read()["policy-0"], "best/ip___weight": np.zeros(4, np.float32)}
    with pytest.raises(SnapshotError, match="the snapshot's best parameters belong to another net"):
        training._breaks.decays[0].recall(memory, training.program)


def error(make, *breaks):
    program = make()
    with pytest.raises(OptionError) as caught:
        train(program, solver(method=policy(), max_iter=4, breaks=breaks))
    assert program.rng_step == 0
    return str(caught.value)


def test_an_unknown_statistic_is_found_when_train_starts(make):
    assert error(make) == (
        "LRPolicy.DecayOnValidation needs a ValidationPerformance break\n"
        "  hint: solver.add_coffee_break(ValidationPerformance(test), every_n_iter=...)"
    )
    other = ValidationPerformance(Scripted(VALUES, name="test-acuracy"))
    assert error(make, BreakEntry(other, every_n_epoch=1)) == (
        f"LRPolicy.DecayOnValidation: no validation has a statistic '{KEY}'\n"
        "  known: test-acuracy-accuracy loss\n"
        "  hint: did you mean 'test-acuracy-accuracy'?"
    )
    two = [BreakEntry(ValidationPerformance(Scripted(VALUES)), 2) for _ in range(2)]
    assert error(make, *two) == (
        f"LRPolicy.DecayOnValidation: several validations have a statistic '{KEY}'\n"
        "  hint: name their layers differently"
    )


def test_one_program_in_two_breaks_is_one_validation(make):
    """The policy listens to both breaks: the learning rate falls after a bad evaluation by either."""
    program, rates = make(), []
    #            iteration: 0    0    2    3    4
    scripted = Scripted([0.5, 0.5, 0.4, 0.3, 0.6], every=1)
    plain = program.advance
    program.advance = lambda n, h, first: rates.extend(np.ravel(h["lr"]).tolist()) or plain(n, h, first)
    breaks = (BreakEntry(ValidationPerformance(scripted), 2), BreakEntry(ValidationPerformance(scripted), 3))
    train(program, solver(method=policy(), max_iter=5, breaks=breaks))
    assert rates == [0.04, 0.04, 0.02, 0.01, 0.01]


@pytest.mark.parametrize(
    ("make_policy", "text"),
    [
        (lambda: LRPolicy.DecayOnValidation(-1, KEY), "LRPolicy.DecayOnValidation: base_lr is out of range"),
        (lambda: LRPolicy.DecayOnValidation(0.1, KEY, gamma=float("nan")), "gamma is out of range"),
        (lambda: LRPolicy.DecayOnValidation(0.1, KEY, min_lr=-1), "min_lr is out of range"),
        (lambda: LRPolicy.DecayOnValidation(0.1, ""), "LRPolicy.DecayOnValidation: key is out of range"),
        (lambda: LRPolicy.DecayOnValidation(0.1, 0.5), "got  0.5"),  # type: ignore[arg-type]
    ],
)
def test_bad_settings(make_policy, text):
    with pytest.raises(OptionError) as caught:
        make_policy()
    assert text in str(caught.value)
