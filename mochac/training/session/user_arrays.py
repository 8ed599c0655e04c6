"""Arrays that a user passes to step(), forward(), evaluate() and predict(): their checks, and how they reach a plan.

Arrays are copied into slots, memory that plans read. A plan reads large arrays without a copy, if they have the form of
a slot and lie on a boundary of 64 bytes, as tensors of PyTorch do, and NumPy's arrays by chance. forward() always
copies, since backward() reads its batch again. The type of an array is checked for the first one of its dtype and
shape; later ones are copied, and their values checked (ArrayForm).
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np

from mochac.base.errors import DataError, OptionError, ShapeError
from mochac.base.support.array_like import NO_NUMBERS, NotAnArray, as_array
from mochac.base.support.memory import aligned_zeros, all_finite, is_aligned
from mochac.nets.layers.base import DataLayer
from mochac.nets.layers.data import InputLayer
from mochac.nets.layers.transformers import DataTransformer
from mochac.runtime.data.source import Transform, changes
from mochac.runtime.data.targets import illegal_in
from mochac.training.session.plan_set import PlanSet

K = TypeVar("K")
V = TypeVar("V")

Over: TypeAlias = Literal["ignore", "raise"]
"""What to do with numbers that are too large for the program's type."""

MAX_FORMS = 64
"""Maximum number of dtypes and shapes of arrays that are remembered."""


class ArrayForm(NamedTuple):
    """How arrays of one dtype and shape reach a slot; decided for the first of them.

    Attributes:
        slot: memory that a plan reads.
        rows: the part of the slot for the samples.
        into: the rows in the shape of the arrays.
        steps: transformers.
        whole: they are integers that no transformer changes, which are checked faster before they are converted.
        wide: their numbers may be too large for the slot.
        borrowable: a plan may read them in place of the slot, if they lie as it does.
    """

    slot: np.ndarray
    rows: np.ndarray
    into: np.ndarray
    steps: Sequence[Transform]
    whole: bool
    wide: bool
    borrowable: bool

    def place(self, array: np.ndarray, borrow: bool, over: Over = "ignore") -> np.ndarray:
        """Copy an array into the slot, transformed, or borrow it; returns which of the two the plan reads.

        Raises:
            FloatingPointError: a number is too large, and `over` is "raise".
        """
        if borrow and self.borrowable and can_borrow(array, self.slot):
            return array
        if self.wide:
            copy_wide(self.into, array, over)
        else:
            self.into[...] = array
        for step in self.steps:
            step(self.rows)
        return self.slot


def form_of(plans: PlanSet, top: str, values: Any, slot: np.ndarray) -> ArrayForm | None:
    """How arrays like `values`, which fit, reach a slot.

    None if each must be looked at: `values` is no array of numbers, or a transformer differs from call to call.
    """
    if type(values) is not np.ndarray or values.dtype.kind not in "fiub" or not is_steady(plans, top):
        return None
    rows, steps = slot[: len(values)], transformers(plans, top, slot.shape[1:])
    whole = values.dtype.kind in "iu" and not steps
    borrowable = values.shape == slot.shape and may_borrow(plans, top, slot.shape)
    return ArrayForm(
        slot, rows, rows.reshape(values.shape), steps, whole, is_wide(values.dtype, slot.dtype), borrowable
    )


def remember(known: dict[K, V], key: K, form: V) -> None:
    """Cache a form; the cache is cleared when it is full."""
    if len(known) >= MAX_FORMS:
        known.clear()
    known[key] = form


def fitted(plans: PlanSet, top: str, values: Any, samples: str = "any number", over: Over = "ignore") -> np.ndarray:
    """Samples of a top as an array of the program's type; raises ShapeError, OptionError if they are none.

    Args:
        samples: how many are expected, for the message.
        over: a number too large for that type becomes an infinity, or raises FloatingPointError.
    """
    shape = plans.net.blobs[top].shape[1:]
    try:
        if values is None:
            raise TypeError("None")
        array = as_array(values)
        if array.dtype.kind in NO_NUMBERS:
            raise TypeError(NO_NUMBERS[array.dtype.kind])
        if array.dtype != plans.dtype:
            if array.dtype.kind == "O" and any(value is None for value in array.flat):
                raise TypeError("None")
            with np.errstate(over=over):
                array = array.astype(plans.dtype)
    except (TypeError, ValueError, OverflowError) as error:
        hint = error.hint if isinstance(error, NotAnArray) else ""
        raise OptionError(f"input {top!r} is not an array of numbers", got=str(error), hint=hint) from None
    if shape == (1,) and array.ndim == 1:
        array = array[:, None]  # data layers also read (N,) as (N, 1)
    require_fit(plans, top, array.shape, samples)
    return array


