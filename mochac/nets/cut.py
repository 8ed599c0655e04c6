"""cut_layers: the layers of a net in which some blobs are given, not computed.

    x -> encoder -> z -> decoder -> y      cut at z      z (InputLayer) -> decoder -> y

What only led to these blobs is left out. For Net.cut, and for predict() from blobs inside of a net.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from mochac.base.errors import OptionError, UnsupportedError
from mochac.ir.types import TensorType
from mochac.nets.layers.base import Layer, Parametric, Source
from mochac.nets.layers.config import made_at
from mochac.nets.layers.memory_data import InputLayer
from mochac.nets.wiring import Placed, described


def cut_layers(order: Sequence[Placed], types: Mapping[str, TensorType], blobs: Collection[str]) -> list[Layer]:
    """Layers that compute the same of the given blobs. One whose parameters another uses, as a TiedInnerProductLayer
    does, stays wherever it is.

    Args:
        order: the layers of a net, wired.
        types: of its blobs.
        blobs: those that are given: as they are behind all layers that work on them in place.

    Raises:
        OptionError: a blob does not hold samples, or is made by a data layer.
        UnsupportedError: a blob has no axis but the batch.
    """
    for blob in blobs:
        _check(order, types[blob], blob)
    names = {*types, *(p.layer.name for p in order)}
    inputs: list[Layer] = [InputLayer(name=_unused(b, names), shape=types[b].shape, tops=[b]) for b in blobs]
    layers = [p.layer for p in order]
    borrowed = {key for layer in layers for key in layer.borrowed_keys}
    lenders = {layer.name for layer in layers if isinstance(layer, Parametric) and layer.key in borrowed}
    kept = [layer for p in order for layer in _without(p, blobs, names, lenders)]
    made = {top for p in order if not isinstance(p.layer, Source) for top in p.tops}
    ends = made.difference(*(p.layer.reads for p in order if not p.replaces))
    return _needed([*inputs, *kept], ends, lenders)


def _check(order: Sequence[Placed], type: TensorType, blob: str) -> None:
    if not type.batch:
        raise OptionError(f"blob {blob!r} cannot be given: it does not hold one row per sample")
    if len(type.shape) == 1:
        raise UnsupportedError(f"blob {blob!r} cannot be given: it has no axis but the batch")
    maker = next(p.layer for p in order if blob in p.tops)
    if isinstance(maker, Source):
        raise OptionError(f"blob {blob!r} is given already: it comes from {described(maker)}")


def _without(p: Placed, blobs: Collection[str], names: set[str], lenders: Collection[str]) -> Iterator[Layer]:
    """The layer, if it makes other blobs than these, or lends parameters; a top that is one of these gets another
    name."""
    layer, given = p.layer, [top for top in p.tops if top in blobs]
    if given and len(given) == len(p.tops) and layer.name not in lenders:
        return
    if not given and (p.replaces or layer.tops == p.tops):
        yield layer
        return
    with made_at(*layer.origin):
        if p.replaces:
            others = [top for top in p.tops if top not in blobs]
            yield layer.replace(bottoms=others, tops=others if layer.tops else ())
        else:
            yield layer.replace(tops=[_unused(top, names) if top in blobs else top for top in p.tops])


def _needed(layers: list[Layer], ends: Collection[str], lenders: Collection[str]) -> list[Layer]:
    """Layers that make something that is read, or one of the blobs `ends`; layers that make nothing; and `lenders`."""
    while True:
        read = {*_read(layers), *ends}
        made = {x.name: x.bottoms if _replaces(x) else x.tops for x in layers}
        kept = [x for x in layers if not made[x.name] or read.intersection(made[x.name]) or x.name in lenders]
        if len(kept) == len(layers):
            return kept
        layers = kept


def _read(layers: Sequence[Layer]) -> set[str]:
    """Blobs that layers read, other than to replace them."""
    return {blob for layer in layers if not _replaces(layer) for blob in layer.reads}


def _replaces(layer: Layer) -> bool:
    """Whether it works in place, in a list of layers where those with blobs of their own say so."""
    return layer.in_place and tuple(layer.tops) in ((), tuple(layer.bottoms))


def _unused(name: str, names: set[str]) -> str:
    """A name like `name` that is not among `names`, which it joins."""
    while name in names:
        name += "'"
    names.add(name)
    return name
