"""The training loop over a NumPy program: when breaks run, how many steps a call takes, resume, stop and failure."""

import gc
import logging
import os
import re
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
from fake_program import Momentum, Other, solver
from patience import HANG_S, until

from mochac.base.errors import DataError, NumericError, OptionError, SnapshotError
from mochac.nets.solvers.solver import BreakEntry
from mochac.runtime.data.model_file import save_model
from mochac.training.loop import loop as training
from mochac.training.loop import lounge, snapshot
from mochac.training.loop import progress as waits
from mochac.training.loop.coffee import CoffeeBreak, Snapshot, TrainingSummary, ValidationPerformance
from mochac.training.loop.loop import TrainingRun, train
from mochac.training.loop.lounge import load_statistics
from mochac.training.loop.snapshot import newest_snapshot


class Diary(CoffeeBreak):
    """Writes down when it was called."""

    def __init__(self):
        self.iters, self.epochs, self.calls = [], [], []

    def init(self, program):
        self.calls.append("init")

    def enjoy(self, lounge, program, state):
        self.iters.append(state.iter)
        self.epochs.append(state.epoch)

    def destroy(self, program):
        self.calls.append("destroy")


def test_breaks_run_at_iteration_0_and_when_due(make):
    by_iter, by_epoch, never = Diary(), Diary(), Diary()
    breaks = (BreakEntry(by_iter, every_n_iter=3), BreakEntry(by_epoch, every_n_epoch=2), BreakEntry(never))
    train(make(), solver(max_iter=20, breaks=breaks))  # 5 iterations an epoch
    assert by_iter.iters == [0, 3, 6, 9, 12, 15, 18]
    assert by_epoch.iters == [0, 10, 20]
    assert never.iters == []
    assert by_iter.calls == never.calls == ["init", "destroy"]


def test_an_epoch_that_is_jumped_over_still_counts(make):
    diary = Diary()
    train(make(n=3, batch_size=10), solver(max_iter=3, breaks=(BreakEntry(diary, every_n_epoch=2),)))
    assert diary.epochs == [0, 3, 6, 10]


def test_breaks_see_the_state_of_their_iteration(make):
    seen = []

    class Look(CoffeeBreak):
        def enjoy(self, lounge, program, state):
            seen.append((state.iter, state.obj_val, dict(state.losses), state["learning_rate"], state["momentum"]))

    train(make(), solver(max_iter=2, breaks=(BreakEntry(Look(), 1),)))
    assert seen[0] == (0, None, {}, 0.05, 0.9)
    assert seen[1][3] == 0.05
    assert seen[2][3] == 0.025
    assert seen[1][1] == seen[1][2]["loss"] > 0


def test_a_users_break_needs_only_enjoy(make):
    class Bare:
        n = 0

        def enjoy(self, lounge, program, state):
            self.n += 1

    train(make(), solver(max_iter=2, breaks=(BreakEntry(bare := Bare(), 1),)))
    assert bare.n == 3


def test_calls_grow_up_to_what_is_filled_and_due(make, monkeypatch):
    microseconds = count()
    monkeypatch.setattr(training, "time", SimpleNamespace(perf_counter=lambda: 1e-6 * next(microseconds)))
    program = make()
    (ring,) = program.feed._rings
    ring.start()
    until(lambda: ring.n_filled() >= 2)
    train(program, solver(max_iter=100))
    assert program.calls[0] == 1
    assert max(program.calls) > 1
    assert sum(program.calls) == 100
    program = make()
    train(program, solver(max_iter=40, breaks=(BreakEntry(Diary(), 7),)))
    ends = np.cumsum(program.calls).tolist()
    assert {7, 14, 21, 28, 35, 40} <= set(ends)


def test_limits(make):
    program = make()
    assert train(program, solver(max_iter=0)).statistics == {}
    assert program.calls == []
    train(program, solver(max_epoch=2))
    assert program.position.epoch == 2
    train(program, solver(max_epoch=1))  # counted from where this training began
    assert program.position.epoch == 3
    train(program, solver(max_epoch=9, max_iter=2))
    assert program.rng_step == 17
    with pytest.raises(OptionError, match="training has no stopping condition\n  expected  max_iter or max_epoch"):
        train(program, solver())


