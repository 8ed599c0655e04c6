"""A training step, and the search for the layer that made the first NaN.

TrainingStep: a training step of a session, prepared once: its plans, and the scalars that it adds to the solver's.

train() runs many at a time; solver.step() and program.step() run one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mochac.base.errors import NumericError
from mochac.base.records import record
from mochac.base.support.memory import NotFinite, first_not_finite
from mochac.base.threads import cached_property
from mochac.ir.passes.cut_batch import FIRST_SAMPLE
from mochac.lowering.plan_graphs import FIRST_BATCH, GRADIENT_SUM, OBJECTIVE, row_tables, updated_by_rows
from mochac.nets.declared import gradient_of
from mochac.nets.net import Net
from mochac.nets.solvers.method import ParameterGroup
from mochac.nets.solvers.update import Update
from mochac.runtime.data.outputs import Outputs
from mochac.training.session.batches import Batches
from mochac.training.session.debug_run import DebugRun
from mochac.training.session.net_parameters import kept_arrays, live_arrays
from mochac.training.session.plan_set import BoundPlan, PlanSet
from mochac.training.session.results import FrozenLayers, Results


def not_finite_error(
    bound: BoundPlan, scalars: Mapping[str, float], updated: Mapping[str, np.ndarray], net: Net, iteration: int
) -> NumericError | None:
    """The error for the first value, in order of computation, that was not finite.

    Args:
        bound: the backward plan, which has just run the batch with the parameters from before the step.
        scalars: its results.
        updated: parameters and slots after the update, by "key.param" and "key.param.slot".
    """
    losses = {loss.layer: scalars[loss.layer] for loss in bound.traced.losses}
    for name in _in_order(bound, losses):
        if name in losses:
            if not np.isfinite(losses[name]):
                return _loss_error(bound, name, losses[name], net.layer(name).bottoms, iteration)
        elif bad := first_not_finite({name: bound.runner.read(name)}):
            return _value_error(bad, iteration)
    bad = first_not_finite(updated)
    return None if bad is None else _update_error(bound, bad, iteration)


def _in_order(bound: BoundPlan, losses: Mapping[str, float]) -> list[str]:
    """Names of everything the plan computed, losses included."""
    position = {out.name: k for k, out in enumerate(out for node in bound.source.graph.nodes for out in node.outputs)}
    values = {**bound.source.named, **{name: bound.source.scalars[name] for name in losses}}
    return sorted(values, key=lambda name: position.get(values[name], -1))


def _hint(iteration: int) -> str:
    if iteration == 1:
        return "it is the first step: look at the data of this batch and the initial parameters"
    return "lower the learning rate, or look at the data of this batch"


def _value_error(bad: NotFinite, iteration: int) -> NumericError:
    kinds = {"diff": "gradient of blob", "grad": "gradient of parameter"}
    kind, _, name = bad.name.partition(" ")
    what = f"{kinds[kind]} {name!r}" if name and kind in kinds else f"blob {bad.name!r}"
    return NumericError(
        f"iteration {iteration}: {what} became {bad.value} first at {bad.at}",
        details=["everything computed before it was finite"],
        hint=_hint(iteration),
    )


def _loss_error(bound: BoundPlan, layer: str, value: float, bottoms: Sequence[str], iteration: int) -> NumericError:
    largest = {name: _largest(bound.runner.read(name)) for name in bottoms if name in bound.source.named}
    blob = max(largest, key=lambda name: abs(largest[name].value), default="")
    details = [f"it read blob {blob!r}, which reaches {largest[blob].value:g} at {largest[blob].at}"] if blob else []
    return NumericError(
        f"iteration {iteration}: the loss of layer {layer!r} became {value}",
        details=["everything computed before it was finite", *details],
        hint=_hint(iteration),
    )


def _update_error(bound: BoundPlan, bad: NotFinite, iteration: int) -> NumericError:
    if any(bad.name == state.value for state in bound.traced.states):
        return NumericError(
            f"iteration {iteration}: state {bad.name!r} became {bad.value}, first at {bad.at}",
            details=["losses and gradients were finite"],
            hint="look at the data of this batch",
        )
    owner = max((p.value for p in bound.traced.params if f"{bad.name}.".startswith(f"{p.value}.")), key=len)
    what = "parameter" if bad.name == owner else "solver slot"
    gradient = _largest(bound.runner.read(gradient_of(owner)))
    return NumericError(
        f"iteration {iteration}: {what} {bad.name!r} became {bad.value} in its update, first at {bad.at}",
        details=[f"losses and gradients were finite; the gradient of {owner!r} reaches {gradient.value:g}"],
        hint="lower the learning rate",
    )


def _largest(values: np.ndarray) -> NotFinite:
    """The element with the largest absolute value."""
    at = tuple(int(k) for k in np.unravel_index(np.argmax(np.abs(values)), values.shape))
    return NotFinite("", float(values[at]), at)


Losses = dict[str, np.ndarray]
"""One number for each step, by loss layer, and the objective."""


@record
class StepParts:
    """The parts of a session that its steps use."""

    plans: PlanSet
    batches: Batches
    debug: DebugRun
    results: Results
    outputs: Outputs
    frozen: FrozenLayers
    keep: tuple[str, ...]


class TrainingStep:
    """Forward, backward and update of the next batches.

    Args:
        update: how the parameters change.
    """

    def __init__(self, parts: StepParts, update: Update) -> None:
        self.update, self._parts = update, parts
        self._plans, self._writing = parts.plans, parts.plans.params.locks
        self._checks = bool(parts.plans.backend.env.check)
        self._rows: bool | None = None
        self._frozen: frozenset[str] | None = None
        self._last: BoundPlan
        self._earlier: BoundPlan

    def prepare(self) -> BoundPlan:
        """Compile or select the plans, if other layers are frozen now; returns the plan that updates parameters.

        Raises:
            OptionError: the net has no loss layer.
        """
        parts, frozen = self._parts, self._parts.frozen.keys
        if self._frozen is not frozen:
            parts.plans.net.require_loss("step()", ", or call forward(), backward(diffs=...) and solver.update()")
            if self._rows is None:
                self._rows = self._may_update_rows()
            update = replace(self.update, rows=self._rows)
            self._last = self._earlier = parts.plans.step(update, frozen, parts.keep)
            if self.update.accumulate > 1:
                self._earlier = parts.plans.accumulate(frozen, parts.keep)
            self._frozen = frozen
        return self._last

    def wait(self, limit: int, wanted: Callable[[], bool]) -> int:
        """Wait for a batch; returns how many steps may run now: 1 if each is checked or has outputs to collect, 0 if
        none are `wanted` any longer."""
        self.prepare()
        return self._parts.batches.wait(1 if self._batch_by_batch or self.update.accumulate > 1 else limit, wanted)

    def advance(self, n: int, hypers: Mapping[str, Any], first: int) -> Losses:
        """Run n steps after `first` completed iterations, as many as `wait` allowed; `hypers` are arrays, n of each."""
        return self._several(self._by(hypers), n, hypers, first)

    def advance_one(self, hypers: Mapping[str, Any], first: int) -> dict[str, float]:
        """Run one step after `first` completed iterations; `hypers` are numbers."""
        if self.update.accumulate == 1:
            return self._one(self._by(hypers), hypers, first)
        earlier = self._accumulate(self.update.accumulate - 1, hypers, first)
        losses = self._one(self._last, hypers, first)
        return {name: float(np.mean([*earlier.get(name, ()), loss])) for name, loss in losses.items()}

    def _may_update_rows(self) -> bool:
        """Whether the first update need not touch rows of tables that no id names."""
        whole = self._parts.plans.parts == 1 and self.update.accumulate == 1
        return whole and bool(self._tables) and self._only_subtract(self.update.method.hypers(0))

    @cached_property
    def _tables(self) -> dict[str, ParameterGroup]:
        """The groups of the tables from which the net picks rows, by their inputs."""
        tables = row_tables(self._parts.plans.traced("train"))
        return {p.value: self.update.method.group_of(p.names) for p in tables}

    def _only_subtract(self, hypers: Mapping[str, Any]) -> bool:
        """Whether the updates of all tables with these scalars only subtract gradients."""
        return all(group.method.only_subtracts(group.scalars(hypers)) for group in set(self._tables.values()))

    def _by(self, hypers: Mapping[str, Any]) -> BoundPlan:
        """The plan of updates with these scalars. Once an update does more than subtract gradients, or the slots come
        from such a training, all rows of tables change in every step."""
        if self._rows and not (self._slots_are_zero and self._only_subtract(hypers)):
            self._rows, self._frozen = False, None
            return self.prepare()
        return self._last

    @cached_property
    def _slots_are_zero(self) -> bool:
        """Whether the slots of the tables were zero before the first update."""
        slots, tables = self._parts.plans.slots, updated_by_rows(self._last.source.graph)
        names = (f"{table}.{slot}" for table in tables for slot in self._tables[table].method.slots)
        return not any(slots[name].values.any() for name in names)

    @property
    def _batch_by_batch(self) -> bool:
        """Whether only one batch may run at a time: it is checked, or has outputs to collect."""
        return self._checks or bool(self._parts.plans.net.collectors)

    def _accumulate(self, n: int, hypers: Mapping[str, Any], first: int) -> dict[str, list[float]]:
        """Add up the gradients of the next n batches; returns their losses."""
        losses: dict[str, list[float]] = {}
        done, batches = 0, self._parts.batches
        while done < n:
            ready = batches.wait(1 if self._batch_by_batch else n - done)
            if ready == 1:
                one = self._one(self._earlier, {**hypers, FIRST_BATCH: done == 0}, first)
                found = {name: [loss] for name, loss in one.items()}
            else:
                columns = {name: np.full(ready, value) for name, value in hypers.items()}
                columns[FIRST_BATCH] = np.arange(done, done + ready) == 0
                several = self._several(self._earlier, ready, columns, first)
                found = {name: values.tolist() for name, values in several.items()}
            for name, values in found.items():
                losses.setdefault(name, []).extend(values)
            done += ready
        batches.wait(1)
        return losses

    def _one(self, bound: BoundPlan, hypers: Mapping[str, Any], first: int) -> dict[str, float]:
        """Run a plan on the next batch."""
        if self._checks:
            with self._writing:
                return self._checked(bound, hypers, first)
        return self._unchecked(bound, hypers, first)

    def _unchecked(self, bound: BoundPlan, hypers: Mapping[str, Any], first: int) -> dict[str, float]:
        batches = self._parts.batches
        scalars = {**hypers, "step": batches.rng_step, FIRST_SAMPLE: self._first_sample}
        for name, every in bound.source.periods.items():
            scalars[name] = (first + 1) % every == 0
        with self._writing:
            if self._plans.closed:
                self._plans.require_open()
            losses = bound.run_one(batches.given(bound, 1), scalars)
            self._ran(bound, 1, first)
        return losses

    def _several(self, bound: BoundPlan, n: int, hypers: Mapping[str, Any], first: int) -> Losses:
        """Run a plan on the next n batches."""
        batches, steps = self._parts.batches, np.arange(n)
        scalars = {**hypers, "step": batches.rng_step + steps, FIRST_SAMPLE: self._first_sample}
        for name, every in bound.source.periods.items():
            scalars[name] = (first + 1 + steps) % every == 0
        with self._writing:
            self._plans.require_open()
            losses = bound.run(n, batches.given(bound, n), scalars)
            self._ran(bound, n, first)
        return losses

    @property
    def _first_sample(self) -> int:
        plans = self._parts.plans
        return plans.share.first(plans.net.batch)

    def _ran(self, bound: BoundPlan, n: int, first: int) -> None:
        """Consume the next n batches, on which a plan has run after `first` completed iterations."""
        parts = self._parts
        if parts.plans.exchange is not None:
            parts.plans.exchange.check(first)
        parts.debug.forget()
        parts.results.trained(bound, parts.keep)
        if parts.plans.net.collectors:
            with parts.outputs.run():
                bound.collect(parts.outputs)
        parts.batches.return_lent(bound)
        parts.batches.release(n)

    def _checked(self, bound: BoundPlan, hypers: Mapping[str, Any], first: int) -> dict[str, float]:
        """Run one batch. If its loss or its updates are not finite, run the batch again with the parameters from before
        it, to find the first value that is not."""
        parts, plans = self._parts, self._parts.plans
        before = {name: array.copy() for name, array in live_arrays(plans.net, plans.params).items()}
        batch, rng_step = parts.batches.copy(), parts.batches.rng_step
        losses = self._unchecked(bound, hypers, first)
        updated = {name: array.values for name, array in kept_arrays(plans.net, plans.params).items()}
        own = (slot for group in self.update.method.groups for slot in group.method.slots)
        slots = tuple(f".{slot}" for slot in (*own, GRADIENT_SUM))
        updated |= {name: slot.values for name, slot in plans.slots.items() if name.endswith(slots)}
        if math.isfinite(losses[OBJECTIVE]) and first_not_finite(updated) is None:
            return losses
        updated = {name: array.copy() for name, array in updated.items()}
        for name, array in live_arrays(plans.net, plans.params).items():
            array[...] = before[name]
        parts.debug.hold(batch, rng_step)
        debugged, scalars = parts.debug.backward(self.update.regu_coef)
        parts.results.ran(debugged, backward=True)
        error = not_finite_error(debugged, scalars, updated, plans.net, first + 1)
        if error is not None:
            raise error
        return losses
