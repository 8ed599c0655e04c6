"""Worker processes that load samples in Python code, and the conversion of samples to arrays by top.

Threads would take turns at Python's lock. Processes are forked, so a data set needs neither to be pickled nor to be
imported again, and its memory is shared. They write samples directly into the batches, which lie in anonymous memory
that is freed when its processes end. Orders and replies travel through a pipe per worker: there is no lock that a
killed worker could keep.
"""

from __future__ import annotations

import gc
import mmap
import multiprocessing
import os
import random
import signal
import sys
import time
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.errors import DataError
from mochac.base.hints.names import DIFFERENT_LENGTHS
from mochac.base.records import record
from mochac.base.support.array_like import NotAnArray, as_array, is_array, widened
from mochac.runtime.data.source import Arrays

MAX_FRAMES = 8
"""Lines of a user's traceback that a message shows."""
MAX_LINES = 12
"""Lines of an exception's message that a message shows; lines in the middle are left out."""
MAX_CHARACTERS = 1200

PACKAGE = str(Path(__file__).parents[2])


class BadSample(ValueError):
    """A sample that cannot be used.

    Args:
        parts: of the error message, besides the rule.
    """

    def __init__(self, rule: str, **parts: str) -> None:
        super().__init__(rule)
        self.rule, self.parts = rule, parts


class SampleForm:
    """How items become samples.

    Args:
        tops: of the data layer.
        batched: an item is a batch of samples.

    Attributes:
        extents: of a sample by top; those of the first item, unless they are set before.

    >>> SampleForm(["data", "label"], batched=False).samples(([1.0, 2.0], 3))
    {'data': array([[1., 2.]]), 'label': array([[3]])}
    """

    def __init__(self, tops: Sequence[str], batched: bool) -> None:
        self.tops, self.batched = list(tops), batched
        self.extents: dict[str, tuple[int, ...]] = {}

    def samples(self, item: Any) -> dict[str, np.ndarray]:
        """The samples of an item by top, (n, *extents).

        Raises:
            BadSample: it does not have the required form.
        """
        arrays = {top: self._array(top, part) for top, part in self._parts(item).items()}
        counts = {top: len(array) for top, array in arrays.items()}
        if len(set(counts.values())) > 1:
            raise BadSample("the arrays of a batch differ in their number of samples", got=_shown(counts))
        for top, array in arrays.items():
            expected = self.extents.setdefault(top, array.shape[1:])
            if array.shape[1:] != expected:
                got = array.shape[1:]
                # (time, features), or (time,) of ids: other numbers (n,) may be features
                sequences = len(got) == len(expected) == (1 if array.dtype.kind in "iu" else 2)
                sequences = sequences and got[1:] == expected[1:]
                hint = DIFFERENT_LENGTHS if sequences else ""
                raise BadSample(f"{top!r} has another shape", expected=str(expected), got=str(got), hint=hint)
        return arrays

    def _parts(self, item: Any) -> dict[str, Any]:
        """The part of each top."""
        if isinstance(item, Mapping):
            if absent := [top for top in self.tops if top not in item]:
                names = " ".join(map(str, item)) or "an empty dict"
                raise BadSample(f"it has no {absent[0]!r}", expected=" ".join(self.tops), got=names)
            return {top: item[top] for top in self.tops}
        if len(self.tops) == 1 and not (_is_row(item) and len(item) == 1 and not _is_number(item[0])):
            return {self.tops[0]: item}
        if not _is_row(item) or len(item) != len(self.tops):
            expected = f"a tuple ({', '.join(self.tops)}) or a dict with these keys"
            raise BadSample("it does not have a part for each top", expected=expected, got=_described(item))
        return dict(zip(self.tops, item, strict=True))

    def _array(self, top: str, part: Any) -> np.ndarray:
        try:
            array = as_array(widened(part))
        except NotAnArray as error:
            raise BadSample(f"{top!r} is not an array of numbers", got=str(error), hint=error.hint) from None
        if array.dtype.kind not in "fiub":
            hint = "class indices are numbers: classes.index(name)" if array.dtype.kind in "US" else ""
            raise BadSample(f"{top!r} is not an array of numbers", got=_described(part), hint=hint)
        if self.batched and not array.ndim:
            raise BadSample(f"{top!r} is a number, not a batch", hint="batched=False, if an item is one sample")
        if 0 in array.shape[int(self.batched) :]:
            raise BadSample(f"{top!r} is empty", got=f"shape {array.shape}")
        rows = array if self.batched else array[None]
        return rows.reshape(-1, 1) if rows.ndim == 1 else rows