def test_summary_logs_and_records(make, caplog):
    caplog.set_level(logging.INFO, "mochac")
    summary = TrainingSummary("iter", "obj_val", "learning_rate", "loss")
    lounge = train(make(), solver(max_iter=4, breaks=(BreakEntry(summary, 2),)))
    table = lounge.statistics
    assert sorted(table) == ["learning_rate", "loss", "obj_val"]
    assert sorted(table["obj_val"]) == [2, 4]
    assert sorted(table["learning_rate"]) == [0, 2, 4]
    lines = [r.getMessage() for r in caplog.records if "TRAIN" in r.getMessage()]
    assert lines[0] == " TRAIN iter=000000 learning_rate=0.05000000"
    value = f"{table['obj_val'][2]:.8f}"
    assert lines[1] == f" TRAIN iter=000002 obj_val={value} learning_rate=0.02500000 loss={value}"


def test_default_summary_at_iteration_0(make, caplog):
    caplog.set_level(logging.INFO, "mochac")
    train(make(), solver(max_iter=0, breaks=(BreakEntry(TrainingSummary(), 1),)))
    assert [r.getMessage() for r in caplog.records] == [" TRAIN iter=000000"]


def test_a_misspelt_statistic_is_an_error(make):
    with pytest.raises(OptionError, match=r"no number 'obj-val'(?s:.*)did you mean 'obj_val'"):
        train(make(), solver(max_iter=2, breaks=(BreakEntry(TrainingSummary("obj-val"), 1),)))
    with pytest.raises(OptionError, match=r"no number 'los'(?s:.*)did you mean 'loss'"):  # before the first step
        train(make(), solver(max_iter=0, breaks=(BreakEntry(TrainingSummary("los"), 1),)))


def test_two_breaks_that_record_one_name_are_told(make, caplog):
    """A loss layer in both nets: the summary's value of a batch and the validation's mean would make one curve."""

    class Again:
        def enjoy(self, lounge, program, state):
            lounge.record("loss", state.iter, 7.0)

    breaks = (BreakEntry(TrainingSummary("loss"), 2), BreakEntry(TrainingSummary("loss"), 2), BreakEntry(Again(), 2))
    train(make(), solver(max_iter=6, breaks=breaks))
    (told,) = [r.getMessage() for r in caplog.records if "two coffee breaks" in r.getMessage()]
    assert told.endswith("the second is kept; rename a layer, or give a ValidationPerformance a prefix")
    assert "record 'loss', as " in told and "and 7 at iteration 2: the second is kept" in told


@pytest.mark.parametrize(
    "limits", [{"max_epoch": 3}, {"max_epoch": 2, "max_iter": 100}, {"max_epoch": 9, "max_iter": 7}]
)
def test_the_bar_knows_the_last_iteration(make, monkeypatch, limits):
    goals, shown, program = [], training.Progress, make(n=10)
    monkeypatch.setattr(training, "Progress", lambda goal, **how: goals.append(goal) or shown(goal, **how))
    seen = []

    class Count(CoffeeBreak):
        def after_steps(self, first, losses):
            seen.extend(range(first + 1, first + 1 + len(losses)))

    train(program, solver(breaks=(BreakEntry(Count(), 1),), **limits))
    assert goals[0].last == seen[-1] == len(seen)


def test_validation_logs_records_and_changes_nothing(make, caplog):
    caplog.set_level(logging.INFO, "mochac")
    heard = []
    program = make()
    test = make(n=10, weight=program.weight)
    validation = ValidationPerformance(test)
    validation.register(lambda lounge, program, state: heard.append((state.iter, program)))
    lounge = train(program, solver(max_iter=4, breaks=(BreakEntry(validation, 2),)))
    assert sorted(lounge.statistics["test-accuracy-accuracy"]) == [0, 2, 4]
    assert heard == [(0, program), (2, program), (4, program)]
    first = caplog.records[0].getMessage()
    assert re.fullmatch(r" VALID iter=000000 test-accuracy-accuracy=\d\.\d{4}", first), "one line"
    bare = make()
    train(bare, solver(max_iter=4))
    assert bare.state() == program.state()
    train(make(), solver(max_iter=0, breaks=(BreakEntry(validation, 1),)))
    assert "shares no parameters" in caplog.text


