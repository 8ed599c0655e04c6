"""The plans of a library: their graphs, which do not depend on a CPU, and their code for each CPU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mochac.base.errors import UnsupportedError
from mochac.base.options import Options
from mochac.base.records import record
from mochac.formats.clib.request import Cpu, Request
from mochac.ir.plan import Plan
from mochac.lowering.plan_cache import CompiledPlan, compile_plan
from mochac.lowering.plan_graphs import PlanGraph, accumulate_plan, meeting_layer, step_plan, test_plan
from mochac.nets.declared import FeedInfo
from mochac.nets.solvers.loss_weights import scheduled_weights
from mochac.nets.trace import DTYPE, Traced, trace
from mochac.runtime.cpu.backend import CpuBackend


@record
class LibraryPlan:
    """One of the plans of a library.

    Attributes:
        kind: "predict", "step", "accumulate" or "test".
    """

    kind: str
    traced: Traced
    source: PlanGraph

    @property
    def name(self) -> str:
        """In C."""
        return f"{self.kind}_{self.traced.batch}" if self.kind == "predict" else self.kind

    @property
    def feeds(self) -> tuple[FeedInfo, ...]:
        """The feeds that it reads."""
        read = {i.name for i in self.source.graph.inputs}
        return tuple(feed for feed in self.traced.feeds if feed.value in read)


def library_plans(request: Request) -> tuple[LibraryPlan, ...]:
    """The plans that predict, in the order of their batches; then those that train and evaluate.

    Raises:
        UnsupportedError: the net does not work with one of the batch sizes.
    """
    how = {"convolutions": request.convolutions}
    return tuple(replace(plan, source=replace(plan.source, **how)) for plan in _plans(request))


def _plans(request: Request) -> Iterator[LibraryPlan]:
    net, dtype, seed = request.net, request.dtype, request.seed
    for layer in trace(net, "test", dtype, seed=seed).carried.values():
        rule = f"build: layer {layer!r} carries its state from batch to batch"
        raise UnsupportedError(rule, hint="stateful=False, with the state as an input (initial) and a top")
    for batch in request.batches:
        if request.calibrated is not None:
            traced, predicts, arrays = request.calibrated.quantized.plan(batch)
            yield LibraryPlan("predict", replace(traced, tables=arrays), predicts)
            continue
        traced = trace(net, "test", dtype, seed=seed, batch=batch)
        predicts = test_plan(traced, request.outputs)
        if batch > 1 and (layer := meeting_layer(predicts.graph)):
            rule = f"build: the samples of a batch meet in layer {layer!r}, so that the net predicts one at a time"
            raise UnsupportedError(rule, got=f"batches={request.batches}", hint="batches=(1,), or --batch 1")
        yield LibraryPlan("predict", traced, predicts)
    if request.solver is not None:
        for name in scheduled_weights(net.losses):
            layer = name.removesuffix(".weight")
            raise UnsupportedError(f"build: the weight of loss {layer!r} is a policy", hint="a number")
        update, traced = request.solver.update_of(request.solver.method), trace(net, "train", dtype, seed=seed)
        if update.accumulate > 1:
            yield LibraryPlan("accumulate", traced, accumulate_plan(traced, frozen=request.frozen))
        yield LibraryPlan("step", traced, step_plan(traced, update, frozen=request.frozen))
        tested = trace(net, "test", dtype, seed=seed)
        yield LibraryPlan("test", tested, test_plan(tested))


@record
class CpuPlan:
    """A plan with its code for a CPU, and the compiler of that CPU."""

    of: LibraryPlan
    backend: CpuBackend
    compiled: CompiledPlan

    @property
    def plan(self) -> Plan:
        return self.compiled.plan

    @property
    def objects(self) -> Sequence[bytes]:
        return self.compiled.objects


def compiled(plans: tuple[LibraryPlan, ...], cpu: Cpu, request: Request) -> tuple[CpuPlan, ...]:
    """The plans with their code for a CPU, which need not be this machine's."""
    backend = CpuBackend(Options.from_env(), cpu.info, precision=request.precision, tiles=False)
    backend.warn_of_slow_pairs()
    made = (compile_plan(p.source, backend, DTYPE[request.dtype], fused=True, runs_here=False) for p in plans)
    return tuple(CpuPlan(p, backend, found) for p, found in zip(plans, made, strict=True))