def users_traceback(error: BaseException) -> list[str]:
    """The lines of a traceback that are not in mochac, innermost last; those of its cause if all are in mochac."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(PACKAGE)]
    if not frames and error.__cause__ is not None:
        return users_traceback(error.__cause__)
    return [line.rstrip() for line in traceback.format_list(frames[-MAX_FRAMES:])]


def described_error(error: BaseException) -> str:
    """Kind and message of an exception, as Python shows them: the beginning and the end of a long one."""
    lines = "".join(traceback.format_exception_only(error)).strip().splitlines()
    if len(lines) > MAX_LINES:  # such as PyTorch's, which holds the traceback of a worker process
        lines = [lines[0], "...", *lines[2 - MAX_LINES :]]
    return "\n".join(lines)[-MAX_CHARACTERS:]


def _is_row(item: Any) -> bool:
    return isinstance(item, (tuple, list))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) or (is_array(value) and not np.ndim(value))


def _described(value: Any) -> str:
    if _is_row(value):
        return f"{type(value).__name__} of {len(value)}"
    shape = getattr(value, "shape", None)
    if not isinstance(shape, tuple):
        return f"{value!r:.60}"
    return f"{type(value).__name__} of {value.dtype}, shape {tuple(shape)}"


def _shown(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{top!r}: {n}" for top, n in counts.items())


POLL_S = 0.1
"""How often a reader that waits for workers checks whether it is still wanted, seconds."""
PARENT_S = 1.0
"""How often an idle worker checks whether its parent is still alive, seconds."""
END_S = 0.2
"""How long workers may take to end by themselves, seconds."""
JOIN_S = 10.0
"""How long a worker whose pipe has closed may take to end, seconds; how it ended is known only then."""
SHARES = 4
"""Orders for each worker in a batch. With more orders, workers wait less for the slowest one."""

Load = Callable[[int, int, Arrays], DataError | None]
"""(epoch, number, out) -> what went wrong."""


@record
class SharedPlace:
    """Where an array lies in shared memory: the number of the memory, and the first byte in it."""

    memory: int
    start: int
    shape: tuple[int, ...]
    dtype: str


@record
class Order:
    """Samples to load: the position of the first in the batch, and where they go, by top."""

    first: int
    epoch: int
    numbers: tuple[int, ...]
    places: dict[str, SharedPlace]


@record
class _Worker:
    process: ForkProcess
    pipe: Connection


class Workers:
    """Processes that run `load`.

    Args:
        n: how many.
        load: run for each sample in a worker.
    """

    def __init__(self, n: int, load: Load) -> None:
        self._n, self._load = n, load
        self._memories: list[np.ndarray] = []
        self._workers: list[_Worker] = []
        self._parent, self._usable = 0, False

    def memory(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        """An array that workers started from now on can write to."""
        self._memories.append(shared_zeros(int(np.prod(shape)) * dtype.itemsize))
        return self._memories[-1].view(dtype).reshape(shape)

    def reach(self, out: Arrays) -> bool:
        """Whether there are workers of this process that can write to these arrays."""
        running = self._usable and self._parent == os.getpid()
        return running and all(self._place(array) is not None for array in out.values())

    def start(self) -> None:
        """Start the processes, unless they are running. After a failure they are started anew."""
        if self._usable and self._parent == os.getpid() and all(w.process.is_alive() for w in self._workers):
            return
        self.stop()
        self._parent, self._usable = os.getpid(), True
        context = multiprocessing.get_context("fork")
        for _ in range(self._n):
            ours, theirs = context.Pipe()
            process = context.Process(target=self._work, args=(theirs,), name="mochac-worker", daemon=True)
            with (
                warnings.catch_warnings()
            ):  # Python 3.12 warns of forks beside threads; workers take none of their locks
                warnings.simplefilter("ignore", DeprecationWarning)
                process.start()
            theirs.close()
            self._workers.append(_Worker(process, ours))

    def stop(self) -> None:
        """End the processes. May be called again."""
        workers, self._workers, self._usable = self._workers, [], False
        if self._parent != os.getpid():
            return  # in a process that the user forked, they belong to the parent
        for worker in workers:
            worker.pipe.close()
        deadline = time.monotonic() + END_S
        for worker in workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))
            worker.process.kill()
            worker.process.join()
            worker.process.close()

    def load_all(
        self, epoch: int, numbers: Sequence[int], out: Arrays, cancelled: Callable[[], bool]
    ) -> DataError | str | None:
        """Fill `out` with these samples, in the workers.

        Returns:
            None; the error of the first sample that has one; or how a worker ended.
        """
        orders = deque(self._orders(epoch, numbers, out))
        busy: dict[Connection, _Worker] = {}
        idle, failures = list(self._workers), list[tuple[int, DataError]]()
        while orders or busy:
            while orders and idle and not failures:
                worker = idle.pop()
                try:
                    worker.pipe.send(orders.popleft())
                except OSError:
                    return self._ended(worker)
                busy[worker.pipe] = worker
            if not busy or cancelled():
                break
            for pipe in wait(list(busy), POLL_S):
                worker = busy.pop(pipe)  # type: ignore[index]
                try:
                    position, error = worker.pipe.recv()
                except (EOFError, OSError):
                    return self._ended(worker)
                idle.append(worker)
                failures += [] if error is None else [(position, error)]
        if busy:
            self._usable = False  # they are still at work
            return "reading was stopped"
        return min(failures, key=lambda failure: failure[0])[1] if failures else None

    def _ended(self, worker: _Worker) -> str:
        worker.process.join(JOIN_S)
        code, self._usable = worker.process.exitcode, False
        return f"signal {signal.Signals(-code).name}" if code is not None and code < 0 else f"exit status {code}"

    def _orders(self, epoch: int, numbers: Sequence[int], out: Arrays) -> list[Order]:
        size = max(1, -(-len(numbers) // (SHARES * self._n)))
        orders: list[Order] = []
        for first in range(0, len(numbers), size):
            part = tuple(numbers[first : first + size])
            places = {top: self._place(array[first : first + len(part)]) for top, array in out.items()}
            orders.append(Order(first, epoch, part, {top: place for top, place in places.items() if place}))
        return orders

    def _place(self, array: np.ndarray) -> SharedPlace | None:
        """Where a contiguous array lies in shared memory; None if it does not."""
        address = array.ctypes.data
        for k, memory in enumerate(self._memories):
            start = address - memory.ctypes.data
            if 0 <= start < memory.nbytes and array.flags.c_contiguous:
                return SharedPlace(k, start, array.shape, array.dtype.str)
        return None

    def _array(self, place: SharedPlace) -> np.ndarray:
        dtype = np.dtype(place.dtype)
        n_bytes = int(np.prod(place.shape)) * dtype.itemsize
        return self._memories[place.memory][place.start :][:n_bytes].view(dtype).reshape(place.shape)

    # --- in a worker ---------------------------------------------------------------------------------

    def _work(self, pipe: Connection) -> None:
        """Carry out orders until there are no more; leave objects of the parent alone."""
        gc.freeze()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal reaches all its processes
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        for worker in self._workers:
            worker.pipe.close()
        with suppress(EOFError, OSError):
            while True:
                while not pipe.poll(PARENT_S):
                    if os.getppid() != self._parent:
                        return
                pipe.send(self._followed(pipe.recv()))

    def _followed(self, order: Order) -> tuple[int, DataError | None]:
        arrays = {top: self._array(place) for top, place in order.places.items()}
        for k, number in enumerate(order.numbers):
            error = self._load(order.epoch, number, {top: rows[k] for top, rows in arrays.items()})
            if error is not None:
                return order.first + k, error
        return order.first, None


def shared_zeros(n_bytes: int) -> np.ndarray:
    """Bytes that processes forked from now on share; pages are taken when they are touched.

    Raises:
        MemoryError: there is not enough.
    """
    try:
        return np.frombuffer(mmap.mmap(-1, max(1, n_bytes)), np.uint8)[:n_bytes]
    except OSError as error:
        raise MemoryError(f"{n_bytes:,} bytes") from error


def seed_globals(seed: int) -> None:
    """Seed the random numbers that Python, NumPy and PyTorch keep for the whole process."""
    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch: Any = sys.modules.get("torch")
    if torch is not None:
        torch.default_generator.manual_seed(seed % 2**63)  # torch.manual_seed() seeds devices too, in 0.4 ms
