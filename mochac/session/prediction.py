"""predict: any number of samples through the part of the net that one blob needs.

Program.predict calls it. Plans exist for batches of powers of two up to one vector of lanes, and of the net's batch
size; each is compiled when it is first needed, and the input is cut into those.
"""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np

from mochac.errors import OptionError, ShapeError
from mochac.frontend.trace import DTYPE
from mochac.layers.base import DataLayer
from mochac.layers.input import InputLayer
from mochac.runtime.data.source import changes
from mochac.runtime.support.array_like import as_array
from mochac.session.evaluation import FIRST_DRAW
from mochac.session.plan_set import BoundPlan, PlanSet


def predict(bank: PlanSet, x: Any, blob: str | None) -> np.ndarray:
    """`blob` for the samples x.

    Args:
        x: samples for the first data layer's first top, batch first; or a dict top -> samples. The layer's transformers
            are applied to them. A number of samples where `blob` needs none, since the net draws them itself.
        blob: default: the net's prediction blob.

    Raises:
        OptionError: no such blob or input. ShapeError: samples of another shape, or inputs of unequal length.
    """
    blob = bank.net.checked_blob(blob) if blob is not None else bank.net.prediction_blob()
    if not bank.net.blobs[blob].batch:
        hint = "program.forward(), then program.blobs"
        raise OptionError(f"blob {blob!r} does not hold one row per sample", hint=hint)
    count, given = _counted(x) if isinstance(x, numbers.Integral) else _inputs(bank, x)
    if blob in given:
        return given[blob].copy()
    needed = bank.needed(blob)
    absent = [top for top in needed if top not in given]
    if absent:
        raise OptionError(f"blob {blob!r} needs the input {absent[0]!r} too", hint="give a dict: predict({...})")
    lanes = bank.machine.lanes(DTYPE[bank.dtype])
    parts, start = [], 0
    batch = _batch(count, bank.net.batch, lanes)  # one plan for all, so that bits do not depend on a sample's place
    batch = batch if bank.takes(batch) else bank.net.batch
    while start < count:
        part = {t: given[t][start : start + batch] for t in needed}
        parts.append(_run(bank.predict(blob, batch), blob, part, min(batch, count - start), FIRST_DRAW + len(parts)))
        start += batch
    if not parts:
        shape = bank.net.blobs[blob].shape[1:]
        return np.zeros((0, *shape), bank.dtype)
    return np.concatenate(parts)


def _batch(count: int, full: int, lanes: int) -> int:
    """The smallest plan that takes all samples, else the net's own.

    >>> [_batch(count, 64, 16) for count in (1, 3, 8, 9, 17)], _batch(3, 3, 16)
    ([1, 4, 8, 16, 64], 3)
    """
    fits = 1 << max(0, count - 1).bit_length()
    return fits if fits <= min(lanes, full) else full


def _run(bound: BoundPlan, blob: str, arrays: dict[str, np.ndarray], count: int, step: int) -> np.ndarray:
    """One plan's worth of `count` samples; a short rest repeats its last sample."""
    names, batch = {f.top: f.value for f in bound.traced.feeds}, bound.traced.batch
    feeds = {}
    for top, a in arrays.items():
        filled = a if count == batch else np.concatenate([a, np.repeat(a[-1:], batch - count, axis=0)])
        feeds[names[top]] = np.ascontiguousarray(filled)
    scalars = {"n_valid": count, "step": step}
    hyper = {s.key: scalars[s.key] for s in bound.compiled.plan.placements if s.place == "hyper"}
    bound.runner.run(1, [feeds], hyper)
    return bound.runner.read(blob)[:count]


def _counted(count: Any) -> tuple[int, dict[str, np.ndarray]]:
    """A number of samples to compute from nothing."""
    if isinstance(count, bool) or count < 0:
        wanted = "an array, or a number >= 0"
        raise OptionError("predict() takes samples, or how many", expected=wanted, got=repr(count))
    return int(count), {}


def _inputs(bank: PlanSet, x: Any) -> tuple[int, dict[str, np.ndarray]]:
    """How many samples, and the checked arrays by top."""
    tops = [top for source in bank.net.sources for top in source.tops]
    if not tops:
        raise OptionError(f"net {bank.net.name!r} has no data layer to feed")
    given: Mapping[str, Any] = x if isinstance(x, Mapping) else {tops[0]: x}
    found: dict[str, np.ndarray] = {}
    for top, values in given.items():
        if top not in tops:
            raise OptionError(f"no data layer makes {top!r}", expected=" ".join(tops), got=str(top))
        found[top] = _changed(bank, top, _fitted(bank, top, values))
    lengths = {top: len(a) for top, a in found.items()}
    if len(set(lengths.values())) > 1:
        raise ShapeError("inputs of predict() differ in their number of samples", got=str(lengths))
    if not found:
        raise OptionError("predict() got no input", expected=" ".join(tops), got="{}")
    return next(iter(lengths.values())), found


def _changed(bank: PlanSet, top: str, values: np.ndarray) -> np.ndarray:
    """`values` after the data layer's transformers, as if the layer had read them; those given stay as they are."""
    source = next(s for s in bank.net.sources if top in s.tops)
    steps = changes(source, top, values.shape[1:]) if isinstance(source, DataLayer) else []
    if steps and len(values):
        values = np.array(values)
        for step in steps:
            step(values)
    return values


def _shape_hint(got: tuple[int, ...], sample: tuple[int, ...]) -> str:
    """What would make `got` a batch of samples of this shape, where that can be told."""
    if got == sample:
        return "one sample: x[None]"
    if len(sample) == 3 and got[1:] == sample[1:] + sample[:1]:
        return "channels come before height and width: x.transpose(0, 3, 1, 2)"
    if len(sample) > 1 and sample[0] == 1 and got[1:] == sample[1:]:
        return "the axis of the one channel is missing: x[:, None]"
    return ""


def _batch_hint(bank: PlanSet, top: str, got: tuple[int, ...]) -> str:
    """For an InputLayer that was given the shape of one sample, where the samples have just that."""
    layer = next(s for s in bank.net.sources if top in s.tops)
    if not isinstance(layer, InputLayer) or layer.shape not in (got[1:], (*got[1:], 1)):
        return ""
    return f"InputLayer's shape begins with the batch: shape=(64, {', '.join(map(str, got[1:]))})"


def _fitted(bank: PlanSet, top: str, values: Any) -> np.ndarray:
    shape = bank.net.blobs[top].shape[1:]
    try:
        array = as_array(values)
        if array.dtype.kind == "c":
            raise TypeError("complex numbers")
        array = array.astype(bank.dtype, copy=False)
    except (TypeError, ValueError) as error:
        raise OptionError(f"input {top!r} is not an array of numbers", got=str(error)) from None
    if shape == (1,) and array.ndim == 1:
        array = array[:, None]  # as data layers take (N,) for (N, 1)
    if array.shape[1:] != shape:
        hint = _batch_hint(bank, top, array.shape) or _shape_hint(array.shape, shape)
        raise ShapeError(
            f"input {top!r} does not fit its data layer",
            expected=f"(any number, {', '.join(map(str, shape))})",
            got=str(array.shape),
            hint=hint,
        )
    return array
