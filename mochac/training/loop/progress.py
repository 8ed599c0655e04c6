"""Progress of a training: a bar on a terminal or in a notebook, otherwise a log line, ever more rarely; and a line at
the end. Waits: how long steps wait for data, and a warning about data layers that are slow.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

from mochac.base.drawing.svg import progress
from mochac.base.records import record
from mochac.base.support.array_like import duration
from mochac.base.support.log import BEFORE_LINE, LOG, NotebookOutput, bar, columns_of, notebook_output
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.session.session import Session

BAR_EVERY_S = 0.1
LINE_EVERY_S, LINE_EVERY = 5.0, 0.1
"""Seconds between plain lines, or this share of the time so far if that is longer."""


@record
class Goal:
    """First and last iteration of a training (None if there is none), and samples per step."""

    first: int
    last: int | None
    batch_size: int


class Progress:
    """Shows iteration, loss, samples per second and remaining time.

    Args:
        goal: see Goal.
        stream: a bar is drawn here if it is a terminal.
        lines: otherwise, log plain lines.
        shown: show anything at all.
        notebook: a bar is shown here; None: in the running cell, if this is a notebook.
        clock: returns the time, seconds.
    """

    def __init__(
        self,
        goal: Goal,
        stream: TextIO | None = None,
        lines: bool = True,
        shown: bool = True,
        clock: Callable[[], float] = time.perf_counter,
        notebook: NotebookOutput | None = None,
    ) -> None:
        self.goal = goal
        self._stream = sys.stderr if stream is None else stream
        self._notebook = (notebook or notebook_output()) if shown else None
        terminal = self._stream is not None and self._stream.isatty()
        self._bar = shown and terminal and self._notebook is None
        self._lines = lines and shown
        self._clock = clock
        self._begin = self._shown = clock()
        self._drawn = False
        if self._bar:
            BEFORE_LINE.append(self._clear)

    def update(self, iteration: int, loss: float) -> None:
        """An iteration is complete, with this loss."""
        now = self._clock()
        if now - self._shown < (
            BAR_EVERY_S if self._bar or self._notebook else max(LINE_EVERY_S, LINE_EVERY * (now - self._begin))
        ):
            return
        self._shown = now
        if self._notebook is not None:
            self._notebook.show(progress(self._done(iteration), self.text(iteration, loss, now - self._begin)))
            self._drawn = True
        elif self._bar:
            self._draw(iteration, loss, now - self._begin)
        elif self._lines:
            LOG.info(" %s", self.text(iteration, loss, now - self._begin))

    def close(self) -> None:
        """Remove the bar."""
        if self._notebook is not None and self._drawn:
            self._notebook.show("")
            self._notebook = None
        if self._bar:
            self._clear()
            BEFORE_LINE.remove(self._clear)
            self._bar = False

    def result(self, iteration: int, loss: float, seconds: float, waited_s: float | None = None) -> str:
        """ "1000 iterations in 3.2 s; loss 0.0312, 27500 samples/s".

        Args:
            seconds: duration of the steps.
            waited_s: time spent waiting for data; None: not shown.
        """
        done = iteration - self.goal.first
        rate = done * self.goal.batch_size / seconds if seconds > 0 else 0.0
        waited = "" if waited_s is None else f" ({waited_s:.1f} s waiting for data)"
        noun = "iteration" if done == 1 else "iterations"
        return f"{done} {noun} in {_duration(seconds)}{waited}; loss {loss:.4g}, {rate:.0f} samples/s"

    def text(self, iteration: int, loss: float, elapsed_s: float) -> str:
        """ "iter 5000/10000  loss 0.0312  27500 samples/s  0:11 left"."""
        done, last = iteration - self.goal.first, self.goal.last
        rate = done / elapsed_s if elapsed_s > 0 else 0.0
        total = f"/{last}" if last is not None else ""
        left = f"  {_clock_time((last - iteration) / rate)} left" if last is not None and rate else ""
        return f"iter {iteration}{total}  loss {loss:.4g}  {rate * self.goal.batch_size:.0f} samples/s{left}"

    def _done(self, iteration: int) -> float | None:
        """Fraction of the training that is done; None if its end is unknown."""
        first, last = self.goal.first, self.goal.last
        return (iteration - first) / max(1, last - first) if last else None

    def _draw(self, iteration: int, loss: float, elapsed_s: float) -> None:
        text = self.text(iteration, loss, elapsed_s)
        width = (columns_of(self._stream) or 80) - 1
        room = min(32, width - len(text) - 1)
        text = text[:width]
        done = self._done(iteration)
        if done is not None and room >= 12:
            text = f"{bar(done, room, self._stream.encoding)} {text}"
        self._write("\r" + text + "\x1b[K")
        self._drawn = True

    def _clear(self) -> None:
        if self._drawn:
            self._write("\r\x1b[K")
            self._drawn = False

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # the terminal has gone; training continues
            self._drawn = False


def _duration(seconds: float) -> str:
    """
    >>> _duration(9.2e-05), _duration(0.312), _duration(71.04)
    ('92 us', '0.31 s', '71.0 s')
    """
    if seconds < 0.1:
        return duration(seconds)
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds:.2g} s"


def _clock_time(seconds: float) -> str:
    """Minutes and seconds, with hours if necessary.

    >>> _clock_time(71), _clock_time(3671)
    ('1:11', '1:01:11')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


REPORTED_S = 10.0
"""A training of at least this many seconds logs at its end how long its steps waited for data."""
SLOW_INPUT, SLOW_INPUT_S = 0.05, 0.5
"""A data layer is slow if steps waited for it for this share of the training's time, and for so many seconds."""


class Waits:
    """Counts waits from now on.

    Args:
        session: whose steps wait.
        lounge: gets the seconds, by data layer.
    """

    def __init__(self, session: Session, lounge: CoffeeLounge) -> None:
        self._session, self._lounge = session, lounge
        self._before = session.batches.position.waited()

    def count(self) -> None:
        """Write into the lounge how long steps have waited so far."""
        waited = self._session.batches.position.waited().items()
        self._lounge.waited_s = {layer: seconds - self._before.get(layer, 0.0) for layer, seconds in waited}

    def reported(self) -> float | None:
        """All waits together; None after a short training."""
        return sum(self._lounge.waited_s.values()) if self._lounge.trained_s >= REPORTED_S else None

    def warn(self) -> None:
        """Name the data layers that are slow."""
        whole = self._lounge.trained_s
        for layer, seconds in self._lounge.waited_s.items():
            if seconds >= max(SLOW_INPUT_S, SLOW_INPUT * whole):
                LOG.warning("data layer %r is slow: steps waited for it %.1f s of %.1f s", layer, seconds, whole)
