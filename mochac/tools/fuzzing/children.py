"""Child processes that compare random nets with their twins: one may crash, hang or run out of memory.

A child compares many nets, since a new process would compile the worker team, fill its tables and copy the memory that
it shares with its parent again: a quarter of the time of a short net.
"""

from __future__ import annotations

import faulthandler
import gc
import logging
import os
import resource
import signal
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait

from mochac.base.records import record
from mochac.tools.fuzzing.drawer import DrawnNet
from mochac.tools.fuzzing.twins import Trial
from mochac.tools.fuzzing.verdicts import CRASH, HANG, Verdict, judged

LIMIT_S = 300
"""How long a twin may take."""
LIMIT_BYTES = 16 << 30
"""Maximum bytes of addresses of a child."""
LIFE = 50
"""Nets that a child compares: then its compile cache and the code that it has loaded are given up."""
NEEDED = (
    "jinja2", "mochac.codegen.cpu.module", "mochac.codegen.cpu.schedules", "mochac.lowering.pipeline",
    "mochac.runtime.cpu.executor", "mochac.runtime.cpu.team",
)  # fmt: skip
"""Modules that children need, imported once in their parent, which saves each a quarter of a second."""
FORK = get_context("fork")


@record(eq=False)
class Task:
    """A net, which `draw` makes in the child, and the names of its twins."""

    draw: Callable[[], DrawnNet]
    twins: Sequence[str]


def compared(
    tasks: Sequence[Task], jobs: int = 1, seconds: float | None = None
) -> Iterator[tuple[Task, dict[str, Verdict]]]:
    """Verdicts by twin of each task, as they become known. If a twin ends its child, later ones are not tried.

    Args:
        jobs: number of children at a time.
        seconds: begin with no further task after this long.
    """
    for name in NEEDED:
        import_module(name)
    waiting, end = iter(enumerate(tasks)), time.monotonic() + (seconds or float("inf"))
    idle: list[_Child] = []
    busy: list[_Child] = []
    try:
        while True:
            while len(busy) < jobs and time.monotonic() < end and (following := next(waiting, None)):
                child = idle.pop() if idle else _Child(tasks)
                busy.append(child)
                child.begin(*following)
            if not busy:
                return
            for child in _heard(busy):
                busy.remove(child)
                if child.is_reusable:
                    idle.append(child)
                else:
                    child.close()
                yield child.task, child.found
    finally:
        for child in (*idle, *busy):
            child.close()


def verdicts(case: DrawnNet, twins: Sequence[str]) -> dict[str, Verdict]:
    """Verdicts by twin of one case, in a process of its own."""
    return next(found for _, found in compared([Task(lambda: case, twins)]))


def _heard(busy: list[_Child]) -> list[_Child]:
    """Wait for messages, and return the children that have ended their tasks."""
    limit = min(child.limit for child in busy)
    ready = wait([child.pipe for child in busy], max(0, limit - time.monotonic()))
    return [child for child in busy if child.heard(child.pipe in ready)]


class _Child:
    """A process that compares one net after the other, with a compile cache of its own: the cache of thousands of nets
    is large, and a process measures a cache before it adds to it.

    Attributes:
        task, found: its last task and the verdicts so far.
        limit: when the next verdict must be there.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.pipe, theirs = FORK.Pipe()
        self._process = FORK.Process(target=_work, args=(tasks, self.pipe, theirs, self._folder.name), daemon=True)
        self._process.start()
        theirs.close()
        self._left, self._ended = LIFE, False

    def begin(self, number: int, task: Task) -> None:
        self.task, self.found = task, dict[str, Verdict]()
        self.limit = time.monotonic() + LIMIT_S
        self._left -= 1
        with suppress(OSError):  # it has crashed since its last task, which `heard` will find
            self.pipe.send(number)

    @property
    def is_reusable(self) -> bool:
        """Whether it may begin another task."""
        return self._left > 0 and not self._ended

    def heard(self, ready: bool) -> bool:
        """Take a message, if one is ready; whether the task has ended."""
        if ready:
            try:
                self._take(Verdict(*self.pipe.recv()))
            except (EOFError, OSError):
                self._process.join()
                self._end(Verdict(CRASH, _reason(self._process.exitcode or 0)))
        elif time.monotonic() >= self.limit:
            self._end(Verdict(HANG, f"no result after {LIMIT_S} s"))
        return self._ended or len(self.found) == len(self.task.twins)

    def _take(self, verdict: Verdict) -> None:
        self.found[self.task.twins[len(self.found)]] = verdict
        self.limit = time.monotonic() + LIMIT_S

    def _end(self, verdict: Verdict) -> None:
        self._take(verdict)
        self._ended = True

    def close(self) -> None:
        self._process.kill()
        self._process.join()
        self.pipe.close()
        self._folder.cleanup()


def _reason(status: int) -> str:
    return signal.Signals(-status).name if status < 0 else f"exit status {status}"


def _work(tasks: Sequence[Task], theirs: Connection, pipe: Connection, folder: str) -> None:
    """Receive numbers of nets until the parent closes the pipe, and send a message for each twin of each net."""
    theirs.close()
    for number in (signal.SIGINT, signal.SIGTERM):  # may reach all processes of a group; the parent kills this one
        signal.signal(number, signal.SIG_IGN)
    os.environ["MOCHAC_CACHE_DIR"] = folder
    faulthandler.enable()
    gc.freeze()  # what the parent made lives on
    warnings.simplefilter("ignore")
    logging.getLogger("mochac").setLevel(logging.ERROR)
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
    with suppress(EOFError, BrokenPipeError):
        while True:
            task = tasks[pipe.recv()]
            trial = Trial(task.draw())
            for name in task.twins:
                found = judged(trial, name)
                pipe.send((found.kind, " ".join(found.text.split())[:4000]))
