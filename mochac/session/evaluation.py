"""evaluate: one exact pass over a net's data through its test plan.

Program.evaluate and ValidationPerformance call it. Batches come from a feed of their own, so training
goes on as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import Mapping
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

FIRST_DRAW = 1 << 31
"""Counter of the first batch of an evaluation or prediction, for layers that draw numbers in test mode too: the same in
every call, and none that training reaches."""


def evaluate(bank: PlanSet, training: Feed, outputs: Outputs) -> Statistics:
    """Sums of every loss and statistic over all samples; sinks get every sample once.

    Raises:
        OptionError: the net has none of them. DataError: reading failed, or a sink cannot write.
    """
    traced = bank.traced("test")
    if not traced.losses and not traced.statistics and not traced.outputs:
        raise OptionError(f"net {bank.net.name!r} has nothing to evaluate", hint="add a loss or an AccuracyLayer")
    alone = bool(traced.outputs) or traced.crosses_samples
    feed = training.evaluation()
    totals: dict[str, float] = {}
    samples = done = 0
    with outputs.run(), closing(feed):
        given = _Given(bank, feed)
        while n := given.ready(1 if alone else MOST_STEPS):
            valid = feed.n_valid(n)
            bound = bank.test(int(valid[-1]) if traced.crosses_samples else None)
            for name, values in _run(bound, given, valid, FIRST_DRAW + done).items():
                totals[name] = _added(totals.get(name, 0.0), values)
            bound.collect(outputs, int(valid[-1]))
            samples, done = samples + int(valid.sum()), done + n
            feed.release(n)
    found = Statistics()
    add_measures(found, traced, totals, samples)
    return found


def _added(total: float, values: np.ndarray) -> float:
    """One after the other: the same bits however many batches were ready at a time."""
    return float(np.add.accumulate([total, *values.astype(np.float64)])[-1])


class _Given:
    """The batches of one pass: arrays that were read, or numbers of samples that the device has."""

    def __init__(self, bank: PlanSet, feed: Feed) -> None:
        self._feed, self._device = feed, bank.resident
        if self._device is not None and not self._device.hold(feed.sources, epochs=1):
            self._device = None

    def ready(self, limit: int) -> int:
        """How many steps may run now, 0 at the end."""
        return self._feed.left(limit) if self._device is not None else self._feed.wait(limit)

    def batches(self, names: Mapping[str, str], n: int, batch: int) -> Any:
        """The next n batches by graph input, the first `batch` samples of each; `names` are inputs by top."""
        if self._device is not None:
            return self._device.given(self._feed, names, n, batch)
        arrays = (self._feed.arrays(k) for k in range(n))
        return [{names[top]: a[:batch] for top, a in found.items() if top in names} for found in arrays]


def _run(bound: BoundPlan, given: _Given, valid: np.ndarray, step: int) -> dict[str, np.ndarray]:
    """The next batches, of `valid` samples each; a plan for fewer samples than a batch gets the first of them."""
    n = len(valid)
    wanted = {placement.key for placement in bound.compiled.plan.placements if placement.place in ("feed", "hyper")}
    names = {f.top: f.value for f in bound.traced.feeds if f.value in wanted}
    scalars = {"n_valid": valid, "step": step + np.arange(n)}
    batches = given.batches(names, n, bound.traced.batch)
    return bound.runner.run(n, batches, {name: v for name, v in scalars.items() if name in wanted})
