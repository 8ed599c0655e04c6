"""Measures: which losses, statistics, totals and counts a plan reports, and how means are computed from them.

Forward and test plans report these scalars; evaluation and Program's running statistics add them up.
"""

from __future__ import annotations

from collections.abc import Mapping

from mochac.lowering.statistics import Statistics
from mochac.nets.trace import Traced
from mochac.nets.value_names import OF


def measures(traced: Traced) -> dict[str, str]:
    """Names of values, by the names under which a plan reports them: losses by layer, statistics, and the totals and
    counts for means of those that ignore some positions."""
    names = {loss.layer: loss.value for loss in traced.losses}
    names.update({s.name: s.value for s in traced.statistics})
    for loss in traced.losses:
        if loss.count:
            names.update({total_name(loss.layer): loss.total, count_name(loss.layer): loss.count})
    return {**names, **{count_name(s.name): s.count for s in traced.statistics if s.count}}


def add_measures(into: Statistics, traced: Traced, results: Mapping[str, float], samples: int) -> None:
    """Add what a plan reported for a number of samples: of one batch in train mode, where losses are means, or the sums
    over any number of batches in test mode."""
    for s in traced.statistics:
        count = results[count_name(s.name)] if s.count else samples * s.per_sample
        into.add(s.layer, s.name.removeprefix(f"{s.layer}-"), results[s.name], int(count))
    for loss in traced.losses:
        if loss.count:
            into.add(loss.layer, "", results[total_name(loss.layer)], int(results[count_name(loss.layer)]))
        else:
            scale = samples if traced.mode == "train" else 1
            into.add(loss.layer, "", results[loss.layer] * scale, samples)


def total_name(layer: str) -> str:
    """The name under which a plan reports the total of a loss that ignores some positions."""
    return f"total{OF}{layer}"


def count_name(name: str) -> str:
    """The name under which a plan reports how many positions the loss or statistic `name` does not ignore."""
    return f"count{OF}{name}"
