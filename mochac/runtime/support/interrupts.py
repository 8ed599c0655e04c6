"""Signals that end a training: Ctrl-C, SIGTERM, SIGHUP. The first asks it to end well, the second ends it at once.

Whoever has something to finish after a training listens around it: Program.train, which closes output files, and
`mochac train`, which saves a model. The training loop looks at `asked` between calls. It knows nothing of what is
trained.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from mochac.runtime.support.log import LOG, one_line

_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def listening() -> Iterator[Interrupts]:
    """The signals that arrive inside. Inside another listening() they are the same ones: a signal ends a training that
    a coffee break runs, and the training whose break that is.

    Afterwards handlers are as they were, and SIGTERM and SIGHUP are sent again: the process ends by them, unless it has
    a handler of its own. Only the main thread gets signals: in other threads nothing is heard. Signals that the process
    ignores (Ctrl-C in a background job, SIGHUP under nohup) it goes on ignoring.
    """
    global _outermost
    if threading.current_thread() is not threading.main_thread():
        yield Interrupts()
    elif _outermost is not None:
        yield _outermost
    else:
        _outermost = Interrupts()
        try:
            with _outermost.heard():
                yield _outermost
        finally:
            _outermost = None


class Interrupts:
    """What trainings were sent.

    Attributes:
        asked: the first signal; None as long as there is none.
    """

    def __init__(self) -> None:
        self.asked: int | None = None
        self._waiting: int | None = None
        self._depth = 0
        self._before: dict[int, Any] = {}
        self._process = os.getpid()

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Listen inside, in the main thread; see listening()."""
        found = {number: signal.getsignal(number) for number in _SIGNALS}
        self._before = {n: handler for n, handler in found.items() if handler not in (None, signal.SIG_IGN)}
        for number in self._before:
            signal.signal(number, self._hear)
        try:
            yield
        except BaseException as error:
            if self._ends_process:
                LOG.warning("%s", one_line(error))  # nobody will see it otherwise
            raise
        finally:
            self._restore()
            if self._ends_process:
                assert self.asked is not None
                signal.raise_signal(self.asked)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Inside, the second signal waits for the next deliver()."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def deliver(self) -> None:
        """Let the second signal act if one waits."""
        if self._waiting is not None:
            self._act(self._waiting)

    @property
    def _ends_process(self) -> bool:
        return self.asked not in (None, signal.SIGINT) and not self._forked

    @property
    def _forked(self) -> bool:
        """Whether this is a copy in a child process, such as a worker that a coffee break started."""
        return os.getpid() != self._process

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self._forked:
            self._act(number)
        elif self.asked is None:
            self.asked = number
        elif self._depth:
            self._waiting = number
        else:
            self._act(number)

    def _act(self, number: int) -> None:
        """As if nobody had listened."""
        self._restore()
        signal.raise_signal(number)

    def _restore(self) -> None:
        while self._before:
            signal.signal(*self._before.popitem())


_outermost: Interrupts | None = None
