"""ranges_of: the smallest and the largest numbers of values, as a float graph computes them on a user's samples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from mochac.base.errors import DataError
from mochac.base.records import record
from mochac.formats.quantization.roles import WithConstants
from mochac.ir.graph import Graph
from mochac.lowering.run_graph import BoundGraph

HYPERS = {"n_valid": 0.0, "step": float(1 << 31)}
"""Scalars that a graph of a prediction may read; n_valid is set for each batch."""
BINS = 1 << 12
"""Number of bins of the histograms from which percentiles are read."""
WHOLE = 100.0
"""The percentile of the whole range."""


@record
class Runner:
    """Runs a graph on samples, batch by batch.

    Args:
        graph: its batch is the number of samples at a time.
        arrays: of its constants.
    """

    graph: Graph
    arrays: Mapping[str, np.ndarray]
    batch: int
    layout: bool = True

    def batches(self, samples: Mapping[str, np.ndarray]) -> Iterator[dict[str, np.ndarray]]:
        """The outputs for each batch of samples, by input; the last batch may hold fewer."""
        read = {i.name: i for i in self.graph.inputs}
        feeds = [name for name in samples if name in read]
        n = len(samples[feeds[0]])
        bound = BoundGraph(self.graph, self.arrays, threads=None, layout=self.layout)
        try:
            for first in range(0, n, self.batch):
                count = min(self.batch, n - first)
                rows = np.minimum(np.arange(first, first + self.batch), n - 1)
                hypers = {name: np.array(value) for name, value in HYPERS.items() if name in read}
                if "n_valid" in read:
                    hypers["n_valid"] = np.array(count)
                outputs = bound.run({**{name: samples[name][rows] for name in feeds}, **hypers})
                yield {name: array[:count].copy() for name, array in outputs.items()}
        finally:
            bound.close()

    def run(self, samples: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The outputs for all samples."""
        parts = list(self.batches(samples))
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def ranges_of(
    given: WithConstants, values: Sequence[str], samples: Mapping[str, np.ndarray], batch: int, percentile: float
) -> dict[str, tuple[float, float]]:
    """The ranges of values of a graph; inputs among them, too.

    Args:
        samples: transformed samples by input.
        percentile: the share in % of the numbers of a value, in the middle, that its range holds; 100: all.

    Raises:
        DataError: a value is not finite.
    """
    fed = {name: samples[name] for name in values if name in samples}
    made = tuple(name for name in values if name not in fed)
    runner = Runner(given.graph.with_(outputs=made, updates=()), given.arrays, batch)
    limits: dict[str, tuple[float, float]] = {name: _limits(name, array) for name, array in fed.items()}
    for part in runner.batches(samples) if made else ():
        for name in made:
            low, high = _limits(name, part[name])
            old = limits.get(name, (low, high))
            limits[name] = (min(low, old[0]), max(high, old[1]))
    if percentile == WHOLE:
        return limits
    counted = {name: _counts(array, limits[name]) for name, array in fed.items()}
    for part in runner.batches(samples) if made else ():
        for name in made:
            counted[name] = counted.get(name, np.zeros(BINS, np.int64)) + _counts(part[name], limits[name])
    return {name: _middle(limits[name], counts, percentile) for name, counts in counted.items()}


def _limits(name: str, array: np.ndarray) -> tuple[float, float]:
    low, high = float(array.min(initial=0.0)), float(array.max(initial=0.0))
    if not np.isfinite([low, high]).all():
        raise DataError(
            f"quantize: {name!r} is not finite on the samples", expected="finite numbers", got=f"{low}, {high}"
        )
    return low, high


def _counts(array: np.ndarray, limits: tuple[float, float]) -> np.ndarray:
    low, high = limits
    if low == high:
        high = low + 1.0
    return np.histogram(array, BINS, (low, high))[0].astype(np.int64)


def _middle(limits: tuple[float, float], counts: np.ndarray, percentile: float) -> tuple[float, float]:
    """The range that leaves out equal shares at both ends, in whole bins; an end of 0.0 stays."""
    low, high = limits
    total, left = counts.sum(), (WHOLE - percentile) / 2 / WHOLE
    below = int(np.searchsorted(np.cumsum(counts), left * total, "right"))
    above = int(np.searchsorted(np.cumsum(counts[::-1]), left * total, "right"))
    width = (high - low) / BINS
    return (low + below * width if low else low), (high - above * width if high else high)
