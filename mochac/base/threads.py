"""Locks for threads and forks: locks that are free in a forked child, fair locks, and a `cached_property`.

A fork copies locks in their current state. A lock that another thread held would stay locked forever in the child,
where that thread does not run. So before a fork, all locks made by `fork_lock` are acquired, which also means that the
data they guard is consistent; after it, they are released in parent and child. A fork also waits until no other thread
is importing a module, since Python holds a lock for each module.

Python runs the hooks that precede a fork in reverse order of registration. The standard modules that acquire locks of
their own in such hooks are imported here, before ours is registered, so that their locks are still free while we wait.
"""

from __future__ import annotations

import importlib
import itertools
import math
import os
import threading
import time
from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload
from weakref import ref

T = TypeVar("T")

for _name in ("concurrent.futures.thread", "logging"):
    importlib.import_module(_name)

TIMEOUT_S = 10.0
"""Timeout of a fork's wait for locks, seconds. The child resets locks that are still held by then."""
POLL_S = 0.001
"""Time between checks for imports by other threads, seconds."""

_locks: dict[ref[Any], tuple[float, bool]] = {}
"""For each lock, its place in the order in which a fork acquires locks, and whether the fork waits for it."""
_numbers = itertools.count()


class _Taken(threading.local):
    """The locks that a thread acquired for its fork. Each thread has its own: another one that waits to fork acquires
    a lock as soon as this one releases it."""

    def __init__(self) -> None:
        self.locks: list[Any] = []


_taken = _Taken()


def fork_lock(*, inner: bool = False, waits: bool = True) -> threading.RLock:
    """A reentrant lock that is free in a forked child, unless the thread that forks holds it.

    To avoid deadlocks, a thread acquires several locks in the order in which they were made.

    Args:
        inner: no other lock is acquired while this one is held, so it may be acquired at any time.
        waits: a fork waits for it. False if its holder may wait for data or for other processes.

    >>> with fork_lock() as held:
    ...     held
    True
    """
    return free_after_fork(threading.RLock(), inner=inner, waits=waits)


def free_after_fork(lock: Any, *, inner: bool = False, waits: bool = True) -> Any:
    """Make an existing reentrant lock behave like one of `fork_lock`; returns it."""
    _locks[ref(lock, _drop)] = (math.inf if inner else next(_numbers), waits)
    return lock


def _drop(lock: ref[Any]) -> None:
    _locks.pop(lock, None)


def _before() -> None:
    """Acquire all locks in the thread that forks."""
    end = time.monotonic() + TIMEOUT_S
    for reference, (_, waits) in sorted(list(_locks.items()), key=lambda item: item[1]):
        lock = reference()
        if lock is not None and lock.acquire(timeout=max(0.0, end - time.monotonic()) if waits else 0):
            _taken.locks.append(lock)
    while _others_import() and time.monotonic() < end:
        time.sleep(POLL_S)


def _after_in_parent() -> None:
    while _taken.locks:
        _taken.locks.pop().release()


def _after_in_child() -> None:
    free = {id(lock) for lock in _taken.locks}
    _after_in_parent()
    for reference in list(_locks):
        if (lock := reference()) is not None and id(lock) not in free:
            lock._at_fork_reinit()


def _others_import() -> bool:
    """Whether another thread is importing a module."""
    known: dict[str, Callable[[], Any]] = getattr(getattr(importlib, "_bootstrap", None), "_module_locks", {})
    owners = {getattr(reference(), "owner", None) for reference in list(known.values())}
    return bool(owners - {None, threading.get_ident()})


os.register_at_fork(before=_before, after_in_parent=_after_in_parent, after_in_child=_after_in_child)


class FairLock:
    """A reentrant lock that waiting threads get before the thread that has just released it.

    With a plain lock, a training, which acquires it again after a few microseconds, would starve other threads.
    """

    __slots__ = ("_queue", "_running", "_waiting", "release")

    def __init__(self) -> None:
        self._queue, self._running = fork_lock(), fork_lock()
        self._waiting: list[int] = []  # one entry per thread: unlike `+= 1`, append() and pop() are atomic
        self.release = self._running.release

    def acquire(self) -> None:
        """Wait for the lock and acquire it."""
        if self._waiting or not self._running.acquire(False):
            self._wait()

    def acquire_if_free(self) -> bool:
        """Acquire the lock without waiting; returns whether that succeeded."""
        return self._running.acquire(False)

    def _wait(self) -> None:
        running = self._running
        if running._is_owned():  # pyright: ignore
            running.acquire()
            return
        self._waiting.append(0)
        try:
            with self._queue:
                running.acquire()
        finally:
            self._waiting.pop()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *error: object) -> None:
        self.release()


class SharedLocks:
    """A lock for each reader of shared data. A reader holds its own lock; a writer enters this object and holds all."""

    def __init__(self) -> None:
        self._changing = fork_lock()
        self._locks: tuple[FairLock, ...] = ()
        self._entered: list[tuple[FairLock, ...]] = []

    def __copy__(self) -> SharedLocks:
        return self  # shallow copies share the data

    def __reduce__(self) -> tuple[type[SharedLocks], tuple[()]]:
        return SharedLocks, ()

    def new(self) -> FairLock:
        """The lock of a new reader; waits until writers that do not hold it have left."""
        with self._changing:
            lock = FairLock()
            with self:
                self._locks = (*self._locks, lock)
            return lock

    def drop(self, lock: FairLock) -> None:
        """Forget the lock of a former reader. It is kept if that would mean to wait for a new reader."""
        if self._changing.acquire(False):
            try:
                self._locks = tuple(known for known in self._locks if known is not lock)
            finally:
                self._changing.release()

    def __enter__(self) -> None:
        while True:
            locks = self._locks
            for lock in locks:
                lock.acquire()
            if locks is self._locks:
                self._entered.append(locks)
                return
            for lock in locks:  # readers have come or gone meanwhile
                lock.release()

    def __exit__(self, *error: object) -> None:
        for lock in self._entered.pop():
            lock.release()


class cached_property(Generic[T]):
    """A property that is computed once per object, without a lock. Threads that first read it at the same time may all
    compute it, but all get the result of the first one to finish.

    >>> class Circle:
    ...     @cached_property
    ...     def area(self) -> float:
    ...         return 3.0
    >>> circle = Circle()
    >>> circle.area, vars(circle)
    (3.0, {'area': 3.0})
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self.compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> Self | T:
        if instance is None:
            return self
        return vars(instance).setdefault(self.name, self.compute(instance))
