"""evaluate: one exact pass over a net's data through its test plan.

Program.evaluate and ValidationPerformance call it. Batches come from a feed of their own, so training
goes on as if nothing had happened.
"""

from __future__ import annotations

import numpy as np

from mochac.driver.bank import PlanBank
from mochac.errors import OptionError
from mochac.runtime.data.feed import Feed
from mochac.runtime.statistics import Statistics

MOST_STEPS = 256


def evaluate(bank: PlanBank, training: Feed) -> Statistics:
    """Sums of every loss and statistic over all samples.

    Raises:
        OptionError: the net has neither. DataError: reading failed.
    """
    traced = bank.traced("test")
    if not traced.losses and not traced.statistics:
        raise OptionError(f"net {bank.net.name!r} has nothing to evaluate", hint="add a loss or an AccuracyLayer")
    bound = bank.test()
    names = {f.top: f.value for f in traced.feeds}
    wanted = {slot.key for slot in bound.compiled.plan.slots if slot.place in ("feed", "hyper")}
    feed = training.evaluation()
    totals: dict[str, float] = {}
    samples = 0
    try:
        while n := feed.wait(MOST_STEPS):
            batches = [{names[t]: a for t, a in feed.arrays(k).items() if names[t] in wanted} for k in range(n)]
            valid = feed.n_valid(n)
            for name, values in bound.runner.run(n, batches, {"n_valid": valid} if "n_valid" in wanted else {}).items():
                totals[name] = totals.get(name, 0.0) + float(np.sum(values))
            samples += int(valid.sum())
            feed.release(n)
    finally:
        feed.close()
    return _means(bank, totals, samples)


def _means(bank: PlanBank, totals: dict[str, float], samples: int) -> Statistics:
    found = Statistics()
    traced = bank.traced("test")
    for s in traced.statistics:
        found.add(s.layer, s.name.removeprefix(f"{s.layer}-"), totals[s.name], samples * s.per_sample)
    for loss in traced.losses:
        found.add(loss.layer, "", totals[loss.layer], samples)
    return found
