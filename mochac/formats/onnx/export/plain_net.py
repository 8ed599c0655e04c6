"""plain_net: the same net with one blob for every result, and neurons as layers of their own.

Then a layer is what one ONNX operator computes, and the name of a blob means one tensor.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mochac.nets.layers.base import Layer
from mochac.nets.layers.config import made_at
from mochac.nets.layers.element_wise import ActivationLayer
from mochac.nets.layers.neurons import Identity
from mochac.nets.net import Net
from mochac.nets.wiring import Placed, place


def plain_net(net: Net) -> Net:
    """A net that computes the same.

    A layer that works in place gets a top: the last such layer has the name of the blob, and those before it, with the
    layer that makes the blob, new names. A layer that has a neuron and an `onnx` of its own is followed by an
    ActivationLayer.
    """
    placed = place(net.layers)
    if not any(p.replaces or _carries(p.layer) for p in placed):
        return net
    names = _Names(net, placed)
    return Net(net.name, [part for p in placed for part in _apart(names.renamed(p), names)])


class _Names:
    """The names of blobs while layers are renamed in order."""

    def __init__(self, net: Net, placed: list[Placed]) -> None:
        self._taken = set(net.blobs)
        self._left = Counter(top for p in placed for top in p.tops)
        self._now: dict[str, str] = {}

    def unused(self, name: str) -> str:
        """A name like `name` that no blob has."""
        while name in self._taken:
            name += "'"
        self._taken.add(name)
        return name

    def renamed(self, p: Placed) -> Layer:
        """A layer with the present names of what it reads, and its own names for what it makes."""
        layer = p.layer
        bottoms = [self._now.get(blob, blob) for blob in layer.bottoms]
        fields: dict[str, object] = {f: getattr(layer, f) for f in layer.blob_fields}
        for f, given in fields.items():
            now = [self._now.get(blob, blob) for blob in layer.named(f)]
            fields[f] = now[0] if isinstance(given, str) and now else now if now else given
        tops = [self._made(top, layer) for top in p.tops]
        if tuple(tops) == tuple(layer.tops) and bottoms == list(layer.bottoms):
            return layer
        with made_at(*layer.origin):
            return layer.replace(bottoms=bottoms, tops=tops, **fields) if bottoms else layer.replace(tops=tops)

    def _made(self, top: str, layer: Layer) -> str:
        self._left[top] -= 1
        self._now[top] = self.unused(f"{top}.{layer.name}") if self._left[top] else top
        return self._now[top]


def _carries(layer: Layer) -> bool:
    """Whether a layer that writes itself has a neuron behind it; that of RNNLayer is inside of it."""
    behind = getattr(type(layer), "neuron", None) == Identity()
    return type(layer).onnx is not Layer.onnx and behind and getattr(layer, "neuron", None) != Identity()


def _apart(layer: Layer, names: _Names) -> Iterator[Layer]:
    """The layer, and its neuron for each top if it is written apart."""
    if not _carries(layer):
        yield layer
        return
    before = [names.unused(f"{top}.linear") for top in layer.tops]
    with made_at(*layer.origin):
        yield layer.replace(**{"neuron": Identity(), "tops": before})
        for k, (top, linear) in enumerate(zip(layer.tops, before, strict=True)):
            name = f"{layer.name}.neuron{k or ''}"
            yield ActivationLayer(name=name, neuron=getattr(layer, "neuron"), bottoms=[linear], tops=[top])  # noqa: B009
