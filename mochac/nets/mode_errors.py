"""Errors in the `emit` of a layer in one mode only: it fails, or makes other tops or parameters.

A net is built in one mode, which says what its blobs and parameters are; the other one is traced when a plan needs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mochac.base.errors import MochacError
from mochac.ir.types import TensorType
from mochac.nets.declared import ParamInfo, StateInfo
from mochac.nets.emit_errors import unlike
from mochac.nets.tracer import Tracer

if TYPE_CHECKING:
    from mochac.nets.net import Net

WORDS = {"train": "training", "test": "test mode"}


def faults(net: Net, tracer: Tracer) -> list[MochacError]:
    """The problems of a traced net: differences from the mode in which it was built, else what failed. A layer whose
    tops differ comes first, since layers that read them fail because of it.
    """
    return [*_other_tops(net, tracer), *_other_arrays(net, tracer)] or list(tracer.problems)


def _other_tops(net: Net, tracer: Tracer) -> Iterator[MochacError]:
    here, there = _modes(net, tracer)
    spoiled: set[str] = set()
    for layer in net.layers:
        types = net.made[layer.name], tracer.made.get(layer.name, ())
        for top, known, made in zip(net.tops[layer.name], *types, strict=False):
            if _fits(made, known, tracer.batch, net.batch):
                continue
            if spoiled.isdisjoint(layer.reads):
                rule = f"its emit makes {top!r} of another shape in {here} than in {there}"
                yield unlike(layer, rule, str(known.shape), str(made.shape))
            spoiled.add(top)


def _other_arrays(net: Net, tracer: Tracer) -> Iterator[MochacError]:
    """Parameters and states that the net does not have. It may have more: those are for training only."""
    here, there = _modes(net, tracer)
    found: list[tuple[str, ParamInfo | StateInfo, ParamInfo | StateInfo | None]] = []
    params, states = ({(p.key, p.name): p for p in each} for each in (net.params, net.states))
    found += [("parameter", p, params.get(place)) for place, p in tracer.params.items()]
    found += [("state", s, states.get(place)) for place, s in tracer.states.items()]
    for what, made, known in found:
        layer = net.layer(made.layer)
        if known is None:
            rule = f"its emit makes the {what} {made.name!r} in {here} but not in {there}"
            yield unlike(layer, rule, hint=f"make it in {there}, too, where the net gets its parameters")
        elif known.shape != made.shape:
            rule = f"its emit makes the {what} {made.name!r} of another shape in {here} than in {there}"
            yield unlike(layer, rule, str(known.shape), str(made.shape))


def _modes(net: Net, tracer: Tracer) -> tuple[str, str]:
    """The mode that is traced, and that in which the net was built."""
    return WORDS["train" if tracer.training else "test"], WORDS[net.mode]


def _fits(made: TensorType, known: TensorType, batch: int, known_batch: int) -> bool:
    """Whether a blob has the shape that it has in the net, except for the number of samples, also along other axes."""
    if not made.batch:
        return not known.batch and (made.shape == known.shape or batch != known_batch)
    if not known.batch or len(made.shape) != len(known.shape):
        return False
    pairs = zip(made.shape[1:], known.shape[1:], strict=True)
    return all(a == b or a * known_batch == b * batch for a, b in pairs)
