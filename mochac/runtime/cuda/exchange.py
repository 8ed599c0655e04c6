"""CudaExchange: the exchanges of a rank's plans, between its device and those of the other ranks, through NCCL.

A bucket's sum is a call that follows the kernel that has copied the values of the bucket into one piece
(codegen/cuda/exchange.py):

    in order       every rank sends each of the others its slice of the bucket; a kernel adds up the slices that have
                   arrived, in the order of the ranks; every rank sends its sums to all
    in any order   ncclAllReduce

The calls lie in the graph of the step, on a stream of their own, beside kernels that do not need the sums. A rank that
does not answer blocks the stream forever, so the host waits for steps by polling events, with a limit.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mochac.base.errors import BackendError, OptionError, RankError
from mochac.codegen.cuda.exchange import BLOCK, RankSum
from mochac.ir.plan import Share
from mochac.runtime.cuda.branches import Work
from mochac.runtime.cuda.device import Device
from mochac.runtime.cuda.driver import DeviceError, Span
from mochac.runtime.cuda.launcher import Call
from mochac.runtime.cuda.libraries.library import Communicator, Message
from mochac.runtime.ranks.messages import Timeout, timed_out
from mochac.runtime.ranks.ranks import Exchanged, Ranks

MOMENT_S, POLL_S = 0.0005, 0.00005
"""A wait polls its event without a pause for the first time, then at intervals of the second, seconds."""
LOOK_S = 0.2
"""How often NCCL is asked for errors, seconds."""


class CudaExchange:
    """The exchanges of this rank with the others.

    Args:
        ranks: each has a device of its own.

    Raises:
        BackendError: NCCL is not there, or does not start. OptionError: two ranks have one device.
        RankError: ranks have different versions of NCCL.
    """

    def __init__(self, ranks: Ranks, device: Device) -> None:
        self._ranks, self._device = ranks, device
        self._sent: list[int] = []
        self._exchanges = self._messages = self._bytes = 0
        self._failure: Callable[[str], RankError] | None = None
        self._steps = 0
        _require_own_devices(ranks, device)
        self._comm = self._joined()
        with device.use() as driver:
            self._asking, self._found = driver.stream(), driver.pinned(8)

    def _joined(self) -> Communicator:
        ranks, share = self._ranks, self._ranks.share
        try:
            with self._device.use() as driver:
                library = driver.collectives()
                ranks.compare({"versions of NCCL": library.version})
                found = ranks.broadcast(library.unique_id() if ranks.leads else None)
                return library.join(share.rank, share.ranks, found)
        except OSError as error:
            hint = "pip install nvidia-nccl-cu12, or nvidia-nccl-cu13; PyTorch for CUDA brings it, too"
            raise BackendError("training on several CUDA devices needs NCCL", got=str(error), hint=hint) from None
        except DeviceError as error:
            hint = "NCCL_DEBUG=INFO makes NCCL say what it does"
            raise BackendError(f"NCCL does not start on {self._device}", got=str(error), hint=hint) from None

    def rows_bytes(self, total: RankSum) -> int:
        """Memory that a sum needs besides the bucket and its sums."""
        return (total.ranks + 1) * total.slice_bytes if self._ranks.ordered else 0

    def calls(self, total: RankSum, work: Work, symbol: str, rows: Span, function: Callable[[str], Any]) -> list[Call]:
        """The calls that add up a bucket.

        Args:
            work: of the launch in the plan: from the bucket, to its sums.
            rows: memory of rows_bytes(), which sums use one after the other.
            function: a kernel of the plan's module by name.
        """
        bucket, sums = work.touched
        if not self._ranks.ordered:
            return [_call(work, symbol, self._comm.all_reduce(total.elems, total.dtype), bucket, sums)]
        scattered, gathered = (self._comm.swap(*messages, total.dtype) for messages in slices(total, self._ranks.share))
        arrived, added = (
            Span(rows.address, total.ranks * total.slice_bytes),
            Span(rows.address + total.ranks * total.slice_bytes, total.slice_bytes),
        )
        adds = Work(f"{work.name}: add", (arrived, added), (added,), exchanges=True)
        return [
            _call(_part(work, "scatter", bucket, arrived), symbol, scattered, bucket, arrived),
            Call(adds, total.symbol, function(total.symbol), total.grid, BLOCK, 0, (arrived, added)),
            _call(_part(work, "gather", added, sums), symbol, gathered, added, sums),
        ]

    def ran(self, sums: Sequence[RankSum], steps: int) -> None:
        """Count steps that have been run, with these sums in each."""
        for total in sums:
            messages, n_bytes = sent(total, self._ranks.share.rank) if self._ranks.ordered else (1, total.bytes)
            self._messages += steps * messages
            self._bytes += steps * n_bytes
        self._exchanges += steps * len(sums)

    def mark(self, stream: Any) -> Any:
        """An event after what has been enqueued on a stream, for wait()."""
        event = self._device.driver.event(timed=False)
        self._device.driver.record(event, stream)
        return event

    def wait(self, mark: Any, counter: int) -> None:
        """Wait for a mark; if another rank does not answer, end all exchanges.

        Args:
            counter: address of the number of steps of the current call that are done.
        """
        driver, watch = self._device.driver, _Progress(self._ranks.timeout_s, lambda: self._number(counter))
        looked = begin = time.perf_counter()
        while not driver.done(mark):
            now = time.perf_counter()
            if now - looked > LOOK_S and self._failure is None:
                looked = now
                self._look(watch)
            time.sleep(POLL_S if now - begin > MOMENT_S else 0)
        driver.free_event(mark)

    def _look(self, watch: _Progress) -> None:
        """If something has gone wrong, note it, and end the operations that wait."""
        rank, n = self._ranks.share.rank, self._ranks.share.ranks
        fault = self._comm.fault()
        if not (fault or watch.has_stopped() or self._ranks.is_roll_called()):
            return
        self._steps = watch.done
        if fault:
            whom = f"rank {1 - rank}" if n == 2 else "the other ranks"
            rule = f"rank {rank} could not exchange gradients with {whom}"
            self._failure = lambda where: RankError(f"{rule} {where}", got=fault, lost=True)
        else:
            absent = self._ranks.absent()
            other = absent[0] if absent else 1 - rank if n == 2 else -1
            self._failure = lambda where: timed_out(rank, other, self._ranks.timeout_s, where)
        self._comm.close(abort=True)

    def _number(self, address: int) -> int:
        """Read a number on the device without waiting for enqueued work."""
        driver = self._device.driver
        driver.download(self._found, address, self._asking)
        driver.wait(self._asking)
        return int(self._found.view(np.int64)[0])

    @property
    def failed(self) -> bool:
        """Whether exchanges have ended."""
        return self._failure is not None

    def check(self, first: int) -> None:
        """Raise RankError if exchanges have failed in the steps after iteration `first`."""
        if self._failure is not None:
            raise self._failure(f"in iteration {first + 1 + self._steps}")

    def exchanged(self) -> Exchanged:
        """What has been exchanged so far; only the device knows how long it took."""
        return Exchanged(self._exchanges, self._messages, self._bytes)

    def stop(self) -> None:
        """Does nothing: steps that were waited for are done."""

    def close(self) -> None:
        """Leave the ranks; NCCL keeps what captured graphs refer to until these are gone."""
        if self._failure is None:
            with self._device.forgiving() as driver:
                self._comm.close()
                driver.free_pinned(self._found)


class _Progress:
    """Whether steps make progress.

    Attributes:
        done: how many were, when last asked.
    """

    def __init__(self, limit_s: float, steps: Callable[[], int]) -> None:
        self._limit_s, self._steps, self._timeout = limit_s, steps, Timeout(limit_s)
        self.done = 0

    def has_stopped(self) -> bool:
        """Whether no step has completed for too long."""
        done = self._steps()
        if done != self.done:
            self.done, self._timeout = done, Timeout(self._limit_s)
        return self._timeout.is_over()


def slices(
    total: RankSum, share: Share
) -> tuple[tuple[list[Message], list[Message]], tuple[list[Message], list[Message]]]:
    """What a rank sends and receives, from the bucket to the rows, and from its sums to those of the bucket.

    >>> scatter, gather = slices(RankSum("f32", 10, 4), Share(3, 4))
    >>> [tuple(message) for message in scatter[0]], tuple(scatter[1][2])
    ([(0, 0, 3), (1, 3, 3), (2, 6, 3), (3, 9, 1)], (2, 6, 1))
    >>> tuple(gather[0][1]), tuple(gather[1][1])
    ((1, 0, 1), (1, 3, 3))
    """
    every, size, mine = range(total.ranks), total.slice_elems, total.count(share.rank)
    of_all = [Message(rank, rank * size, total.count(rank)) for rank in every if total.count(rank)]
    rows = [Message(rank, rank * size, mine) for rank in every if mine]
    sums = [Message(rank, 0, mine) for rank in every if mine]
    return (of_all, rows), (sums, of_all)


def sent(total: RankSum, rank: int) -> tuple[int, int]:
    """Messages to other ranks for a sum in order, and their bytes.

    >>> sent(RankSum("f32", 10, 4), 0)
    (6, 64)
    """
    both = [message for sends, _ in slices(total, Share(rank, total.ranks)) for message in sends]
    others = [message for message in both if message.rank != rank]
    return len(others), sum(message.n for message in others) * total.elem_bytes


def _part(work: Work, what: str, source: Span, to: Span) -> Work:
    return Work(f"{work.name}: {what}", (source, to), (to,), work.seconds, exchanges=True)


def _call(work: Work, symbol: str, function: Any, source: Span, to: Span) -> Call:
    return Call(work, symbol, function, 0, 0, 0, (source, to))


def _require_own_devices(ranks: Ranks, device: Device) -> None:
    """Check that no two ranks have one device."""
    host, place = socket.gethostname(), device.driver.info.place or str(device.ordinal)
    seen = ranks.gather((host, place))
    sharing = [rank for rank, found in enumerate(seen) if found == (host, place)]
    if len(sharing) > 1:
        names = f"ranks {', '.join(map(str, sharing[:-1]))} and {sharing[-1]} of {host}"
        raise OptionError(
            "each rank needs a CUDA device of its own",
            expected=f"{len([name for name, _ in seen if name == host])} devices on {host}",
            got=f"{names} have {device}",
            hint="start as many ranks on a machine as it has devices; without device= and MOCHAC_CUDA_DEVICE, "
            "each takes its own",
        )
