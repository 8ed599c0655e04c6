"""Snapshot(keep_last=, keep_best=): which files stay, on what grounds, and after a resume, a failure or a kill."""

import logging
import os
import re
from pathlib import Path

import numpy as np
import pytest
from fake_program import FakeProgram, solver

from mochac.base.errors import OptionError, SnapshotError
from mochac.nets.solvers.solver import BreakEntry
from mochac.training.loop import snapshot
from mochac.training.loop.coffee import Snapshot, TrainingSummary
from mochac.training.loop.loop import train
from mochac.training.loop.snapshot import read_snapshot
from mochac.training.loop.tracking import EarlyStopping


class Score:
    """Records a number for each of some iterations, as a validation does."""

    def __init__(self, scores, name="acc-accuracy"):
        self.scores, self.name = dict(scores), name

    def enjoy(self, lounge, program, state):
        if state.iter in self.scores:
            lounge.record(self.name, state.iter, self.scores[state.iter])


def kept(folder):
    return sorted(int(path.stem.split("-")[1]) for path in folder.iterdir())


def run(coffee, n, scores=(), every=1, program=None, name="acc-accuracy", more=(), **how):
    breaks = [BreakEntry(coffee, every), BreakEntry(Score(scores, name), 1), *more]
    return train(program or FakeProgram(), solver(breaks=breaks, max_iter=n, **how), progress=False)


def test_all_are_kept_by_default(tmp_path):
    run(Snapshot(tmp_path), 4)
    assert kept(tmp_path) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("n", "want"), [(1, [7]), (3, [5, 6, 7]), (9, [0, 1, 2, 3, 4, 5, 6, 7])])
def test_the_last(tmp_path, n, want):
    run(Snapshot(tmp_path, keep_last=n), 7)
    assert kept(tmp_path) == want


SCORES = {0: 0.1, 1: 0.4, 2: 0.9, 3: 0.2, 4: 0.9, 5: 0.3, 6: 0.3}


def test_the_best_and_the_newest(tmp_path):
    coffee = Snapshot(tmp_path, keep_best="acc-accuracy")
    assert coffee.best is None
    run(coffee, 6, SCORES)
    assert kept(tmp_path) == [2, 6]
    assert coffee.best == tmp_path / "snapshot-000002.h5"


def test_the_best_and_the_last_of_another_order(tmp_path):
    run(Snapshot(tmp_path, keep_last=2, keep_best="acc-accuracy", higher_better=False), 6, SCORES)
    assert kept(tmp_path) == [0, 5, 6]
    run(Snapshot(tmp_path / "loss", keep_best="val-loss"), 6, SCORES, name="val-loss")
    assert kept(tmp_path / "loss") == [0, 6]


def test_the_best_objective_needs_no_break(tmp_path):
    rows = {}

    class Look:
        def enjoy(self, lounge, program, state):
            if state.obj_val is not None:
                rows[state.iter] = state.obj_val

    run(Snapshot(tmp_path, keep_best="obj_val"), 9, more=[BreakEntry(Look(), 1)])
    assert kept(tmp_path) == sorted({min(rows, key=rows.__getitem__), 9})


def test_only_iterations_that_recorded_the_statistic_count(tmp_path):
    run(Snapshot(tmp_path, keep_best="acc-accuracy"), 8, {0: 0.1, 2: 0.5, 3: 0.9, 4: 0.3}, every=2)
    assert kept(tmp_path) == [2, 8]


def test_nan_is_never_best(tmp_path):
    run(Snapshot(tmp_path, keep_best="acc-accuracy"), 3, {0: np.nan, 1: 0.5, 2: np.nan, 3: np.nan})
    assert kept(tmp_path) == [1, 3]


def test_files_of_others_stay(tmp_path):
    run(Snapshot(tmp_path), 2)
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "snapshot-000999.h5").write_text("mine")
    run(Snapshot(tmp_path, keep_last=1), 5, load_from=str(tmp_path / "snapshot-000002.h5"))
    (tmp_path / "notes.txt").unlink()
    assert kept(tmp_path) == [0, 1, 2, 5, 999]


def test_a_resumed_training_knows_what_it_has_written(tmp_path):
    for stop in (3, 6):
        coffee = Snapshot(tmp_path, keep_last=2, keep_best="acc-accuracy")
        run(coffee, stop, SCORES, load_from=str(tmp_path))
    assert kept(tmp_path) == [2, 5, 6]
    assert coffee.best == tmp_path / "snapshot-000002.h5"


