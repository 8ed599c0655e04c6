"""The updates of a training: TrainingStep by the net's own losses, OwnUpdate by gradients of backward().

train() runs many steps at a time; solver.step(), program.step() and solver.update() run one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mochac.base.errors import NumericError, OptionError
from mochac.base.support.memory import first_not_finite
from mochac.base.threads import cached_property
from mochac.ir.passes.cut_batch import FIRST_SAMPLE
from mochac.lowering.plan_graphs import FIRST_BATCH, GRADIENT, GRADIENT_SUM, OBJECTIVE, row_tables, updated_by_rows
from mochac.nets.solvers.method import ParameterGroup
from mochac.training.session.debug_run import not_finite_error
from mochac.training.session.net_parameters import kept_arrays, live_arrays
from mochac.training.session.plan_set import BoundPlan, only_subtract
from mochac.training.session.results import LastRun
from mochac.training.session.session import Session

Losses = dict[str, np.ndarray]
"""One number for each step, by loss layer, and the objective."""


class TrainingStep:
    """Forward, backward and update of the next batches, in the training that the session has begun."""

    def __init__(self, session: Session) -> None:
        self._session, self._plans, self._batches = session, session.plans, session.batches
        self._n_batches: int = session.update.accumulate
        self._checks = bool(session.plans.backend.env.check)
        self._frozen: frozenset[str] | None = None
        self._last: BoundPlan
        self._earlier: BoundPlan

    # --- batches -----------------------------------------------------------------------------------

    def give(self, arrays: Mapping[str, Any]) -> None:
        """Let the next step run on these arrays, by top of the data layers, with the samples of all its batches."""
        self._prepare()
        self._batches.give(arrays, self._n_batches, "step()", self._session.keep)

    def renew(self) -> None:
        """Let the next step use the current contents of the user's arrays."""
        self._session.require_open()
        self._batches.renew()

    def ready(self, limit: int, wanted: Callable[[], bool] = lambda: True) -> int:
        """Wait for a batch; returns how many steps may run now: 1 if each is checked or has outputs to collect, 0 if
        none are `wanted` any longer.

        Raises:
            DataError: a batch cannot be read. OptionError: the program has been closed.
        """
        session, plans = self._session, self._plans
        session.require_open()  # a coffee break, the user between steps, or another thread may have closed it
        self._prepare()
        most = 1 if self._batch_by_batch or self._n_batches > 1 else limit
        n = self._batches.wait(most, lambda: wanted() and not plans.closed)
        session.require_still_open()
        return n

    @property
    def _batch_by_batch(self) -> bool:
        """Whether only one batch may run at a time: it is checked, or has outputs to collect."""
        return self._checks or bool(self._plans.net.collectors)

    # --- steps -------------------------------------------------------------------------------------

    def advance(self, n: int, hypers: Mapping[str, Any], first: int) -> Losses:
        """Run n <= ready(...) steps after `first` completed iterations; `hypers` are float64 arrays (n,).

        Returns:
            Arrays (n,) of the losses of each batch before its update: "obj_val", and one for each loss layer by name;
            of the norms of gradients under norm_of(key.name), if the training has them reported.
        """
        return self._several(self._plan_for(hypers), n, hypers, first)

    def advance_one(self, hypers: Mapping[str, Any], first: int) -> dict[str, float]:
        """Run one step: as advance(), with numbers."""
        if self._n_batches == 1:
            return self._one(self._plan_for(hypers), hypers, first)
        earlier = self._accumulate(self._n_batches - 1, hypers, first)
        losses = self._one(self._last, hypers, first)
        return {name: float(np.mean([*earlier.get(name, ()), loss])) for name, loss in losses.items()}

    def _prepare(self) -> BoundPlan:
        """Compile or select the plans, if other layers are frozen now; returns the plan that updates parameters."""
        session, frozen = self._session, self._session.frozen
        if self._frozen is not frozen:
            self._last = self._earlier = self._plans.step(session.update, frozen, session.keep)
            if self._n_batches > 1:
                self._earlier = self._plans.accumulate(frozen, session.keep)
            self._frozen = frozen
            self._by_rows = bool(updated_by_rows(self._last.source.graph))
        return self._last

    def _plan_for(self, hypers: Mapping[str, Any]) -> BoundPlan:
        """The plan of updates with these scalars. Once an update does more than subtract gradients, or the slots come
        from such a training, all rows of tables change in every step."""
        if self._by_rows and not (self._slots_are_zero and only_subtract(self._groups.values(), hypers)):
            self._session.update, self._frozen = replace(self._session.update, rows=False), None
            return self._prepare()
        return self._last

    @cached_property
    def _groups(self) -> dict[str, ParameterGroup]:
        """The groups of the tables from which the net picks rows, by their inputs."""
        method = self._session.update.method
        return {p.value: method.group_of(p.names) for p in row_tables(self._plans.traced("train"))}

    @cached_property
    def _slots_are_zero(self) -> bool:
        """Whether the slots of the tables were zero before the first update."""
        tables = updated_by_rows(self._last.source.graph)
        names = (f"{table}.{slot}" for table in tables for slot in self._groups[table].method.slots)
        return not any(self._plans.slots[name].values.any() for name in names)

    def _accumulate(self, n: int, hypers: Mapping[str, Any], first: int) -> dict[str, list[float]]:
        """Add up the gradients of the next n batches; returns their losses."""
        losses: dict[str, list[float]] = {}
        done, batches = 0, self._batches
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
            with self._session.writing:
                return self._checked(bound, hypers, first)
        return self._unchecked(bound, hypers, first)

    def _unchecked(self, bound: BoundPlan, hypers: Mapping[str, Any], first: int) -> dict[str, float]:
        batches = self._batches
        scalars = {**hypers, "step": batches.rng_step, FIRST_SAMPLE: self._first_sample}
        for name, every in bound.source.periods.items():
            scalars[name] = (first + 1) % every == 0
        with self._session.writing:
            if self._plans.closed:
                self._plans.require_open()
            losses = bound.run_one(batches.feeds(bound, 1), scalars)
            self._ran(bound, 1, first)
        return losses

    def _several(self, bound: BoundPlan, n: int, hypers: Mapping[str, Any], first: int) -> Losses:
        """Run a plan on the next n batches."""
        batches, steps = self._batches, np.arange(n)
        scalars = {**hypers, "step": batches.rng_step + steps, FIRST_SAMPLE: self._first_sample}
        for name, every in bound.source.periods.items():
            scalars[name] = (first + 1 + steps) % every == 0
        with self._session.writing:
            self._plans.require_open()
            losses = bound.run(n, batches.feeds(bound, n), scalars)
            self._ran(bound, n, first)
        return losses

    @property
    def _first_sample(self) -> int:
        return self._plans.share.first(self._plans.net.batch)

    def _ran(self, bound: BoundPlan, n: int, first: int) -> None:
        """Consume the next n batches, on which a plan has run after `first` completed iterations."""
        session = self._session
        if self._plans.exchange is not None:
            self._plans.exchange.check(first)
        session.debug.forget()
        session.results.trained(bound, session.keep)
        if self._plans.net.collectors:
            with session.outputs.run():
                bound.collect(session.outputs)
        self._batches.return_borrowed(bound)
        self._batches.release(n)

    def _checked(self, bound: BoundPlan, hypers: Mapping[str, Any], first: int) -> dict[str, float]:
        """Run one batch. If its loss or its updates are not finite, run the batch again with the parameters from before
        it, to find the first value that is not."""
        session, net, params = self._session, self._session.net, self._session.params
        before = {name: array.copy() for name, array in live_arrays(net, params).items()}
        batch, rng_step = self._batches.copy(), self._batches.rng_step
        losses = self._unchecked(bound, hypers, first)
        updated = {name: array.values for name, array in kept_arrays(net, params).items()}
        own = (slot for group in session.update.method.groups for slot in group.method.slots)
        slots = tuple(f".{slot}" for slot in (*own, GRADIENT_SUM))
        updated |= {name: slot.values for name, slot in self._plans.slots.items() if name.endswith(slots)}
        if math.isfinite(losses[OBJECTIVE]) and first_not_finite(updated) is None:
            return losses
        updated = {name: array.copy() for name, array in updated.items()}
        for name, array in live_arrays(net, params).items():
            array[...] = before[name]
        session.debug.hold(batch, rng_step)
        debugged, scalars = session.debug.backward(session.update.regu_coef)
        session.results.ran(debugged, backward=True)
        error = not_finite_error(debugged, scalars, updated, net, first + 1)
        if error is not None:
            raise error
        return losses


