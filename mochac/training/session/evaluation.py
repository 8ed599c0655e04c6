"""evaluate: one exact pass over a net's data through its test plan, with a feed separate from training's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from mochac.base.errors import OptionError
from mochac.ir.plan import Share
from mochac.lowering.measures import Statistics, add_measures
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.outputs import Outputs
from mochac.runtime.data.ring import RankPart
from mochac.runtime.ranks.ranks import ALONE, Ranks
from mochac.training.session.plan_set import BoundPlan, PlanSet

MAX_STEPS = 256

FIRST_RNG_STEP = 1 << 31
"""Step counter of the first batch of an evaluation or prediction, for layers that are random in test mode too: equal in
every call, and out of training's reach."""


def evaluate(
    plans: PlanSet, training: Feed, outputs: Outputs, ranks: Ranks = ALONE, *, keep: bool = True
) -> Statistics:
    """Sums of every loss and statistic over all samples; collectors get every sample once.

    Args:
        keep: a device may keep the samples, as those of data layers; a user's arrays would take their place.
        ranks: those that share the batches, by turns; if samples depend on each other or outputs are collected, rank 0
            evaluates alone. All get the same bits as one rank would.

    Raises:
        OptionError: the net has none of them. DataError: reading failed, or a collector cannot write.
    """
    traced = plans.traced("test")
    if not traced.losses and not traced.statistics and not traced.outputs:
        raise OptionError(f"net {plans.net.name!r} has nothing to evaluate", hint="add a loss or an AccuracyLayer")
    statistics = Statistics()
    add_measures(statistics, traced, *_totals(_of_all(plans, training, outputs, ranks, keep)))
    return statistics


@dataclass
class _Batches:
    """Some batches of a pass: their numbers, their scalars by name, and the number of their samples."""

    numbers: list[int]
    scalars: dict[str, list[float]]
    samples: int

    def add(self, numbers: Sequence[int], scalars: Mapping[str, np.ndarray], samples: int) -> None:
        self.numbers += numbers
        for name, values in scalars.items():
            self.scalars.setdefault(name, []).extend(values.astype(np.float64).tolist())
        self.samples += samples


def _of_all(plans: PlanSet, training: Feed, outputs: Outputs, ranks: Ranks, keep: bool) -> list[_Batches]:
    """The batches of every rank."""
    traced = plans.traced("test")
    if not (traced.outputs or traced.crosses_samples or traced.carried):
        return ranks.gather(_own(plans, training, outputs, ranks.share, keep))
    return [ranks.broadcast(_own(plans, training, outputs, Share(), keep) if ranks.leads else None)]


def _own(plans: PlanSet, training: Feed, outputs: Outputs, turns: Share, keep: bool) -> _Batches:
    """Run a rank's batches."""
    traced = plans.traced("test")
    most = 1 if traced.outputs or traced.crosses_samples else MAX_STEPS
    part = RankPart(turns=turns)
    feed, found = training.evaluation(part), _Batches([], {}, 0)
    if traced.carried:
        plans.reset_carried()
    done = 0
    with outputs.run(), closing(feed):
        batches = _PassBatches(plans, feed, keep)
        while n := batches.ready(most):
            valid, numbers = feed.n_valid(n), [part.number(done + k) for k in range(n)]
            with plans.lock:
                plans.require_open()
                bound = plans.test(int(valid[-1]) if traced.crosses_samples else None)
                found.add(numbers, _run(bound, batches, valid, FIRST_RNG_STEP + np.array(numbers)), int(valid.sum()))
                bound.collect(outputs, int(valid[-1]))
            done += n
            feed.release(n)
    if traced.carried:
        plans.reset_carried()
    return found


def _totals(found: Sequence[_Batches]) -> tuple[dict[str, float], int]:
    """Sums over all batches in their order, so that the bits depend neither on how many were ready at a time nor on
    who ran them; and the number of samples."""
    order = np.argsort(np.concatenate([batches.numbers for batches in found]), kind="stable")
    names = dict.fromkeys(name for batches in found for name in batches.scalars)
    totals: dict[str, float] = {}
    for name in names:
        values = np.concatenate([batches.scalars.get(name, []) for batches in found])[order]
        totals[name] = float(np.add.accumulate([0.0, *values])[-1])
    return totals, sum(batches.samples for batches in found)


class _PassBatches:
    """The batches of one pass: arrays that were read, or numbers of samples on the device."""

    def __init__(self, plans: PlanSet, feed: Feed, keep: bool) -> None:
        self._feed, self._device = feed, plans.datasets if keep else None
        if self._device is not None and not self._device.hold(feed.sources, epochs=1):
            self._device = None

    def ready(self, limit: int) -> int:
        """How many steps may run now, 0 at the end."""
        return self._feed.remaining(limit) if self._device is not None else self._feed.wait(limit)

    def feeds(self, bound: BoundPlan, n: int) -> Any:
        """The next n batches by graph input; a plan for fewer samples than a batch gets its first samples."""
        names, batch = bound.feeds, bound.traced.batch
        if self._device is not None:
            return self._device.next_batches(self._feed, names, n, batch)
        arrays = (self._feed.arrays(k) for k in range(n))
        return [{name: by_top[top][:batch] for top, name in names.items()} for by_top in arrays]


def _run(bound: BoundPlan, batches: _PassBatches, valid: np.ndarray, steps: np.ndarray) -> dict[str, np.ndarray]:
    """Scalars of the next batches, with `valid` samples each."""
    n = len(valid)
    return bound.run(n, batches.feeds(bound, n), {"n_valid": valid, "step": steps})
