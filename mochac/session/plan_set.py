"""PlanSet: the compiled plans of one net, made when first asked for and kept.

Program owns one. It traces, writes the plan's graph, lowers it (or finds it in the cache) and binds it to
storage. It runs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING

from mochac.errors import UnsupportedError
from mochac.frontend.net import Net
from mochac.frontend.trace import DTYPE, Traced, trace
from mochac.ir.graph import Input
from mochac.ir.types import DTYPES
from mochac.lowering.compiled_plan import CompiledPlan
from mochac.lowering.machines import AnyMachine, Runner
from mochac.lowering.plan_cache import compile_plan
from mochac.lowering.plan_graphs import PlanGraph, debug_plan, step_plan, test_plan
from mochac.runtime.data.outputs import Outputs
from mochac.runtime.data.params import Params
from mochac.runtime.support.aligned import aligned_zeros
from mochac.runtime.support.managed_array import ManagedArray
from mochac.solvers.clipping import Clipping
from mochac.solvers.method import Method

if TYPE_CHECKING:
    from mochac.lowering.pipeline import Lowered
    from mochac.runtime.cuda.resident_sets import ResidentSets
    from mochac.tuning.tuned import Tuning


@dataclass(frozen=True)
class BoundPlan:
    """A compiled plan with its memory, and where it came from."""

    traced: Traced
    source: PlanGraph
    compiled: CompiledPlan
    runner: Runner

    def collect(self, into: Outputs, n_valid: int | None = None) -> None:
        """Hand the last step's outputs to the sinks: the rows of the first `n_valid` samples (None: all)."""
        for r in self.traced.outputs:
            rows = [slice(n_valid) if marked else slice(None) for marked in r.batch]
            found = [self.runner.read(name) for name in r.names]
            into.append(r.layer, [a[part] if a.ndim else a for a, part in zip(found, rows, strict=True)])

    @cached_property
    def lowered(self) -> Lowered:
        """Every stage, lowered again when the plan came from the cache."""
        return self.compiled.lowered()


