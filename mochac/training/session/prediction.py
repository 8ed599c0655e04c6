"""predict: runs any number of samples through the part of the net on which some blobs depend.

There are plans for batches of powers of two up to the lanes of a vector, and for the net's batch size. Each is compiled
when first needed; the samples of a call are divided into batches of one size. Blobs of layers in which samples meet are
computed of all samples of a call, as one batch. Blobs of layers that carry states from batch to batch are computed in
whole batches, or in one of as many samples as a call has: these go on in the next call.
"""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from mochac.base.errors import DataError, OptionError, ShapeError, shown
from mochac.base.support.array_like import as_array
from mochac.nets.trace import DTYPE
from mochac.runtime.data.targets import ClassIndices, illegal_in
from mochac.training.session.evaluation import FIRST_RNG_STEP
from mochac.training.session.plan_set import BoundPlan, PlanSet
from mochac.training.session.user_arrays import (
    ArrayForm,
    can_borrow,
    fitted,
    form_of,
    may_borrow,
    remember,
    too_large,
    transformed,
)

Request: TypeAlias = str | tuple[str, ...] | None
"""Blobs that a call asks for: one, some, or by default the net's prediction."""


MAX_CUTS = 16
"""Maximum number of cut nets whose plans are cached."""


class Predictions:
    """predict() of a net's plans.

    Where the samples of a call go, and which plan it runs, is decided for the first arrays of their dtypes and shapes.
    """

    def __init__(self, plans: PlanSet) -> None:
        self._plans = plans
        self._known: dict[Hashable, _Call] = {}
        self._cut: dict[frozenset[str], Predictions] = {}

    def predict(self, x: Any, blob: str | Sequence[str] | None) -> np.ndarray | tuple[np.ndarray, ...]:
        """Compute blobs; see Program.predict. NaN and infinities are not checked for: they affect only the results of
        their own sample."""
        request = blob if blob is None or isinstance(blob, str) else _names(blob)
        call = self._known.get(_key(x, request))
        if call is not None:
            borrowed: dict[str, np.ndarray] = {}
            for feed in call.feeds:
                array = x if type(x) is np.ndarray else x[feed.top]
                try:
                    read = feed.form.place(array, feed.classes is None, "raise")
                except FloatingPointError:
                    raise too_large(feed.top, array, self._plans.dtype) from None
                if read is array:
                    borrowed[feed.name] = array
                elif feed.classes is not None:
                    _require_indices(feed.top, feed.form.rows, feed.classes)
            found = _run(call.bound, call.blobs, call.n, FIRST_RNG_STEP, borrowed)
        elif behind := self._behind(x, request):
            return behind.predictions.predict(behind.inputs, blob)
        else:
            found = self._predict(x, request)
        return tuple(found) if isinstance(request, tuple) else found[0]

    def predict_on_device(self, x: Any, blob: str | Sequence[str] | None) -> Any:
        """What `predict` returns, left on the backend's device."""
        request = blob if blob is None or isinstance(blob, str) else _names(blob)
        if behind := self._behind(x, request):
            return behind.predictions.predict_on_device(behind.inputs, blob)
        blobs, count, inputs = self._inquiry(x, request)
        computed = tuple(dict.fromkeys(name for name in blobs if name not in inputs))
        results = tuple(map(partial(self._result, count, computed), blobs))
        for name, result in zip(blobs, results, strict=True):
            if name in inputs:
                result.fill(inputs[name])
        for bound, first, n in self._batches(computed, count, inputs):
            for name, result in zip(blobs, results, strict=True):
                if name in computed:
                    bound.runner.leave(name, result, first, n)
        return results if isinstance(request, tuple) else results[0]

    def close(self) -> None:
        """Release the plans of nets that are cut."""
        for predictions in self._cut.values():
            predictions._plans.close()
            predictions.close()
        self._cut.clear()

    def _behind(self, x: Any, request: Request) -> _Behind | None:
        """Where the blobs are computed if x has some that layers inside of the net make."""
        if not isinstance(x, Mapping):
            return None
        plans, net = self._plans, self._plans.net
        inside = frozenset(b for b in x if b in net.blobs).difference(*(source.tops for source in net.sources))
        if not inside:
            return None
        if inside not in self._cut:
            if len(self._cut) >= MAX_CUTS:
                self.close()
            cut = PlanSet(net.cut(*sorted(inside)), plans.backend, plans.params, plans.options, plans.lock)
            self._cut[inside] = Predictions(cut)
        left = self._cut[inside]._plans.net.blobs
        if request is not None and (missing := [blob for blob in self._checked(request) if blob not in left]):
            names = " ".join(map(repr, sorted(inside)))
            raise OptionError(f"blob {missing[0]!r} is not computed of {names}", hint="predict it from the data")
        needed = {name: array for name, array in x.items() if name in left or name not in net.blobs}
        return _Behind(self._cut[inside], needed)

    def _result(self, count: int, computed: tuple[str, ...], blob: str) -> Any:
        plans = self._plans
        whole = count if count and computed and plans.predicts_whole(computed) else None
        traced = plans.traced("test", whole)
        shape = traced.graph.types()[traced.blobs[blob]].shape
        return plans.backend.result((count, *shape[1:]), np.dtype(plans.dtype))

    def _predict(self, x: Any, request: Request) -> list[np.ndarray]:
        plans, (blobs, count, inputs) = self._plans, self._inquiry(x, request)
        computed = tuple(dict.fromkeys(blob for blob in blobs if blob not in inputs))
        parts, last = list[list[np.ndarray]](), None
        for bound, _, n in self._batches(computed, count, inputs):
            parts.append(_read(bound, computed, n))
            last = bound
        if last is not None and computed == blobs and count <= last.traced.batch:  # no blob twice, and no input
            self._remember(x, request, blobs, last, count)
        if not parts:
            parts.append([np.zeros((0, *plans.net.blobs[blob].shape[1:]), plans.dtype) for blob in computed])
        whole = parts[0] if len(parts) == 1 else map(np.concatenate, zip(*parts, strict=True))
        found = dict(zip(computed, whole, strict=True))
        return [found[blob] if blob in found else inputs[blob].copy() for blob in blobs]

    def _inquiry(self, x: Any, request: Request) -> tuple[tuple[str, ...], int, dict[str, np.ndarray]]:
        """The blobs, the number of samples, and the checked inputs that they depend on, by top."""
        plans, blobs = self._plans, self._checked(request)
        count, inputs = _counted(x) if isinstance(x, numbers.Integral) else _inputs(plans, x)
        tops = self._tops([blob for blob in blobs if blob not in inputs], inputs)
        for top in tops if count else ():
            _check_indices(plans, top, inputs[top])
        return blobs, count, inputs

    def _checked(self, request: Request) -> tuple[str, ...]:
        """The blobs that are asked for, which hold a row per sample."""
        net = self._plans.net
        if request is None:
            blobs = (self._plans.prediction_blob,)
        else:
            blobs = tuple(net.checked_blob(name) for name in ((request,) if isinstance(request, str) else request))
        for blob in blobs:
            if not net.blobs[blob].batch:
                hint = "program.forward(), then program.blobs"
                raise OptionError(f"blob {blob!r} does not hold one row per sample", hint=hint)
        return blobs

    def _batches(
        self, blobs: tuple[str, ...], count: int, inputs: Mapping[str, np.ndarray]
    ) -> Iterator[tuple[BoundPlan, int, int]]:
        """Run all batches; yield the plan, the first sample of each batch, and the number of its samples."""
        if not count or not blobs:
            return
        plans = self._plans
        # one plan for all batches: a sample's bits do not depend on its place
        bound = plans.predict(blobs, _batch_size(plans, blobs, count))
        batch, slots = bound.traced.batch, bound.slots.arrays
        borrowable = {top for top, name in bound.feeds.items() if may_borrow(plans, top, slots[name].shape)}
        for k, start in enumerate(range(0, count, batch)):
            n, borrowed = min(batch, count - start), dict[str, np.ndarray]()
            for top, name in bound.feeds.items():
                part = inputs[top][start : start + n]
                if top in borrowable and can_borrow(part, slots[name]):
                    borrowed[name] = part
                else:
                    slots[name][:n] = part
            _advance(bound, n, FIRST_RNG_STEP + k, borrowed)
            yield bound, start, n
            if borrowed:
                bound.runner.forget(borrowed)

    def _tops(self, blobs: Sequence[str], inputs: Mapping[str, np.ndarray]) -> list[str]:
        """Tops of data layers on which the blobs depend; x must have all of them."""
        needed = {top: blob for blob in reversed(blobs) for top in self._plans.inputs_of(blob)}
        for top, blob in needed.items():
            if top not in inputs:
                raise OptionError(f"blob {blob!r} needs the input {top!r} too", hint="give a dict: predict({...})")
        return list(needed)

    def _remember(self, x: Any, request: Request, blobs: tuple[str, ...], bound: BoundPlan, count: int) -> None:
        """Remember calls with arrays like x, which fit one batch."""
        key, plans, feeds = _key(x, request), self._plans, list[_Feed]()
        if key is None or (type(x) is np.ndarray and len(bound.feeds) > 1):
            return
        for top, name in bound.feeds.items():
            form = form_of(plans, top, x if type(x) is np.ndarray else x[top], bound.slots.arrays[name])
            if form is None:
                return
            feeds.append(_Feed(top, name, form, _classes(plans, top)))
        remember(self._known, key, _Call(bound, blobs, count, feeds))