def require_fit(plans: PlanSet, top: str, got: tuple[int, ...], samples: str = "any number") -> None:
    """Raise ShapeError unless an array of shape `got` holds samples of a top; `samples`: how many are expected."""
    shape = plans.net.blobs[top].shape[1:]
    if not got or got[1:] != shape:
        hint = _batch_hint(plans, top, got) or _one_hot_hint(plans, top, got) or _shape_hint(got, shape)
        wanted = f"({samples}, {', '.join(map(str, shape))})"
        raise ShapeError(f"input {top!r} does not fit its data layer", expected=wanted, got=str(got), hint=hint)


def transformed(plans: PlanSet, top: str, values: np.ndarray) -> np.ndarray:
    """The values after the data layer's transformers, as if the layer had read them; does not change the argument."""
    steps = transformers(plans, top, values.shape[1:])
    if steps and len(values):
        values = np.array(values)
        for step in steps:
            step(values)
    return values


def transformers(plans: PlanSet, top: str, shape: tuple[int, ...]) -> list[Transform]:
    """The transformers of the data layer for this top, as functions of samples of `shape`."""
    source = next(s for s in plans.net.sources if top in s.tops)
    return changes(source, top, shape) if isinstance(source, DataLayer) else []


def is_steady(plans: PlanSet, top: str) -> bool:
    """Whether the transformers for this top are deterministic."""
    return all(transformer.steady for transformer in _transformers(plans, top))


def changed(plans: PlanSet, top: str) -> bool:
    """Whether the data layer has transformers for this top."""
    return bool(_transformers(plans, top))


def _transformers(plans: PlanSet, top: str) -> list[DataTransformer]:
    source = next(s for s in plans.net.sources if top in s.tops)
    return [t for name, t in source.transformers if name == top] if isinstance(source, DataLayer) else []


def is_wide(dtype: np.dtype, own: np.dtype) -> bool:
    """Whether numbers of this type may be too large for the program's."""
    return dtype.kind == "f" and dtype.itemsize > own.itemsize


def copy_wide(into: np.ndarray, values: np.ndarray, over: Over = "ignore") -> None:
    """Copy numbers; one that is too large becomes an infinity, without a warning, or raises FloatingPointError."""
    with np.errstate(over=over):
        into[...] = values


def too_large(top: str, values: np.ndarray, dtype: str) -> DataError:
    """The error about finite numbers that are infinite in another type; it names the first."""
    wide = values.astype(np.float64)
    with np.errstate(over="ignore"):
        lost = np.isinf(wide.astype(dtype)) & np.isfinite(wide)
    at = tuple(int(k) for k in np.argwhere(lost)[0])
    rule = f"predict(): data holds a number too large for {dtype}"
    return DataError(rule, got=f"{wide[at]:g}", details=[f"blob {top!r}, sample {at[0]}" if at else f"blob {top!r}"])


def _shape_hint(got: tuple[int, ...], sample: tuple[int, ...]) -> str:
    """How to turn an array of shape `got` into a batch of samples, if that is clear."""
    if got == sample:
        return "one sample: x[None]"
    if len(sample) == 3 and got[1:] == sample[1:] + sample[:1]:
        return "channels come before height and width: x.transpose(0, 3, 1, 2)"
    if len(sample) > 1 and sample[0] == 1 and got[1:] == sample[1:]:
        return "the axis of the one channel is missing: x[:, None]"
    return ""


def _one_hot_hint(plans: PlanSet, top: str, got: tuple[int, ...]) -> str:
    """A hint for class labels that have a number for each class."""
    classes = next((feed.classes for feed in plans.traced("test").feeds if feed.top == top), None)
    if classes is None or len(got) != 2 or got[1] != classes.n:
        return ""
    return f"{top}.argmax(axis=1); SoftlabelSoftmaxLossLayer takes a probability for each class"


def _batch_hint(plans: PlanSet, top: str, got: tuple[int, ...]) -> str:
    """A hint for an InputLayer whose shape lacks the batch."""
    layer = next(s for s in plans.net.sources if top in s.tops)
    if not isinstance(layer, InputLayer) or layer.shape not in (got[1:], (*got[1:], 1)):
        return ""
    return f"InputLayer's shape begins with the batch: shape=(64, {', '.join(map(str, got[1:]))})"


MIN_BORROWED_BYTES = 1 << 16
"""Smaller arrays are copied in less time than it takes to look up their addresses."""


def may_borrow(plans: PlanSet, top: str, shape: tuple[int, ...]) -> bool:
    """Whether a program may read batches of this shape, samples first, where they are."""
    n_bytes = np.dtype(plans.dtype).itemsize * int(np.prod(shape))
    return plans.backend.in_host_memory and n_bytes >= MIN_BORROWED_BYTES and not changed(plans, top)