def test_two_validations_are_told_apart_by_a_prefix(make, caplog):
    program = make()
    breaks = [BreakEntry(ValidationPerformance(make(n=10, weight=program.weight), prefix=p), 2) for p in ("", "train-")]
    lounge = train(program, solver(max_iter=4, breaks=tuple(breaks)))
    assert breaks[1].coffee.statistic_names() == ["train-test-accuracy-accuracy"]
    for name in ("test-accuracy-accuracy", "train-test-accuracy-accuracy"):
        assert sorted(lounge.statistics[name]) == [0, 2, 4]
    assert "two coffee breaks" not in caplog.text
    with pytest.raises(OptionError, match=r"prefix is out of range\n  expected  a string,  got  3"):
        ValidationPerformance(program, prefix=3)


def test_statistics_are_saved_when_due_and_at_the_end(make, tmp_path):
    path = tmp_path / "new" / "statistics.h5"
    seen = []

    class Look(CoffeeBreak):
        def enjoy(self, lounge, program, state):
            seen.append((state.iter, sorted(load_statistics(path)["obj_val"]) if path.exists() else None))

    breaks = (BreakEntry(TrainingSummary(), 2), BreakEntry(Look(), 1))
    train(make(), solver(max_iter=7, breaks=breaks, save_into=str(path), save_every_n_iter=4))
    assert seen[4:6] == [(4, None), (5, [2, 4])]
    assert sorted(load_statistics(path)["obj_val"]) == [2, 4, 6]


def test_meeting_a_statistics_file(make, tmp_path):
    path = str(tmp_path / "statistics.h5")
    plan = {"save_into": path, "breaks": (BreakEntry(TrainingSummary(), 1),)}
    train(make(), solver(max_iter=3, **plan))
    first = load_statistics(path)["obj_val"]
    merged = train(make(), solver(max_iter=1, **plan)).statistics["obj_val"]
    assert sorted(merged) == [1, 2, 3]
    assert merged[3] == first[3]
    with pytest.raises(OptionError, match=r"statistics.h5 exists\n  hint: file_exists="):
        train(make(), solver(max_iter=1, file_exists="panic", **plan))
    train(make(), solver(max_iter=1, file_exists="overwrite", **plan))
    assert sorted(load_statistics(path)["obj_val"]) == [1]
    with open(path, "r+b") as f:
        f.truncate(100)
    with pytest.raises(SnapshotError, match=r"statistics.h5 is damaged(?s:.*)overwrite"):
        train(make(), solver(max_iter=1, **plan))


@pytest.mark.parametrize("stop", [3, 7, 10])
def test_a_resumed_run_is_bit_identical(make, tmp_path, stop):
    whole = make()
    train(whole, solver(max_iter=15))
    plan = {"breaks": (BreakEntry(Snapshot(tmp_path), stop),), "load_from": str(tmp_path)}
    train(make(), solver(max_iter=stop, **plan))
    resumed = make(weight=np.zeros(3, np.float32))
    train(resumed, solver(max_iter=15, **plan))
    assert resumed.state() == whole.state()
    assert sum(resumed.calls) == 15 - stop


def test_epochs_go_on_after_a_resume(make, tmp_path):
    plan = {"breaks": (BreakEntry(Snapshot(tmp_path), 7),), "load_from": str(tmp_path)}
    begun = make()
    train(begun, solver(max_iter=10))  # two epochs before this training
    train(begun, solver(max_iter=7, **plan))
    resumed = make()
    train(resumed, solver(max_epoch=3, **plan))
    assert resumed.position.epoch == 5


def test_training_again_starts_at_iteration_0_with_zero_slots(make):
    program = make()
    train(program, solver(max_iter=3))
    diary = Diary()
    train(program, solver(max_iter=3, breaks=(BreakEntry(diary, 3),)))
    assert diary.iters == [0, 3]
    assert program.rng_step == 6
    assert program.position.cursor()["train-data"]["position"] == 24 % 20


