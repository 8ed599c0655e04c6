"""What threads share, and what a fork does to it: locks that a child finds free, and properties computed once.

A fork copies locks as they are. Locks of other threads would stay locked for ever in the child, where these threads do
not run. So a fork first takes every lock made by `fork_lock`, which also means that what they guard is complete, and
then frees them in parent and child. It waits for imports, too, since Python holds a lock for each module.

Hooks that run before a fork begin with those registered last. Modules of Python that take locks of their own there are
imported here first, so that no thread that is waited for waits for one of these.
"""

from __future__ import annotations

import importlib
import itertools
import math
import os
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Generic, Protocol, Self, TypeVar, overload
from weakref import ref

T = TypeVar("T")

for _name in ("concurrent.futures.thread", "logging"):
    importlib.import_module(_name)

PATIENCE_S = 10.0
"""How long a fork waits in all, seconds. Locks that are not free by then are free in the child, as all others are."""
LOOK_S = 0.001
"""How often it looks whether other threads still import modules, seconds."""


class Lock(Protocol):
    """A reentrant lock."""

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool: ...
    def release(self) -> None: ...
    def __enter__(self) -> bool: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None: ...


_locks: dict[ref[Any], tuple[float, bool]] = {}
"""All locks: when a fork takes each, and whether it waits for it."""
_numbers = itertools.count()
_taken: list[Any] = []


def fork_lock(*, inner: bool = False, waits: bool = True) -> Lock:
    """A reentrant lock that a forked child finds free, unless the thread that forks holds it.

    A thread that holds one takes others only if these were made later.

    Args:
        inner: whoever holds it takes no other lock, so that it may be taken at any time.
        waits: forks wait for it: whoever holds it computes, and waits neither for data nor for processes.

    >>> with fork_lock() as held:
    ...     held
    True
    """
    return free_after_fork(threading.RLock(), inner=inner, waits=waits)


def free_after_fork(lock: Any, *, inner: bool = False, waits: bool = True) -> Any:
    """Treat a reentrant lock as one of `fork_lock`, and return it."""
    _locks[ref(lock, _drop)] = (math.inf if inner else next(_numbers), waits)
    return lock


def _drop(lock: ref[Any]) -> None:
    _locks.pop(lock, None)


def _before() -> None:
    """Take all locks, in the thread that forks."""
    end = time.monotonic() + PATIENCE_S
    for made, (_, waits) in sorted(list(_locks.items()), key=lambda item: item[1]):
        lock = made()
        if lock is not None and lock.acquire(timeout=max(0.0, end - time.monotonic()) if waits else 0):
            _taken.append(lock)
    while _others_import() and time.monotonic() < end:
        time.sleep(LOOK_S)


def _after_in_parent() -> None:
    while _taken:
        _taken.pop().release()


def _after_in_child() -> None:
    free = {id(lock) for lock in _taken}
    _after_in_parent()
    for made in list(_locks):
        if (lock := made()) is not None and id(lock) not in free:
            lock._at_fork_reinit()


def _others_import() -> bool:
    """Whether another thread is importing a module."""
    known: dict[str, Callable[[], Any]] = getattr(getattr(importlib, "_bootstrap", None), "_module_locks", {})
    owners = {getattr(made(), "owner", None) for made in list(known.values())}
    return bool(owners - {None, threading.get_ident()})


os.register_at_fork(before=_before, after_in_parent=_after_in_parent, after_in_child=_after_in_child)


class FairLock:
    """A reentrant lock whose waiting threads go before the thread that has just released it.

    So a training, which takes it again after a few microseconds, does not keep others waiting.
    """

    __slots__ = ("_queue", "_running", "_waiting", "release")

    def __init__(self) -> None:
        self._queue, self._running = fork_lock(), fork_lock()
        self._waiting: list[int] = []  # an entry for each thread, since appending is atomic
        self.release = self._running.release

    def acquire(self) -> None:
        """Wait for the lock, and take it."""
        if self._waiting or not self._running.acquire(False):
            self._wait()

    def acquire_if_free(self) -> bool:
        """Take the lock without waiting; returns whether it is taken."""
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
    """The locks of those who use the same data: whoever reads takes a lock of its own, whoever writes takes all.

    A writer enters this object.
    """

    def __init__(self) -> None:
        self._changing = fork_lock()
        self._locks: tuple[FairLock, ...] = ()
        self._entered: list[tuple[FairLock, ...]] = []

    def __copy__(self) -> SharedLocks:
        return self  # a shallow copy has the same data

    def __reduce__(self) -> tuple[type[SharedLocks], tuple[()]]:
        return SharedLocks, ()

    def new(self) -> FairLock:
        """A lock for a reader. Writers that do not know it have ended when it is returned."""
        with self._changing:
            made = FairLock()
            with self:
                self._locks = (*self._locks, made)
            return made

    def drop(self, lock: FairLock) -> None:
        """Forget the lock of a reader that reads no longer; or keep it, rather than wait for a new reader."""
        if self._changing.acquire(False):
            try:
                self._locks = tuple(known for known in self._locks if known is not lock)
            finally:
                self._changing.release()

    def __enter__(self) -> None:
        locks = self._locks
        for lock in locks:
            lock.acquire()
        if locks is not self._locks:  # there is a new one
            for lock in locks:
                lock.release()
            self.__enter__()
            return
        self._entered.append(locks)

    def __exit__(self, *error: object) -> None:
        for lock in self._entered.pop():
            lock.release()


class cached_property(Generic[T]):
    """A property that is computed once for each object, without a lock: threads that begin at the same time all compute
    it, and get the result of the first one that is done.

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