class _Behind(NamedTuple):
    """The predictions of a net that is cut at blobs inside of it, and its inputs."""

    predictions: Predictions
    inputs: Mapping[str, Any]


class _Feed(NamedTuple):
    """How arrays for a top of a data layer reach the input `name` of a plan.

    Attributes:
        classes: which class indices or ids are legal, if they are such.
    """

    top: str
    name: str
    form: ArrayForm
    classes: ClassIndices | None


class _Call(NamedTuple):
    """The plan and feeds of calls with `n` samples of the same dtypes and shapes."""

    bound: BoundPlan
    blobs: tuple[str, ...]
    n: int
    feeds: Sequence[_Feed]


def _key(x: Any, request: Request) -> Hashable:
    """Cache key of a call: dtypes and shapes of an array or of a dict of arrays; None for anything else."""
    if type(x) is np.ndarray:
        return request, x.dtype, x.shape
    if type(x) is not dict:
        return None
    key: list[Hashable] = [request]
    for top, array in x.items():
        if type(array) is not np.ndarray:
            return None
        key.append((top, array.dtype, array.shape))
    return tuple(key)


def _batch_size(plans: PlanSet, blobs: tuple[str, ...], count: int) -> int:
    """Batch size of the plan for `count` samples."""
    layer, full = plans.carrying_layer(blobs), plans.net.batch
    if layer and count > full and count % full:
        hint = f"up to {full} samples, which go on in the next call, or whole batches of {full}"
        rule = f"predict(): layer {layer!r} carries its state from batch to batch, and the last batch is not whole"
        raise OptionError(rule, got=f"{count} samples", hint=hint)
    if plans.predicts_whole(blobs) or (layer and count < full):
        return count
    if layer:
        return full
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
    bound: BoundPlan, blobs: tuple[str, ...], count: int, step: int, borrowed: Mapping[str, np.ndarray] | None = None
) -> list[np.ndarray]:
    """The blobs for the first `count` samples in the plan's slots, or in borrowed arrays."""
    _advance(bound, count, step, borrowed)
    found = _read(bound, blobs, count)
    if borrowed:
        bound.runner.forget(borrowed)
    return found


