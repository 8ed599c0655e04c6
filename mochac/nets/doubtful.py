"""Warnings about nets that are legal but probably not intended: values of fields (Layer.doubt), the order of layers."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

from mochac.base.support.log import tell_once
from mochac.nets.layers.base import Layer
from mochac.nets.wiring import described


def warn(net: str, layers: Sequence[Layer]) -> None:
    """Log, once per process, what is doubtful about the layers of a net, in the order of the user's list."""
    for said in _overtaken(layers):
        tell_once(f"net {net!r}: {said}", logging.WARNING)
    for layer in layers:
        if layer.doubt:
            tell_once(f"net {net!r}: {described(layer)}: {layer.doubt}", logging.WARNING)


def _overtaken(layers: Sequence[Layer]) -> Iterator[str]:
    """Warnings about layers that are listed before an in-place layer with the same bottom, whose result they read."""
    for k, layer in enumerate(layers):
        if not _replaces(layer):
            continue
        for reader in layers[:k]:
            for blob in sorted(set(reader.reads) & set(layer.tops)):
                if not _replaces(reader):
                    yield (
                        f"{described(reader)} comes first, but reads the result of the in-place {described(layer)}, as "
                        f"all readers of blob {blob!r} do; give the in-place layer a top of its own to keep the blob"
                    )


def _replaces(layer: Layer) -> bool:
    """Whether a layer names its bottoms as its tops, as in Caffe."""
    return layer.in_place and bool(layer.tops) and tuple(layer.tops) == tuple(layer.bottoms)
