"""NetBlock: some nets in training: their parameters side by side in memory, their batches, and their progress.

The nets of a block are the lanes of vectors. A block has a step of its own, so blocks run on different threads, each
at its own pace, without waiting for each other.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mochac.base.errors import MochacError
from mochac.base.support.memory import ManagedArray, aligned_zeros
from mochac.ir.plan import Placement, owners
from mochac.ir.types import DTYPES, to_logical, to_storage
from mochac.lowering.plan_graphs import OBJECTIVE
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.memory import NetsSource
from mochac.runtime.data.params import Params
from mochac.runtime.data.source import DataSource, open_source
from mochac.runtime.tables import Located
from mochac.training.loop.coffee import long_name
from mochac.training.loop.hypers import HyperRows, Hypers
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.many.records import BlockRecords, ManyPlans
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
