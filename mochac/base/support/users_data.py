"""UsersData: what a user gives as data in Python: a data set with numbered samples, or something to iterate over.

A PyTorch DataLoader and its IterableDataset are known by the names of their classes, so torch is not imported.
"""

from __future__ import annotations

import copy
import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mochac.base.records import record
from mochac.base.support.array_like import is_array

_TORCH = "torch.utils.data"


class NoUsersData(ValueError):
    """It cannot be read as data; the message is a hint for the user."""


@record
class Begun:
    """An epoch that has begun.

    Attributes:
        items: samples, or batches of them.
        batched: they are batches, since a PyTorch DataLoader makes them.
    """

    items: Iterator[Any]
    batched: bool


class UsersData:
    """Data given in Python.

    Args:
        given: a data set with `__len__` and `__getitem__`, an iterable that can be iterated over again and again, or a
            function that returns an iterable for each epoch, perhaps of the number of the epoch.

    Attributes:
        indexed: samples have numbers; else they are iterated over.

    Raises:
        NoUsersData: it is none of them.

    >>> UsersData([(1.0, 0), (2.0, 1)]).indexed, next(UsersData(lambda: iter("ab")).begin(0).items)
    (True, 'a')
    """

    def __init__(self, given: Any) -> None:
        _refuse(given)
        self.given = given
        self.indexed = _is_indexed(given)
        self.function: Callable[..., Any] | None = given if not self.indexed and _is_function(given) else None
        self._takes_epoch = self.function is not None and _takes_epoch(self.function)
        self._begun: tuple[int, Begun] | None = None
        self._passes = 0  # over a DataLoader whose workers persist

    def __repr__(self) -> str:
        what = getattr(self.given, "__qualname__", type(self.given).__qualname__)
        return f"<{what}>"

    def begin(self, epoch: int) -> Begun:
        """An epoch; for who asks first, the one whose first item first() has seen."""
        begun, self._begun = self._begun, None
        if begun is not None and epoch == 0 and begun[0] == os.getpid():
            return begun[1]
        iterable = self.given if self.function is None else self.function(*[epoch] * self._takes_epoch)
        if _is_indexed(iterable):  # it need not end with an IndexError
            return Begun((iterable[k] for k in range(len(iterable))), False)
        batched = _is_a(iterable, "DataLoader") and getattr(iterable, "batch_sampler", None) is not None
        if _is_a(iterable, "DataLoader") and getattr(iterable, "persistent_workers", False):
            return Begun(self._persistent(iterable), batched)
        return Begun(iter(_checked(iterable)), batched)

    def _persistent(self, loader: Any) -> Iterator[Any]:
        """A pass over a DataLoader whose workers persist. It has one iterator, which serves one pass at a time:
        while that is at work, as when a net is evaluated in the middle of an epoch, another pass has its own."""
        if self._passes:
            loader = copy.copy(loader)
            loader._iterator = None
        self._passes += 1
        try:
            yield from loader
        finally:
            self._passes -= 1

    def first(self) -> tuple[Any, bool]:
        """The first item of epoch 0, and whether it is a batch. begin() gives it again: what can be read only once is
        not lost.

        Raises:
            StopIteration: there is none.
        """
        begun = self.begin(0)
        item = next(begun.items)
        self._begun = os.getpid(), Begun(_again(item, begun.items), begun.batched)
        return item, begun.batched


def _again(item: Any, items: Iterator[Any]) -> Iterator[Any]:
    yield item
    yield from items


def _checked(iterable: Any) -> Any:
    if not hasattr(type(iterable), "__iter__") and not hasattr(type(iterable), "__getitem__"):
        raise TypeError(f"it returned {iterable!r:.60}, which cannot be iterated over; write `yield` for each sample")
    return iterable


def _is_a(value: Any, name: str) -> bool:
    return any(c.__name__ == name and c.__module__.startswith(_TORCH) for c in type(value).__mro__)


def _is_indexed(value: Any) -> bool:
    both = hasattr(type(value), "__len__") and hasattr(type(value), "__getitem__")
    return both and not _is_a(value, "IterableDataset") and not _is_a(value, "DataLoader")


def _is_function(value: Any) -> bool:
    return callable(value) and not _is_a(value, "DataLoader")


def _refuse(value: Any) -> None:
    if isinstance(value, (str, bytes, os.PathLike)):
        raise NoUsersData("for files there are ImageFolderLayer(folder=...) and HDF5DataLayer(source=...)")
    if is_array(value) or isinstance(value, Mapping):
        raise NoUsersData("for arrays there is MemoryDataLayer(data=[X, y], batch_size=...)")
    if hasattr(type(value), "__next__"):
        raise NoUsersData("it can be read only once; give the function that makes it: make=samples, not make=samples()")
    if not (_is_indexed(value) or callable(value) or hasattr(type(value), "__iter__")):
        raise NoUsersData("a data set needs __len__ and __getitem__; a function returns an iterable for each epoch")


def _takes_epoch(function: Callable[..., Any]) -> bool:
    """Whether it must be called with one argument.

    Raises:
        NoUsersData: it needs more.
    """
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # written in C
        return False
    needed = [p for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if len(needed) > 1 or any(p.kind is p.KEYWORD_ONLY for p in needed):
        names = ", ".join(p.name for p in needed)
        raise NoUsersData(f"it is called without arguments, or with the number of the epoch, but it needs ({names})")
    return bool(needed)
