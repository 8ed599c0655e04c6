"""Running means of the values of loss and statistics layers, and the log lines that report them."""

from __future__ import annotations

import math
from dataclasses import dataclass


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
