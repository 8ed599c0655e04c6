"""predict: runs any number of samples through the part of the net on which one blob depends.

There are plans for batches of powers of two up to the lanes of a vector, and for the net's batch size. Each is compiled
when first needed; the samples of a call are divided into batches of one size.
"""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np

from mochac.errors import OptionError, ShapeError
from mochac.frontend.trace import DTYPE
from mochac.session.evaluation import FIRST_RNG_STEP
from mochac.session.inputs import fitted, transformed
from mochac.session.plan_set import BoundPlan, PlanSet


def predict(plans: PlanSet, x: Any, blob: str | None) -> np.ndarray:
    """`blob` for the samples x.

    Args:
        x: samples for the first data layer's first top, batch first; or a dict top -> samples. The layer's transformers
            are applied to them. If `blob` depends on no input, the number of samples to compute.
        blob: default: the net's prediction blob.

    Raises:
        OptionError: no such blob or input. ShapeError: samples of another shape, or inputs of unequal length.
    """
    net = plans.net
    blob = net.checked_blob(blob) if blob is not None else plans.prediction_blob
    if not net.blobs[blob].batch:
        hint = "program.forward(), then program.blobs"
        raise OptionError(f"blob {blob!r} does not hold one row per sample", hint=hint)
    count, given = _counted(x) if isinstance(x, numbers.Integral) else _inputs(plans, x)
    if blob in given:
        return given[blob].copy()
    tops = plans.inputs_of(blob)
    absent = [top for top in tops if top not in given]
    if absent:
        raise OptionError(f"blob {blob!r} needs the input {absent[0]!r} too", hint="give a dict: predict({...})")
    if not count:
        return np.zeros((0, *net.blobs[blob].shape[1:]), plans.dtype)
    bound = plans.predict((blob,), _batch_size(plans, count))  # one plan: a sample's bits do not depend on its position
    batch = bound.traced.batch
    parts = []
    for k, start in enumerate(range(0, count, batch)):
        part = {top: given[top][start : start + batch] for top in tops}
        parts.append(_run(bound, blob, part, min(batch, count - start), FIRST_RNG_STEP + k))
    return np.concatenate(parts)


def _batch_size(plans: PlanSet, count: int) -> int:
    """Batch size of the plan for `count` samples."""
    batch = _smallest_batch(count, plans.net.batch, plans.backend.small_batch(DTYPE[plans.dtype]))
    return batch if plans.fits(batch) else plans.net.batch


def _smallest_batch(count: int, full: int, lanes: int) -> int:
    """The smallest batch for all samples: a power of two up to `lanes`, else `full`.

    >>> [_smallest_batch(count, 64, 16) for count in (1, 3, 8, 9, 17)], _smallest_batch(3, 3, 16)
    ([1, 4, 8, 16, 64], 3)
    """
    smallest = 1 << max(0, count - 1).bit_length()
    return smallest if smallest <= min(lanes, full) else full


def _run(bound: BoundPlan, blob: str, arrays: dict[str, np.ndarray], count: int, step: int) -> np.ndarray:
    """The blob for `count` samples; a short batch is padded with its last sample."""
    for top, name in bound.feeds.items():
        slot, samples = bound.slots.arrays[name], arrays[top]
        slot[:count] = samples
        if count < len(slot):
            slot[count:] = samples[-1]
    bound.run(1, bound.slots, {"n_valid": count, "step": step})
    return bound.runner.read(blob)[:count]


def _counted(count: Any) -> tuple[int, dict[str, np.ndarray]]:
    """The number of samples to compute without inputs."""
    if isinstance(count, bool) or count < 0:
        expected = "an array, or a number >= 0"
        raise OptionError("predict() takes samples or their number", expected=expected, got=repr(count))
    return int(count), {}


def _inputs(plans: PlanSet, x: Any) -> tuple[int, dict[str, np.ndarray]]:
    """The number of samples, and the checked arrays by top."""
    tops = [top for source in plans.net.sources for top in source.tops]
    if not tops:
        raise OptionError(f"net {plans.net.name!r} has no data layer to feed")
    given: Mapping[str, Any] = x if isinstance(x, Mapping) else {tops[0]: x}
    arrays: dict[str, np.ndarray] = {}
    for top, values in given.items():
        if top not in tops:
            raise OptionError(f"no data layer makes {top!r}", expected=" ".join(tops), got=str(top))
        arrays[top] = transformed(plans, top, fitted(plans, top, values))
    lengths = {top: len(a) for top, a in arrays.items()}
    if len(set(lengths.values())) > 1:
        raise ShapeError("inputs of predict() differ in their number of samples", got=str(lengths))
    if not arrays:
        raise OptionError("predict() got no input", expected=" ".join(tops), got="{}")
    return next(iter(lengths.values())), arrays
