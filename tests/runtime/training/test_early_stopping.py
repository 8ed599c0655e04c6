"""EarlyStopping by number: when it stops, what it restores, what it refuses, and that a resume changes nothing."""

import logging

import numpy as np
import pytest
from fake_program import solver
from test_decay import KEY, Look, Scripted

from mochac.base.errors import OptionError
from mochac.nets.solvers.solver import BreakEntry
from mochac.training.loop.coffee import CoffeeBreak, Snapshot, TrainingSummary, ValidationPerformance
from mochac.training.loop.loop import TrainingRun, train
from mochac.training.loop.tracking import EarlyStopping

SLOW_GAIN = [0.5, 0.6, 0.61, 0.62, 0.61, 0.62, 0.3, 0.9]


def stopped(program, values=SLOW_GAIN, max_iter=14, **kw):
    """(iteration reached, lounge, weights by iteration)."""
    look = Look()
    validation = ValidationPerformance(Scripted(values))
    breaks = (BreakEntry(look, 1), BreakEntry(validation, 2), BreakEntry(EarlyStopping(KEY, **kw), 2))
    lounge = train(program, solver(max_iter=max_iter, breaks=breaks))
    return look.iters[-1], lounge, look.weights


@pytest.mark.parametrize(
    ("settings", "stop", "best"),
    [
        ({"patience": 1}, 8, 6),
        ({"patience": 2}, 10, 6),
        ({"patience": 3}, 12, 6),
        ({"patience": 4}, 14, 14),  # 0.9 comes in time
        ({"patience": 2, "min_delta": 0.015}, 10, 6),  # 0.61 is no improvement on 0.6, 0.62 is
        ({"patience": 2, "min_delta": 0.05}, 6, 2),
        ({"patience": 1, "higher_better": False}, 2, 0),
    ],
)
def test_it_stops_at_the_patience_th_check_without_an_improvement(make, settings, stop, best):
    program = make()
    reached, lounge, weights = stopped(program, **settings)
    assert reached == stop
    assert np.array_equal(program.weight, weights[best])
    assert bool(lounge.stopped) == (best != stop)
    assert not lounge.interrupted


def test_what_it_says(make, caplog):
    caplog.set_level(logging.INFO, "mochac")
    _, lounge, _ = stopped(make(), patience=1)
    assert lounge.stopped == f"{KEY} has not improved since iteration 6: 0.62"
    assert f"stopped after iteration 8: {lounge.stopped}" in caplog.text
    assert f"parameters of iteration 6: best {KEY} = 0.62" in caplog.text


def test_the_last_parameters_stay_without_restore_best(make):
    program = make()
    reached, _, weights = stopped(program, patience=1, restore_best=False)
    assert reached == 8
    assert np.array_equal(program.weight, weights[8])


def test_the_best_parameters_come_back_at_the_limit_too(make):
    program = make()
    reached, lounge, weights = stopped(program, max_iter=8, patience=5)
    assert (reached, lounge.stopped) == (8, "")
    assert np.array_equal(program.weight, weights[6])


def test_it_evaluates_a_test_program_of_its_own(make):
    breaks = (BreakEntry(EarlyStopping("loss", test=Scripted([0.5, 0.6, 0.55, 0.5, 0.9]), patience=2), 2),)
    lounge = train(make(), solver(max_iter=20, breaks=breaks))
    assert list(lounge.statistics[KEY]) == [0, 2, 4, 6]
    assert lounge.stopped == "loss has not improved since iteration 2: 0.4"


def test_it_watches_what_a_summary_records(make):
    stopping = EarlyStopping("obj_val", patience=1, min_delta=100.0)
    lounge = train(make(), solver(max_iter=20, breaks=(BreakEntry(TrainingSummary(), 3), BreakEntry(stopping, 3))))
    assert list(lounge.statistics["obj_val"]) == [3, 6]  # nothing at iteration 0


def test_nan_is_no_improvement(make):
    assert stopped(make(), [float("nan"), 0.5, float("nan"), float("nan"), 0.9], patience=2)[0] == 6


def test_direction_by_name():
    assert EarlyStopping("test-accuracy-accuracy").higher_better
    assert not EarlyStopping("test-loss").higher_better
    assert EarlyStopping("test-loss", higher_better=True).higher_better