def test_a_model_file_gives_parameters_only(make, tmp_path):
    save_model(tmp_path / "model.h5", {"ip___weight": np.array([1, -2, 3], np.float32)})
    program = make()
    train(program, solver(max_iter=0, load_from=str(tmp_path / "model.h5")))
    assert program.weight.tolist() == [1, -2, 3]


def test_loading_from_nowhere(make, tmp_path):
    train(make(), solver(max_iter=1, load_from=str(tmp_path / "later")))
    train(make(), solver(max_iter=1, load_from=str(tmp_path)))
    with pytest.raises(SnapshotError, match="no snapshot or model"):
        train(make(), solver(max_iter=1, load_from=str(tmp_path / "gone.h5")))


def test_another_solver_or_net_is_refused_and_nothing_changes(make, tmp_path):
    train(make(), solver(max_iter=1, breaks=(BreakEntry(Snapshot(tmp_path), 1),)))
    program = make()
    before = program.state()
    load = {"load_from": str(tmp_path), "max_iter": 2}
    with pytest.raises(SnapshotError, match="written by another solver\n  expected  Other,  got  Momentum"):
        train(program, solver(method=Other(), **load))
    program.slots = lambda: {"ip.weight.other": program.history}
    with pytest.raises(
        SnapshotError,
        match=r"its solver slots differ\n  not in the snapshot: ip.weight.other\n  not in the net: ip.weight.history",
    ):
        train(program, solver(**load))
    del program.slots
    weight, program.weight = program.weight, np.zeros(4, np.float32)
    with pytest.raises(SnapshotError, match=r"ip___weight differs\n  expected  float32\[4\],  got  float32\[3\]"):
        train(program, solver(**load))
    program.weight = weight
    assert program.state() == before


def test_an_unwritable_folder_is_found_before_training(make, tmp_path):
    (tmp_path / "file").write_text("")
    program = make()
    with pytest.raises(SnapshotError, match=r"cannot write into folder .*file"):
        train(program, solver(max_iter=5, breaks=(BreakEntry(Snapshot(tmp_path / "file" / "x"), 1),)))
    assert program.calls == []


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_loss_that_is_not_finite_names_its_iteration(make, tmp_path, bad):
    program = make()

    def spoil(step):
        if step == 7:
            program.weight[0] = bad

    program.on_step = spoil
    diary = Diary()
    breaks = (BreakEntry(diary, 1), BreakEntry(Snapshot(tmp_path), 5))
    with np.errstate(all="ignore"), pytest.raises(NumericError, match=r"iteration 8: the loss became (nan|inf)"):
        train(program, solver(max_iter=20, breaks=breaks))
    assert sorted(os.listdir(tmp_path)) == ["snapshot-000000.h5", "snapshot-000005.h5"]
    assert diary.calls == ["init", "destroy"]


def test_a_readers_error_ends_training_and_keeps_the_statistics(make, tmp_path):
    x = np.zeros((20, 3), np.float32)
    x[13] = np.nan
    path = tmp_path / "statistics.h5"
    program = make(x=x, shuffle=False)
    with pytest.raises(DataError, match="data holds NaN\n  blob 'data', sample 13"):
        train(program, solver(max_iter=20, save_into=str(path), breaks=(BreakEntry(TrainingSummary(), 1),)))
    assert sorted(load_statistics(path)["obj_val"]) == [1, 2, 3]
    assert program.rng_step == 3


def test_ctrl_c_finishes_the_call_and_leaves_a_snapshot(make, tmp_path, listening):
    program = make()
    program.on_step = lambda step: signal.raise_signal(signal.SIGINT) if step == 6 else None
    before = signal.getsignal(signal.SIGINT)
    diary = Diary()
    plan = {"breaks": (BreakEntry(Snapshot(tmp_path), 5), BreakEntry(diary, 5)), "load_from": str(tmp_path)}
    train(program, solver(max_iter=20, **plan))
    done = sum(program.calls)
    assert 6 <= done < 20
    assert os.path.exists(tmp_path / f"snapshot-{done:06d}.h5")
    assert signal.getsignal(signal.SIGINT) is before
    assert diary.calls == ["init", "destroy"]
    whole, resumed = make(), make()
    train(whole, solver(max_iter=20))
    train(resumed, solver(max_iter=20, **plan))
    assert resumed.state() == whole.state()


