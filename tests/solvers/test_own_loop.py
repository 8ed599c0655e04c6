"""Training step by step: the bits of train(), what solver.state holds, one training at a time, another seed."""

import gc
import logging

import numpy as np
import pytest
import small_net
from small_net import weights

import mochac
from mochac import SGD, LRPolicy, MomPolicy, Snapshot, Solver, TrainingSummary
from mochac.base.errors import OptionError


@pytest.fixture(scope="module")
def program():
    with mochac.compile(small_net.net()) as made:
        start = weights(made)
        made.start = start
        yield made


@pytest.fixture(autouse=True)
def _as_new(program):
    """The program as compiled, apart from its place in the data."""
    for name, array in program.parameters().items():
        array[...] = program.start[name]
    program.session.batches.position.set_cursor(
        {name: {**at, "epoch": 0, "position": 0} for name, at in program.session.batches.position.cursor().items()}
    )


METHOD = SGD(LRPolicy.Step(0.1, 0.5, 3), MomPolicy.Fixed(0.9))
HOW = {"regu_coef": 0.01, "clip_norm": 1.0}
"""Settings of every training here, so that the step is compiled once."""


class Diary:
    def __init__(self):
        self.rows = []

    def init(self, program):
        self.rows.append("init")

    def enjoy(self, lounge, program, state):
        self.rows.append((state.iter, state.epoch, state.obj_val, state["learning_rate"]))

    def destroy(self, program):
        self.rows.append("destroy")


def with_diary(max_iter=None):
    solver, diary = Solver(METHOD, max_iter=max_iter, **HOW), Diary()
    solver.add_coffee_break(TrainingSummary("obj_val", "loss"), every_n_iter=2)
    solver.add_coffee_break(diary, every_n_iter=2)
    return solver, diary


def test_ones_own_loop_is_train_bit_by_bit(program):
    solver, theirs = with_diary(10)
    lounge = program.train(solver)
    trained, slots = weights(program), {n: a.copy() for n, a in program.session.slots().items()}
    _as_new.__wrapped__(program)
    solver, mine = with_diary()
    solver.init_solve(program)
    losses = [solver.step() for _ in range(10)]
    own = solver.finalize()
    assert all(trained[n].tobytes() == a.tobytes() for n, a in weights(program).items())
    assert all(slots[n].tobytes() == a.tobytes() for n, a in program.session.slots().items())
    assert mine.rows == theirs.rows
    assert mine.rows[0] == "init"
    assert mine.rows[-1] == "destroy"
    assert own.statistics == lounge.statistics
    assert list(own.statistics["loss"].values()) == losses[1::2]


def test_the_state_of_ones_own_loop(program):
    solver = Solver(METHOD, **HOW)
    with pytest.raises(OptionError, match=r"state before init_solve\(program\)"):
        _ = solver.state
    solver.init_solve(program)
    assert (solver.state.iter, solver.state.obj_val, solver.state.losses) == (0, None, {})
    rates = []
    for k in range(8):
        loss = solver.step()
        rates.append(solver.state["learning_rate"])
        assert (solver.state.iter, solver.state.obj_val) == (k + 1, loss)
        assert solver.state.losses == {"loss": loss}
    assert rates == [0.1] * 3 + [0.05] * 3 + [0.025] * 2
    assert solver.state.epoch == 3  # 160 samples of 50
    solver.finalize()
    assert solver.state.iter == 8
    program.train(solver := Solver(METHOD, max_iter=9, **HOW))
    assert solver.state.iter == 9


def test_one_training_at_a_time(program):
    first, second = Solver(METHOD, **HOW), Solver(METHOD, **HOW)
    first.init_solve(program)
    first.step()
    slots = {n: a.copy() for n, a in program.session.slots().items()}
    expected = "another training of program 'small' is running\n  hint: end it: solver.finalize()"
    for begin in (
        lambda: second.init_solve(program),
        lambda: first.init_solve(program),
        lambda: program.train(SGD(), max_iter=1),
    ):
        with pytest.raises(OptionError) as caught:
            begin()
        assert str(caught.value) == expected
    assert all(np.array_equal(slots[n], a) for n, a in program.session.slots().items())
    first.step()
    first.finalize()
    second.init_solve(program)
    second.finalize()
    program.train(METHOD, max_iter=1, **HOW)


def test_a_training_inside_a_break_is_refused(program):
    class Nested:
        def enjoy(self, lounge, program, state):
            program.train(SGD(), max_iter=1)

    solver = Solver(METHOD, max_iter=2, **HOW)
    solver.add_coffee_break(Nested(), every_n_iter=1)
    with pytest.raises(OptionError, match="another training of program 'small' is running"):
        program.train(solver)
    program.train(METHOD, max_iter=1, **HOW)  # the failure has set it free


@pytest.mark.usefixtures("young_heap")
def test_a_forgotten_training_is_not_under_way(program):
    solver = Solver(METHOD, **HOW)
    solver.init_solve(program)
    with pytest.raises(OptionError, match="another training of program 'small' is running"):
        program.train(METHOD, max_iter=1, **HOW)
    del solver
    gc.collect()
    before = weights(program)
    program.train(METHOD, max_iter=1, **HOW)
    assert any(not np.array_equal(before[n], a) for n, a in weights(program).items())


def test_a_failed_start_leaves_the_program_free(program, tmp_path):
    with pytest.raises(mochac.SnapshotError):
        program.train(Solver(METHOD, max_iter=1, **HOW, load_from=tmp_path / "gone.h5"))
    program.train(METHOD, max_iter=1, **HOW)


@pytest.mark.slow
def test_another_seed_is_said_when_a_run_resumes(tmp_path, caplog):
    def go(seed, max_iter):
        caplog.clear()
        with mochac.compile(small_net.net(), seed=seed) as program:
            solver = Solver(METHOD, max_iter=max_iter, load_from=tmp_path)
            solver.add_coffee_break(Snapshot(tmp_path), every_n_iter=2)
            program.train(solver)
        return [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]

    big = 2**64 - 1
    assert go(big, 2) == []
    assert go(big, 4) == []
    assert go(7, 6) == [
        f"{tmp_path / 'snapshot-000004.h5'} was written with seed {big}, this program has seed 7: "
        "shuffling and dropout will differ"
    ]


def test_other_algorithms_of_convolutions_are_said_when_a_run_resumes(tmp_path, caplog):
    def go(convolutions, max_iter):
        caplog.clear()
        with mochac.compile(small_net.net(), convolutions=convolutions) as program:
            solver = Solver(METHOD, max_iter=max_iter, load_from=tmp_path)
            solver.add_coffee_break(Snapshot(tmp_path), every_n_iter=2)
            program.train(solver)
        return [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]

    assert go("direct", 2) == []
    assert go("direct", 4) == []
    assert go("auto", 6) == [
        f"{tmp_path / 'snapshot-000004.h5'} was written with convolutions='direct', this training has 'auto': "
        "last bits may differ"
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limits", "iterations"), [({"max_epoch": 1}, 3), ({"max_epoch": 2}, 5), ({"max_epoch": 4}, 10)]
)
def test_epochs_by_number(program, limits, iterations):
    """50 samples in batches of 20: epochs end with iterations 3, 5, 8, 10; the last batch of one begins the next."""
    solver, diary = Solver(METHOD, **limits), Diary()
    solver.add_coffee_break(diary, every_n_epoch=1)
    program.train(solver)
    ends = [(0, 0), (3, 1), (5, 2), (8, 3), (10, 4)]
    assert [row[:2] for row in diary.rows[1:-1]] == [e for e in ends if e[0] <= iterations]