@pytest.mark.parametrize("first", ["snapshot", pytest.param("stopping", marks=pytest.mark.slow)])
@pytest.mark.parametrize("cut", [8, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 6, 10))])
def test_a_resume_counts_on(make, tmp_path, cut, first):
    def go(folder, max_iter, begin=0):
        program, scripted = make(), Scripted(SLOW_GAIN)
        scripted.at = begin
        entries = [BreakEntry(Snapshot(folder), 2), BreakEntry(EarlyStopping(KEY, test=scripted, patience=3), 2)]
        entries = entries if first == "snapshot" else entries[::-1]
        lounge = train(program, solver(max_iter=max_iter, breaks=tuple(entries), load_from=str(folder)))
        return program.state(), lounge.stopped

    whole = go(tmp_path / "a", 20)
    assert whole[1] == f"{KEY} has not improved since iteration 6: 0.62"
    assert go(tmp_path / "b", cut)[1] == ""
    assert go(tmp_path / "b", 20, begin=cut + 2) == whole


@pytest.mark.slow
def test_a_users_break_may_have_a_memory(make, tmp_path):
    class Total(CoffeeBreak):
        total, seen = 0.0, np.zeros(2)

        def enjoy(self, lounge, program, state):
            self.total += state.iter
            self.seen = self.seen + np.array([state.iter, 1])

        def memory(self):
            return {"total": self.total, "seen": self.seen, "none": None}

        def recall(self, memory, program):
            self.total, self.seen = memory["total"], memory["seen"]
            assert memory["none"] is None

    def go(max_iter):
        total = Total()
        breaks = (BreakEntry(Snapshot(tmp_path), 3), BreakEntry(total, 1))
        train(make(), solver(max_iter=max_iter, breaks=breaks, load_from=str(tmp_path)))
        return total.total, total.seen.tolist()

    assert go(3) == (6, [6, 4])
    assert go(6) == (21, [21, 7])


def test_any_break_may_end_the_training(make):
    class Enough(CoffeeBreak):
        def enjoy(self, lounge, program, state):
            if state.iter == 4:
                state.stop("enough")

    program = make()
    lounge = train(program, solver(max_iter=20, breaks=(BreakEntry(Enough(), 1),)))
    assert (lounge.stopped, program.rng_step) == ("enough", 4)
    training = TrainingRun(make(), solver(max_iter=20, breaks=(BreakEntry(Enough(), 1),)))
    while not training.state.stop_reason:
        training.step()
    assert training.state.iter == 4
    assert training.finish().stopped == "enough"


def complaint(make, *breaks):
    with pytest.raises(OptionError) as caught:
        train(make(), solver(max_iter=4, breaks=breaks))
    return str(caught.value)


def test_a_statistic_nobody_records(make):
    validation = BreakEntry(ValidationPerformance(Scripted(SLOW_GAIN)), 2)
    assert complaint(make, BreakEntry(EarlyStopping(KEY), 2), validation) == (
        f"EarlyStopping: no statistic '{KEY}'\n"
        f"  recorded before it at iteration 2: nothing\n"
        f"  hint: add the break that records it before this one, with the same interval"
    )
    assert complaint(make, validation, BreakEntry(EarlyStopping("acuracy"), 2)).startswith(
        "EarlyStopping: no statistic 'acuracy'\n  recorded before it at iteration 2"
    )
    assert complaint(make, validation, BreakEntry(EarlyStopping("obj_vall"), 2)).endswith("did you mean 'obj_val'?")
    assert complaint(make, BreakEntry(EarlyStopping("los", test=Scripted(SLOW_GAIN)), 2)) == (
        f"EarlyStopping: no statistic 'los'\n  its test program has: {KEY} loss\n  hint: did you mean 'loss'?"
    )


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"statistic": ""}, "EarlyStopping: statistic is out of range"),
        ({"statistic": 3}, "got  3"),
        ({"patience": 0}, "EarlyStopping: patience is out of range\n  expected  an integer >= 1,  got  0"),
        ({"patience": 1.5}, "patience is out of range"),
        ({"min_delta": -1}, "EarlyStopping: min_delta is out of range\n  expected  a finite number >= 0,  got  -1"),
        ({"min_delta": float("nan")}, "min_delta is out of range"),
        ({"test": 3}, "EarlyStopping: test= needs a program"),
    ],
)
def test_bad_settings(settings, text):
    with pytest.raises(OptionError) as caught:
        EarlyStopping(**{"statistic": KEY, **settings})
    assert text in str(caught.value)
