"""predict: runs any number of samples through the part of the net on which one blob depends.

There are plans for batches of powers of two up to the lanes of a vector, and for the net's batch size. Each is compiled
when first needed; the samples of a call are divided into batches of one size.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from mochac.errors import DataError, OptionError, ShapeError
from mochac.frontend.trace import DTYPE
from mochac.runtime.data.class_indices import ClassIndices
from mochac.runtime.data.legal import illegal_in
from mochac.session.evaluation import FIRST_RNG_STEP
from mochac.session.inputs import MOST_FORMS, changed, copy_wide, fitted, is_wide, transformed
from mochac.session.lent import can_lend, may_lend
from mochac.session.plan_set import BoundPlan, PlanSet


class Predictions:
    """predict() of a net's plans.

    Where the samples of a call lie, and which plan it runs, is decided when the first array of a dtype and shape comes.
    """

    def __init__(self, plans: PlanSet) -> None:
        self._plans = plans
        self._known: dict[tuple[str | None, np.dtype, tuple[int, ...]], _Form] = {}

    def predict(self, x: Any, blob: str | None) -> np.ndarray:
        """`blob` for the samples x.

        Args:
            x: samples for the first data layer's first top, batch first; or a dict top -> samples. The layer's
                transformers are applied to them. If `blob` depends on no input, the number of samples to compute.
            blob: default: the net's prediction blob.

        Raises:
            OptionError: no such blob or input. ShapeError: samples of another shape, or inputs of unequal length.
            DataError: ids of an embedding, or labels, are out of range.
        """
        if type(x) is not np.ndarray:
            return self._predict(x, blob)
        form = self._known.get((blob, x.dtype, x.shape))
        if form is None:
            return self._predict(x, blob)
        if form.alike and can_lend(x, form.slot):
            return _run(form.bound, form.blob, len(x), FIRST_RNG_STEP, {form.name: x})
        if form.wide:
            copy_wide(form.into, x)
        else:
            form.into[...] = x
        return _run(form.bound, form.blob, len(x), FIRST_RNG_STEP)

    def predict_on_device(self, x: Any, asked: str | None) -> Any:
        """The same as `predict`, left on the backend's device."""
        plans, (blob, count, given) = self._plans, self._checked(x, asked)
        result = plans.backend.result((count, *plans.net.blobs[blob].shape[1:]), np.dtype(plans.dtype))
        if blob in given:
            result.fill(given[blob])
        elif count:
            for bound, first, n in self._batches(blob, count, given):
                bound.runner.leave(blob, result, first, n)
        return result

    def _predict(self, x: Any, asked: str | None) -> np.ndarray:
        plans, (blob, count, given) = self._plans, self._checked(x, asked)
        if blob in given:
            return given[blob].copy()
        if not count:
            return np.zeros((0, *plans.net.blobs[blob].shape[1:]), plans.dtype)
        parts, last = list[np.ndarray](), None
        for bound, _, n in self._batches(blob, count, given):
            found, last = bound.runner.read(blob), bound
            parts.append(found if n == len(found) else found[:n].copy())
        if last is not None and count <= last.traced.batch and type(x) is np.ndarray and x.dtype.kind in "fiub":
            self._meet(x, asked, blob, last)
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _checked(self, x: Any, asked: str | None) -> tuple[str, int, dict[str, np.ndarray]]:
        """The blob, the number of samples, and the checked inputs that it depends on, by top."""
        plans, net = self._plans, self._plans.net
        blob = net.checked_blob(asked) if asked is not None else plans.prediction_blob
        if not net.blobs[blob].batch:
            hint = "program.forward(), then program.blobs"
            raise OptionError(f"blob {blob!r} does not hold one row per sample", hint=hint)
        count, given = _counted(x) if isinstance(x, numbers.Integral) else _inputs(plans, x)
        if blob in given:
            return blob, count, given
        tops = plans.inputs_of(blob)
        absent = [top for top in tops if top not in given]
        if absent:
            raise OptionError(f"blob {blob!r} needs the input {absent[0]!r} too", hint="give a dict: predict({...})")
        for top in tops if count else ():
            _check_indices(plans, top, given[top])
        return blob, count, given

    def _batches(self, blob: str, count: int, given: Mapping[str, np.ndarray]) -> Iterator[tuple[BoundPlan, int, int]]:
        """Run batch after batch: the plan, and which samples its results are of, from the first on, how many."""
        plans = self._plans
        # one plan for all batches: a sample's bits do not depend on its place
        bound = plans.predict((blob,), _batch_size(plans, count))
        batch, slots = bound.traced.batch, bound.slots.arrays
        lends = {top for top, name in bound.feeds.items() if may_lend(plans, top, slots[name].shape)}
        for k, start in enumerate(range(0, count, batch)):
            n, lent = min(batch, count - start), dict[str, np.ndarray]()
            for top, name in bound.feeds.items():
                part = given[top][start : start + n]
                if top in lends and can_lend(part, slots[name]):
                    lent[name] = part
                else:
                    slots[name][:n] = part
            _advance(bound, n, FIRST_RNG_STEP + k, lent)
            yield bound, start, n
            if lent:
                bound.runner.forget(lent)

    def _meet(self, x: np.ndarray, asked: str | None, blob: str, bound: BoundPlan) -> None:
        """Remember arrays like x, which fit one batch, if they are copied as they are."""
        ((top, name),) = bound.feeds.items() if len(bound.feeds) == 1 else ((None, ""),)
        if top is None or changed(self._plans, top) or _classes(self._plans, top):
            return
        if len(self._known) >= MOST_FORMS:
            self._known.clear()
        slot = bound.slots.arrays[name]
        into, alike = slot[: len(x)].reshape(x.shape), x.shape == slot.shape and may_lend(self._plans, top, x.shape)
        self._known[asked, x.dtype, x.shape] = _Form(bound, blob, name, slot, into, is_wide(x.dtype, slot.dtype), alike)


