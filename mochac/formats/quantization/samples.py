"""samples_of: the samples that a user gives to quantize a net, transformed, with the labels among them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.errors import DataError, OptionError, ShapeError, shown
from mochac.base.files.hdf5_file import open_hdf5
from mochac.base.files.npy_file import read_npy, read_npz
from mochac.base.files.reading import Fault
from mochac.base.records import record
from mochac.nets.declared import FeedInfo
from mochac.nets.layers.base import DataLayer
from mochac.runtime.data.source import open_source
from mochac.training.session.plan_set import PlanSet
from mochac.training.session.user_arrays import fitted, transformed

FEWEST = 8
"""Fewer samples say little about the range of a value."""
MOST = 4096
"""Samples that are read from the net's data layers."""
OWN = "data layers"
"""What `quantize` may be to read the samples from the net's data layers."""
ENDINGS = (".npy", ".npz", ".h5", ".hdf5")


@record
class CalibrationSamples:
    """Samples of all inputs of a prediction.

    Attributes:
        inputs: transformed, by graph input.
        labels: what was given for other tops, by top.
        source: where they come from, for people.
    """

    inputs: Mapping[str, np.ndarray]
    labels: Mapping[str, np.ndarray]
    source: str

    @property
    def n(self) -> int:
        """Their number."""
        return len(next(iter(self.inputs.values())))


def samples_of(plans: PlanSet, feeds: tuple[FeedInfo, ...], given: Any) -> CalibrationSamples:
    """The samples for some feeds.

    Args:
        feeds: those that the prediction reads.
        given: an array for the only feed; a dict of arrays by top; a path of a .npy, .npz or HDF5 file with these; or
            "data layers": the first MOST samples of the net's own data layers.

    Raises:
        OptionError: it is none of these, or an input is missing. ShapeError: samples of another shape, or inputs of
        unequal length. DataError: the file or the data layer cannot be read, a number is not finite, there are too few
        samples.
    """
    if isinstance(given, str) and given == OWN:
        found = CalibrationSamples(*_of_layers(plans, feeds), f"the data layers of net {plans.net.name!r}")
    else:
        arrays, source = _arrays(feeds, given)
        found = CalibrationSamples(*_checked(plans, feeds, arrays), source)
    lengths = {top: len(a) for top, a in (*found.inputs.items(), *found.labels.items())}
    if len(set(lengths.values())) > 1:
        raise ShapeError("quantize: the arrays differ in their number of samples", got=str(lengths))
    if found.n < FEWEST:
        hint = "ranges of values need samples of every kind; a hundred are good"
        raise DataError("quantize: too few samples", expected=f"{FEWEST} or more", got=str(found.n), hint=hint)
    return found


def _arrays(feeds: tuple[FeedInfo, ...], given: Any) -> tuple[Mapping[str, Any], str]:
    tops = [feed.top for feed in feeds]
    if isinstance(given, (str, os.PathLike)):
        path = Path(os.fspath(given))
        content = _read(path)
        return (content if isinstance(content, dict) else _of_one(tops, content)), str(path)
    if isinstance(given, Mapping):
        return given, "the given arrays"
    if isinstance(given, np.ndarray):
        return _of_one(tops, given), "the given array"
    expected = f"an array, a dict of arrays by top, a file ({' '.join(ENDINGS)}), or {OWN!r}"
    raise OptionError("quantize takes samples", expected=expected, got=shown(given))


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
            n = min(source.n_samples, MOST)
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
