"""What is due after an iteration, and how many steps may run until then: the agenda alone, without a program."""

import pytest

from mochac.nets.solvers.solver import BreakEntry
from mochac.training.loop.breaks import MAX_STEPS, Agenda
from mochac.training.loop.coffee import TrainingState


def agenda(*breaks, last_iter=None, last_epoch=None, save_every=1, to_epoch=None, step_s=1e-9):
    """One whose calls are long enough, unless `step_s` says otherwise; `to_epoch` steps are left of the epoch."""

    def steps_to_epoch():
        assert to_epoch is not None, "epochs do not matter"
        return to_epoch

    made = Agenda(breaks, save_every, steps_to_epoch)
    made.last_iter, made.last_epoch = last_iter, last_epoch
    made.timed(1, step_s)
    return made


def at(iteration, epoch=0, stop=""):
    return TrainingState(iter=iteration, epoch=epoch, stop_reason=stop)


def test_nothing_due_is_as_many_steps_as_a_call_may_have():
    assert agenda().steps(at(0)) == MAX_STEPS


@pytest.mark.parametrize(("iteration", "steps"), [(0, 10), (7, 3), (10, 0), (12, 0)])
def test_the_limit_of_iterations(iteration, steps):
    assert agenda(last_iter=10).steps(at(iteration)) == steps


@pytest.mark.parametrize(("epoch", "steps"), [(0, 4), (1, 4), (2, 0), (3, 0)])
def test_the_limit_of_epochs(epoch, steps):
    assert agenda(last_epoch=2, to_epoch=4).steps(at(9, epoch)) == steps


def test_the_nearest_of_all_counts():
    breaks = (BreakEntry("a", every_n_iter=7), BreakEntry("b", every_n_iter=5), BreakEntry("c", every_n_epoch=2))
    assert agenda(*breaks, last_iter=100, to_epoch=50).steps(at(13)) == 1
    assert agenda(*breaks, last_iter=100, to_epoch=50).steps(at(15)) == 5
    assert agenda(*breaks, last_iter=100, to_epoch=3).steps(at(15)) == 3
    assert agenda(*breaks, last_iter=17, to_epoch=50).steps(at(15)) == 2


def test_epochs_are_not_asked_for_where_they_do_not_matter():
    """A net without data layers has none."""
    assert agenda(BreakEntry("a", every_n_iter=3, every_n_epoch=1), BreakEntry("never")).steps(at(1)) == 2


def test_statistics_are_saved_at_their_interval_if_there_are_any():
    made = agenda(save_every=4)
    assert made.steps(at(6), unsaved=True) == 2
    assert made.steps(at(6)) == MAX_STEPS
    assert [iteration for iteration in range(9) if made.saves(iteration)] == [0, 4, 8]


def test_a_break_that_stops_the_training_ends_it():
    assert agenda(last_iter=10).steps(at(3, stop="enough")) == 0


def test_the_first_call_has_one_step():
    assert Agenda((), 1, lambda: 1).steps(at(0)) == 1


@pytest.mark.parametrize(("n", "seconds", "steps"), [(1, 0.02, 2), (10, 0.02, 25), (1, 3.0, 1), (100, 1e-6, MAX_STEPS)])
def test_a_call_aims_at_50_ms(n, seconds, steps):
    made = agenda()
    made.timed(n, seconds)
    assert made.steps(at(0)) == steps


def test_breaks_are_due_by_iteration_and_by_epoch():
    made = agenda(
        BreakEntry("iter", every_n_iter=3), BreakEntry("epoch", every_n_epoch=2), BreakEntry("never"),
        BreakEntry("iter wins", every_n_iter=6, every_n_epoch=1),
    )  # fmt: skip
    assert made.due(at(0)) == ["iter", "epoch", "iter wins"]
    assert made.due(at(3, 1), epoch_before=0) == ["iter"]
    assert made.due(at(4, 2), epoch_before=1) == ["epoch"]
    assert made.due(at(5, 2), epoch_before=2) == []
    assert made.due(at(6, 5), epoch_before=3) == ["iter", "epoch", "iter wins"]
