"""UnsetParameters: parameters that a program has initialized at random in addition to shared ones, and that have never
been set. In a net that is only evaluated, they belong to a layer whose name differs from that in the net in training.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from zlib import crc32

import numpy as np

from mochac.base.support.log import tell_once
from mochac.nets.declared import ParamInfo, StateInfo
from mochac.nets.net import Net
from mochac.runtime.data.params import Params

RANDOM = ("uniform", "normal", "orthogonal")
"""Kinds of distributions with which no net is useful without training."""


class UnsetParameters:
    """Parameters and states that a program has added to a store, and that nothing has set yet.

    Args:
        made: what the program has added to the store: parameters and states.
    """

    def __init__(self, net: Net, params: Params, made: Sequence[ParamInfo | StateInfo]) -> None:
        shares = any(p not in made for p in (*net.params, *net.states))
        self._net, self._params = net, params
        self._made = {_name(p): (p, self._sum(p)) for p in made if shares and _is_telling(p)}

    def __bool__(self) -> bool:
        return bool(self._made)

    def warn(self, known: Mapping[str, np.ndarray] | None = None) -> None:
        """Log, once, the layers whose parameters are still as initialized, except those that are `known`."""
        unset = [p for name, (p, sum_) in self._made.items() if name not in (known or {}) and self._sum(p) == sum_]
        if not unset:
            return
        layers = ", ".join(repr(name) for name in dict.fromkeys(p.layer for p in unset))
        used = {p.key for p in (*self._net.params, *self._net.states)}
        others = [key for key in (*self._params, *self._params.states) if key not in used]
        words = f"net {self._net.name!r} shares parameters, but those of layer {layers} are as initialized: "
        rest = f"; of those it shares with, it does not use {', '.join(dict.fromkeys(others))}" if others else ""
        tell_once(f"{words}layers share by param_key, which is their name by default{rest}", logging.WARNING)

    def _sum(self, p: ParamInfo | StateInfo) -> int:
        table = self._params.states if isinstance(p, StateInfo) else self._params
        return crc32(np.ascontiguousarray(table[p.key][p.name].values).reshape(-1).view(np.uint8).data)


def _name(p: ParamInfo | StateInfo) -> str:
    return f"{p.key}___{p.name}"


def _is_telling(p: ParamInfo | StateInfo) -> bool:
    """Whether values as initialized show that a parameter was not set; constants may be intended."""
    how = p.init.distribution(p.shape)
    return isinstance(p, StateInfo) or (how is not None and how.kind in RANDOM)
