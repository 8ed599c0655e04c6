"""PlanSet: the plans of one net, compiled and bound to memory when first needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from mochac.base.errors import OptionError, UnsupportedError
from mochac.base.garbage import uncollected
from mochac.base.options import CompileOptions
from mochac.base.records import record
from mochac.base.support.memory import ManagedArray, aligned_zeros
from mochac.base.threads import FairLock, cached_property
from mochac.ir.graph import Input
from mochac.ir.plan import Share, owners
from mochac.ir.types import DTYPES
from mochac.lowering.main_plan import main_kind
from mochac.lowering.parts import checked_parts
from mochac.lowering.plan_cache import ChosenSchedules, CompiledPlan, compile_plan, plan_key
from mochac.lowering.plan_graphs import (
    PlanGraph,
    accumulate_plan,
    add_plan,
    debug_plan,
    meeting_layer,
    row_tables,
    step_plan,
    test_plan,
    update_plan,
)
from mochac.lowering.tuning.schedules import LEVELS, TunedSchedules
from mochac.lowering.tuning.tuned import Tuning, edited_schedules, tuned
from mochac.nets.net import Net
from mochac.nets.solvers.method import ParameterGroup, PolicyLike
from mochac.nets.solvers.policy import value_at
from mochac.nets.solvers.update import Update, scheduled_weights
from mochac.nets.trace import DTYPE, Traced, trace
from mochac.runtime.backend import Backend, Datasets, Executor, PlanPart, RankExchange
from mochac.runtime.data.outputs import Outputs
from mochac.runtime.data.params import Parameter, Params
from mochac.runtime.ranks.ranks import Exchanged
from mochac.runtime.tables import Slots
from mochac.training.session.net_parameters import averaged_store, kept_arrays

if TYPE_CHECKING:
    from mochac.runtime.lowered import Lowered


@record
class BoundPlan:
    """A compiled plan with its memory, and what it was made from.

    Attributes:
        hosted: the parameters and states of layers that it uses where they are; empty if it runs on a device.
    """

    traced: Traced
    source: PlanGraph
    compiled: CompiledPlan
    runner: Executor
    hosted: tuple[ManagedArray, ...] = ()

    def run(self, n: int, feeds: Any, known: Mapping[str, Any]) -> dict[str, np.ndarray]:
        """Run n steps, as Executor.run; the plan picks its own scalars from `known`."""
        self._fetch()
        return self.runner.run(n, feeds, known)

    def run_one(self, feeds: Any, known: Mapping[str, Any], part: PlanPart = "all") -> dict[str, float]:
        """Run one step or a part of it, as Executor.run_one."""
        self._fetch()
        return self.runner.run_one(feeds, known, part)

    @property
    def in_parts(self) -> bool:
        """Whether run_one can run the first part of the plan alone, and then the rest."""
        return self.runner.in_parts and self.compiled.plan.head > 0

    def _fetch(self) -> None:
        """Fetch newer parameters and states from devices."""
        for array in self.hosted:
            if array.copies:
                array.storage  # noqa: B018 - fetches them

    @cached_property
    def feeds(self) -> dict[str, str]:
        """The graph inputs from which the plan reads batches, by top of a data layer."""
        read = {p.key for p in self.compiled.plan.placements if p.place == "feed"}
        return {feed.top: feed.value for feed in self.traced.feeds if feed.value in read}

    @cached_property
    def slots(self) -> Slots:
        """Arrays for a batch, with fixed addresses."""
        read = owners([p for p in self.compiled.plan.placements if p.place == "feed"])
        types = {key: placement.type for key, placement in read.items()}
        names = self.feeds.values()
        return Slots({name: aligned_zeros(types[name].shape, DTYPES[types[name].dtype]) for name in names})

    @cached_property
    def fed(self) -> frozenset[str]:
        """Names of the values that are batches, whose memory is not the plan's."""
        return frozenset(p.name for p in self.compiled.plan.placements if p.place == "feed")

    @cached_property
    def scalar_names(self) -> tuple[str, ...]:
        """Names of the scalars that change from step to step: learning rates, step number, valid samples."""
        return tuple(dict.fromkeys(p.key for p in self.compiled.plan.placements if p.place == "hyper"))

    def collect(self, into: Outputs, n_valid: int | None = None) -> None:
        """Pass the last step's values to the collectors: the rows of the first `n_valid` samples (None: all)."""
        for output in self.traced.outputs:
            rows = [slice(n_valid) if has_batch else slice(None) for has_batch in output.batch]
            arrays = [self.runner.read(name) for name in output.names]
            into.append(output.layer, [a[part] if a.ndim else a for a, part in zip(arrays, rows, strict=True)])

    @cached_property
    def lowered(self) -> Lowered:
        """Every stage; lowers again if the plan came from the cache."""
        return self.compiled.lowered()