class PlanSet:
    """Plans of a net on a machine.

    Args:
        params: the store; every parameter of the net is in it.
        dtype: "float32" or "float64".
        seed: of dropout streams.
        threads: None: as many as the process may use.
        tune: None, or how much a search for schedules tries; forward() and backward() are left to the rules.
    """

    def __init__(
        self,
        net: Net,
        machine: AnyMachine,
        params: Params,
        dtype: str,
        seed: int,
        threads: int | None,
        tune: str | None = None,
    ) -> None:
        self.net, self.machine, self.params = net, machine, params
        self.dtype, self.seed, self.threads, self.tune = dtype, seed, threads, tune
        self.slots: dict[str, ManagedArray] = {}
        self._traced: dict[tuple[str, int], Traced] = {}
        self._trace_s: dict[tuple[str, int], float] = {}
        self._bound: dict[object, BoundPlan] = {}
        self._needed: dict[str, tuple[str, ...]] = {}

    def traced(self, mode: str, batch: int | None = None) -> Traced:
        """The net as a forward graph."""
        key = (mode, batch or self.net.batch)
        if key not in self._traced:
            begin = perf_counter()
            self._traced[key] = trace(self.net, mode, self.dtype, seed=self.seed, batch=key[1])
            self._trace_s[key] = perf_counter() - begin
        return self._traced[key]

    def takes(self, batch: int) -> bool:
        """Whether the net can be run on so many samples: bottoms without samples may fit its own number only."""
        try:
            self.traced("test", batch)
        except UnsupportedError:
            return False
        return True

    def step(
        self, method: Method, regu_coef: float, clipping: Clipping, frozen: frozenset[str], keep: Sequence[str]
    ) -> BoundPlan:
        """The training step; slots it needs are made (zero) where absent."""
        traced = self.traced("train")
        kind = type(method)

        def source() -> PlanGraph:
            how = {"regu_coef": regu_coef, "clipping": clipping, "frozen": frozen, "keep": keep}
            return step_plan(traced, method, **how)  # type: ignore[arg-type]

        return self._get(
            ("step", kind, str(constants(method)), regu_coef, clipping, frozen, tuple(keep)), traced, source
        )

    def debug(self, mode: str, backward: bool, regu_coef: float = 0.0) -> BoundPlan:
        """forward() or backward() in a mode."""
        traced = self.traced(mode)
        key = ("debug", mode, backward, regu_coef)
        return self._get(key, traced, lambda: debug_plan(traced, backward=backward, regu_coef=regu_coef), fused=False)

    def test(self, batch: int | None = None) -> BoundPlan:
        """Statistics of a batch, of as many samples as the data layers give or of `batch`."""
        traced = self.traced("test", batch)
        return self._get(("test", traced.batch), traced, lambda: test_plan(traced))

    def predict(self, blob: str, batch: int) -> BoundPlan:
        """One blob of a batch, with only what it needs."""
        traced = self.traced("test", batch)
        return self._get(("predict", blob, batch), traced, lambda: test_plan(traced, (blob,)))

    def needed(self, blob: str) -> tuple[str, ...]:
        """Tops of data layers that a blob is computed from; nothing is compiled for it."""
        if blob not in self._needed:
            traced = self.traced("test")
            used = {i.name for i in test_plan(traced, (blob,)).graph.inputs}
            self._needed[blob] = tuple(f.top for f in traced.feeds if f.value in used)
        return self._needed[blob]

    @cached_property
    def resident(self) -> ResidentSets | None:
        """The data sets that the device keeps; None on a CPU."""
        return self.machine.resident_sets(self.dtype)

    def close(self) -> None:
        """Release code and memory of every plan."""
        for bound in self._bound.values():
            bound.runner.close()
        self._bound.clear()
        kept = vars(self).get("resident")
        if kept is not None:
            kept.close()

    def reset_slots(self) -> None:
        """Zero solver state, for a new training; plans hold the arrays, so they stay."""
        for slot in self.slots.values():
            slot.storage[...] = 0

    def _get(self, key: object, traced: Traced, source: Callable[[], PlanGraph], fused: bool = True) -> BoundPlan:
        if key not in self._bound:
            begin = perf_counter()
            made = source()
            seconds = {"trace": self._trace_s[traced.mode, traced.batch], "graph of the plan": perf_counter() - begin}
            plan_graph = replace(made, seconds=seconds)
            tuning = self._tuning() if fused else None
            compiled = compile_plan(plan_graph, self.machine, DTYPE[self.dtype], fused, tuning)
            states = self._states(traced, plan_graph)
            runner = self.machine.bind(compiled, states, self.threads)
            self._bound[key] = BoundPlan(traced, plan_graph, compiled, runner)
        elif self.machine.backend == "cpu":
            self._bring_home(traced)
        return self._bound[key]

    def _tuning(self) -> Tuning | None:
        if self.tune is None:
            return None
        from mochac.runtime.cpu.cpuinfo import default_threads
        from mochac.tuning.levels import LEVELS
        from mochac.tuning.tuned import Tuning

        return Tuning(LEVELS[self.tune], self.threads or self.machine.options.threads or default_threads())

    def _bring_home(self, traced: Traced) -> None:
        """A plan on the CPU works on the arrays themselves: values that a device has must come before it runs."""
        for p in traced.params:
            parameter = self.params[p.key][p.name]
            if parameter.copies:
                parameter.storage  # noqa: B018

    def _states(self, traced: Traced, source: PlanGraph) -> dict[str, ManagedArray]:
        found: dict[str, ManagedArray] = {p.value: self.params[p.key][p.name] for p in traced.params}
        for i in source.graph.inputs:
            if i.role == "slot":
                found[i.name] = self.slots.setdefault(i.name, _zeros(i))
            elif i.role == "const":
                found[i.name] = _zeros(i)
                found[i.name].storage[...] = traced.tables[i.name]
        return found


def _zeros(given: Input) -> ManagedArray:
    return ManagedArray(aligned_zeros(given.type.shape, DTYPES[given.type.dtype]))


def constants(method: Method) -> dict[str, object]:
    """Fields of a method that its graph contains as numbers; policies are fed per step and left out."""
    return {k: v for k, v in vars(method).items() if not callable(getattr(v, "value", None))}
