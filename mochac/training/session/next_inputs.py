"""The inputs on which a plan of a session would run next: copies of batches, parameters and the solver's state."""

from __future__ import annotations

import numpy as np

from mochac.ir.types import DTYPES
from mochac.lowering.operands import draw_inputs
from mochac.nets.net import Net
from mochac.runtime.data.source import is_missing
from mochac.training.session.net_parameters import kept_arrays
from mochac.training.session.plan_set import BoundPlan
from mochac.training.session.session import Session


def without_data(net: Net) -> tuple[str, ...]:
    """Names of the data layers without data: InputLayers, and layers whose files do not exist."""
    return tuple(layer.name for layer in net.sources if is_missing(layer))


def next_batches(session: Session, bound: BoundPlan, most: int) -> list[dict[str, np.ndarray]]:
    """The next batches, 1 to `most` of them, by graph input, without advancing; one random batch if data is missing.

    Raises:
        DataError: they cannot be read.
    """
    if not bound.feeds:
        return [{}]
    if without_data(session.net):
        drawn = draw_inputs(bound.source.graph)
        return [{name: drawn[name] for name in bound.feeds.values()}]
    ready = session.feed.wait(most)
    batches = [session.feed.arrays(k) for k in range(ready)]
    return [{name: np.array(batch[top]) for top, name in bound.feeds.items()} for batch in batches]


def next_inputs(session: Session, bound: BoundPlan) -> dict[str, np.ndarray]:
    """Every input of the plan's graph: the next batch, current parameters and solver state, random scalars."""
    graph = bound.source.graph
    inputs = {**draw_inputs(graph), **next_batches(session, bound, 1)[0]}
    inputs.update({name: array[...] for name, array in kept_arrays(bound.traced, session.params).items()})
    inputs.update({name: slot.values for name, slot in session.plans.slots.items()})
    inputs.update({i.name: bound.traced.tables[i.name] for i in graph.inputs if i.role == "const"})
    return {i.name: np.array(inputs[i.name], DTYPES[i.type.dtype]) for i in graph.inputs}
