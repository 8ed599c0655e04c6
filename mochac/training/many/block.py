"""NetBlock: some nets in training: their parameters side by side in memory, their batches, and their progress.

The nets of a block are the lanes of vectors. A block has a step of its own, so blocks run on different threads, each
at its own pace, without waiting for each other.

BlockRecords: the losses and learning rates of a block's nets, kept as arrays while it trains. They become the
dictionaries of lounges once, at the end: making them step by step took a fifth of the time of small nets.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from mochac.base.errors import MochacError
from mochac.base.records import record
from mochac.base.support.memory import ManagedArray, aligned_zeros
from mochac.ir.plan import Placement, owners
from mochac.ir.types import DTYPES, to_logical, to_storage
from mochac.lowering.main_plan import NetStep, block_of_nets, many_plan
from mochac.lowering.plan_cache import CompiledPlan, compile_plan
from mochac.lowering.plan_graphs import OBJECTIVE, PlanGraph
from mochac.nets.trace import DTYPE
from mochac.runtime.backend import Backend
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.memory import NetsSource
from mochac.runtime.data.params import Params
from mochac.runtime.data.source import DataSource, open_source
from mochac.runtime.tables import Located
from mochac.training.loop.breaks import due
from mochac.training.loop.coffee import long_name
from mochac.training.loop.hypers import HyperRows, Hypers
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.many.request import Member, named
from mochac.training.session.batches import reading_of
from mochac.training.session.net_parameters import kept_arrays, make_parameters

CALL_S = 0.03
"""Intended duration of a native call, after which another block has its turn, and Ctrl-C is noticed."""
FIRST_STEPS = 8


class NetBlock:
    """Nets with one step, trained together.

    Args:
        members: at most as many as a plan has.
        plans: compiles its step.
        threads: that share a step.

    Attributes:
        iteration: updates done.
        params, lounges: the result, one of each per net.
    """

    def __init__(self, members: Sequence[Member], plans: ManyPlans, threads: int) -> None:
        self.members, self.dtype = list(members), plans.dtype
        self.iteration, self.max_iter = 0, members[0].request.max_iter
        self.params, self.lounges = [Params() for _ in members], [CoffeeLounge() for _ in members]
        for member, params in zip(members, self.params, strict=True):
            make_parameters(member.request.net, params, self.dtype, member.request.seed)
        self._kept = [kept_arrays(m.step.traced, params) for m, params in zip(members, self.params, strict=True)]
        self._steps = FIRST_STEPS
        self._seconds = 0.0
        self._rows = {id(member.method): HyperRows(Hypers(member.method)) for member in members}
        self._records = BlockRecords([id(member.method) for member in members])
        self._begin(plans, threads)

    def _begin(self, plans: ManyPlans, threads: int) -> None:
        first, self._own_data = self.members[0].step, len({member.data for member in self.members}) > 1
        plan = plans.of(first, self._own_data)
        self._periods, self._places, compiled = plan.source.periods, plan.places, plan.compiled
        self._stored = owners([p for p in compiled.plan.placements if p.place == "state"])
        self._states = {key: self._state(key, placement) for key, placement in self._stored.items()}
        self._runner = plans.backend.bind(compiled.plan, compiled.objects, self._states, threads)
        fed = {
            key: p.type.shape for key, p in owners([p for p in compiled.plan.placements if p.place == "feed"]).items()
        }
        self._fed = {feed.top: (feed.value, fed[feed.value]) for feed in first.traced.feeds if feed.value in fed}
        self._scalars = {p.key: p.type for p in compiled.plan.placements if p.place == "hyper"}
        self._feed = self._opened_feed()

    # --- state ---------------------------------------------------------------------------------------

    def _state(self, key: str, placement: Placement) -> ManagedArray:
        """The storage of an input: the values of all nets, and copies of the last one's in the remaining places."""
        kind, n_nets = placement.type, len(self.members)
        storage = aligned_zeros(kind.storage_shape, DTYPES[kind.dtype])
        logical, first = np.empty(kind.shape, storage.dtype), self._value(key, 0)
        if first is None:
            return ManagedArray(storage)
        if kind.batch:
            for k in range(n_nets):
                logical[k] = self._value(key, k)
            logical[n_nets:] = logical[n_nets - 1]
        else:
            logical[...] = first
        storage[...] = to_storage(logical, kind).reshape(storage.shape)
        return ManagedArray(storage)

    def _value(self, name: str, k: int) -> np.ndarray | None:
        """The initial value of an input of net k; None: zeros."""
        if name in self._kept[k]:
            return self._kept[k][name].values
        step = self.members[k].step
        return step.numbers.get(name, step.tables.get(name))

    def finish(self, interrupted: bool = False) -> None:
        """Write the parameters and states into the stores, end the lounges, and release everything else."""
        found = {key: to_logical(state.values, self._stored[key].type) for key, state in self._states.items()}
        for k, kept in enumerate(self._kept):
            for name, parameter in kept.items():
                if name in found:
                    parameter.storage[...] = found[name][k]
            self.lounges[k].interrupted, self.lounges[k].trained_s = interrupted, self._seconds
        self._records.write(self.lounges)
        self.close()

    def results(self) -> Iterator[tuple[Member, tuple[Params, CoffeeLounge]]]:
        """Each net with its result."""
        yield from zip(self.members, zip(self.params, self.lounges, strict=True), strict=True)

    def close(self) -> None:
        """Release code, memory and readers."""
        self._feed.close()
        self._runner.close()

    # --- steps ---------------------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Whether the last iteration has been reached."""
        return self.iteration >= self.max_iter

    def advance(self) -> None:
        """Run some steps, in one native call."""
        begin = time.perf_counter()
        n = self._feed.wait(min(self._steps, self.max_iter - self.iteration))
        results = self._runner.run(n, self._batches(n), self._hypers(n))
        self._feed.release(n)
        self.iteration += n
        self._note(n, results[OBJECTIVE], time.perf_counter() - begin)

    def _batches(self, n: int) -> Located:
        addresses, last = self._feed.addresses(n), self._feed.arrays(n - 1)
        fed = self._fed.items()
        arrays = {value: last[top].reshape(shape) for top, (value, shape) in fed}
        return Located({value: addresses[top] for top, (value, _) in fed}, arrays)

    def _hypers(self, n: int) -> dict[str, np.ndarray]:
        """Scalars of the next n steps: rows of one number for each net, or numbers for all."""
        iterations = np.arange(self.iteration, self.iteration + n)
        known: dict[str, Any] = {"step": iterations}
        for name, every in self._periods.items():
            known[name] = (iterations + 1) % every == 0
        columns: dict[int, dict[str, np.ndarray]] = {}
        for method, rows in self._rows.items():
            found = rows.of(self.iteration, n, 0)[0]
            columns[method] = {name: np.broadcast_to(np.asarray(x, np.float64), (n,)) for name, x in found.items()}
        each = [columns[id(member.method)] for member in self.members]
        self._rates = {
            method: {long_name(name): rate for name, rate in column.items() if name.rpartition(".")[2] == "lr"}
            for method, column in columns.items()
        }
        for name, kind in self._scalars.items():
            if kind.shape:
                known[name] = np.stack([*(c[name] for c in each), *[each[-1][name]] * (self._places - len(each))], 1)
        return {name: known[name] for name in self._scalars}

    def _note(self, n: int, losses: np.ndarray, seconds: float) -> None:
        """Record the losses of the last n steps, and choose the length of the next call."""
        self._records.add(self.iteration - n, losses[:, : len(self.members)], self._rates)
        self._seconds += seconds
        self._steps = max(1, min(4 * self._steps, int(n * CALL_S / max(seconds, 1e-6))))

    # --- data ----------------------------------------------------------------------------------------

    def _opened_feed(self) -> Feed:
        """The batches: of one net where all share them, else those of all nets side by side."""
        sources: list[DataSource] = []
        for at in range(len(self.members[0].request.net.sources)):
            readers = self.members if self._own_data else self.members[:1]
            own = [_opened(member, at) for member in readers]
            owners = [named(member.place) for member in readers]
            sources.append(NetsSource(own, owners, self._places) if self._own_data else own[0])
        return Feed(sources, np.dtype(self.dtype), self.members[0].step.traced.batch)


def _opened(member: Member, at: int) -> DataSource:
    layer, traced = member.request.net.sources[at], member.step.traced
    try:
        return open_source(layer, reading_of(traced, layer, member.request.seed))
    except MochacError as error:
        raise error.noted(named(member.place)) from None


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
    """Losses and learning rates of a block's nets, in the iterations that get a row in lounges.

    Args:
        methods: the method of each net, as a key of Rates.
    """

    def __init__(self, methods: Sequence[int]) -> None:
        self._methods = list(methods)
        self._iterations, self._losses = list[np.ndarray](), list[np.ndarray]()
        self._rates: dict[int, list[dict[str, np.ndarray]]] = {method: [] for method in methods}
        self._tail = False
        self._lost: dict[int, tuple[int, str]] = {}
        """The iteration at which the loss of a net was no longer finite, and the message."""

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
        """Drop the last row unless its iteration gets a row anyway."""
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
