"""What plans report of losses and statistics beyond the losses themselves, and how means are made of it.

plan_graphs.py asks for the scalars of forward and test plans, evaluation and the running statistics of Program add what
came of them. It knows traced nets, and nothing of how plans run.
"""

from __future__ import annotations

from collections.abc import Mapping

from mochac.frontend.trace import Traced
from mochac.runtime.training.statistics import Statistics


def measures(traced: Traced) -> dict[str, str]:
    """Names of values, by the names under which a plan reports them: losses by layer, statistics, and what the means of
    those are made of that leave positions out."""
    found = {loss.layer: loss.value for loss in traced.losses}
    found.update({s.name: s.value for s in traced.statistics})
    for loss in traced.losses:
        if loss.count:
            found.update({_total(loss.layer): loss.total, _count(loss.layer): loss.count})
    return {**found, **{_count(s.name): s.count for s in traced.statistics if s.count}}


def add_measures(found: Statistics, traced: Traced, results: Mapping[str, float], samples: int) -> None:
    """Add what plans reported of so many samples: one batch in train mode, where losses are means, or the sums over any
    number of batches in test mode."""
    for s in traced.statistics:
        count = results[_count(s.name)] if s.count else samples * s.per_sample
        found.add(s.layer, s.name.removeprefix(f"{s.layer}-"), results[s.name], int(count))
    for loss in traced.losses:
        if loss.count:
            found.add(loss.layer, "", results[_total(loss.layer)], int(results[_count(loss.layer)]))
        else:
            scale = samples if traced.mode == "train" else 1
            found.add(loss.layer, "", results[loss.layer] * scale, samples)


def _total(layer: str) -> str:
    return f"total of {layer}"


def _count(name: str) -> str:
    return f"count of {name}"
