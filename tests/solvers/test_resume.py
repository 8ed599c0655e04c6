"""train(resume=True): the bits of one uninterrupted training, limits that count from there, and what is said."""

import logging
import re

import numpy as np
import pytest
import small_net
from small_net import METHODS, weights
from test_validated import pair

import mochac
from mochac import (
    SGD,
    Adam,
    DropoutLayer,
    InnerProductLayer,
    LRPolicy,
    MemoryDataLayer,
    MomPolicy,
    Net,
    OptionError,
    Snapshot,
    SoftmaxLossLayer,
    Solver,
    TrainingSummary,
    ValidationPerformance,
)

HEAVY = SGD(LRPolicy.Step(0.1, 0.5, 3), MomPolicy.Fixed(0.9))


def net():
    """Random numbers, shuffling, and batches that do not divide the samples."""
    x, label = small_net.samples()
    return Net(
        "resumed",
        [
            MemoryDataLayer(name="in", data=[x, label], batch_size=small_net.BATCH, shuffle=True),
            InnerProductLayer(name="h", output_dim=9, bottoms=["data"]),
            DropoutLayer(name="drop", ratio=0.4, bottoms=["h"]),
            InnerProductLayer(name="y", output_dim=small_net.CLASSES, bottoms=["h"]),
            SoftmaxLossLayer(name="loss", bottoms=["y", "label"]),
        ],
    )


def state(program):
    """Everything that decides what the next step does, as bytes."""
    arrays = {**weights(program), **program.session.slots()}
    return {n: a.tobytes() for n, a in arrays.items()}, program.session.batches.position.cursor(), program.rng_step


def after(*calls):
    """The state after several calls of train on one program."""
    with mochac.compile(net()) as program:
        for call in calls:
            call(program)
        return state(program)


@pytest.mark.slow
@pytest.mark.parametrize("name", METHODS)
def test_two_halves_have_the_bits_of_the_whole(name):
    method = METHODS[name]
    whole = after(lambda p: p.train(method, max_iter=10, clip_norm=0.5))
    half = {"max_iter": 5, "clip_norm": 0.5}
    assert whole == after(lambda p: p.train(method, **half), lambda p: p.train(method, **half, resume=True))
    assert whole != after(lambda p: p.train(method, **half), lambda p: p.train(method, **half))


@pytest.mark.slow
def test_epoch_by_epoch():
    one = lambda p: p.train(Solver(HEAVY, max_epoch=1), resume=True)  # noqa: E731 - the first has nothing to resume
    assert after(one, one, one) == after(lambda p: p.train(HEAVY, max_epoch=3))


def test_a_solver_with_breaks_goes_on():
    seen = []

    class Look:
        def enjoy(self, lounge, program, state):
            seen.append((state.iter, state.epoch, state["learning_rate"]))

    with mochac.compile(net()) as program:
        solver = Solver(HEAVY, max_iter=4)
        solver.add_coffee_break(Look(), every_n_iter=2)
        program.train(solver)
        program.train(solver, resume=True)
    assert seen == [(0, 0, 0.1), (2, 0, 0.1), (4, 1, 0.05), (6, 2, 0.05), (8, 3, 0.025)]


@pytest.mark.slow
@pytest.mark.parametrize("method", [HEAVY, pytest.param(Adam(), marks=pytest.mark.slow)], ids=["SGD", "Adam"])
def test_from_a_snapshot_in_another_process(method, tmp_path):
    def go(program, **how):
        solver = Solver(method, max_iter=5, load_from=tmp_path)
        solver.add_coffee_break(Snapshot(tmp_path), every_n_iter=5)
        program.train(solver, **how)

    whole = after(lambda p: p.train(method, max_iter=10))
    after(go)
    assert after(lambda p: go(p, resume=True)) == whole, "max_iter counts from the snapshot"
    assert after(go, lambda p: p.train(method, max_iter=1)) != whole


@pytest.mark.slow
def test_policies_that_listen_to_validations_go_on():
    policy = LRPolicy.DecayOnValidation(0.5, "test-loss", gamma=0.5, higher_better=False)

    def go(*limits):
        program, test = pair()
        with program, test:
            for limit in limits:
                solver = Solver(SGD(policy, MomPolicy.Fixed(0.9)), max_iter=limit)
                solver.add_coffee_break(ValidationPerformance(test), every_n_iter=5)
                rows = program.train(solver, resume=True).statistics
            return state(program), rows["test-loss"]

    assert go(15, 15) == go(30)


def test_rows_go_on(tmp_path):
    def rows(*limits):
        with mochac.compile(net()) as program:
            for limit in limits:
                solver = Solver(HEAVY, max_iter=limit)
                solver.setup_coffee_lounge(tmp_path / f"{len(limits)}.h5", file_exists="panic")
                solver.add_coffee_break(TrainingSummary(), every_n_iter=2)
                found = program.train(solver, resume=True).statistics
        return found

    assert rows(4, 4) == rows(8)