def test_a_second_ctrl_c_acts_as_usual(make, listening):
    program = make()
    program.on_step = lambda step: [signal.raise_signal(signal.SIGINT) for _ in range(2)]
    with pytest.raises(KeyboardInterrupt):
        train(program, solver(max_iter=20))
    assert program.rng_step == 1


def test_a_second_ctrl_c_ends_a_break_that_hangs(make, tmp_path, listening):
    class Hang(CoffeeBreak):
        def enjoy(self, lounge, program, state):
            if state.iter:
                signal.raise_signal(signal.SIGINT)
                signal.raise_signal(signal.SIGINT)
                raise AssertionError("went on")

    with pytest.raises(KeyboardInterrupt):
        train(make(), solver(max_iter=20, breaks=(BreakEntry(Snapshot(tmp_path), 5), BreakEntry(Hang(), 1))))


@pytest.mark.parametrize("when", ["step", "regular", "last"])
def test_a_second_ctrl_c_waits_for_the_snapshot(make, tmp_path, listening, monkeypatch, when):
    """Sent while a step runs, while a snapshot that was due is written, or while the last one is."""
    program, plain = make(), training.Snapshot.enjoy

    def interrupt():
        for _ in range(2):
            signal.raise_signal(signal.SIGINT)

    def enjoy(self, lounge, program, state):
        if state.iter == 5:
            interrupt() if when == "regular" else signal.raise_signal(signal.SIGINT)
        elif state.iter > 5:
            signal.raise_signal(signal.SIGINT)
        plain(self, lounge, program, state)

    if when == "step":
        program.on_step = lambda step: interrupt() if step == 3 else None
    else:
        monkeypatch.setattr(training.Snapshot, "enjoy", enjoy)
    every = 10 if when == "last" else 5
    if when == "last":
        program.on_step = lambda step: signal.raise_signal(signal.SIGINT) if step == 7 else None
    with pytest.raises(KeyboardInterrupt):
        train(program, solver(max_iter=20, breaks=(BreakEntry(Snapshot(tmp_path), every),)))
    last = newest_snapshot(tmp_path)
    assert last is not None
    assert last.iteration == program.rng_step < 20
    assert {"step": 3, "regular": 5, "last": 7}[when] <= last.iteration


@pytest.fixture
def noted():
    """A program's own handlers of SIGTERM and SIGHUP, which only write down what came."""
    numbers, seen = [signal.SIGTERM, signal.SIGHUP], []
    before = [signal.signal(number, lambda number, frame: seen.append(number)) for number in numbers]
    yield seen
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_sigterm_and_sighup_leave_a_snapshot_and_act_then(make, tmp_path, noted, number):
    program, diary = make(), Diary()
    program.on_step = lambda step: signal.raise_signal(number) if step == 6 else None
    statistics = tmp_path / "statistics.h5"
    breaks = (BreakEntry(Snapshot(tmp_path), 15), BreakEntry(diary, 20), BreakEntry(TrainingSummary(), 1))
    lounge = train(program, solver(max_iter=20, breaks=breaks, save_into=str(statistics), save_every_n_iter=100))
    assert noted == [number]  # after the clean-up, once
    assert lounge.interrupted
    assert diary.calls == ["init", "destroy"]
    assert 6 <= program.rng_step < 20
    assert sorted(load_statistics(statistics)["obj_val"]) == list(range(1, program.rng_step + 1))
    assert newest_snapshot(tmp_path).iteration == program.rng_step  # type: ignore[union-attr]


def test_a_signal_after_the_last_iteration_leaves_a_snapshot_too(make, tmp_path, noted, monkeypatch):
    """The process ends, and with it what only memory holds."""
    plain = TrainingRun.run
    monkeypatch.setattr(
        TrainingRun, "run", lambda self, shown: (plain(self, shown), signal.raise_signal(signal.SIGTERM))
    )
    train(make(), solver(max_iter=8, breaks=(BreakEntry(Snapshot(tmp_path), 5),)))
    assert noted == [signal.SIGTERM]
    assert newest_snapshot(tmp_path).iteration == 8  # type: ignore[union-attr]


