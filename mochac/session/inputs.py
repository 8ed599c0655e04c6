"""Arrays that a user gives in place of what data layers read: for predict(), and for solver.step(data=..., ...)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mochac.errors import DataError, OptionError, ShapeError
from mochac.layers.base import DataLayer
from mochac.layers.input import InputLayer
from mochac.registry import did_you_mean
from mochac.runtime.data.legal import illegal_in
from mochac.runtime.data.source import changes
from mochac.runtime.support.array_like import as_array
from mochac.session.plan_set import PlanSet


def given_batches(plans: PlanSet, given: Mapping[str, Any], n: int) -> list[dict[str, np.ndarray]]:
    """The next `n` batches of a training, by top, of arrays that hold all their samples; checked as readers check.

    Raises:
        OptionError: a top is unknown, or missing. ShapeError: samples of another shape, or another number of them.
        DataError: an illegal label, a NaN.
    """
    tops = [top for source in plans.net.sources for top in source.tops]
    for top in given:
        if top not in tops:
            hint = did_you_mean(top, tops).removeprefix("; ")
            raise OptionError(f"step(): no data layer makes {top!r}", expected=" ".join(tops), got=top, hint=hint)
    absent = [top for top in tops if top not in given]
    if absent:
        raise OptionError(f"step() needs {absent[0]!r} too", expected=" ".join(tops), got=" ".join(given))
    arrays = {top: _checked(plans, top, values, n) for top, values in given.items()}
    batch = plans.net.batch
    if n == 1:
        return [arrays]
    return [{top: a[k * batch : (k + 1) * batch] for top, a in arrays.items()} for k in range(n)]


def _checked(plans: PlanSet, top: str, values: Any, n: int) -> np.ndarray:
    array, samples = fitted(plans, top, values), n * plans.net.batch
    if len(array) != samples:
        of = f"{samples}, {n} batches" if n > 1 else f"{samples}, the net's batch"
        raise ShapeError(f"step(): {top!r} holds another number of samples", expected=of, got=str(len(array)))
    array = np.ascontiguousarray(transformed(plans, top, array))
    feed = next(feed for feed in plans.traced("train").feeds if feed.top == top)
    found = illegal_in(array, feed.classes, feed.targets)
    if found is not None:
        raise DataError(f"step(): {found.rule}", details=[f"blob {top!r}, sample {found.index[0]}"], **found.parts)
    return array


def fitted(plans: PlanSet, top: str, values: Any) -> np.ndarray:
    """Samples of a top as an array of the program's type; raises ShapeError, OptionError if they are none."""
    shape = plans.net.blobs[top].shape[1:]
    try:
        array = as_array(values)
        if array.dtype.kind == "c":
            raise TypeError("complex numbers")
        array = array.astype(plans.dtype, copy=False)
    except (TypeError, ValueError) as error:
        raise OptionError(f"input {top!r} is not an array of numbers", got=str(error)) from None
    if shape == (1,) and array.ndim == 1:
        array = array[:, None]  # data layers also read (N,) as (N, 1)
    if array.shape[1:] != shape:
        hint = _batch_hint(plans, top, array.shape) or _shape_hint(array.shape, shape)
        raise ShapeError(
            f"input {top!r} does not fit its data layer",
            expected=f"(any number, {', '.join(map(str, shape))})",
            got=str(array.shape),
            hint=hint,
        )
    return array


def transformed(plans: PlanSet, top: str, values: np.ndarray) -> np.ndarray:
    """The values after the data layer's transformers, as if the layer had read them; does not change the argument."""
    source = next(s for s in plans.net.sources if top in s.tops)
    steps = changes(source, top, values.shape[1:]) if isinstance(source, DataLayer) else []
    if steps and len(values):
        values = np.array(values)
        for step in steps:
            step(values)
    return values


def _shape_hint(got: tuple[int, ...], sample: tuple[int, ...]) -> str:
    """How to turn an array of shape `got` into a batch of samples, if that is clear."""
    if got == sample:
        return "one sample: x[None]"
    if len(sample) == 3 and got[1:] == sample[1:] + sample[:1]:
        return "channels come before height and width: x.transpose(0, 3, 1, 2)"
    if len(sample) > 1 and sample[0] == 1 and got[1:] == sample[1:]:
        return "the axis of the one channel is missing: x[:, None]"
    return ""


def _batch_hint(plans: PlanSet, top: str, got: tuple[int, ...]) -> str:
    """A hint for an InputLayer whose shape lacks the batch."""
    layer = next(s for s in plans.net.sources if top in s.tops)
    if not isinstance(layer, InputLayer) or layer.shape not in (got[1:], (*got[1:], 1)):
        return ""
    return f"InputLayer's shape begins with the batch: shape=(64, {', '.join(map(str, got[1:]))})"