class _Form(NamedTuple):
    """What is known of arrays of a dtype and shape.

    Attributes:
        name: the input of the plan. slot: its memory.
        into: where they are copied, in this shape.
        wide: their numbers may be too large for it.
        alike: they may be lent, if they lie as the slot does.
    """

    bound: BoundPlan
    blob: str
    name: str
    slot: np.ndarray
    into: np.ndarray
    wide: bool
    alike: bool


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


def _run(
    bound: BoundPlan, blob: str, count: int, step: int, lent: Mapping[str, np.ndarray] | None = None
) -> np.ndarray:
    """The blob for the first `count` samples in the plan's slots, or in arrays that are lent."""
    _advance(bound, count, step, lent)
    found = bound.runner.read(blob)
    if lent:
        bound.runner.forget(lent)
    return found if count == len(found) else found[:count].copy()


def _advance(bound: BoundPlan, count: int, step: int, lent: Mapping[str, np.ndarray] | None = None) -> None:
    """Run the plan on the first `count` samples; the others become copies of the last one."""
    if count < bound.traced.batch:
        for slot in bound.slots.arrays.values():
            slot[count:] = slot[count - 1]
    feeds = [{**bound.slots.arrays, **lent}] if lent else bound.slots
    bound.run_one(feeds, {"n_valid": count, "step": step})


def _classes(plans: PlanSet, top: str) -> ClassIndices | None:
    return next((feed.classes for feed in plans.traced("test").feeds if feed.top == top), None)


def _check_indices(plans: PlanSet, top: str, values: np.ndarray) -> None:
    """Refuse ids and labels that there are not."""
    classes = _classes(plans, top)
    found = classes and illegal_in(values, classes)
    if found:
        details = [f"blob {top!r}, sample {found.index[0]}"]
        raise DataError(f"predict(): {found.rule}", details=details, **found.parts)


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
