"""Samples that a user passes to quantize a net: ranges of values measured on them, and the accuracy lost on them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.errors import DataError, OptionError, ShapeError, shown
from mochac.base.files.array_files import read_npy, read_npz
from mochac.base.files.hdf5_file import open_hdf5
from mochac.base.files.reading import Fault
from mochac.base.records import record
from mochac.formats.quantization.roles import WithConstants
from mochac.ir.graph import Graph
from mochac.lowering.run_graph import BoundGraph
from mochac.nets.declared import FeedInfo
from mochac.nets.layers.base import DataLayer
from mochac.nets.trace import Traced
from mochac.runtime.data.source import open_source
from mochac.training.session.plan_set import PlanSet
from mochac.training.session.user_arrays import fitted, transformed

MIN_SAMPLES = 8
"""Fewer samples say little about the range of a value."""
MAX_SAMPLES = 4096
"""Maximum samples that are read from the net's data layers."""
OWN = "data layers"
"""Value of `quantize` that reads the samples from the net's data layers."""
ENDINGS = (".npy", ".npz", ".h5", ".hdf5")


@record
class CalibrationSamples:
    """Samples of all inputs of a prediction.

    Attributes:
        inputs: transformed samples, by graph input.
        labels: arrays for other tops, by top.
        source: where they come from, for messages.
    """

    inputs: Mapping[str, np.ndarray]
    labels: Mapping[str, np.ndarray]
    source: str

    @property
    def n(self) -> int:
        """Number of samples."""
        return len(next(iter(self.inputs.values())))


def samples_of(plans: PlanSet, feeds: tuple[FeedInfo, ...], data: Any) -> CalibrationSamples:
    """The samples for the inputs of a prediction.

    Args:
        feeds: inputs of the prediction.
        data: an array for the only feed; a dict of arrays by top; a path of a .npy, .npz or HDF5 file with these; or
            "data layers": the first MAX_SAMPLES samples of the net's own data layers.

    Raises:
        OptionError: it is none of these, or an input is missing. ShapeError: samples of another shape, or inputs of
        unequal length. DataError: the file or the data layer cannot be read, a number is not finite, there are too few
        samples.
    """
    if isinstance(data, str) and data == OWN:
        found = CalibrationSamples(*_of_layers(plans, feeds), f"the data layers of net {plans.net.name!r}")
    else:
        arrays, source = _arrays(feeds, data)
        found = CalibrationSamples(*_checked(plans, feeds, arrays), source)
    lengths = {top: len(a) for top, a in (*found.inputs.items(), *found.labels.items())}
    if len(set(lengths.values())) > 1:
        raise ShapeError("quantize: the arrays differ in their number of samples", got=str(lengths))
    if found.n < MIN_SAMPLES:
        hint = "ranges of values need samples of every kind; a hundred are good"
        raise DataError("quantize: too few samples", expected=f"{MIN_SAMPLES} or more", got=str(found.n), hint=hint)
    return found


def _arrays(feeds: tuple[FeedInfo, ...], data: Any) -> tuple[Mapping[str, Any], str]:
    tops = [feed.top for feed in feeds]
    if isinstance(data, (str, os.PathLike)):
        path = Path(os.fspath(data))
        content = _read(path)
        return (content if isinstance(content, dict) else _of_one(tops, content)), str(path)
    if isinstance(data, Mapping):
        return data, "the given arrays"
    if isinstance(data, np.ndarray):
        return _of_one(tops, data), "the given array"
    expected = f"an array, a dict of arrays by top, a file ({' '.join(ENDINGS)}), or {OWN!r}"
    raise OptionError("quantize takes samples", expected=expected, got=shown(data))


def _of_one(tops: list[str], array: np.ndarray) -> dict[str, np.ndarray]:
    if len(tops) > 1:
        named = ", ".join(f"{top!r}: ..." for top in tops)
        raise OptionError("quantize: the prediction has several inputs", got="one array", hint=f"a dict: {{{named}}}")
    return {tops[0]: array}


def _read(path: Path) -> np.ndarray | dict[str, np.ndarray]:
    def refuse(fault: Fault) -> DataError:
        return DataError(f"quantize: {path} cannot be read", got=str(fault))

    if path.suffix == ".npy":
        return read_npy(path, refuse)
    if path.suffix == ".npz":
        return read_npz(path, refuse)
    if path.suffix not in ENDINGS:
        hint = f"or {OWN!r}: the net's own"
        raise OptionError("quantize: not a file of samples", expected=" ".join(ENDINGS), got=str(path), hint=hint)
    with open_hdf5(path, refuse) as file:
        arrays = {place.lstrip("/"): file.array(place) for place in file.names()}
    return {name: array for name, array in arrays.items() if array is not None}


