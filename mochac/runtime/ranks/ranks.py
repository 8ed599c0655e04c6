"""Ranks: the processes that train a net together; and MPI's C functions and handles, from mpi4py."""

from __future__ import annotations

import ctypes
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path
from typing import Any

from mochac.base.errors import OptionError, RankError
from mochac.base.records import record
from mochac.base.support.array_like import duration, unit
from mochac.base.support.log import LOG
from mochac.base.support.times import default_threads
from mochac.ir.plan import Share
from mochac.runtime.ranks.messages import Talk, absent_ranks, is_roll_called
from mochac.runtime.ranks.processes import HINT, Watch, wait_until_read, write_status


@record
class Functions:
    """The C functions and handles of an MPI library, for one communicator.

    Attributes:
        handle: of the communicator.
        single, double: of the element types.
        sum: of the operation.
        in_place: MPI_IN_PLACE.
        request_bytes, status_bytes: sizes of MPI_Request and MPI_Status.
        threaded: several threads may call MPI at the same time (MPI_THREAD_MULTIPLE).
    """

    handle: int
    single: int
    double: int
    sum: int
    in_place: int
    isend: int
    irecv: int
    testall: int
    iallreduce: int
    request_bytes: int
    status_bytes: int
    threaded: bool


def mpi() -> Any:
    """The module mpi4py.MPI, which starts MPI in this process.

    Raises:
        OptionError: mpi4py or an MPI library is not installed.
    """
    try:
        from mpi4py import MPI  # pyright: ignore
    except (ImportError, RuntimeError) as error:  # without a library, mpi4py raises RuntimeError
        raise OptionError("training on several ranks needs mpi4py and MPI", got=str(error), hint=HINT) from None
    return MPI


def functions(comm: Any) -> Functions:
    """The functions for a communicator of mpi4py."""
    MPI = mpi()
    library = ctypes.CDLL(MPI.__file__)  # finds its symbols, and those of the libraries that it is linked with

    def address(name: str) -> int:
        found = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        assert found, name
        return found

    return Functions(
        handle=MPI._handleof(comm),
        single=MPI._handleof(MPI.FLOAT),
        double=MPI._handleof(MPI.DOUBLE),
        sum=MPI._handleof(MPI.SUM),
        in_place=int(MPI.IN_PLACE),
        isend=address("MPI_Isend"),
        irecv=address("MPI_Irecv"),
        testall=address("MPI_Testall"),
        iallreduce=address("MPI_Iallreduce"),
        request_bytes=MPI._sizeof(MPI.Request),
        status_bytes=MPI._sizeof(MPI.Status),
        threaded=MPI.Query_thread() == MPI.THREAD_MULTIPLE,
    )


def error_text(code: int) -> str:
    """Description of an error code of MPI."""
    return str(mpi().Get_error_string(code))


TIMEOUT_S = 300.0


@record
class Exchanged:
    """What a rank has exchanged: the number of exchanges, the messages and bytes that it sent, the seconds that
    exchanges took and the seconds that steps waited for them; the rest was hidden behind kernels. Seconds are 0 on
    devices, which do not tell."""

    exchanges: int = 0
    messages: int = 0
    sent_bytes: int = 0
    worked_s: float = 0.0
    waited_s: float = 0.0

    def since(self, before: Exchanged) -> Exchanged:
        """What has been exchanged since an earlier time."""
        return Exchanged(*(now - then for now, then in zip(astuple(self), astuple(before), strict=True)))

    def a_step(self, steps: int) -> str:
        """What was exchanged per step, in words.

        >>> Exchanged(20, 40, 8_000, 0.02, 0.005).a_step(10)
        '800 B in 4 messages a step, 2 ms, of which the step waited 500 us (75% hidden)'
        """
        n = max(1, steps)
        sent = f"{unit(self.sent_bytes / n, 'B')} in {self.messages / n:g} messages a step"
        if not self.worked_s:
            return sent
        waited = f"of which the step waited {duration(self.waited_s / n)} ({self.hidden:.0%} hidden)"
        return f"{sent}, {duration(self.worked_s / n)}, {waited}"

    @property
    def hidden(self) -> float:
        """The part of the time of exchanges for which no step waited, 0 to 1."""
        return max(0.0, 1 - self.waited_s / self.worked_s) if self.worked_s else 0.0

    def __str__(self) -> str:
        sent = f"{self.sent_bytes / 1e6:.1f} MB in {self.messages} messages"
        if not self.worked_s:
            return sent
        return f"{sent}, {self.worked_s:.2f} s, of which steps waited {self.waited_s:.2f} s ({self.hidden:.0%} hidden)"


def require_order(ranks: int, otherwise: str = "") -> None:
    """Check that so many ranks can add in order.

    Args:
        otherwise: what a user writes for sums in any order; "" if that is not possible.

    Raises:
        OptionError: they are no power of two.
    """
    if ranks & (ranks - 1):
        near = 1 << (ranks.bit_length() - 1)
        more = f", or {otherwise}, which takes any number but not the same bits" if otherwise else ""
        rule = "sums in order need a number of ranks that is a power of two"
        raise OptionError(rule, got=str(ranks), hint=f"{near} or {2 * near} ranks{more}")