def test_a_training_within_a_training_ends_both(make, noted):
    """A break may train another net; the signal reaches the outer one, then the program's own handler, once."""
    inner, outer = make(), make()
    inner.on_step = lambda step: signal.raise_signal(signal.SIGTERM) if step == 3 else None

    class Inner(CoffeeBreak):
        def enjoy(self, lounge, program, state):
            if state.iter == 5:
                assert train(inner, solver(max_iter=1000)).interrupted

    assert train(outer, solver(max_iter=1000, breaks=(BreakEntry(Inner(), 5),))).interrupted
    assert (inner.rng_step < 1000, outer.rng_step, noted) == (True, 5, [signal.SIGTERM])


def test_a_failure_on_the_way_out_is_logged_before_the_signal_acts(make, tmp_path, noted, monkeypatch, caplog):
    """The process may end by it, and nobody would learn why there is no snapshot."""
    program = make()
    program.on_step = lambda step: signal.raise_signal(signal.SIGTERM) if step == 6 else None
    full = SnapshotError("cannot write s.h5", got="No space left on device")
    monkeypatch.setattr(training.Snapshot, "catch_up", lambda *a: (_ for _ in ()).throw(full))
    with pytest.raises(SnapshotError):
        train(program, solver(max_iter=20, breaks=(BreakEntry(Snapshot(tmp_path), 15),)))
    assert noted == [signal.SIGTERM]
    assert "cannot write s.h5; got No space left on device" in caplog.text


SAVE = snapshot.save_snapshot


class Full:
    """A disk that takes no snapshots of some iterations."""

    def __init__(self, monkeypatch, *iterations):
        self.iterations = iterations
        monkeypatch.setattr(snapshot, "save_snapshot", self)

    def __call__(self, path, state):
        if state.iteration in self.iterations:
            raise SnapshotError(f"cannot write {path.name}", got="No space left on device")
        SAVE(path, state)


def test_a_snapshot_that_fails_is_tried_again(make, tmp_path, monkeypatch, caplog):
    Full(monkeypatch, 5, 10)
    train(make(), solver(max_iter=20, breaks=(BreakEntry(Snapshot(tmp_path), 5),)))
    assert sorted(os.listdir(tmp_path)) == [f"snapshot-{k:06d}.h5" for k in (0, 15, 20)]
    told = [r.getMessage() for r in caplog.records if r.levelname == "WARNING"]
    words = "; got No space left on device; training continues, and the next snapshot is tried when it is due"
    assert told == [f"cannot write snapshot-0000{k}.h5{words}" for k in ("05", "10")]


@pytest.mark.parametrize("own_loop", [False, True])
def test_a_snapshot_that_is_owed_at_the_end_is_taken_there(make, tmp_path, monkeypatch, own_loop):
    def run(stop):
        plan = solver(max_iter=stop, breaks=(BreakEntry(Snapshot(tmp_path), 5),))
        if not own_loop:
            return train(make(), plan)
        loop = TrainingRun(make(), plan)
        while loop.state.iter < stop:
            loop.step()
        return loop.finish()

    Full(monkeypatch, 5)
    run(8)
    assert sorted(os.listdir(tmp_path)) == ["snapshot-000000.h5", "snapshot-000008.h5"]
    Full(monkeypatch, 0)
    with pytest.raises(SnapshotError, match=r"cannot write snapshot-000000\.h5"):
        run(8)
    Full(monkeypatch, 5, 6)
    with pytest.raises(SnapshotError, match=r"cannot write snapshot-000006\.h5"):
        run(6)
    Full(monkeypatch)
    run(8)  # nobody holds the folder


def test_statistics_that_cannot_be_saved_are_kept_for_the_next_time(make, tmp_path, monkeypatch, caplog):
    plain, path, calls = lounge.save_statistics, tmp_path / "s.h5", []

    def save(given, statistics):
        calls.append(max(statistics["obj_val"]))
        if len(calls) == 1:
            raise SnapshotError("cannot write s.h5", got="No space left on device")
        plain(given, statistics)

    monkeypatch.setattr(lounge, "save_statistics", save)
    plan = solver(max_iter=7, breaks=(BreakEntry(TrainingSummary(), 1),), save_into=str(path), save_every_n_iter=3)
    train(make(), plan)
    assert calls == [3, 6, 7]
    words = "cannot write s.h5; got No space left on device; training continues, and the statistics are kept"
    assert words in caplog.text
    assert sorted(load_statistics(path)["obj_val"]) == list(range(1, 8))


