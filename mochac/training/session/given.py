"""GivenBatches: batches from arrays that a user gives, in place of what data layers read.

solver.step(data=x, label=y) and program.forward(data=x, label=y) copy their arrays into slots, memory that plans read.
A step reads large arrays without a copy, if they have the form of a slot (lent.py); forward() always copies, since
backward() reads its batch again. The type of an array is checked for the first array of its kind; later ones are
copied, and their values checked.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any, NamedTuple

import numpy as np

from mochac.base.errors import DataError, OptionError, ShapeError
from mochac.base.registry import did_you_mean
from mochac.base.support.aligned import aligned_zeros
from mochac.base.support.finite import all_finite
from mochac.runtime.data.legal import illegal_in
from mochac.training.session.inputs import MOST_FORMS, changed, copy_wide, fitted, is_wide, transformed
from mochac.training.session.lent import can_lend, may_lend
from mochac.training.session.plan_set import PlanSet


class GivenBatches:
    """Slots for the tops of a net's data layers.

    Args:
        n: the number of batches in each array.
    """

    def __init__(self, plans: PlanSet, n: int) -> None:
        tops = [top for source in plans.net.sources for top in source.tops]
        self._slots = {top: _Slot(plans, top, n) for top in tops}
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
            copied: tops whose arrays are read after the run, too, so that they may not be lent; None: all.

        Raises:
            OptionError: a top is unknown, or missing. ShapeError: samples of another shape, or another number of them.
            DataError: an illegal label, a NaN.
        """
        if arrays.keys() != self._slots.keys():
            self._refuse(arrays, call)
        single = len(self._batches) == 1
        lent: dict[str, np.ndarray] = {}
        for top, slot in self._slots.items():
            given = slot.take(arrays[top], call, single and copied is not None and top not in copied)
            if given is not slot.array:
                lent[top] = given
        return [{**self._batches[0], **lent}] if lent else self._batches[:]

    def lent(self, batch: Mapping[str, np.ndarray]) -> set[str]:
        """The tops of a batch that are the user's arrays themselves."""
        if batch is self._batches[0]:
            return set()
        return {top for top, slot in self._batches[0].items() if batch[top] is not slot}

    def _refuse(self, arrays: Mapping[str, Any], call: str) -> None:
        tops = list(self._slots)
        for top in arrays:
            if top not in tops:
                rule, hint = f"{call}: no data layer makes {top!r}", did_you_mean(top, tops).removeprefix("; ")
                raise OptionError(rule, expected=" ".join(tops) or "no arrays", got=top, hint=hint)
        absent = next(top for top in tops if top not in arrays)
        raise OptionError(f"{call} needs {absent!r} too", expected=" ".join(tops), got=" ".join(arrays))


class _Kind(NamedTuple):
    """What is known about arrays of a dtype and shape.

    Attributes:
        into: the slot in this shape.
        whole: they are integers, which are checked faster before they are converted.
        wide: their numbers may be too large for the slot.
        alike: they may be lent, if they lie as the slot does.
    """

    into: np.ndarray
    whole: bool
    wide: bool
    alike: bool


class _Slot:
    """Memory for the samples of one top."""

    def __init__(self, plans: PlanSet, top: str, n: int) -> None:
        self._plans, self._top, self._n = plans, top, n
        self.array = aligned_zeros(
            (n * plans.share.samples(plans.net.batch), *plans.net.blobs[top].shape[1:]), plans.dtype
        )
        self._known: dict[tuple[np.dtype, tuple[int, ...]], _Kind] = {}
        feed = next(feed for feed in plans.traced("train").feeds if feed.top == top)
        self._classes, self._targets = feed.classes, feed.targets
        self._lends = may_lend(plans, top, self.array.shape)

    def take(self, values: Any, call: str, lend: bool) -> np.ndarray:
        """Copy an array into the slot, or lend it, and check its values; returns the slot's array or the lent one."""
        kind = self._known.get((values.dtype, values.shape)) if type(values) is np.ndarray else None
        lend = lend and self._lends
        given = self.array
        if kind is None:
            given, checked = self._meet(values, call, lend)
        elif lend and kind.alike and can_lend(values, self.array):
            given = checked = values
        elif kind.wide:
            copy_wide(kind.into, values)  # the check finds the infinity
            checked = self.array
        else:
            kind.into[...] = values
            checked = values if kind.whole else self.array
        if not self._targets and (all_finite(checked) if self._classes is None else self._classes.has_all(checked)):
            return given
        found = illegal_in(given if self._targets else checked, self._classes, self._targets)
        if found is not None:
            details = [f"blob {self._top!r}, sample {found.index[0]}"]
            raise DataError(f"{call}: {found.rule}", details=details, **found.parts)
        return given

    def _meet(self, values: Any, call: str, lend: bool) -> tuple[np.ndarray, np.ndarray]:
        """Check the type of an array, and copy or lend it; returns the slot's array or the lent one, and that whose
        values are to be checked."""
        samples = len(self.array)
        array = fitted(self._plans, self._top, values, str(samples))
        if len(array) != samples:
            of = self._wanted(samples)
            rule = f"{call}: {self._top!r} holds another number of samples"
            hint = "a net's batch size is fixed: leave the rest of an epoch out, or fill it up" * (len(array) < samples)
            raise ShapeError(rule, expected=of, got=str(len(array)), hint=hint)
        if lend and can_lend(array, self.array):
            self._remember(values)
            return array, array
        self.array[...] = transformed(self._plans, self._top, array)
        return self.array, values if self._remember(values) else self.array

    def _wanted(self, samples: int) -> str:
        """The expected number of samples in an array, and a description of them."""
        ranks = self._plans.share.ranks
        if ranks > 1:
            of = f"a batch of {self._plans.net.batch}" if self._n == 1 else f"{self._n} such batches"
            return f"{samples}, the share of one of {ranks} ranks of {of}"
        return f"{samples}, {self._n} batches" if self._n > 1 else f"{samples}, the net's batch"

    def _remember(self, values: Any) -> bool:
        """Remember arrays like these, if they are copied without conversion; return whether they hold integers."""
        if changed(self._plans, self._top) or type(values) is not np.ndarray or values.dtype.kind not in "fiub":
            return False
        if len(self._known) >= MOST_FORMS:
            self._known.clear()
        whole, wide = values.dtype.kind in "iu", is_wide(values.dtype, self.array.dtype)
        alike = (values.dtype, values.shape) == (self.array.dtype, self.array.shape)
        self._known[values.dtype, values.shape] = _Kind(self.array.reshape(values.shape), whole, wide, alike)
        return whole
