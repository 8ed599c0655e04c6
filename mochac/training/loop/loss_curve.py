"""LossCurve: the loss of a training in its lounge, even if no coffee break records it.

Which iterations get a row depends on their numbers alone, so a resumed training has the same rows as an uninterrupted
one, and no call is cut short for a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mochac.training.loop.coffee import TrainingSummary
from mochac.training.loop.lounge import CoffeeLounge

NAME = "obj_val"
DIGITS = 3
"""Rows are as close as this many leading digits of an iteration's number."""


class LossCurve:
    """Rows of "obj_val" in `lounge`, unless one of the `breaks` is a TrainingSummary that records it."""

    def __init__(self, lounge: CoffeeLounge, breaks: Sequence[Any]) -> None:
        self._lounge, self._next = lounge, 0
        self._wanted = not any(isinstance(b, TrainingSummary) and NAME in b.names for b in breaks)

    def add(self, first: int, losses: Sequence[float]) -> None:
        """The losses of the iterations that follow `first`. Breaks that record the same name come later and win."""
        last = first + len(losses)
        if self._wanted and self._next <= last:
            self._lounge.add(NAME, {t: losses[t - first - 1] for t in due(first, last)})
            self._next = following(last)

    def end(self, iteration: int, loss: float | None) -> None:
        """The training is over: its last iteration has a row too."""
        if self._wanted and loss is not None and iteration not in self._lounge.statistics.get(NAME, {}):
            self._lounge.add(NAME, {iteration: loss})


def due(first: int, last: int) -> Iterator[int]:
    """Iterations after `first`, up to `last`, that get a row: each up to 1000, every tenth up to 10,000, and so on.

    >>> list(due(997, 1025)), list(due(99_950, 101_500))
    ([998, 999, 1000, 1010, 1020], [100000, 101000])
    """
    step, low, high = 1, 0, 10**DIGITS
    while low <= last:
        begin = max(first + 1, low)
        yield from range(begin + -begin % step, min(last + 1, high), step)
        step, low, high = 10 * step, high, 10 * high


def following(t: int) -> int:
    """The first iteration after `t` that gets a row."""
    t += 1
    return t + -t % 10 ** max(0, len(str(t)) - DIGITS)
