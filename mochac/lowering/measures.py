"""Losses and statistics of a plan, and names of its states.

state_names: names the new values of parameters and solver state after what they update.

Solvers know no nets, so their nodes have names like `add.8`; with this, graphs, kernels and generated code of a step
say `ip1.weight.new`.

Measures: which losses, statistics, totals and counts a plan reports, and how means are computed from them.

Forward and test plans report these scalars; evaluation and Program's running statistics add them up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from mochac.ir.graph import Graph
from mochac.nets.declared import OF
from mochac.nets.trace import Traced


def state_names(graph: Graph) -> Graph:
    """The graph with new states renamed to "<input>.new", if a node makes them and they have no other meaning.

    >>> from mochac.ir.text import parse
    >>> rows = "graph @step(%w: f32[2] param) {", "%add.8: f32[2] = add(%w, %w)", "return", "update %w = %add.8", "}"
    >>> print(state_names(parse("\\n".join(rows))))
    graph @step(%w: f32[2] param) {
      %w.new: f32[2] = add(%w, %w)
      return
      update %w = %w.new
    }
    <BLANKLINE>
    """
    taken, producers = set(graph.types()), graph.producers()
    names: dict[str, str] = {}
    for target, new in graph.updates:
        wanted = f"{target}.new"
        if new in producers and new not in names and new not in graph.outputs and wanted not in taken:
            names[new] = wanted
    return graph.renamed(names)


@dataclass
class RunningMean:
    """Sum and count of a statistic since the last reset. `suffix` is its kind, such as "accuracy"; "" for a loss."""

    suffix: str
    total: float = 0.0
    count: int = 0

    @property
    def value(self) -> float:
        """The mean. If the count is 0: 0 for a loss, as its layer computes it, and NaN for a statistic."""
        if self.count:
            return self.total / self.count
        return math.nan if self.suffix else 0.0


class Statistics:
    """Means by name: "<layer>-<suffix>", or "<layer>" for a loss.

    >>> statistics = Statistics()
    >>> statistics.add("test-accuracy", "accuracy", total=3, count=4)
    >>> statistics.add("test-accuracy", "accuracy", total=4, count=4)
    >>> statistics.means()
    {'test-accuracy-accuracy': 0.875}
    """

    def __init__(self) -> None:
        self._means: dict[str, RunningMean] = {}

    def add(self, layer: str, suffix: str, total: float, count: int) -> None:
        """Add a batch: the sum over `count` samples (or positions)."""
        name = f"{layer}-{suffix}" if suffix else layer
        mean = self._means.setdefault(name, RunningMean(suffix))
        mean.total += float(total)
        mean.count += int(count)

    def reset(self) -> None:
        """Remove all statistics."""
        self._means.clear()

    def means(self) -> dict[str, float]:
        """The mean of each statistic."""
        return {name: mean.value for name, mean in self._means.items()}


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
