"""predict: any number of samples through the part of the net that one blob needs.

Program.predict calls it. Plans exist for a batch of 1, of one vector of lanes, and of the net's batch size; the input
is cut into those.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mochac.driver.bank import BoundPlan, PlanBank
from mochac.errors import OptionError, ShapeError
from mochac.frontend.trace import DTYPE
from mochac.runtime.data.source import changes


def predict(bank: PlanBank, x: Any, blob: str | None) -> np.ndarray:
    """`blob` for the samples x.

    Args:
        x: samples for the first data layer's first top, batch first; or a dict top -> samples. The layer's transformers
            are applied to them.
        blob: default: the net's prediction blob.

    Raises:
        OptionError: no such blob or input. ShapeError: samples of another shape, or inputs of unequal length.
    """
    blob = bank.net.checked_blob(blob) if blob is not None else bank.net.prediction_blob()
    given = _inputs(bank, x)
    count = len(next(iter(given.values())))
    if blob in given:
        return given[blob].copy()
    full = bank.predict(blob, bank.net.batch)
    needed = [f.top for f in full.traced.feeds if any(i.name == f.value for i in full.source.graph.inputs)]
    absent = [top for top in needed if top not in given]
    if absent:
        raise OptionError(f"blob {blob!r} needs the input {absent[0]!r} too", hint="give a dict: predict({...})")
    lanes = bank.machine.target.lanes(DTYPE[bank.dtype])
    parts, start = [], 0
    while start < count:
        batch = _batch(count - start, bank.net.batch, lanes)
        parts.append(_run(bank.predict(blob, batch), blob, {t: given[t][start : start + batch] for t in needed}, batch))
        start += batch
    if not parts:
        shape = bank.net.blobs[blob].shape[1:]
        return np.zeros((0, *shape), bank.dtype)
    return np.concatenate(parts)


def _batch(left: int, full: int, lanes: int) -> int:
    """The smallest plan that takes what is left, else the net's own."""
    return next((b for b in sorted({1, min(lanes, full)}) if left <= b), full)


def _run(bound: BoundPlan, blob: str, arrays: dict[str, np.ndarray], batch: int) -> np.ndarray:
    """One plan's worth; a short rest repeats its last sample."""
    names = {f.top: f.value for f in bound.traced.feeds}
    count = len(next(iter(arrays.values())))
    feeds = {}
    for top, a in arrays.items():
        filled = a if count == batch else np.concatenate([a, np.repeat(a[-1:], batch - count, axis=0)])
        feeds[names[top]] = np.ascontiguousarray(filled)
    hyper = {s.key: count for s in bound.compiled.plan.slots if s.place == "hyper"}
    bound.runner.run(1, [feeds], hyper)
    return bound.runner.read(blob)[:count]


def _inputs(bank: PlanBank, x: Any) -> dict[str, np.ndarray]:
    """Checked arrays by top."""
    tops = [top for source in bank.net.sources for top in source.tops]
    if not tops:
        raise OptionError(f"net {bank.net.name!r} has no data layer to feed")
    given: Mapping[str, Any] = x if isinstance(x, Mapping) else {tops[0]: x}
    found: dict[str, np.ndarray] = {}
    for top, values in given.items():
        if top not in tops:
            raise OptionError(f"no data layer makes {top!r}", expected=" ".join(tops), got=str(top))
        found[top] = _changed(bank, top, _fitted(top, values, bank.net.blobs[top].shape[1:], bank.dtype))
    lengths = {top: len(a) for top, a in found.items()}
    if len(set(lengths.values())) > 1:
        raise ShapeError("inputs of predict() differ in their number of samples", got=str(lengths))
    if not found:
        raise OptionError("predict() got no input", expected=" ".join(tops), got="{}")
    return found


def _changed(bank: PlanBank, top: str, values: np.ndarray) -> np.ndarray:
    """`values` after the data layer's transformers, as if the layer had read them; those given stay as they are."""
    source = next(s for s in bank.net.sources if top in s.tops)
    steps = changes(source, top, values.shape[1:])
    if steps and len(values):
        values = np.array(values)
        for step in steps:
            step(values)
    return values


def _fitted(top: str, values: Any, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    try:
        array = np.asarray(values)
        if array.dtype.kind == "c":
            raise TypeError("complex numbers")
        array = array.astype(dtype, copy=False)
    except (TypeError, ValueError) as error:
        raise OptionError(f"input {top!r} is not an array of numbers", got=str(error)) from None
    if shape == (1,) and array.ndim == 1:
        array = array[:, None]  # as data layers take (N,) for (N, 1)
    if array.shape[1:] != shape:
        hint = "one sample: x[None]" if array.shape == shape else ""
        raise ShapeError(
            f"input {top!r} does not fit its data layer",
            expected=f"(any number, {', '.join(map(str, shape))})",
            got=str(array.shape),
            hint=hint,
        )
    return array
