"""Two ranks without MPI: a process and a child that it forks, which train one program together.

They run all of a training on several ranks but the library: parts, buckets, the communication thread, sums in order,
messages. Starting mpiexec would take longer than the rest of a net; tests/runtime/ranks does.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any
from unittest.mock import patch

from mochac.runtime.ranks import ranks
from mochac.runtime.ranks.ranks import Functions


@contextmanager
def two_ranks(second: Callable[[Pair], None]) -> Iterator[Pair]:
    """The communicator of the first rank; meanwhile a child calls `second` with that of the other.

    Raises:
        RuntimeError: the child has failed.
    """
    mine, theirs = zip(Pipe(), socket.socketpair(), strict=True)
    child = os.fork()
    if child == 0:
        _close(mine)
        _second(second, Pair(1, *theirs))
    _close(theirs)
    try:
        with patch.object(ranks, "functions", Pair.functions):
            yield Pair(0, *mine)
    except BaseException:
        os.kill(child, signal.SIGKILL)
        raise
    finally:
        _, status = os.waitpid(child, 0)
        _close(mine)
    if status:
        raise RuntimeError(f"rank 1 has ended with status {os.waitstatus_to_exitcode(status)}")


def _close(ends: tuple[Connection, socket.socket]) -> None:
    for end in ends:
        end.close()


def _second(work: Callable[[Pair], None], pair: Pair) -> None:
    """Work as rank 1, and end the process."""
    try:
        with patch.object(ranks, "functions", Pair.functions):
            work(pair)
        os._exit(0)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


class Pair:
    """The part of a communicator of mpi4py that ranks use, for two of them.

    Args:
        messages: for Python's objects.
        numbers: for those of the compiled step.
    """

    size = 2

    def __init__(self, rank: int, messages: Connection, numbers: socket.socket) -> None:
        self.rank, self._messages, self._numbers = rank, messages, numbers
        numbers.setblocking(False)
        self._arrived: list[tuple[int, Any]] = []
        self._out, self._into = memoryview(b""), memoryview(b"")
        address, word, number = ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32
        sent = ctypes.CFUNCTYPE(number, address, number, word, number, number, word, address)
        self._calls = (
            sent(self._isend),
            sent(self._irecv),
            ctypes.CFUNCTYPE(number, number, address, ctypes.POINTER(number), address)(self._testall),
        )

    def Dup(self) -> Pair:
        """Itself: messages and numbers do not meet."""
        return self

    def Free(self) -> None:
        """There is nothing to release."""

    def Abort(self, code: int) -> None:
        """End this process; the other one notices."""
        os._exit(code)

    # -- messages ------------------------------------------------------------------------------------------------------

    def isend(self, message: Any, dest: int, tag: int) -> Pair:
        """Send a message; the request is done."""
        self._messages.send((tag, message))
        return self

    def test(self) -> tuple[bool, None]:
        """Whether a request is done."""
        return True, None

    def iprobe(self, source: int = -1, tag: int = -1) -> bool:
        """Whether a message with that tag has arrived. What follows it may be the end, which is an error to read."""
        while not (found := any(known == tag for known, _ in self._arrived)) and self._messages.poll():
            self._arrived.append(self._messages.recv())
        return found

    def recv(self, source: int, tag: int) -> Any:
        """The first message with that tag, which has arrived."""
        place = next(k for k, (known, _) in enumerate(self._arrived) if known == tag)
        return self._arrived.pop(place)[1]

    def wait(self, tag: int) -> Any:
        """The first message with that tag, which will arrive."""
        while not self.iprobe(tag=tag):
            self._messages.poll(None)
        return self.recv(0, tag)

    # -- numbers, called by native code --------------------------------------------------------------------------------

    def functions(self) -> Functions:
        """Stand-ins for MPI's functions. The handle of a type of numbers is its size."""
        isend, irecv, testall = (ctypes.cast(call, ctypes.c_void_p).value or 0 for call in self._calls)
        return Functions(
            handle=0, single=4, double=8, sum=0, in_place=0, isend=isend, irecv=irecv, testall=testall, iallreduce=0,
            request_bytes=8, status_bytes=8, threaded=True,
        )  # fmt: skip

    def _isend(self, start: int, n: int, size: int, *others: int) -> int:
        self._out = _memory(start, n * size)
        return 0

    def _irecv(self, start: int, n: int, size: int, *others: int) -> int:
        self._into = _memory(start, n * size)
        return 0

    def _testall(self, n: int, requests: int, done: Any, statuses: int) -> int:
        try:
            while self._out:
                self._out = self._out[self._numbers.send(self._out) :]
        except BlockingIOError:
            pass
        try:
            while self._into and (got := self._numbers.recv_into(self._into)):
                self._into = self._into[got:]
        except BlockingIOError:
            pass
        done[0] = not self._out and not self._into
        return 0


def _memory(start: int, n_bytes: int) -> memoryview:
    return memoryview((ctypes.c_char * n_bytes).from_address(start)).cast("B") if n_bytes else memoryview(b"")
