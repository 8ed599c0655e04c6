"""A training by the interpreter: the step graph of a case, run in float64."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mochac import ir
from mochac.lowering.plan_graphs import step_plan
from mochac.nets.layers.base import Parametric
from mochac.nets.trace import trace
from mochac.tools.fuzzing.drawer import DrawnNet
from mochac.tools.fuzzing.outcome import Outcome


def interpreted(case: DrawnNet, dtype: str, start: Mapping[str, np.ndarray]) -> Outcome:
    """Losses and parameters, on batches of `dtype`, from the parameters `start`."""
    traced = trace(case.net, "train", dtype, seed=case.seed)
    solver = case.solver
    layers = [layer for layer in case.net.layers if isinstance(layer, Parametric)]
    keys = frozenset(layer.key for layer in layers if layer.name in case.frozen)
    plan = step_plan(traced, solver.update_of(solver.method), frozen=keys)
    tops = {f.value: f.top for f in traced.feeds}
    kept = {f"{p.key}___{p.name}": p.value for p in (*traced.params, *traced.states)}
    state: dict[str, Any] = {i.name: np.zeros(i.type.shape) for i in plan.graph.inputs if i.role == "slot"}
    state |= {value: start[name].astype(np.float64) for name, value in kept.items()}
    state |= {name: np.asarray(table, np.float64) for name, table in traced.tables.items()}
    losses: list[float] = []
    for t, batch in enumerate(case.batches(case.steps)):
        known: dict[str, Any] = {
            **state,
            **solver.method.hypers(t),
            "step": t,
            **{v: batch[top] for v, top in tops.items()},
        }
        known |= {v: known[v].astype(dtype) for v in tops}
        known |= {name: float((t + 1) % n == 0) for name, n in plan.periods.items()}
        with np.errstate(all="ignore"):
            result = ir.run(plan.graph, {i.name: known[i.name] for i in plan.graph.inputs}, dtype="f64")
        state |= result.updates
        losses.append(float(result[plan.scalars["obj_val"]]))
    parameters = {name: np.asarray(state[value], np.float64) for name, value in kept.items()}
    trained = frozenset(f"{p.key}___{p.name}" for p in traced.params)
    return Outcome(np.array(losses), not np.isfinite(losses).all(), parameters, trained)
