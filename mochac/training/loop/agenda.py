"""Agenda: what is due after an iteration of a training, and how many steps may run before the next break."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mochac.nets.solvers.solver import BreakEntry
from mochac.training.loop.coffee import TrainingState

CALL_S = 0.05
"""Time that one call into native code should take, seconds: progress is shown and Ctrl-C is noticed between calls."""
MAX_STEPS = 4096
"""Most steps in one call, which bounds the arrays of hyper-parameters and losses."""


class Agenda:
    """When control returns from native code to Python: for a coffee break, to save the statistics, at a limit.

    Args:
        breaks: coffee breaks with their intervals.
        save_every_n_iter: interval at which the statistics file is written, where there is something new to write.
        steps_to_epoch: how many steps the current epoch still has; called only where epochs matter, since a net
            without data layers has none.

    Attributes:
        last_iter, last_epoch: the limits; None for none.
    """

    def __init__(self, breaks: Sequence[BreakEntry], save_every_n_iter: int, steps_to_epoch: Callable[[], int]) -> None:
        self.breaks = list(breaks)
        self.last_iter: int | None = None
        self.last_epoch: int | None = None
        self._save_every_n_iter = save_every_n_iter
        self._steps_to_epoch = steps_to_epoch
        self._step_s = 0.0

    def timed(self, n: int, seconds: float) -> None:
        """Note that a call of `n` steps took this long; the next call is sized accordingly."""
        self._step_s = seconds / n

    def steps(self, state: TrainingState, *, unsaved: bool = False) -> int:
        """How many steps may run in the next call; 0 where the training is over.

        Args:
            unsaved: there are statistics that the file lacks.
        """
        return 0 if self._is_over(state) else min(self._bounds(state.iter, unsaved))

    def due(self, state: TrainingState, epoch_before: int | None = None) -> list[Any]:
        """Coffee breaks that are due after iteration `state.iter`, in the order in which they were added.

        Args:
            epoch_before: the epoch before the last call; None at iteration 0, where all breaks are due.
        """
        breaks = self.breaks
        return [entry.coffee for entry in breaks if _is_due(entry, state, epoch_before)] if breaks else []

    def saves(self, iteration: int) -> bool:
        """Whether new statistics are written to their file after this iteration."""
        return iteration % self._save_every_n_iter == 0

    def _is_over(self, state: TrainingState) -> bool:
        if state.stop_reason:
            return True
        iterations_done = self.last_iter is not None and state.iter >= self.last_iter
        return iterations_done or (self.last_epoch is not None and state.epoch >= self.last_epoch)

    def _bounds(self, iteration: int, unsaved: bool) -> Iterator[int]:
        yield min(MAX_STEPS, max(1, int(CALL_S / self._step_s))) if self._step_s else 1
        if self.last_iter is not None:
            yield self.last_iter - iteration
        intervals = [entry.every_n_iter for entry in self.breaks if entry.every_n_iter]
        for n in [*intervals, *([self._save_every_n_iter] if unsaved else [])]:
            yield n - iteration % n
        if self.last_epoch is not None or any(e.every_n_epoch and not e.every_n_iter for e in self.breaks):
            yield self._steps_to_epoch()


def _is_due(entry: BreakEntry, state: TrainingState, epoch_before: int | None) -> bool:
    if entry.every_n_iter:
        return state.iter % entry.every_n_iter == 0
    n = entry.every_n_epoch
    return n > 0 and (epoch_before is None or state.epoch // n > epoch_before // n)