def test_resuming_with_another_statistic_forgets_the_best(tmp_path):
    run(Snapshot(tmp_path, keep_best="acc-accuracy"), 3, SCORES)
    coffee = Snapshot(tmp_path, keep_best="obj_val")
    run(coffee, 4, load_from=str(tmp_path))
    assert kept(tmp_path) == [4]


def test_resuming_keeps_the_memory_of_other_breaks(tmp_path):
    """Each break finds its own memory, though another with a memory has come before it."""
    stopping = [BreakEntry(TrainingSummary("obj_val"), 1), BreakEntry(EarlyStopping("obj_val", patience=99), 1)]
    run(Snapshot(tmp_path), 4, more=stopping)
    fresh = EarlyStopping("obj_val", patience=99)
    more = [BreakEntry(TrainingSummary("obj_val"), 1), BreakEntry(fresh, 1)]
    run(Snapshot(tmp_path, keep_last=1), 4, more=more, load_from=str(tmp_path))
    assert fresh.best_value is not None


def test_a_snapshot_that_cannot_be_written_costs_no_other(tmp_path, monkeypatch):
    save = snapshot.save_snapshot

    def full(path, state):
        if state.iteration in (2, 3):
            raise SnapshotError(f"cannot write {path}")
        save(path, state)

    monkeypatch.setattr(snapshot, "save_snapshot", full)
    coffee = Snapshot(tmp_path, keep_best="acc-accuracy")
    run(coffee, 4, {0: 0.1, 1: 0.5, 2: 0.9, 3: 0.2, 4: 0.4})
    assert kept(tmp_path) == [1, 4]
    assert coffee.best == tmp_path / "snapshot-000001.h5"


def test_a_file_that_cannot_be_removed_is_told(tmp_path, monkeypatch, caplog):
    unlink = Path.unlink

    def refuse(path, **how):
        if re.fullmatch(r"snapshot-\d+.h5", path.name):
            raise OSError(13, "Permission denied", os.fspath(path))
        unlink(path, **how)

    with caplog.at_level(logging.WARNING, "mochac"):
        monkeypatch.setattr("pathlib.Path.unlink", refuse)
        run(Snapshot(tmp_path, keep_last=1), 1)
        monkeypatch.undo()
    assert kept(tmp_path) == [0, 1]
    assert any("a snapshot that is no longer kept cannot be removed" in text for text in caplog.messages)


def test_a_training_anew_begins_anew(tmp_path):
    coffee = Snapshot(tmp_path, keep_last=1)
    run(coffee, 3)
    (tmp_path / "snapshot-000003.h5").rename(tmp_path / "snapshot-000100.h5")
    run(coffee, 2)
    assert kept(tmp_path) == [2, 100]


def test_snapshots_remember_what_is_kept(tmp_path):
    run(Snapshot(tmp_path, keep_last=2, keep_best="acc-accuracy"), 6, SCORES)
    (memory,) = [m for name, m in read_snapshot(tmp_path / "snapshot-000006.h5").memory.items() if "Snapshot" in name]
    assert memory == {"statistic": "acc-accuracy", "iterations": "2 4 5 6", "best": 2, "value": 0.9}


@pytest.mark.parametrize(
    ("how", "text"),
    [
        ({"keep_last": 0}, "Snapshot: keep_last is out of range\n  expected  an integer >= 1, or None,  got"),
        ({"keep_last": True}, "Snapshot: keep_last is out of range"),
        ({"keep_last": 2.5}, "Snapshot: keep_last is out of range"),
        ({"keep_best": 3}, "Snapshot: keep_best is out of range"),
        ({"keep_best": "acc-accuracy", "higher_better": 1}, "expected  True or False, or None,  got  1"),
        ({"higher_better": True}, "Snapshot: higher_better is out of place\n  expected  keep_best, to which it"),
    ],
)
def test_bad_arguments(tmp_path, how, text):
    with pytest.raises(OptionError) as caught:
        Snapshot(tmp_path, **how)
    assert text in str(caught.value)


def test_a_statistic_that_nothing_records(tmp_path):
    with pytest.raises(OptionError) as caught:
        run(Snapshot(tmp_path, keep_best="acc-acuracy"), 3, SCORES)
    assert str(caught.value) == (
        "Snapshot: no statistic 'acc-acuracy'\n"
        "  recorded so far: acc-accuracy epoch iter learning_rate loss momentum obj_val\n"
        "  hint: did you mean 'acc-accuracy'?"
    )
