"""CallTurns: which thread may read from the data layers of a program, or leave a batch for the next call.

step()  step()  forward()  backward()      calls of several threads wait for each other
train() ............................       calls of other threads are refused meanwhile
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from mochac.base.errors import OptionError
from mochac.base.threads import fork_lock

LOOK_S = 0.1
"""How often a waiting thread checks whether another one has begun to train, seconds."""


class CallTurns:
    """The turns of the threads that call one program.

    Attributes:
        trainer: the thread that is in train(); 0 for none.
    """

    def __init__(self, program: str) -> None:
        self.program, self.trainer = program, 0
        self.lock = fork_lock(waits=False)

    def refuse(self, call: str) -> None:
        """Raise OptionError if another thread is in train()."""
        if self.trainer not in (0, threading.get_ident()):
            rule = f"{call} while another thread trains program {self.program!r}"
            raise OptionError(rule, hint="predict() and evaluate() may be called meanwhile")

    @contextmanager
    def training(self) -> Iterator[None]:
        """The context of train(); raises as Turn does."""
        with Turn(self, "train()"):
            before, self.trainer = self.trainer, threading.get_ident()
            try:
                yield
            finally:
                self.trainer = before


class Turn:
    """A context for one call of the user: threads enter it one at a time, and a thread may enter it again inside.

    Args:
        call: for messages.

    Raises:
        OptionError: another thread is in train().
    """

    __slots__ = ("_call", "_turns")

    def __init__(self, turns: CallTurns, call: str) -> None:
        self._turns, self._call = turns, call

    def __enter__(self) -> None:
        turns = self._turns
        if turns.lock.acquire(False):
            return
        turns.refuse(self._call)
        while not turns.lock.acquire(timeout=LOOK_S):
            turns.refuse(self._call)

    def __exit__(self, *error: object) -> None:
        self._turns.lock.release()
