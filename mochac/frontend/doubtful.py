"""Warns of fields that are legal but probably do something else than was meant, as far as layers tell (Layer.doubt)."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from mochac.frontend.wiring import described
from mochac.layers.base import Layer
from mochac.runtime.support.log import tell_once


def warn(net: str, layers: Sequence[Layer]) -> None:
    """Log, once per process, what is doubtful about the layers of a net."""
    for layer in layers:
        if layer.doubt:
            tell_once(f"net {net!r}: {described(layer)}: {layer.doubt}", logging.WARNING)
