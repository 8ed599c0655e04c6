"""GivenBatches: batches from arrays that a user gives, in place of what data layers read.

solver.step(data=x, label=y) and program.forward(data=x, label=y) copy their arrays into slots, memory that plans read.
An array's type is checked when the first one of its kind comes; later ones are copied, and their values checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mochac.errors import DataError, OptionError, ShapeError
from mochac.registry import did_you_mean
from mochac.runtime.data.legal import illegal_in
from mochac.runtime.support.aligned import aligned_zeros
from mochac.runtime.support.finite import all_finite
from mochac.session.inputs import fitted, transformed
from mochac.session.plan_set import PlanSet


class GivenBatches:
    """Slots for the tops of a net's data layers.

    Args:
        n: the number of batches in each array.
    """

    def __init__(self, plans: PlanSet, n: int) -> None:
        tops = [top for source in plans.net.sources for top in source.tops]
        self._slots = {top: _Slot(plans, top, n) for top in tops}
        batch = plans.net.batch
        self._batches = [
            {top: slot.array[k * batch : (k + 1) * batch] for top, slot in self._slots.items()} for k in range(n)
        ]

    def take(self, arrays: Mapping[str, Any], call: str) -> list[dict[str, np.ndarray]]:
        """The batches, by top, of arrays that hold all their samples; valid until the next call.

        Args:
            call: what the user called, for messages, such as "step()".

        Raises:
            OptionError: a top is unknown, or missing. ShapeError: samples of another shape, or another number of them.
            DataError: an illegal label, a NaN.
        """
        if arrays.keys() != self._slots.keys():
            self._refuse(arrays, call)
        for top, slot in self._slots.items():
            slot.take(arrays[top], call)
        return self._batches[:]

    def _refuse(self, arrays: Mapping[str, Any], call: str) -> None:
        tops = list(self._slots)
        for top in arrays:
            if top not in tops:
                rule, hint = f"{call}: no data layer makes {top!r}", did_you_mean(top, tops).removeprefix("; ")
                raise OptionError(rule, expected=" ".join(tops) or "no arrays", got=top, hint=hint)
        absent = next(top for top in tops if top not in arrays)
        raise OptionError(f"{call} needs {absent!r} too", expected=" ".join(tops), got=" ".join(arrays))


class _Slot:
    """Memory for the samples of one top."""

    def __init__(self, plans: PlanSet, top: str, n: int) -> None:
        self._plans, self._top, self._n = plans, top, n
        self.array = aligned_zeros((n * plans.net.batch, *plans.net.blobs[top].shape[1:]), plans.dtype)
        self._known: dict[tuple[np.dtype, tuple[int, ...]], np.ndarray] = {}
        feed = next(feed for feed in plans.traced("train").feeds if feed.top == top)
        self._classes, self._targets = feed.classes, feed.targets

    def take(self, values: Any, call: str) -> None:
        """Copy an array into the slot, and check its values."""
        into = self._known.get((values.dtype, values.shape)) if type(values) is np.ndarray else None
        if into is None:
            values = self._meet(values, call)
        elif values.dtype.kind == "f" and values.itemsize > self.array.itemsize:
            with np.errstate(over="ignore"):  # the check finds the infinity
                into[...] = values
        else:
            into[...] = values
        checked = values if type(values) is np.ndarray and values.dtype.kind in "iu" else self.array  # integers: faster
        if self._classes is None and not self._targets and all_finite(checked):
            return
        found = illegal_in(self.array if self._targets else checked, self._classes, self._targets)
        if found is not None:
            details = [f"blob {self._top!r}, sample {found.index[0]}"]
            raise DataError(f"{call}: {found.rule}", details=details, **found.parts)

    def _meet(self, values: Any, call: str) -> Any:
        """Check the type of an array, and copy it; returns what its values are checked in."""
        array, samples = fitted(self._plans, self._top, values), len(self.array)
        if len(array) != samples:
            of = f"{samples}, {self._n} batches" if self._n > 1 else f"{samples}, the net's batch"
            rule = f"{call}: {self._top!r} holds another number of samples"
            raise ShapeError(rule, expected=of, got=str(len(array)))
        changed = transformed(self._plans, self._top, array)
        self.array[...] = changed
        if changed is not array:
            return self.array
        if type(values) is np.ndarray and values.dtype.kind in "fiub" and values.dtype.itemsize <= 8:
            if len(self._known) >= _MOST_KINDS:
                self._known.clear()
            self._known[values.dtype, values.shape] = self.array.reshape(values.shape)
        return values


_MOST_KINDS = 64
"""Kinds of arrays that a slot remembers."""
