"""OwnUpdate: solver.update(), an update by the gradients of program.backward(), which the user may have replaced."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mochac.base.errors import NumericError, OptionError
from mochac.base.support.memory import first_not_finite
from mochac.lowering.plan_graphs import FIRST_BATCH, GRADIENT
from mochac.nets.solvers.update import Update
from mochac.training.session.plan_set import BoundPlan
from mochac.training.session.results import LastRun
from mochac.training.session.training_step import StepParts


class OwnUpdate:
    """Updates of one training, each by the mean gradient of `update.accumulate` batches.

    A batch is forward() and backward(); it may be taken once.
    """

    def __init__(self, parts: StepParts, update: Update) -> None:
        self.update, self._parts = update, parts
        self._taken: LastRun | None = None
        self._losses: list[Mapping[str, float]] = []

    def prepare(self) -> BoundPlan:
        """Compile or select the plan of the update."""
        return self._parts.plans.update(self.update, self._parts.frozen.keys)

    def forget(self) -> None:
        """Drop the batches that have not made an update."""
        self._losses.clear()

    def take(self, losses: Mapping[str, float], iteration: int) -> dict[str, float] | None:
        """Take the gradients of the last backward(), whose batch has these losses. Returns the mean losses of the
        update's batches if this is the last of them.

        Raises:
            OptionError: there are no gradients, or they have been taken, or they contain regularizers.
            NumericError: a gradient that has been read is not finite; with MOCHAC_CHECK=nan, any gradient.
        """
        run = self._gradients()
        self._write(run, iteration)
        self._taken = run
        self._losses.append(dict(losses))
        if len(self._losses) < self.update.accumulate:
            add = self._parts.plans.add(self._parts.frozen.keys)
            add.run_one((), {FIRST_BATCH: float(len(self._losses) == 1)})
            return None
        taken, self._losses = self._losses, []
        if len(taken) == 1:
            return dict(taken[0])
        names = set(taken[0]).intersection(*taken)
        return {name: float(np.mean([batch[name] for batch in taken])) for name in taken[0] if name in names}

    def apply(self, hypers: Mapping[str, Any], first: int) -> dict[str, float]:
        """Update the parameters after `first` completed iterations, by the gradients taken; returns what the plan
        reports of them."""
        bound = self.prepare()
        due = {name: (first + 1) % every == 0 for name, every in bound.source.periods.items()}
        return bound.run_one((), {**hypers, **due})

    def _gradients(self) -> LastRun:
        run = self._parts.results.last
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
        plans = self._parts.plans
        if bad := first_not_finite(self._suspects(run)):
            rule = f"iteration {iteration}: gradient of parameter {bad.name!r} is {bad.value}, first at {bad.at}"
            raise NumericError(rule, hint="look at the gradients that backward() was given, and at program.grads")
        for name, array in run.gradients.items():
            plans.slots[f"{name}.{GRADIENT}"].storage[...] = array

    def _suspects(self, run: LastRun) -> dict[str, np.ndarray]:
        """The gradients that may not be finite: those that the user has seen; with MOCHAC_CHECK=nan all."""
        slots = self._parts.plans.slots
        if not self._parts.plans.backend.env.check:
            return run.gradients
        return {
            p.value: run.gradients.get(p.value, slots[f"{p.value}.{GRADIENT}"].values) for p in run.bound.traced.params
        }