def test_an_own_loop_is_gone_on_from():
    def loop(program):
        solver = Solver(HEAVY)
        solver.init_solve(program)
        for _ in range(5):
            solver.step()
        solver.finalize()

    whole = after(lambda p: p.train(HEAVY, max_iter=10))
    assert after(loop, lambda p: p.train(HEAVY, max_iter=5, resume=True)) == whole


def test_another_solver_cannot_go_on():
    with mochac.compile(net()) as program:
        program.train(HEAVY, max_iter=2)
        before = state(program)
        with pytest.raises(OptionError) as caught:
            program.train(Adam(), max_iter=2, resume=True)
        assert str(caught.value) == (
            "resume=True continues with the solver of the last training\n  expected  SGD,  got  Adam\n"
            "  hint: without resume=True Adam starts at iteration 0"
        )
        assert state(program) == before
        program.train(HEAVY, max_iter=2, resume=True)


@pytest.mark.slow
def test_another_solver_may_start_over():
    with mochac.compile(net()) as program:
        program.train(HEAVY, max_iter=2)
        program.train(Adam(), max_iter=2)
        assert {n.rpartition(".")[2] for n in program.session.slots()} == {"mean", "square_mean"}


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"verbose": 2}, "train(): verbose is out of range\n  expected  True or False, or None,  got  2"),
        (
            {"resume": "snapshots"},
            "train(): resume is out of range\n  expected  True or False,  got  'snapshots'\n"
            "  hint: load_from='snapshots' names what to resume from",
        ),
    ],
)
def test_bad_values(how, message):
    with mochac.compile(net()) as program, pytest.raises(OptionError) as caught:
        program.train(HEAVY, max_iter=1, **how)
    assert str(caught.value) == message


def messages(caplog):
    return [r.getMessage() for r in caplog.records if r.levelno >= logging.INFO]


def test_starting_over_is_said_once(caplog):
    started = net()
    started.name = "started twice"
    with mochac.compile(started) as program:
        for quiet in (0, 0, 1, 1):
            program.train(HEAVY, max_iter=2, verbose=quiet)
    assert [line for line in messages(caplog) if "iterations in" not in line] == [
        "program 'started twice': SGD starts again at iteration 0 with a new state; "
        "train(..., resume=True) continues from iteration 2"
    ]


def test_verbose_overrides_the_solver(caplog):
    with mochac.compile(net()) as program:
        solver = Solver(HEAVY, max_iter=2)
        program.train(solver, verbose=0)
        assert messages(caplog) == []
        solver.progress = False
        program.train(solver, resume=True)
        assert messages(caplog) == []
        program.train(solver, resume=True, verbose=1)
    (line,) = messages(caplog)
    assert re.fullmatch(r" 2 iterations in \S+ (us|ms|s); loss \S+, \d+ samples/s", line)


def test_breaks_are_silent_too(caplog, tmp_path):
    """verbose=0: the lines of breaks are left out; warnings are not."""
    one = net()
    with mochac.compile(one) as program:
        solver = Solver(HEAVY, max_iter=2)
        solver.add_coffee_break(Snapshot(tmp_path), every_n_iter=2)
        solver.add_coffee_break(TrainingSummary(), every_n_iter=1)
        test = mochac.compile(one, mode="test")  # parameters of its own
        solver.add_coffee_break(ValidationPerformance(test), every_n_iter=1)
        program.train(solver, verbose=0)
        assert messages(caplog) == [
            "the validation net shares no parameters with the net in training; compile it with params="
        ]
        assert logging.getLogger("mochac").isEnabledFor(logging.INFO)
        caplog.clear()
        program.train(solver, verbose=1)
        assert {line.split()[0] for line in messages(caplog)} >= {"Snapshot", "TRAIN", "VALID"}


def test_the_loss_is_recorded_without_being_asked():
    """As many rows as one can look at, at no cost to a call; the last iteration has one."""
    with mochac.compile(net()) as program:
        rows = program.train(HEAVY, max_iter=1234).statistics["obj_val"]
        assert list(rows) == [*range(1, 1001), *range(1010, 1231, 10), 1234]
        solver = Solver(HEAVY, max_iter=5)
        solver.init_solve(program)
        losses = [solver.step() for _ in range(5)]
        assert solver.finalize().statistics == {"obj_val": dict(enumerate(losses, 1))}


def test_recorded_losses_do_not_write_the_file_again_and_again(tmp_path, monkeypatch):
    written = []
    monkeypatch.setattr(
        "mochac.training.loop.lounge.save_statistics", lambda path, rows: written.append(len(rows["obj_val"]))
    )
    with mochac.compile(net()) as program:
        solver = Solver(HEAVY, max_iter=20)
        solver.setup_coffee_lounge(tmp_path / "statistics.h5")
        program.train(solver)
    assert written == [20]


def test_rows_are_those_of_the_batches():
    with mochac.compile(net()) as program:
        solver = Solver(HEAVY, max_iter=12)
        solver.add_coffee_break(TrainingSummary(), every_n_iter=1)
        told = program.train(solver).statistics
    with mochac.compile(net()) as program:
        assert program.train(HEAVY, max_iter=12).statistics == told
        np.testing.assert_array_less(0, list(told["obj_val"].values()))