class OwnUpdate:
    """Updates by the gradients of program.backward(), which the user may have replaced: each by the mean gradient of
    `accumulate` batches, in the training that the session has begun.

    A batch is forward() and backward(); it may be taken once.
    """

    def __init__(self, session: Session) -> None:
        self._session, self._plans = session, session.plans
        self._taken: LastRun | None = None
        self._losses: list[Mapping[str, float]] = []

    def take(self, iteration: int) -> dict[str, float] | None:
        """Take the gradients of the last backward(). Returns the mean losses of the update's batches if this is the
        last of them; "obj_val" is absent if the loss is outside of the net.

        Raises:
            OptionError: there are no gradients, or they have been taken, or they contain regularizers.
            NumericError: a gradient that has been read is not finite; with MOCHAC_CHECK=nan, any gradient.
        """
        session, wanted = self._session, self._session.update.accumulate
        known = {loss.layer for loss in self._plans.traced("train").losses} | {OBJECTIVE}
        with session.lock:
            session.require_open()
            run = self._gradients()
            self._write(run, iteration)
            self._taken = run
            self._losses.append({name: loss for name, loss in run.losses.items() if name in known})
            if len(self._losses) < wanted:
                add = self._plans.add(session.frozen)
                add.run_one((), {FIRST_BATCH: float(len(self._losses) == 1)})
                return None
        taken, self._losses = self._losses, []
        if wanted == 1:
            return dict(taken[0])
        names = set(taken[0]).intersection(*taken)
        return {name: float(np.mean([batch[name] for batch in taken])) for name in taken[0] if name in names}

    def apply(self, hypers: Mapping[str, Any], first: int) -> dict[str, float]:
        """Update the parameters by the gradients taken, after `first` completed iterations; `hypers` are numbers.
        Returns the norms of the gradients, if the training has them reported."""
        session = self._session
        with session.writing:
            session.require_open()
            bound = self._plans.update(session.update, session.frozen)
            due = {name: (first + 1) % every == 0 for name, every in bound.source.periods.items()}
            return bound.run_one((), {**hypers, **due})

    def _gradients(self) -> LastRun:
        run = self._session.results.last
        if run is None or not run.has_gradients:
            hint = "forward() and backward() compute gradients; step() does all three"
            raise OptionError("update() without gradients", hint=hint)
        if run is self._taken:
            hint = "each update needs forward() and backward()"
            raise OptionError("update(): the gradients of the last backward() have been used", hint=hint)
        if run.regu_coef:
            hint = "call backward() without regu_coef"
            raise OptionError("update() adds the solver's regularizers itself", hint=hint)
        return run

    def _write(self, run: LastRun, iteration: int) -> None:
        """Put the gradients that the user has seen, and may have changed, where the plans read them."""
        if bad := first_not_finite(self._suspects(run)):
            rule = f"iteration {iteration}: gradient of parameter {bad.name!r} is {bad.value}, first at {bad.at}"
            raise NumericError(rule, hint="look at the gradients that backward() was given, and at program.grads")
        for name, array in run.gradients.items():
            self._plans.slots[f"{name}.{GRADIENT}"].storage[...] = array

    def _suspects(self, run: LastRun) -> dict[str, np.ndarray]:
        """The gradients to check: those that the user has read; with MOCHAC_CHECK=nan, all."""
        slots = self._plans.slots
        if not self._plans.backend.env.check:
            return run.gradients
        return {
            p.value: run.gradients.get(p.value, slots[f"{p.value}.{GRADIENT}"].values) for p in run.bound.traced.params
        }