class PlanSet:
    """The plans of a net on a backend.

    Args:
        params: the store; it holds every parameter of the net.
        options: uses dtype, seed of random streams, threads, convolutions, tune and schedules. The plans of forward()
            and backward() have the rules' schedules.
        lock: the program's lock, held while plans are used; by default a new one.
    """

    def __init__(
        self, net: Net, backend: Backend, params: Params, options: CompileOptions, lock: FairLock | None = None
    ) -> None:
        self.net, self.backend, self.params, self.options = net, backend, params, options
        self.lock = params.locks.new() if lock is None else lock
        self.closed = False
        self.dtype, self.seed, self.threads = options.dtype, options.seed, options.threads
        self.convolutions = backend.convolutions(options.convolutions)
        self.edited = edited_schedules(options.schedules, backend)
        self.share, self.parts = Share(), checked_parts(net.batch, options.parts or 1)
        self.exchange: RankExchange | None = None
        self.scalars: Mapping[str, float] = {}
        """Scalars of the next update of the last training."""
        self.slots: dict[str, ManagedArray] = {}
        self.carried: dict[str, ManagedArray] = {}
        """What layers carry from batch to batch in evaluation and prediction; that of training is in `slots`."""
        self._traced: dict[tuple[str, int], Traced] = {}
        self._trace_s: dict[tuple[str, int], float] = {}
        self._bound: dict[tuple[Any, ...], BoundPlan] = {}
        self._averaged: PlanSet | None = None
        self._inputs: dict[str, tuple[str, ...]] = {}
        self._whole: dict[tuple[str, ...], bool] = {}

    def traced(self, mode: str, batch: int | None = None) -> Traced:
        """The net as a forward graph."""
        key = (mode, batch or self.net.batch)
        if key not in self._traced:
            begin = perf_counter()
            traced = trace(self.net, mode, self.dtype, seed=self.seed, batch=key[1])
            self._trace_s[key] = perf_counter() - begin
            self._traced.setdefault(key, traced)  # no lock is held: other threads may have traced it, too
        return self._traced[key]

    def fits(self, batch: int) -> bool:
        """Whether the net can run on batches of this size; a net that reshapes samples may only fit its own size."""
        try:
            self.traced("test", batch)
        except UnsupportedError:
            return False
        return True

    def step(self, update: Update, frozen: frozenset[str] = frozenset(), keep: Sequence[str] = ()) -> BoundPlan:
        """The training step; absent slots are created (zero). `update.rows` None: where the first update only subtracts
        gradients, only the rows of tables change that it reads.

        Raises:
            OptionError: the net has no loss layer.
        """
        self.net.require_loss("step()", ", or call forward(), backward(diffs=...) and solver.update()")
        traced = self.traced("train")
        if update.rows is None:
            update = replace(update, rows=self._may_update_rows(traced, update))
        key = ("step", update.key, frozen, tuple(keep))
        return self._get(key, traced, lambda: self._cut(step_plan(traced, update, frozen=frozen, keep=keep)))

    def accumulate(self, frozen: frozenset[str] = frozenset(), keep: Sequence[str] = ()) -> BoundPlan:
        """A batch that adds its gradients to those of the next step."""
        traced = self.traced("train")
        key = ("accumulate", frozen, tuple(keep))
        return self._get(key, traced, lambda: self._cut(accumulate_plan(traced, frozen=frozen, keep=keep)))

    def debug(
        self, mode: str, backward: bool, regu_coef: float = 0.0, diffs: tuple[str, ...] | None = None
    ) -> BoundPlan:
        """The plan of forward() or backward() in a mode; see debug_plan."""
        traced = self.traced(mode)
        key = ("debug", mode, backward, regu_coef, diffs)
        how: dict[str, Any] = {"backward": backward, "regu_coef": regu_coef, "diffs": diffs}
        return self._get(key, traced, lambda: debug_plan(traced, **how), fused=False)

    def update(self, update: Update, frozen: frozenset[str] = frozenset()) -> BoundPlan:
        """The update of a training step, by the gradients that backward() has left."""
        traced = self.traced("train")
        key = ("update", update.key, frozen)
        return self._get(key, traced, lambda: update_plan(traced, update, frozen=frozen))

    def add(self, frozen: frozenset[str] = frozenset()) -> BoundPlan:
        """Adds the gradients that backward() has left to those of the next update."""
        traced = self.traced("train")
        return self._get(("add", frozen), traced, lambda: add_plan(traced, frozen=frozen))

    def test(self, batch: int | None = None) -> BoundPlan:
        """Statistics of a batch, of the data layers' batch size or of `batch` samples."""
        traced = self.traced("test", batch)
        return self._get(("test", traced.batch), traced, lambda: test_plan(traced))

    def predict(self, blobs: tuple[str, ...], batch: int) -> BoundPlan:
        """The plan for some blobs of a batch, which computes only what they depend on."""
        traced = self.traced("test", batch)
        return self._get(("predict", blobs, batch), traced, lambda: test_plan(traced, blobs))

    def averaged(self) -> PlanSet:
        """Plans that read averages in place of the parameters, those that have one now."""
        store, known = averaged_store(self.net, self.params), self._averaged
        if known is None or kept_arrays(self.net, known.params) != kept_arrays(self.net, store):
            if known is not None:
                known.close()
            self._averaged = known = PlanSet(self.net, self.backend, store, self.options, self.lock)
        return known

    def predicts_whole(self, blobs: tuple[str, ...]) -> bool:
        """Whether all samples of a prediction belong to one batch, since they meet in a layer on which blobs depend."""
        if blobs not in self._whole:
            self._whole[blobs] = bool(meeting_layer(test_plan(self.traced("test"), blobs).graph))
        return self._whole[blobs]

    def carrying_layer(self, blobs: tuple[str, ...]) -> str:
        """A layer that carries states from batch to batch on which blobs depend, "" if none does."""
        traced = self.traced("test")
        if not traced.carried:
            return ""
        return next((traced.carried[state] for state, _ in test_plan(traced, blobs).graph.updates), "")

    @cached_property
    def prediction_blob(self) -> str:
        """The blob that predict() computes by default."""
        return self.net.prediction_blob()

    def inputs_of(self, blob: str) -> tuple[str, ...]:
        """Tops of data layers on which a blob depends; compiles nothing."""
        if blob not in self._inputs:
            traced = self.traced("test")
            used = {i.name for i in test_plan(traced, (blob,)).graph.inputs}
            self._inputs[blob] = tuple(feed.top for feed in traced.feeds if feed.value in used)
        return self._inputs[blob]

    @cached_property
    def scheduled(self) -> dict[str, PolicyLike]:
        """The policies of weights of losses, by the names of their scalars."""
        return scheduled_weights(self.net.losses)

    def loss_weights(self) -> dict[str, float]:
        """The weights of losses that follow policies, in the next update, or in the first one."""
        return {name: value_at(policy, 0) for name, policy in self.scheduled.items()} | {
            name: self.scalars[name] for name in self.scheduled if name in self.scalars
        }

    @cached_property
    def datasets(self) -> Datasets | None:
        """The datasets that the backend keeps for this program; None if it keeps none."""
        return self.backend.datasets(self.dtype)

    def require_open(self) -> None:
        """Raise OptionError after close()."""
        if self.closed:
            raise OptionError(f"program {self.net.name!r} is closed")

    def close(self) -> None:
        """Release code and memory of every plan."""
        self.closed = True
        for bound in self._bound.values():
            bound.runner.close()
        self._bound.clear()
        if self._averaged is not None:
            self._averaged.close()
        if vars(self).get("datasets") is not None:
            vars(self)["datasets"].close()

    def join(self, share: Share, parts: int, threads: int | None, exchange: RankExchange | None) -> None:
        """Let the plans of training steps run on a rank, from now on."""
        with self.lock:
            self.share, self.parts, self.exchange = share, parts, exchange
            self.threads = self.options.threads or threads
            self._drop_steps()

    def leave(self) -> None:
        """Let them run in this process alone again."""
        self.join(Share(), checked_parts(self.net.batch, self.options.parts or 1), None, None)

    def exchanged(self) -> Exchanged:
        """What has been exchanged with other ranks in this training."""
        return Exchanged() if self.exchange is None else self.exchange.exchanged()

    def _drop_steps(self) -> None:
        """Release the plans that depend on ranks and parts."""
        for key in [key for key in self._bound if key[0] in ("step", "accumulate")]:
            self._bound.pop(key).runner.close()

    def reset_slots(self) -> None:
        """Zero the solver's state for a new training, in place, because plans hold the arrays; averages belong to the
        parameter store."""
        for slot in self.slots.values():
            if not isinstance(slot, Parameter):
                slot.storage[...] = 0

    def reset_carried(self, training: bool = False) -> None:
        """Zero what layers carry from batch to batch in evaluation and prediction, and in training, too."""
        of_training = self.traced("train").carried if training and self.net.losses else {}
        for state in (*self.carried.values(), *(self.slots[name] for name in of_training if name in self.slots)):
            state.storage[...] = 0

    def _may_update_rows(self, traced: Traced, update: Update) -> bool:
        """Whether the first update may skip rows of tables that the batch does not read."""
        tables = row_tables(traced) if self.parts == 1 and update.accumulate == 1 else []
        groups = {update.method.group_of(p.names) for p in tables}
        return bool(groups) and only_subtract(groups, update.method.hypers(0))

    def _get(
        self, key: tuple[Any, ...], traced: Traced, source: Callable[[], PlanGraph], fused: bool = True
    ) -> BoundPlan:
        with self.lock:
            self.require_open()
            if key not in self._bound:
                self._bound[key] = self._bind(key, traced, source, fused)
            return self._bound[key]

    def _bind(self, key: tuple[Any, ...], traced: Traced, source: Callable[[], PlanGraph], fused: bool) -> BoundPlan:
        begin = perf_counter()
        with uncollected():
            plan_graph = source()
        seconds = {"trace": self._trace_s[traced.mode, traced.batch], "graph of the plan": perf_counter() - begin}
        plan_graph = replace(plan_graph, convolutions=self.convolutions, seconds=seconds)
        chosen = self._chosen(plan_graph) if fused else None
        compiled = compile_plan(plan_graph, self.backend, DTYPE[self.dtype], fused, chosen)
        if self.edited is not None and traced.batch == self.net.batch and key[0] == main_kind(self.net):
            self.edited.require_used()
        states = self._states(traced, plan_graph)
        exchanged = {"exchange": self.exchange} if plan_graph.ranks > 1 else {}
        runner = self.backend.bind(compiled.plan, compiled.objects, states, self.threads, **exchanged)
        hosted = tuple(kept_arrays(traced, self.params).values()) if self.backend.in_host_memory else ()
        return BoundPlan(traced, plan_graph, compiled, runner, hosted)

    def _cut(self, source: PlanGraph) -> PlanGraph:
        """The plan with the batch in parts."""
        return replace(source, parts=self.parts, ranks=self.share.ranks)

    def _chosen(self, source: PlanGraph) -> ChosenSchedules | None:
        """Schedules that replace the rules'."""
        tune = self.options.tune
        return self.edited if tune is None else self._tuned(source, tune)

    def _tuned(self, source: PlanGraph, tune: str) -> TunedSchedules:
        """Schedules of a search, run now or earlier."""
        tuning, dtype = Tuning(LEVELS[tune], self.backend.threads(self.threads)), DTYPE[self.dtype]
        return tuned(source, self.backend, dtype, tuning, plan_key(source, self.backend, dtype, fused=True))

    def _states(self, traced: Traced, source: PlanGraph) -> dict[str, ManagedArray]:
        states: dict[str, ManagedArray] = {**kept_arrays(traced, self.params)}
        for i in source.graph.inputs:
            if i.role == "slot":
                slots = self.carried if traced.mode == "test" and i.name in traced.carried else self.slots
                if i.name not in slots:
                    slots[i.name] = _zeros(i)
                states[i.name] = slots[i.name]
            elif i.role == "const":
                states[i.name] = _zeros(i)
                states[i.name].storage[...] = traced.tables[i.name]
        return states


def only_subtract(groups: Iterable[ParameterGroup], hypers: Mapping[str, Any]) -> bool:
    """Whether the updates of all these groups with these scalars only subtract gradients."""
    return all(group.method.only_subtracts(group.scalars(hypers)) for group in groups)


def _zeros(i: Input) -> ManagedArray:
    return ManagedArray(aligned_zeros(i.type.shape, DTYPES[i.type.dtype]))
