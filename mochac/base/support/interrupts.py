"""Signals that end a training: Ctrl-C, SIGTERM, SIGHUP. The first ends it cleanly, the second at once.

Callers that must finish something after a training enter `listening` around it: Program.train closes output files,
`mochac train` saves a model. The training loop checks `signal` between calls.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any

from mochac.base.support.log import LOG, one_line

_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def listening() -> Iterator[Interrupts]:
    """The signals that arrive inside the context. Nested contexts share them: a signal ends both a training that a
    coffee break runs and the training that has the break.

    Afterwards the old handlers are restored, and SIGTERM and SIGHUP are raised again: they end the process, unless it
    has a handler of its own. Only the main thread receives signals; in other threads none arrive. Signals that the
    process ignores (Ctrl-C in a background job, SIGHUP under nohup) stay ignored.
    """
    global _outermost
    if threading.current_thread() is not threading.main_thread():
        yield Interrupts()
    elif _outermost is not None:
        yield _outermost
    else:
        _outermost = Interrupts()
        try:
            with _outermost.handling():
                yield _outermost
        finally:
            _outermost = None


@contextmanager
def ctrl_c_later() -> Iterator[None]:
    """Delay Ctrl-C until the context, or the decorated function, ends. An exception between two instructions of
    llvmlite's Python code would make it free memory twice, or keep its lock."""
    here = threading.current_thread() is threading.main_thread()
    if not (here and callable(signal.getsignal(signal.SIGINT))):
        yield
        return
    arrived: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        arrived.append(number)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is note:  # not if another signal has ended a training: see `_act`
            signal.signal(signal.SIGINT, before)
        if arrived:
            signal.raise_signal(signal.SIGINT)


class Depth:
    """A context that counts how many times it is entered at the moment."""

    def __init__(self) -> None:
        self.depth = 0

    def __enter__(self) -> None:
        self.depth += 1

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.depth -= 1


class Interrupts:
    """Signals received by trainings.

    Attributes:
        signal: the first signal; None until one arrives.
        deferring: a context inside which the second signal waits until the next deliver().
    """

    def __init__(self) -> None:
        self.signal: int | None = None
        self._waiting: int | None = None
        self.deferring = Depth()
        self._before: dict[int, Any] = {}
        self._process = os.getpid()

    @contextmanager
    def handling(self) -> Iterator[None]:
        """Install the handlers, in the main thread; see listening()."""
        handlers = {number: signal.getsignal(number) for number in _SIGNALS}
        self._before = {n: handler for n, handler in handlers.items() if handler not in (None, signal.SIG_IGN)}
        for number in self._before:
            signal.signal(number, self._hear)
        try:
            yield
        except BaseException as error:
            if self._ends_process:
                LOG.warning("%s", one_line(error))  # otherwise it would be lost
            raise
        finally:
            self._restore()
            if self._ends_process:
                assert self.signal is not None
                signal.raise_signal(self.signal)

    def deliver(self) -> None:
        """Handle the second signal, if one is waiting."""
        if self._waiting is not None:
            self._act(self._waiting)

    @property
    def _ends_process(self) -> bool:
        return self.signal not in (None, signal.SIGINT) and not self._forked

    @property
    def _forked(self) -> bool:
        """Whether this is a child process, such as a worker that a coffee break started."""
        return os.getpid() != self._process

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self._forked:
            self._act(number)
        elif self.signal is None:
            self.signal = number
        elif self.deferring.depth:
            self._waiting = number
        else:
            self._act(number)

    def _act(self, number: int) -> None:
        """Handle a signal as the previous handlers would."""
        self._restore()
        signal.raise_signal(number)

    def _restore(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)


_outermost: Interrupts | None = None
