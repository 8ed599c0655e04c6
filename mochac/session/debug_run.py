"""DebugRun: forward() and backward() on one batch, in plans that keep every blob and gradient readable."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mochac.errors import OptionError
from mochac.session.plan_set import BoundPlan, PlanSet


class DebugRun:
    """Runs the forward and backward plans on a batch that is kept, so that backward() uses the batch of forward().

    Args:
        mode: "train" or "test".
    """

    def __init__(self, plans: PlanSet, mode: str) -> None:
        self._plans, self._mode = plans, mode
        self._batch: Mapping[str, np.ndarray] | None = None
        self._rng_step = 0

    def hold(self, batch: Mapping[str, np.ndarray], rng_step: int) -> None:
        """Keep a batch, by top, and the step counter of its random numbers."""
        self._batch, self._rng_step = batch, rng_step

    def forget(self) -> None:
        """Drop the batch: backward() then needs another forward()."""
        self._batch = None

    def run(self, *, backward: bool, regu_coef: float = 0.0) -> tuple[BoundPlan, dict[str, float]]:
        """Run the kept batch; returns the plan, whose values can be read, and its scalars.

        Raises:
            OptionError: there is no batch.
        """
        if self._batch is None:
            raise OptionError("backward() before forward()", hint="call forward() first")
        bound = self._plans.debug(self._mode, backward, regu_coef)
        feeds = {name: self._batch[top] for top, name in bound.feeds.items()}
        results = bound.run(1, [feeds], {"step": self._rng_step, "n_valid": bound.traced.batch})
        return bound, {name: float(values[0]) for name, values in results.items()}
