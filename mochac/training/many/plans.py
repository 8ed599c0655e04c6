"""The compiled steps of many nets: one for each shape of nets, and whether they share batches."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from dataclasses import replace

from mochac.base.records import record
from mochac.lowering.compiled_plan import CompiledPlan
from mochac.lowering.many_plan import NetStep, block_of_nets, many_plan
from mochac.lowering.plan_cache import compile_plan
from mochac.lowering.plan_graphs import PlanGraph
from mochac.nets.trace import DTYPE
from mochac.runtime.backend import Backend


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
