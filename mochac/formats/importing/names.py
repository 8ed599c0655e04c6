"""TakenNames: names of layers or blobs, to which many like each other are added."""

from __future__ import annotations

from collections.abc import Iterable


class TakenNames(set[str]):
    """Names that are taken.

    >>> names = TakenNames(["x"])
    >>> names.added_like("x"), names.added_like("x"), names.added_like("y")
    ('x-2', 'x-3', 'y')
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        super().__init__(names)
        self._next: dict[str, int] = {}

    def added_like(self, name: str) -> str:
        """The name, or the name with the first number from 2 on that makes it unique; it is taken from now on."""
        new = name = name or "x"
        if new in self:
            number = self._next.get(name, 2)
            while (new := f"{name}-{number}") in self:
                number += 1
            self._next[name] = number + 1
        self.add(new)
        return new

    def discard(self, name: str, /) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Free a name."""
        super().discard(name)
        base, _, number = name.rpartition("-")
        if number.isdecimal() and base in self._next:
            self._next[base] = min(self._next[base], int(number))