class Killed(BaseException):
    """Stands for a kill: the statistics file is not written any more."""


@pytest.mark.slow
@pytest.mark.parametrize("summary_first", [pytest.param(False, marks=pytest.mark.slow), True])
def test_rows_between_snapshot_and_save_are_not_lost(make, tmp_path, monkeypatch, summary_first):
    """Statistics are saved every 7 iterations, snapshots taken every 5, and a kill comes after the one of iteration 10
    (and before a save, in the second run): then each row is there once, as in a training that nobody killed."""

    def plan(folder, stop=20):
        breaks = [BreakEntry(Snapshot(folder), 5), BreakEntry(TrainingSummary("obj_val", "learning_rate"), 1)]
        breaks = tuple(reversed(breaks) if summary_first else breaks)
        path = str(folder / "statistics.h5")
        return solver(max_iter=stop, breaks=breaks, save_into=path, save_every_n_iter=7, load_from=str(folder))

    def killed(path, table):
        raise Killed

    train(make(), plan(tmp_path / "whole"))
    for stop, resumed_at in ((12, None), (16, 10)):  # no save after those of iterations 7 and 14
        program, folder = make(), tmp_path / "cut"
        with monkeypatch.context() as patch:
            loop = TrainingRun(program, plan(folder))
            assert loop.state.iter == (resumed_at or 0)
            while loop.state.iter < stop:
                loop.step()
            patch.setattr(lounge, "save_statistics", killed)
            with pytest.raises(Killed):
                loop.finish()
    train(make(), plan(tmp_path / "cut"))
    one, two = (load_statistics(tmp_path / name / "statistics.h5") for name in ("whole", "cut"))
    assert one == two
    assert sorted(one["obj_val"]) == list(range(1, 21))


@pytest.mark.slow
@pytest.mark.parametrize("shared", [False, True])
def test_many_trainings_in_threads(make, tmp_path, shared):
    """Each with snapshots, statistics and a validation, its statistics beside the others' or in a folder of its own."""

    def run(number):
        folder = tmp_path if shared else tmp_path / str(number)
        validation = ValidationPerformance(make(n=10, weight=(program := make()).weight))
        breaks = (
            BreakEntry(TrainingSummary(), 1),
            BreakEntry(validation, 4),
            BreakEntry(Snapshot(tmp_path / f"snaps-{number}"), 2),
        )
        name = f"statistics-{number}.h5" if shared else "statistics.h5"
        plan = solver(max_iter=8, breaks=breaks, save_into=str(folder / name), save_every_n_iter=2)
        return train(program, plan).statistics, load_statistics(folder / name)

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(run, range(4)))
    assert all(kept == saved == found[0][0] for kept, saved in found)
    assert not list(tmp_path.rglob(".*"))


def test_only_one_of_many_trainings_gets_a_folder(make, tmp_path):
    """In threads, all at once: the others are told, and what the one leaves is whole."""
    begun, over = threading.Barrier(4), threading.Barrier(4)

    def run(number):
        program = make()
        begun.wait(HANG_S)
        try:
            loop = TrainingRun(program, solver(max_iter=5, breaks=(BreakEntry(Snapshot(tmp_path / "snaps"), 1),)))
        except SnapshotError as error:
            over.wait(HANG_S)
            return str(error).splitlines()[0]
        over.wait(HANG_S)
        loop.step()
        loop.finish()
        return "trained"

    with ThreadPoolExecutor(4) as pool:
        found = sorted(pool.map(run, range(4)))
    assert found == 3 * [f"another training saves snapshots into {tmp_path / 'snaps'}"] + ["trained"]
    assert sorted(os.listdir(tmp_path / "snaps")) == ["snapshot-000000.h5", "snapshot-000001.h5"]


