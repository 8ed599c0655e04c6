"""Warns of what is legal but probably does something else than was meant: fields (Layer.doubt), the order of layers."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

from mochac.frontend.wiring import described
from mochac.layers.base import Layer
from mochac.runtime.support.log import tell_once


def warn(net: str, layers: Sequence[Layer]) -> None:
    """Log, once per process, what is doubtful about the layers of a net, in the order of the user's list."""
    for said in _overtaken(layers):
        tell_once(f"net {net!r}: {said}", logging.WARNING)
    for layer in layers:
        if layer.doubt:
            tell_once(f"net {net!r}: {described(layer)}: {layer.doubt}", logging.WARNING)


def _overtaken(layers: Sequence[Layer]) -> Iterator[str]:
    """Readers of a blob that an in-place layer behind them in the list replaces: they get the result, not the blob."""
    for k, layer in enumerate(layers):
        if not _replaces(layer):
            continue
        for reader in layers[:k]:
            for blob in sorted(set(reader.reads) & set(layer.tops)):
                if not _replaces(reader):
                    yield (
                        f"{described(reader)} gets blob {blob!r} as {described(layer)} leaves it: an in-place layer "
                        "works before all readers, wherever it is in the list; give it its own top to keep the blob"
                    )


def _replaces(layer: Layer) -> bool:
    """Whether a layer names its bottoms as its tops, as in Caffe."""
    return layer.in_place and bool(layer.tops) and tuple(layer.tops) == tuple(layer.bottoms)
