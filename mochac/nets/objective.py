"""find_objective: determines which scalars of a traced net are minimized.

A loss is an ordinary node. If later layers compute another scalar from it, that scalar takes its place in the
objective, as in nets made of "building blocks", where the backward pass starts from the last node.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from mochac.ir.graph import Value
from mochac.nets.layers.base import Layer
from mochac.nets.tracer import Tracer

if TYPE_CHECKING:
    from mochac.nets.net import Net


def find_objective(tracer: Tracer, net: Net) -> None:
    """Add the scalars that layers computed from losses, and unmark the losses that are contained in another term."""
    inside, means = _losses_inside(tracer), _same_as_means(tracer)
    for layer, value in _ends(tracer, net):
        if inside.get(value.name) and value.name not in means:
            tracer.derived_loss(layer, value)
    for k, record in enumerate(tracer.losses):
        others = (other for other in tracer.losses if other is not record)
        contained = any(record.mean in inside.get(other.mean, ()) for other in others)
        tracer.losses[k] = replace(record, objective=not contained)


def _losses_inside(tracer: Tracer) -> dict[str, frozenset[str]]:
    """The means of losses that each value depends on, by the value's name."""
    means = {record.mean for record in tracer.losses}
    inside: dict[str, frozenset[str]] = {}
    for node in tracer.b.nodes:
        reached = frozenset[str]()
        for read in node.inputs:
            if more := inside.get(read):
                reached = reached | more if reached else more
        for out in node.outputs:
            inside[out.name] = reached | {out.name} if out.name in means else reached
    return inside


def _same_as_means(tracer: Tracer) -> set[str]:
    """The means of losses under all their names: the tops of a SplitLayer are the loss itself."""
    means = {record.mean for record in tracer.losses}
    for node in tracer.b.nodes:
        if node.op == "reshape" and node.inputs[0] in means:
            means.update(out.name for out in node.outputs)
    return means


def _ends(tracer: Tracer, net: Net) -> Iterator[tuple[Layer, Value]]:
    """Scalar tops of ordinary layers that no layer computes with."""
    used = {blob for layer in net.layers if layer.is_loss or net.tops[layer.name] for blob in layer.reads}
    for layer in net.layers:
        for top in () if layer.is_loss else net.tops[layer.name]:
            value = tracer.blobs.get(top)
            if top not in used and value is not None and not value.type.shape:
                yield layer, value
