"""Registry: finds ops, layers, passes, solvers and schedule steps by scanning folders.

A contribution is one file, or a part of a file that holds a family. A registry imports the file with the name asked
for, or else the file whose text defines the name, or else all files of a folder in sorted order; it refuses duplicates
and suggests names. Contributions from users' own files are kept apart: they may be defined again, and are
found by name only.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Generic, TypeVar

from mochac.base.garbage import lasting
from mochac.base.threads import cached_property

T = TypeVar("T")


class Registry(Generic[T]):
    """Named contributions of one kind, filled by importing the modules of a package.

    A name is looked up in the module of that name ("HDF5Data" in hdf5_data), then in modules whose source defines it,
    as `written` says with "{}" for the name (split_body or SplitBody), then in the `common` modules, which register
    what no source spells out. Only if none of them has it, and for iteration, every module is imported. With `inner`,
    contributions are packages inside the package, and the module named `inner` in each is imported.

    Iteration, len and items() give the package's own contributions; `foreign` names those defined elsewhere, by users.

    >>> colours: Registry[int] = Registry("colour", package=None)
    >>> colours.add("red", 1)
    1
    >>> colours["red"], "blue" in colours
    (1, False)
    """

    def __init__(
        self, kind: str, package: str | None, written: str = "", common: tuple[str, ...] = (), inner: str = ""
    ) -> None:
        self.kind = kind
        self.package = package
        self.written = written
        self.common = common
        self.inner = inner
        self.foreign: set[str] = set()
        self._items: dict[str, T] = {}
        self._families: dict[str, Callable[[T], T]] = {}
        self._derived: dict[str, T] = {}
        self._scanned = package is None
        self._scanning: set[int] = set()

    def add(self, name: str, item: T, home: str = "") -> T:
        """Register `item`.

        Args:
            home: the module that defines it. A module outside the package may define its own again, as a notebook cell
                does when it runs twice.

        Raises:
            ValueError: the name is taken.
        """
        foreign = self._is_foreign(home)
        if foreign:
            self._look_in_files_of(name)  # so that the package's own contribution of this name comes first
        if name in self._items and not (foreign and name in self.foreign):
            raise ValueError(f"two {self.kind}s are called {name!r}")
        self._items[name] = item
        if foreign:
            self.foreign.add(name)
        return item

    def derive(self, prefix: str, make: Callable[[T], T]) -> None:
        """Let `prefix.NAME` be the result of `make` for NAME; iteration leaves these out.

        >>> sizes: Registry[int] = Registry("size", package=None)
        >>> sizes.derive("twice", lambda n: 2 * n)
        >>> sizes.add("inch", 12), sizes["twice.inch"], "twice.foot" in sizes
        (12, 24, False)
        """
        self._families[prefix] = make

    def _is_foreign(self, home: str) -> bool:
        root = (self.package or home).partition(".")[0]
        return bool(home) and home.partition(".")[0] != root

    def scan(self) -> None:
        """Import every module of the package, in sorted order, once. Other threads wait until all are imported; a
        module that calls this during its own import does not, and sees only those before it."""
        thread = threading.get_ident()
        if self._scanned or thread in self._scanning:
            return
        self._scanning.add(thread)
        try:
            for module in self._modules.values():
                self._import(module)
        finally:
            self._scanning.discard(thread)
        self._scanned = True

    def _import(self, module: str) -> None:
        with lasting():
            importlib.import_module(f"{self.package}.{module}.{self.inner}".rstrip("."))

    @cached_property
    def _modules(self) -> dict[str, str]:
        """The package's modules, by the letters and digits of their names."""
        package = importlib.import_module(str(self.package))
        names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
        if self.inner:
            names = [name for name in names if self._has_inner(package.__path__, name)]
        return {_letters(name) if name[0] != "_" else name: name for name in names}

    def _has_inner(self, folders: Iterable[str], name: str) -> bool:
        inside = pkgutil.iter_modules([f"{folder}/{name}" for folder in folders])
        return any(module.name == self.inner for module in inside)

    def _look_for(self, name: str) -> None:
        """Import the modules that may define `name`, as few as possible."""
        self._look_in_files_of(name)
        if name not in self._items:
            self.scan()

    def _look_in_files_of(self, name: str) -> None:
        """Import the modules that should define `name`; a test finds names that lie elsewhere."""
        if self._scanned:
            return
        named = self._modules.get(_letters(name))
        if named:
            self._import(named)
        for modules in (self._defining, self._common):
            for module in modules(name) if name not in self._items else ():
                self._import(module)

    def _common(self, name: str) -> Iterator[str]:
        return (module for module in self.common if name not in self._items)

    def _defining(self, name: str) -> Iterator[str]:
        """Modules whose source defines `name`."""
        lines = [self.written.replace("{}", spelt).encode() for spelt in (name, name.title().replace("_", ""))]
        return (module for module, source in self._sources.items() if any(line in source for line in lines))

    @cached_property
    def _sources(self) -> dict[str, bytes]:
        """The source of every module of the package that has one. Searching it takes less time than importing it."""
        found: dict[str, bytes] = {}
        for module in self._modules.values() if self.written else ():
            for folder in importlib.import_module(str(self.package)).__path__:
                with suppress(OSError), open(f"{folder}/{module}.py", "rb", buffering=0) as file:
                    found[module] = file.readall()
        return found

    def _find_derived(self, name: str) -> bool:
        """Whether `name` is derived from a contribution."""
        prefix, dot, origin = name.partition(".")
        if not dot:
            return False
        for module in self.common:
            self._import(module)
        if prefix not in self._families or origin not in self:
            return False
        self._derived[name] = self._families[prefix](self[origin])
        return True

    def __getitem__(self, name: str) -> T:
        if name in self._items:
            return self._items[name]
        if name in self._derived or self._find_derived(name):
            return self._derived[name]
        self._look_for(name)
        try:
            return self._items[name]
        except KeyError:
            raise KeyError(f"no {self.kind} {name!r}{did_you_mean(name, self._items)}") from None

    def __contains__(self, name: str) -> bool:
        if name in self._items or name in self._derived or self._find_derived(name):
            return True
        self._look_for(name)
        return name in self._items

    def __iter__(self) -> Iterator[str]:
        self.scan()
        return iter(sorted(set(self._items) - self.foreign))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def items(self) -> list[tuple[str, T]]:
        """The package's contributions, sorted by name."""
        return [(name, self._items[name]) for name in self]

    def everything(self) -> list[T]:
        """The package's contributions and those of users, by name."""
        self.scan()
        return [self._items[name] for name in sorted(self._items)]


