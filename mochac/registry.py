"""Folder scans: how ops, layers, passes, solvers and schedule steps are found.

Every `REGISTRY = Registry(...)` in the house calls this. A contribution is one file; the registry
imports the files of a folder in sorted order, refuses duplicates and suggests names. It must not
know what the contributions are.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Registry(Generic[T]):
    """Named contributions of one kind, filled by importing every module of a package once.

    >>> colours: Registry[int] = Registry("colour", package=None)
    >>> colours.add("red", 1)
    1
    >>> colours["red"], "blue" in colours
    (1, False)
    """

    def __init__(self, kind: str, package: str | None) -> None:
        self.kind = kind
        self.package = package
        self._items: dict[str, T] = {}
        self._scanned = package is None

    def add(self, name: str, item: T) -> T:
        """Register `item`; a second item of the same name is a programming error."""
        if name in self._items:
            raise ValueError(f"two {self.kind}s are called {name!r}")
        self._items[name] = item
        return item

    def scan(self) -> None:
        """Import every module of the package, in sorted order, once."""
        if self._scanned or self.package is None:
            return
        self._scanned = True
        package = importlib.import_module(self.package)
        for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda m: m.name):
            importlib.import_module(f"{self.package}.{module.name}")

    def __getitem__(self, name: str) -> T:
        self.scan()
        try:
            return self._items[name]
        except KeyError:
            raise KeyError(f"no {self.kind} {name!r}{did_you_mean(name, self._items)}") from None

    def __contains__(self, name: str) -> bool:
        self.scan()
        return name in self._items

    def __iter__(self) -> Iterator[str]:
        self.scan()
        return iter(sorted(self._items))

    def __len__(self) -> int:
        self.scan()
        return len(self._items)

    def items(self) -> list[tuple[str, T]]:
        """All contributions, sorted by name."""
        return [(name, self._items[name]) for name in self]


def suggestion(name: str, known: object) -> str | None:
    """The known name closest to a misspelt one, or None.

    >>> suggestion("momemtum", ["momentum", "lr_policy"])
    'momentum'
    """
    names = [str(k) for k in known]  # type: ignore[attr-defined]
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    return close[0] if close else None


def did_you_mean(name: str, known: object) -> str:
    """A ready tail for a message: '; did you mean ...?' or the empty string."""
    close = suggestion(name, known)
    return f"; did you mean {close!r}?" if close else ""
