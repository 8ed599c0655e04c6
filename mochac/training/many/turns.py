"""The turns of blocks: every thread takes the block that is least advanced, runs some steps of it, and puts it back.

No thread waits for another in between. A few blocks are in memory at a time; when one is done, the next one begins.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from mochac.base.support.interrupts import Interrupts
from mochac.training.many.block import NetBlock

AHEAD = 2
"""Blocks in memory for each thread, so that all threads have work until the end."""

Begin = Callable[[], NetBlock]
"""Makes a block, when its turn comes."""


def run_blocks(begins: Sequence[Begin], threads: int, interrupts: Interrupts) -> list[NetBlock]:
    """Train all blocks; returns them in order, finished. After a signal, every block ends where it is.

    Args:
        threads: number of threads that take turns, this one included.

    Raises:
        The first error of a block; the others are closed.
    """
    turns = _Turns(begins, AHEAD * threads, interrupts)
    helpers = [threading.Thread(target=turns.work, name="mochac-many", daemon=True) for _ in range(threads - 1)]
    for helper in helpers:
        helper.start()
    turns.work()
    for helper in helpers:
        helper.join()
    return turns.result()


class _Turns:
    """The blocks in memory, and those to come. `_lock` guards everything but the blocks that threads have taken."""

    def __init__(self, begins: Sequence[Begin], most: int, interrupts: Interrupts) -> None:
        self._begins, self._most, self._interrupts = begins, most, interrupts
        self._blocks: list[NetBlock | None] = [None] * len(begins)
        self._idle: list[int] = []
        self._next = self._running = 0
        self._error: BaseException | None = None
        self._lock = threading.Condition()

    def work(self) -> None:
        """Take turns until all blocks are done, or one fails."""
        while (number := self._take()) is not None:
            try:
                done = self._turn(number)
            except BaseException as error:
                with self._lock:
                    self._error = self._error or error
                    self._running -= 1
                    self._lock.notify_all()
                return
            with self._lock:
                self._running -= 1
                if not done:
                    self._idle.append(number)
                self._lock.notify_all()

    def result(self) -> list[NetBlock]:
        """All blocks, finished.

        Raises:
            The first error.
        """
        if self._error is not None:
            for block in filter(None, self._blocks):
                block.close()
            raise self._error
        return [block for block in self._blocks if block is not None]

    def _take(self) -> int | None:
        """The number of the block whose turn it is; None if there is nothing left to do."""
        with self._lock:
            while self._error is None:
                in_memory = len(self._idle) + self._running
                if self._next < len(self._begins) and in_memory < self._most:
                    self._next += 1
                    self._running += 1
                    return self._next - 1
                if self._idle:
                    number = min(self._idle, key=self._progress)
                    self._idle.remove(number)
                    self._running += 1
                    return number
                if not self._running:
                    return None
                self._lock.wait()
        return None

    def _progress(self, number: int) -> int:
        block = self._blocks[number]
        assert block is not None
        return block.iteration - block.max_iter

    def _turn(self, number: int) -> bool:
        """Begin a block, or run some steps of it; whether it is done."""
        block = self._blocks[number]
        if block is None:
            block = self._blocks[number] = self._begins[number]()
        asked = self._interrupts.asked is not None
        if not block.done and not asked:
            block.advance()
        if block.done or asked:
            block.finish(interrupted=not block.done)
            return True
        return False