class Ranks:
    """The ranks of a training; alone without a communicator.

    Args:
        comm: of mpi4py; None: this process is alone.
        ordered: sums are added in the order of the ranks, so that their number changes no bit.
        timeout_s: how long to wait for the answer of a rank.
        folder: where this rank notes how far it is, for its launcher; "" for nowhere.

    Attributes:
        share: which of the ranks this process is.

    Raises:
        OptionError: `comm` is not a communicator; sums in order need a power of two.
    """

    def __init__(
        self, comm: Any = None, *, ordered: bool = True, timeout_s: float = TIMEOUT_S, folder: str = ""
    ) -> None:
        if comm is not None and not all(hasattr(comm, name) for name in ("Dup", "rank", "size", "isend")):
            hint = "from mpi4py import MPI; program.train(solver, comm=MPI.COMM_WORLD)"
            raise OptionError("comm is not a communicator of mpi4py", got=type(comm).__name__, hint=hint)
        self.ordered, self.timeout_s = ordered, timeout_s
        self.share = Share() if comm is None else Share(int(comm.rank), int(comm.size))
        self.together = comm is not None
        ranks = self.share.ranks
        if ordered:
            require_order(ranks, "ordered=False")
        self._comm = comm
        self._own = [] if comm is None or ranks == 1 else [comm.Dup(), comm.Dup()]
        self._talk = Talk(self._own[0], timeout_s) if self._own else None
        self._watch: Watch | None = None
        self._folder = folder

    @property
    def leads(self) -> bool:
        """Whether this rank shows progress and writes files."""
        return self.share.rank == 0

    @property
    def several(self) -> bool:
        """Whether there are other ranks."""
        return self.share.ranks > 1

    def functions(self) -> Functions:
        """MPI's functions for exchanges, which have a communicator of their own."""
        return functions(self._own[1])

    def watch(self) -> None:
        """Start to watch for the death of ranks on this machine."""
        if self.several:
            host = socket.gethostname()
            found = self.gather((host, os.getpid()))
            self._watch = Watch(
                [process * (name == host) for name, process in found], self.share.rank, lambda: self.where
            )

    def stop_watching(self) -> None:
        """Stop watching."""
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.stop()

    def set_status(self, where: str) -> None:
        """Say what the training is doing, for messages: "after iteration 17"."""
        if self._talk is not None:
            self._talk.where = where
            if self._folder:
                write_status(Path(self._folder), self.share.rank, where)

    @property
    def where(self) -> str:
        """What the training is doing."""
        return self._talk.where if self._talk is not None else ""

    def gather(self, value: Any) -> list[Any]:
        """The values of all ranks, in their order; every rank calls it.

        Raises:
            RankError: a rank has failed, or does not answer.
        """
        return [value] if self._talk is None else self._talk.gather(value)

    def is_roll_called(self) -> bool:
        """Whether another rank has asked which ranks still answer."""
        return bool(self._own) and is_roll_called(self._own[0])

    def absent(self) -> list[int]:
        """The other ranks that no longer answer. Called by a rank whose wait has timed out, and by all others once one
        has called it."""
        return absent_ranks(self._own[0]) if self._own else []

    def broadcast(self, value: Any) -> Any:
        """The value of rank 0; every rank calls it."""
        return self.gather(value if self.leads else None)[0]

    def fail(self, error: BaseException) -> None:
        """Tell the other ranks that this one ends with an error. If they cannot be reached, kill them."""
        if self._talk is None or not self._own:
            return
        if isinstance(error, RankError):
            if error.lost:
                self.abort()
            return
        self._talk.fail(f"{type(error).__name__}: {error}")

    @contextmanager
    def sharing(self) -> Iterator[Ranks]:
        """A context of work that all ranks do, and nothing else; if it fails on one, the others learn how."""
        try:
            yield self
        except BaseException as error:
            self.fail(error)
            raise
        self.close()

    def abort(self) -> None:
        """End all ranks at once, this one too."""
        if self._comm is not None:
            wait_until_read()
            self._comm.Abort(1)

    def compare(self, facts: Mapping[str, Any]) -> None:
        """Check that all ranks have the same facts.

        Raises:
            RankError: with the first difference and its rank.
        """
        if not self.several:
            return
        found = self.gather(dict(facts))
        for rank, theirs in enumerate(found):
            for name, value in found[0].items():
                if theirs.get(name) != value:
                    expected, got = _difference(str(value), str(theirs.get(name)))
                    raise RankError(
                        f"the ranks differ in their {name}",
                        expected=f"as rank 0: {expected}",
                        got=f"rank {rank}: {got}",
                    )

    def threads(self) -> int | None:
        """Default number of threads of this rank; None: as many as a single process. Ranks of one machine
        that may use the same CPUs share them."""
        if not self.several:
            return None
        mask = tuple(sorted(os.sched_getaffinity(0))) if hasattr(os, "sched_getaffinity") else ()
        seen = self.gather((socket.gethostname(), mask))
        sharing, threads = seen.count(seen[self.share.rank]), default_threads()
        if sharing > threads:
            words = "%d ranks share %d CPU%s of this machine, and slow each other down: start fewer, or pin them"
            LOG.warning(words, sharing, threads, "s" * (threads > 1))
        return max(1, threads // sharing)

    def close(self) -> None:
        """Release the communicators."""
        own, self._own, self._talk = self._own, [], None
        for comm in own:
            comm.Free()


def _difference(expected: str, got: str) -> tuple[str, str]:
    """Two texts, or the first lines in which they differ."""
    for line, other in zip(expected.splitlines(), got.splitlines(), strict=False):
        if line != other:
            return line.strip()[:120], other.strip()[:120]
    lines, others = len(expected.splitlines()), len(got.splitlines())
    return _line(expected, min(lines, others)), _line(got, min(lines, others))


def _line(text: str, number: int) -> str:
    """A line of a text, or that there is none."""
    return next(iter(text.splitlines()[number:]), "nothing more").strip()[:120]


ALONE = Ranks()
"""A training in this process alone."""