def _advance(bound: BoundPlan, count: int, step: int, borrowed: Mapping[str, np.ndarray] | None = None) -> None:
    """Run the plan on the first `count` samples; the others become copies of the last one."""
    if count < bound.traced.batch:
        for slot in bound.slots.arrays.values():
            slot[count:] = slot[count - 1]
    feeds = [{**bound.slots.arrays, **borrowed}] if borrowed else bound.slots
    bound.run_one(feeds, {"n_valid": count, "step": step})


def _read(bound: BoundPlan, blobs: tuple[str, ...], count: int) -> list[np.ndarray]:
    """The first `count` samples of what the plan has computed last."""
    found: list[np.ndarray] = []
    for blob in blobs:  # no generator: a call for one sample takes 3 us
        array = bound.runner.read(blob)
        found.append(array if count == len(array) else array[:count].copy())
    return found


def _names(blobs: Any) -> tuple[Any, ...]:
    """The names in a list or tuple."""
    if not isinstance(blobs, (list, tuple)) or not blobs:
        expected = "a name, such as 'conv1', or a list of names"
        raise OptionError("predict(): blob is not the name of a blob", expected=expected, got=shown(blobs))
    if wrong := [name for name in blobs if not isinstance(name, str)]:
        raise OptionError(
            "predict(): blob is not a list of names", expected="names, such as 'conv1'", got=shown(wrong[0])
        )
    return tuple(blobs)


