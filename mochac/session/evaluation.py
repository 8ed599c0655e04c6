"""evaluate: one exact pass over a net's data through its test plan, with a feed separate from training's."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import numpy as np

from mochac.errors import OptionError
from mochac.lowering.measures import add_measures
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.outputs import Outputs
from mochac.runtime.training.statistics import Statistics
from mochac.session.plan_set import BoundPlan, PlanSet

MOST_STEPS = 256

FIRST_RNG_STEP = 1 << 31
"""Step counter of the first batch of an evaluation or prediction, for layers that are random in test mode too: equal in
every call, and out of training's reach."""


def evaluate(plans: PlanSet, training: Feed, outputs: Outputs) -> Statistics:
    """Sums of every loss and statistic over all samples; collectors get every sample once.

    Raises:
        OptionError: the net has none of them. DataError: reading failed, or a collector cannot write.
    """
    traced = plans.traced("test")
    if not traced.losses and not traced.statistics and not traced.outputs:
        raise OptionError(f"net {plans.net.name!r} has nothing to evaluate", hint="add a loss or an AccuracyLayer")
    most = 1 if traced.outputs or traced.crosses_samples else MOST_STEPS
    feed = training.evaluation()
    totals: dict[str, float] = {}
    samples = done = 0
    with outputs.run(), closing(feed):
        batches = _PassBatches(plans, feed)
        while n := batches.ready(most):
            valid = feed.n_valid(n)
            bound = plans.test(int(valid[-1]) if traced.crosses_samples else None)
            for name, values in _run(bound, batches, valid, FIRST_RNG_STEP + done).items():
                totals[name] = _added(totals.get(name, 0.0), values)
            bound.collect(outputs, int(valid[-1]))
            samples, done = samples + int(valid.sum()), done + n
            feed.release(n)
    statistics = Statistics()
    add_measures(statistics, traced, totals, samples)
    return statistics


def _added(total: float, values: np.ndarray) -> float:
    """Sum in order, so that the bits do not depend on how many batches were ready at a time."""
    return float(np.add.accumulate([total, *values.astype(np.float64)])[-1])


class _PassBatches:
    """The batches of one pass: arrays that were read, or numbers of samples on the device."""

    def __init__(self, plans: PlanSet, feed: Feed) -> None:
        self._feed, self._device = feed, plans.datasets
        if self._device is not None and not self._device.hold(feed.sources, epochs=1):
            self._device = None

    def ready(self, limit: int) -> int:
        """How many steps may run now, 0 at the end."""
        return self._feed.left(limit) if self._device is not None else self._feed.wait(limit)

    def given(self, bound: BoundPlan, n: int) -> Any:
        """The next n batches by graph input; a plan for fewer samples than a batch gets its first samples."""
        names, batch = bound.feeds, bound.traced.batch
        if self._device is not None:
            return self._device.given(self._feed, names, n, batch)
        arrays = (self._feed.arrays(k) for k in range(n))
        return [{name: by_top[top][:batch] for top, name in names.items()} for by_top in arrays]


def _run(bound: BoundPlan, batches: _PassBatches, valid: np.ndarray, step: int) -> dict[str, np.ndarray]:
    """Scalars of the next batches, with `valid` samples each."""
    n = len(valid)
    return bound.run(n, batches.given(bound, n), {"n_valid": valid, "step": step + np.arange(n)})