def _letters(name: str) -> str:
    return name.replace("_", "").lower()


class Namespace(type):
    """Metaclass of classes that only hold names, such as Neurons: errors for unknown names list the known ones.

    >>> class Colours(metaclass=Namespace):
    ...     Red = 1
    >>> Colours.Rde
    Traceback (most recent call last):
    AttributeError: Colours has no 'Rde', only Red; did you mean 'Red'?

    A mapping `_also` holds what others call a name.
    """

    if not TYPE_CHECKING:  # type checkers should find misspelt names

        def __getattr__(cls, name: str) -> object:
            known = [own for own in vars(cls) if not own.startswith("_")]
            own = vars(cls).get("_also", {}).get(name, name)
            raise AttributeError(f"{cls.__name__} has no {name!r}, only {', '.join(known)}{did_you_mean(own, known)}")


def suggestion(name: object, known: object) -> str | None:
    """The known name closest to a misspelt one, or None.

    Upper and lower case are not distinguished.

    >>> suggestion("momemtum", ["momentum", "lr_policy"]), suggestion("relu", ["Tanh", "ReLU"])
    ('momentum', 'ReLU')
    """
    names = {str(k).lower(): str(k) for k in reversed(list(known))}  # type: ignore[call-overload]
    close = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.6) if isinstance(name, str) else []
    return names[close[0]] if close else None


def misspelt(name: object, known: object, otherwise: str = "") -> str:
    """The hint for an unknown name: the closest known one, or else `otherwise`.

    >>> misspelt("momemtum", ["momentum"]), misspelt("x", ["momentum"], "parameters: momentum")
    ("did you mean 'momentum'?", 'parameters: momentum')
    """
    close = suggestion(name, known)
    return f"did you mean {close!r}?" if close else otherwise


def did_you_mean(name: object, known: object) -> str:
    """The end of a message: '; did you mean ...?' or the empty string."""
    hint = misspelt(name, known)
    return f"; {hint}" if hint else ""