def _classes(plans: PlanSet, top: str) -> ClassIndices | None:
    return next((feed.classes for feed in plans.traced("test").feeds if feed.top == top), None)


def _check_indices(plans: PlanSet, top: str, values: np.ndarray) -> None:
    """Refuse ids and labels that do not exist."""
    if (classes := _classes(plans, top)) is not None:
        _require_indices(top, values, classes)


def _require_indices(top: str, values: np.ndarray, classes: ClassIndices) -> None:
    if found := illegal_in(values, classes):
        details = [f"blob {top!r}, sample {found.index[0]}"]
        raise DataError(f"predict(): {found.rule}", details=details, **found.parts)


def _counted(count: Any) -> tuple[int, dict[str, np.ndarray]]:
    """The number of samples to compute without inputs."""
    if isinstance(count, bool) or count < 0:
        expected = "an array, or a number >= 0"
        raise OptionError("predict() takes samples or their number", expected=expected, got=shown(count))
    return int(count), {}


def _converted(plans: PlanSet, top: str, values: Any) -> np.ndarray:
    """Samples as an array of the program's type; NaN and infinities are let through, as in the samples known before."""
    try:
        return fitted(plans, top, values, over="raise")
    except FloatingPointError:
        raise too_large(top, as_array(values), plans.dtype) from None


def _of_one(plans: PlanSet, tops: Sequence[str], values: Any) -> np.ndarray:
    """Samples for the first top, when no dict says for which."""
    try:
        return _converted(plans, tops[0], values)
    except (OptionError, ShapeError) as error:
        sample = values.shape[1:] if isinstance(values, np.ndarray) else ()
        fits = [top for top in tops if plans.net.blobs[top].shape[1:] == sample]
        if isinstance(error, ShapeError) and sample and len(fits) == 1:
            raise error.noted(f"hint: predict({{{fits[0]!r}: x}}), which it fits") from None
        if not isinstance(values, (list, tuple)) or not len(values) == len(tops) > 1:
            raise
        named = ", ".join(f"{top!r}: ..." for top in tops)
        raise error.noted(f"hint: several inputs are a dict: predict({{{named}}})") from None


def _inputs(plans: PlanSet, x: Any) -> tuple[int, dict[str, np.ndarray]]:
    """The number of samples, and the checked arrays by top."""
    tops = plans.net.data_tops
    if not tops:
        raise OptionError(f"net {plans.net.name!r} has no data layer to feed")
    if not isinstance(x, Mapping):
        x = {tops[0]: _of_one(plans, tops, x)}
    arrays: dict[str, np.ndarray] = {}
    plans.net.require_tops(x, "predict()")
    for top, values in x.items():
        arrays[top] = transformed(plans, top, _converted(plans, top, values))
    lengths = {top: len(a) for top, a in arrays.items()}
    if len(set(lengths.values())) > 1:
        raise ShapeError("inputs of predict() differ in their number of samples", got=str(lengths))
    if not arrays:
        raise OptionError("predict() got no input", expected=" ".join(tops), got="{}")
    return next(iter(lengths.values())), arrays
