"""Native functions in Python threads that run one at a time, in a drawn order, with a check of every access.

Two accesses of a place race if one of them writes, not both are atomic, and neither happens before the other: what a
thread does happens in order, and a load that acquires comes after the store or addition that released the value. Vector
clocks hold this (Lamport 1978; Mattern 1989). A thread that sleeps runs again once its word is woken; if all threads
sleep, a wake-up was lost.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mochac.codegen.cpu import exchange, step_driver, system, worker_team
from mochac.codegen.native import values
from mochac.codegen.native.values import Pointer

HANG_S = 60.0
SWITCH = 0.15
"""How often an access lets another thread run."""
ACQUIRE, RELEASE = {"acquire", "acq_rel", "seq_cst"}, {"release", "acq_rel", "seq_cst"}


class Ended(BaseException):
    """Ends a thread that waits when all is done."""


@dataclass
class _Place:
    """The last accesses of a place, by thread: its clock then."""

    reads: dict[int, int] = field(default_factory=dict)
    writes: dict[int, int] = field(default_factory=dict)
    atomic_reads: dict[int, int] = field(default_factory=dict)
    atomic_writes: dict[int, int] = field(default_factory=dict)
    released: list[int] | None = None


class Orders:
    """One run of several threads in an order that a seed draws.

    Args:
        n: threads.

    Attributes:
        faults: races, lost wake-ups and exceptions, as text.
    """

    def __init__(self, n: int, seed: int) -> None:
        self.n, self.rng = n, np.random.default_rng(seed)
        self.faults: list[str] = []
        self._clocks = [[int(t == k) for k in range(n)] for t in range(n)]
        self._places: defaultdict[object, _Place] = defaultdict(_Place)
        self._turns = [threading.Semaphore(0) for _ in range(n)]
        self._sleeps: dict[int, int] = {}
        """The address of the word that a thread sleeps on."""
        self._running = set(range(n))
        self._ended = False
        self._own = threading.local()
        self._time = 0

    @property
    def thread(self) -> int:
        """The number of the thread that asks."""
        return self._own.number

    def run(self, bodies: list[Callable[[], None]]) -> None:
        """Run the threads until the first one ends; the others may sleep by then."""
        threads = [threading.Thread(target=self._thread, args=(k, body)) for k, body in enumerate(bodies)]
        for thread in threads:
            thread.start()
        self._turns[0].release()
        for thread in threads:
            thread.join(HANG_S)
            assert not thread.is_alive(), self.faults

    def _thread(self, number: int, body: Callable[[], None]) -> None:
        self._own.number = number
        self._turns[number].acquire()
        try:
            if not self._ended:
                body()
        except Ended:
            pass
        except Exception as error:
            self.faults.append(f"thread {number}: {error!r}")
        self._running.discard(number)
        self._sleeps.pop(number, None)
        if number == 0:
            self._finish()
        elif not self._ended:
            self._next()

    def _finish(self) -> None:
        self._ended = True
        for turn in self._turns:
            turn.release()

    def _next(self) -> None:
        """Let a thread run that can, another one or the same."""
        ready = sorted(self._running - set(self._sleeps))
        if not ready:
            self.faults.append(f"all threads sleep: {self._sleeps}")
            self._finish()
            return
        chosen = int(self.rng.choice(ready))
        self._turns[chosen].release()

    def turn(self) -> None:
        """Perhaps let another thread run."""
        if self._ended:
            raise Ended
        if self.rng.random() < SWITCH:
            self._next()
            self._wait()

    def _wait(self) -> None:
        self._turns[self.thread].acquire()
        if self._ended:
            raise Ended

    # Accesses

    def plain(self, key: object, write: bool) -> None:
        """An access that is not atomic."""
        place = self._places[key]
        others = [place.writes, place.atomic_writes]
        self._check(key, others + ([place.reads, place.atomic_reads] if write else []), write)
        self._note(place.writes if write else place.reads)
        self.turn()

    def atomic(self, key: object, order: str, write: bool, adds: bool) -> None:
        """An atomic access; `adds` if it reads and writes."""
        own, place = self._clocks[self.thread], self._places[key]
        self._check(key, [place.writes, *([place.reads] if write else [])], write)
        if order in ACQUIRE and place.released and (adds or not write):
            own[:] = map(max, own, place.released)
        if write and order in RELEASE:
            before = place.released if adds and place.released else own
            place.released = list(map(max, own, before))
        elif write and not adds:
            place.released = None
        self._note(place.atomic_writes if write else place.atomic_reads)
        own[self.thread] += 1

    def _note(self, accesses: dict[int, int]) -> None:
        accesses[self.thread] = self._clocks[self.thread][self.thread]

    def _check(self, key: object, accesses: list[dict[int, int]], write: bool) -> None:
        own = self._clocks[self.thread]
        for found in accesses:
            for other, clock in found.items():
                if other != self.thread and own[other] < clock:
                    what = "writes" if write else "reads"
                    self.faults.append(f"thread {self.thread} {what} {key}, which thread {other} accesses at any time")

    # What replaces the functions of values.py and system.py

    def load(self, word: Pointer[Any], order: str) -> int:
        self.turn()
        self.atomic(word.address, order, write=False, adds=False)
        return _element(word)

    def store(self, word: Pointer[Any], value: int, order: str) -> None:
        self.turn()
        self.atomic(word.address, order, write=True, adds=False)
        _set(word, value)

    def fetch_add(self, word: Pointer[Any], value: int, order: str) -> int:
        self.turn()
        self.atomic(word.address, order, write=True, adds=True)
        before = _element(word)
        _set(word, before + value)
        return before

    def exchange_if(self, word: Pointer[Any], old: int, new: int, order: str) -> bool:
        self.turn()
        if _element(word) != old:
            self.atomic(word.address, "monotonic", write=False, adds=False)
            return False
        self.atomic(word.address, order, write=True, adds=True)
        _set(word, new)
        return True

    def sleep_while(self, word: Pointer[Any], old: int) -> None:
        self.turn()
        if _element(word) == old:
            self._sleeps[self.thread] = word.address
            self._next()
            self._wait()

    def wake(self, word: Pointer[Any]) -> None:
        self.turn()
        for thread in [t for t, address in self._sleeps.items() if address == word.address]:
            del self._sleeps[thread]

    def clock(self) -> int:
        self._time += int(self.rng.integers(1, 100_000))
        return self._time

    def copy(self, to: Pointer[Any], source: Pointer[Any], n_bytes: int) -> None:
        for k in range(0, n_bytes, 8):
            self.plain(source.address + k, write=False)
            self.plain(to.address + k, write=True)
        _COPY(to, source, n_bytes)

    def patch(self, monkeypatch: Any, **called: Callable[..., Any]) -> None:
        """Put these in place of the functions that native functions call; `call_at=`, `call_i32_at=` in place of what
        they call by address."""
        found = {
            "load": self.load, "store": self.store, "fetch_add": self.fetch_add, "exchange_if": self.exchange_if,
            "copy": self.copy, "pause": self.turn, "sleep_while": self.sleep_while, "wake": self.wake,
            "clock_ns": self.clock, "clock_ticks": self.clock, "yield_cpu": self.turn,
            "sleep_us": lambda n: self.turn(), **called,
        }  # fmt: skip
        for module in (step_driver, worker_team, exchange):
            for name, function in found.items():
                assert hasattr(values, name) or hasattr(system, name)
                monkeypatch.setattr(module, name, function, raising=False)
        monkeypatch.setattr(worker_team, "POLLS", 2)
        monkeypatch.setattr(Pointer, "__getitem__", self._read)
        monkeypatch.setattr(Pointer, "__setitem__", self._write)

    @property
    def _read(self) -> Callable[[Pointer[Any], int], Any]:
        def read(pointer: Pointer[Any], k: int) -> Any:
            self.plain(pointer.address + k * pointer.n_bytes(), write=False)
            return _GET(pointer, k)

        return read

    @property
    def _write(self) -> Callable[[Pointer[Any], int, Any], None]:
        def write(pointer: Pointer[Any], k: int, value: Any) -> None:
            self.plain(pointer.address + k * pointer.n_bytes(), write=True)
            _SET(pointer, k, value)

        return write


_GET, _SET, _COPY = Pointer.__getitem__, Pointer.__setitem__, values.copy


def _element(word: Pointer[Any]) -> int:
    return _GET(word, 0)


def _set(word: Pointer[Any], value: int) -> None:
    _SET(word, 0, value)
