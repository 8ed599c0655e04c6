"""FrozenLayers: the layers whose parameters training does not update."""

from __future__ import annotations

from mochac.base.errors import OptionError
from mochac.nets.layers.base import Layer, Parametric
from mochac.nets.net import Net


class FrozenLayers:
    """A set of layers with parameters, given by name or as layers; layers that share parameters freeze together."""

    def __init__(self, net: Net) -> None:
        self._net = net
        self.keys: frozenset[str] = frozenset()

    def add(self, *layers: str | Layer) -> None:
        """Freeze these layers."""
        self.keys |= {self._key(layer) for layer in layers}

    def remove(self, *layers: str | Layer) -> None:
        """Train these layers again."""
        self.keys -= {self._key(layer) for layer in layers}

    def add_all(self) -> None:
        """Freeze every layer."""
        self.keys = frozenset(p.key for p in (*self._net.params, *self._net.states))

    def clear(self) -> None:
        """Train every layer again."""
        self.keys = frozenset()

    def __contains__(self, layer: str | Layer) -> bool:
        return self._key(layer) in self.keys

    def _key(self, layer: str | Layer) -> str:
        known = self._net.layer(layer.name if isinstance(layer, Layer) else layer)
        if not isinstance(known, Parametric):
            hint = "only layers with parameters can be frozen"
            raise OptionError(f"layer {known.name!r} has no parameters", hint=hint)
        return known.key