def _checked(
    plans: PlanSet, feeds: tuple[FeedInfo, ...], arrays: Mapping[str, Any]
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Inputs and labels from arrays by top."""
    plans.net.require_tops(arrays, "quantize")
    inputs: dict[str, np.ndarray] = {}
    for feed in feeds:
        if feed.top not in arrays:
            raise OptionError(f"quantize needs samples of {feed.top!r}", expected=" ".join(f.top for f in feeds))
        array = fitted(plans, feed.top, arrays[feed.top])
        inputs[feed.value] = _finite(feed.top, transformed(plans, feed.top, array))
    read = {feed.top for feed in feeds}
    return inputs, {top: np.asarray(a) for top, a in arrays.items() if top not in read}


def _finite(top: str, array: np.ndarray) -> np.ndarray:
    wrong = np.argwhere(~np.isfinite(array))
    if len(wrong):
        at = tuple(int(k) for k in wrong[0])
        details = [f"blob {top!r}, sample {at[0]}"]
        raise DataError("quantize: a number is not finite", got=str(array[at]), details=details)
    return array


def _of_layers(plans: PlanSet, feeds: tuple[FeedInfo, ...]) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """The first samples of the net's data layers, in their own order."""
    values = {feed.top: feed.value for feed in feeds}
    inputs: dict[str, np.ndarray] = {}
    labels: dict[str, np.ndarray] = {}
    for layer in plans.net.sources:
        if not isinstance(layer, DataLayer) or not (set(layer.tops) & set(values) or inputs):
            continue
        source = open_source(layer)
        try:
            n = min(source.n_samples, MAX_SAMPLES)
            shapes = {top: plans.net.blobs[top].shape[1:] for top in layer.tops}
            out = {top: np.empty((n, *shape), plans.dtype) for top, shape in shapes.items()}
            source.fill(0, out)
        finally:
            source.close()
        inputs |= {values[top]: array for top, array in out.items() if top in values}
        labels |= {top: array for top, array in out.items() if top not in values}
    if missing := [top for top, value in values.items() if value not in inputs]:
        raise OptionError(f"quantize: {missing[0]!r} has no data layer with data", hint="give arrays or a file")
    return inputs, labels


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
        graph: the batch is the number of samples per run.
        arrays: its constants.
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
    source: WithConstants, values: Sequence[str], samples: Mapping[str, np.ndarray], batch: int, percentile: float
) -> dict[str, tuple[float, float]]:
    """The ranges of values of a graph, inputs included.

    Args:
        samples: transformed samples by input.
        percentile: share of the numbers of a value that its range covers, in %, without the extremes; 100: all.

    Raises:
        DataError: a value is not finite.
    """
    fed = {name: samples[name] for name in values if name in samples}
    computed = tuple(name for name in values if name not in fed)
    runner = Runner(source.graph.with_(outputs=computed, updates=()), source.arrays, batch)
    limits: dict[str, tuple[float, float]] = {name: _limits(name, array) for name, array in fed.items()}
    for part in runner.batches(samples) if computed else ():
        for name in computed:
            low, high = _limits(name, part[name])
            old = limits.get(name, (low, high))
            limits[name] = (min(low, old[0]), max(high, old[1]))
    if percentile == WHOLE:
        return limits
    counted = {name: _counts(array, limits[name]) for name, array in fed.items()}
    for part in runner.batches(samples) if computed else ():
        for name in computed:
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
    """The range without equal shares at both ends, in whole bins; an end of 0.0 stays."""
    low, high = limits
    total, left = counts.sum(), (WHOLE - percentile) / 2 / WHOLE
    below = int(np.searchsorted(np.cumsum(counts), left * total, "right"))
    above = int(np.searchsorted(np.cumsum(counts[::-1]), left * total, "right"))
    width = (high - low) / BINS
    return (low + below * width if low else low), (high - above * width if high else high)


@record
class QuantizationLoss:
    """How integers change an output.

    Attributes:
        blob: name of the output.
        largest, mean: largest and mean absolute difference.
        scale: the largest absolute number in float.
        float_accuracy, integer_accuracy: share of samples whose largest number is at their label; None without labels.
        agreement: share of samples whose largest number is at the same place in float; None for outputs that are not
            scores.
    """

    blob: str
    largest: float
    mean: float
    scale: float
    float_accuracy: float | None = None
    integer_accuracy: float | None = None
    agreement: float | None = None

    def __str__(self) -> str:
        text = f"{self.blob}: differs by at most {self.largest:.3g}, {self.mean:.3g} on average, of {self.scale:.3g}"
        if self.float_accuracy is not None and self.integer_accuracy is not None:
            lost = 100 * (self.float_accuracy - self.integer_accuracy)
            was, now = (f"{100 * a:.2f} %" for a in (self.float_accuracy, self.integer_accuracy))
            return f"{text}; accuracy {now} instead of {was}: {lost:.2f} points lost"
        if self.agreement is not None:
            return f"{text}; {100 * self.agreement:.2f} % of the samples have the same class"
        return text


def losses_of(
    traced: Traced,
    named: Mapping[str, str],
    exact: Mapping[str, np.ndarray],
    rounded: Mapping[str, np.ndarray],
    labels: Mapping[str, np.ndarray],
) -> tuple[QuantizationLoss, ...]:
    """The loss of each output.

    Args:
        named: graph value of each blob.
        exact, rounded: values in float and in integers.
        labels: by top.
    """
    classes = {feed.top: feed.classes for feed in traced.feeds if feed.classes is not None}
    known = next((labels[top] for top in classes if top in labels), None)
    return tuple(_loss(blob, exact[value], rounded[value], known) for blob, value in named.items())


def _loss(blob: str, exact: np.ndarray, rounded: np.ndarray, labels: np.ndarray | None) -> QuantizationLoss:
    away = np.abs(exact.astype(np.float64) - rounded)
    plain = QuantizationLoss(blob, float(away.max(initial=0)), float(away.mean()), float(np.abs(exact).max(initial=0)))
    if exact.ndim != 2 or exact.shape[1] < 2:
        return plain
    first, second = exact.argmax(axis=1), rounded.argmax(axis=1)
    agreement = float((first == second).mean())
    right = [None, None]
    if labels is not None and labels.size == len(exact):
        right = [float((found == labels.ravel()).mean()) for found in (first, second)]
    return QuantizationLoss(plain.blob, plain.largest, plain.mean, plain.scale, right[0], right[1], agreement)