@pytest.mark.usefixtures("young_heap")
def test_a_training_that_nobody_ended_holds_no_folder(make, tmp_path):
    plan = solver(max_iter=5, breaks=(BreakEntry(Snapshot(tmp_path), 1),))
    loop = TrainingRun(make(), plan)
    loop.step()
    loop.program.claimed = None  # a weak reference in Session
    with pytest.raises(SnapshotError, match="another training saves snapshots into"):
        train(make(), plan)
    del loop
    gc.collect()
    train(make(), plan)
    assert (tmp_path / "snapshot-000005.h5").exists()


def test_training_in_another_thread(make):
    program = make()
    thread = threading.Thread(target=lambda: train(program, solver(max_iter=10)))
    thread.start()
    thread.join(HANG_S)
    assert program.rng_step == 10


def test_a_loop_of_ones_own(make):
    diary = Diary()
    one, two = make(), make()
    loop = TrainingRun(one, solver(max_iter=5, breaks=(BreakEntry(diary, 2),)))
    losses = [loop.step() for _ in range(5)]
    assert all(loss > 0 for loss in losses)
    loop.finish()
    train(two, solver(max_iter=5))
    assert one.state() == two.state()
    assert diary.iters == [0, 2, 4]
    assert diary.calls == ["init", "destroy"]


def test_a_failing_break_is_not_hidden_by_a_failing_clean_up(make, caplog):
    class Faulty(CoffeeBreak):
        def enjoy(self, lounge, program, state):
            raise RuntimeError("first")

        def destroy(self, program):
            raise RuntimeError("second")

    with pytest.raises(RuntimeError, match="first"):
        train(make(), solver(max_iter=2, breaks=(BreakEntry(Faulty(), 1),)))
    assert "second" in caplog.text


def test_hypers_are_those_of_each_update(make, monkeypatch):
    seen = []
    program = make()
    plain = program.advance
    monkeypatch.setattr(program, "advance", lambda n, h, k: seen.extend(np.ravel(h["lr"])) or plain(n, h, k))
    train(program, solver(max_iter=30))
    assert seen == [Momentum().hypers(t)["lr"] for t in range(30)]


class Rare(Momentum):
    """Says for how many updates its scalars stay; counts how often it is asked."""

    asked: ClassVar[list[int]] = []

    def hypers(self, t):
        self.asked.append(t)
        return {"lr": 0.001 * (1 + t // 4), "momentum": 0.9}

    def steady(self, t):
        return 4 - t % 4


def test_scalars_that_stay_are_asked_for_once(make, monkeypatch):
    seen = []
    program = make()
    plain = program.advance
    monkeypatch.setattr(program, "advance", lambda n, h, k: seen.extend(np.ravel(h["lr"])) or plain(n, h, k))
    Rare.asked.clear()
    train(program, solver(method=Rare(), max_iter=203))
    assert seen == [0.001 * (1 + t // 4) for t in range(203)]
    assert len(Rare.asked) < 203 // 4 + len(program.calls) + 2


def test_a_slow_reader_is_reported(make, stalling, monkeypatch, caplog):
    for limit, seconds in (("SLOW_INPUT_S", 0.5), ("REPORTED_S", 10.0)):
        monkeypatch.setattr(waits, limit, seconds)
    program = make()
    with caplog.at_level(logging.INFO, logger="mochac"):
        stalling(0.25)
        train(program, solver(max_iter=3))
        assert "slow" not in caplog.text and "waiting" not in caplog.text
        program.feed.set_cursor(program.feed.cursor())  # nothing is read ahead
        stalling(20.0)
        lounge = train(program, solver(max_iter=4))
    assert lounge.waited_s["train-data"] == lounge.trained_s == 20.0
    assert "data layer 'train-data' is slow: steps waited for it 20.0 s of 20.0 s" in caplog.text
    assert "4 iterations in 20.0 s (20.0 s waiting for data)" in caplog.text


def test_a_process_that_ignores_ctrl_c_goes_on_ignoring_it(make):
    """A background job of a shell without job control."""
    program = make()
    program.on_step = lambda step: signal.raise_signal(signal.SIGINT) if step == 3 else None
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        lounge = train(program, solver(max_iter=20))
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert program.rng_step == 20
    assert not lounge.interrupted
