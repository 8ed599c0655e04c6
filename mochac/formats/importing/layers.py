"""LayerBuilder: the layers that an importer makes, in order."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from mochac.nets.layers.base import LAYERS, Layer
from mochac.nets.layers.config import at_origin

Origin = tuple[str, int]
"""File and line that a layer comes from, for errors."""


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


@dataclass
class LayerBuilder:
    """The layers made so far.

    Attributes:
        layers: in order.
    """

    layers: list[Layer] = field(default_factory=list[Layer], init=False)
    _names: TakenNames = field(default_factory=TakenNames, init=False)

    def append(self, kind: str, origin: Origin | None, /, **fields: Any) -> Layer:
        """Add a layer of the registry; returns it. `origin` None: the line of the user's code that imports."""
        with nullcontext() if origin is None else at_origin(*origin):
            self.layers.append(LAYERS[kind](**fields))
        return self.layers[-1]

    def replace(self, place: int, origin: Origin | None = None, /, **fields: Any) -> Layer:
        """Change fields of the layer at a place; returns the new one. `origin` None: that of the old one."""
        with at_origin(*(self.layers[place].origin if origin is None else origin)):
            self.layers[place] = self.layers[place].replace(**fields)
        return self.layers[place]

    def layer_name(self, name: str) -> str:
        """The name for a layer, or with a number the first that no layer has; it is taken from now on."""
        return self._names.added_like(name)

    def upstream(self, blobs: Iterable[str]) -> list[Layer]:
        """The layers on which these blobs depend, in order."""
        wanted, found = set(blobs), list[Layer]()
        for layer in reversed(self.layers):
            if wanted.intersection(layer.tops or layer.bottoms[:1]):  # without tops, it works in place
                found.append(layer)
                wanted.update(layer.reads)
        return found[::-1]