def can_borrow(array: np.ndarray, like: np.ndarray) -> bool:
    """Whether an array has the form of a slot, so that it can be read in the slot's place."""
    return array.dtype == like.dtype and array.shape == like.shape and is_aligned(array)


class UserBatches:
    """Batches that a user passes: slots for the tops of a net's data layers.

    Args:
        n: the number of batches in each array.
    """

    def __init__(self, plans: PlanSet, n: int) -> None:
        self._net = plans.net
        self._slots = {top: _Slot(plans, top, n) for top in self._net.data_tops}
        batch = plans.share.samples(plans.net.batch)
        self._batches = [
            {top: slot.array[k * batch : (k + 1) * batch] for top, slot in self._slots.items()} for k in range(n)
        ]

    def take(
        self, arrays: Mapping[str, Any], call: str, copied: Container[str] | None = None
    ) -> list[dict[str, np.ndarray]]:
        """The batches, by top, of arrays that hold all their samples; valid until the next call.

        Args:
            call: what the user called, for messages, such as "step()".
            copied: tops whose arrays are read after the run, too, so that they must be copied; None: all.
        """
        if arrays.keys() != self._slots.keys():
            self._net.require_tops(arrays, call, whole=True)
        single = len(self._batches) == 1
        borrowed: dict[str, np.ndarray] = {}
        for top, slot in self._slots.items():
            read = slot.take(arrays[top], call, single and copied is not None and top not in copied)
            if read is not slot.array:
                borrowed[top] = read
        return [{**self._batches[0], **borrowed}] if borrowed else self._batches[:]

    def borrowed(self, batch: Mapping[str, np.ndarray]) -> set[str]:
        """The tops of which a batch has the user's arrays themselves."""
        if batch is self._batches[0]:
            return set()
        return {top for top, slot in self._batches[0].items() if batch[top] is not slot}


class _Slot:
    """Memory for the samples of one top."""

    def __init__(self, plans: PlanSet, top: str, n: int) -> None:
        self._plans, self._top, self._n = plans, top, n
        self.array = aligned_zeros(
            (n * plans.share.samples(plans.net.batch), *plans.net.blobs[top].shape[1:]), plans.dtype
        )
        self._known: dict[tuple[np.dtype, tuple[int, ...]], ArrayForm] = {}
        feed = next(feed for feed in plans.traced("train").feeds if feed.top == top)
        self._classes, self._targets = feed.classes, feed.targets
        self._borrowable = may_borrow(plans, top, self.array.shape)

    def take(self, values: Any, call: str, borrow: bool) -> np.ndarray:
        """Copy an array into the slot, or borrow it, and check its values; returns the one that a plan reads."""
        form = self._known.get((values.dtype, values.shape)) if type(values) is np.ndarray else None
        if form is None:
            read, form = self._first(values, call, borrow)
        else:
            read = form.place(values, borrow)  # the check finds the infinity that a number too large becomes
        checked = values if form is not None and form.whole else read
        if not self._targets and (all_finite(checked) if self._classes is None else self._classes.has_all(checked)):
            return read
        found = illegal_in(read if self._targets else checked, self._classes, self._targets)
        if found is not None:
            details = [f"blob {self._top!r}, sample {found.index[0]}"]
            raise DataError(f"{call}: {found.rule}", details=details, **found.parts)
        return read

    def _first(self, values: Any, call: str, borrow: bool) -> tuple[np.ndarray, ArrayForm | None]:
        """Check the type of an array, and copy or borrow it; returns the one that a plan reads, and the form of such
        arrays."""
        samples = len(self.array)
        array = fitted(self._plans, self._top, values, str(samples))
        if len(array) != samples:
            of = self._wanted(samples)
            rule = f"{call}: {self._top!r} holds another number of samples"
            hint = "a net's batch size is fixed: leave the rest of an epoch out, or fill it up" * (len(array) < samples)
            raise ShapeError(rule, expected=of, got=str(len(array)), hint=hint)
        if (form := form_of(self._plans, self._top, values, self.array)) is not None:
            remember(self._known, (values.dtype, values.shape), form)
        if borrow and self._borrowable and can_borrow(array, self.array):
            return array, form
        self.array[...] = transformed(self._plans, self._top, array)
        return self.array, form

    def _wanted(self, samples: int) -> str:
        """The expected number of samples in an array, and a description of them."""
        ranks = self._plans.share.ranks
        if ranks > 1:
            of = f"a batch of {self._plans.net.batch}" if self._n == 1 else f"{self._n} such batches"
            return f"{samples}, the share of one of {ranks} ranks of {of}"
        return f"{samples}, {self._n} batches" if self._n > 1 else f"{samples}, the net's batch"
