"""Records of nets that train together, and their plans.

BlockRecords: the losses and learning rates of a block's nets, kept as arrays while it trains.

Rows become the dictionaries of lounges once, at the end: making them step by step took a fifth of the time of small
nets.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from mochac.base.records import record
from mochac.lowering.many_plan import NetStep, block_of_nets, many_plan
from mochac.lowering.plan_cache import CompiledPlan, compile_plan
from mochac.lowering.plan_graphs import OBJECTIVE, PlanGraph
from mochac.nets.trace import DTYPE
from mochac.runtime.backend import Backend
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.loop.snapshot_breaks import due


@record
class ManyPlan:
    """A step of `places` nets, and what it was compiled from."""

    source: PlanGraph
    compiled: CompiledPlan
    places: int


class ManyPlans:
    """Plans of a backend; each is compiled when it is first needed, by any thread."""

    def __init__(self, backend: Backend, dtype: str, convolutions: str) -> None:
        self.backend, self.dtype, self.convolutions = backend, dtype, convolutions
        self.places = block_of_nets(backend.generator.lanes(DTYPE[dtype]))
        self._plans: dict[Hashable, ManyPlan] = {}
        self._lock = threading.Lock()

    def of(self, step: NetStep, own_data: bool) -> ManyPlan:
        """The plan of nets with this step, which have batches of their own or share them."""
        key = step.shape, own_data
        with self._lock:
            if key not in self._plans:
                source = many_plan(step, self.places, own_data=own_data)
                source = replace(source, convolutions=self.convolutions)
                compiled = compile_plan(source, self.backend, DTYPE[self.dtype], fused=True)
                self._plans[key] = ManyPlan(source, compiled, self.places)
            return self._plans[key]


Rates = Mapping[int, Mapping[str, np.ndarray]]
"""The learning rates of each iteration of a call, by method and by their names in statistics."""


class BlockRecords:
    """Rows of the iterations that get one.

    Args:
        methods: the method of each net, as a key of Rates.
    """

    def __init__(self, methods: Sequence[int]) -> None:
        self._methods = list(methods)
        self._iterations, self._losses = list[np.ndarray](), list[np.ndarray]()
        self._rates: dict[int, list[dict[str, np.ndarray]]] = {method: [] for method in methods}
        self._tail = False
        self._lost: dict[int, tuple[int, str]] = {}
        """The iteration in which a net was lost, and why."""

    def add(self, first: int, losses: np.ndarray, rates: Rates) -> None:
        """The iterations that follow `first`: losses (iterations, nets). The last one of all gets a row, too."""
        self._drop_tail()
        last = first + len(losses)
        rows = list(due(first, last))
        self._keep(rows, first, losses, rates)
        if rows[-1:] != [last]:
            self._keep([last], first, losses, rates)
            self._tail = True
        if not np.isfinite(losses).all():
            self._lose(first, losses)

    def _keep(self, rows: Sequence[int], first: int, losses: np.ndarray, rates: Rates) -> None:
        at = np.array(rows, np.int64) - first - 1
        self._iterations.append(np.array(rows, np.int64))
        self._losses.append(losses[at])
        for method, kept in self._rates.items():
            kept.append({name: rate[at] for name, rate in rates[method].items()})

    def _drop_tail(self) -> None:
        """Drop the last row if it is there only because it was the last one."""
        if self._tail:
            for kept in (self._iterations, self._losses, *self._rates.values()):
                kept.pop()
        self._tail = False

    def _lose(self, first: int, losses: np.ndarray) -> None:
        finite = np.isfinite(losses)
        for net in np.flatnonzero(~finite.all(axis=0)).tolist():
            bad = int(np.argmin(finite[:, net]))
            why = f"iteration {first + bad + 1}: the loss became {losses[bad, net]}"
            self._lost.setdefault(net, (first + bad + 1, why))

    def write(self, lounges: Sequence[CoffeeLounge]) -> None:
        """Add the rows of each net to its lounge; those of a lost net end before the iteration in which it was lost."""
        if not self._iterations:
            return
        iterations, losses = np.concatenate(self._iterations), np.concatenate(self._losses)
        known = iterations.tolist()
        numbers = dict(zip(known, iterations.astype(float).tolist(), strict=True))
        columns = {
            (method, name): dict(zip(known, np.concatenate([rates[name] for rates in kept]).tolist(), strict=True))
            for method, kept in self._rates.items()
            for name in kept[0]
        }
        for net, lounge in enumerate(lounges):
            end, lounge.stopped = self._lost.get(net, (None, ""))
            count = len(known) if end is None else int(np.searchsorted(iterations, end))
            lounge.add("iter", _first(count, numbers))
            lounge.add(OBJECTIVE, dict(zip(known, losses[:count, net].tolist(), strict=False)))
            for (method, name), column in columns.items():
                if method == self._methods[net]:
                    lounge.add(name, _first(count, column))


def _first(count: int, rows: Mapping[int, float]) -> Mapping[int, float]:
    return rows if count == len(rows) else dict(islice(rows.items(), count))
