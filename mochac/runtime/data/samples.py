"""Convert what users' iterators and data sets return for a sample or a batch to arrays by top."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.hints.names import DIFFERENT_LENGTHS
from mochac.base.support.array_like import NotAnArray, as_array, is_array, widened

MOST_FRAMES = 8
"""Lines of a user's traceback that a message shows."""
MOST_LINES = 12
"""Lines of an exception's message that a message shows; lines in the middle are left out."""
MOST_LETTERS = 1200

PACKAGE = str(Path(__file__).parents[2])


class BadSample(ValueError):
    """A sample that cannot be used.

    Args:
        parts: of the error message, besides the rule.
    """

    def __init__(self, rule: str, **parts: str) -> None:
        super().__init__(rule)
        self.rule, self.parts = rule, parts


class SampleForm:
    """How items become samples.

    Args:
        tops: of the data layer.
        batched: an item is a batch of samples.

    Attributes:
        extents: of a sample by top; those of the first item, unless they are set before.

    >>> SampleForm(["data", "label"], batched=False).samples(([1.0, 2.0], 3))
    {'data': array([[1., 2.]]), 'label': array([[3]])}
    """

    def __init__(self, tops: Sequence[str], batched: bool) -> None:
        self.tops, self.batched = list(tops), batched
        self.extents: dict[str, tuple[int, ...]] = {}

    def samples(self, item: Any) -> dict[str, np.ndarray]:
        """The samples of an item by top, (n, *extents).

        Raises:
            BadSample: it does not have the required form.
        """
        arrays = {top: self._array(top, part) for top, part in self._parts(item).items()}
        counts = {top: len(array) for top, array in arrays.items()}
        if len(set(counts.values())) > 1:
            raise BadSample("the arrays of a batch differ in their number of samples", got=_shown(counts))
        for top, array in arrays.items():
            expected = self.extents.setdefault(top, array.shape[1:])
            if array.shape[1:] != expected:
                got = array.shape[1:]
                # (time, features), or (time,) of ids: other numbers (n,) may be features
                sequences = len(got) == len(expected) == (1 if array.dtype.kind in "iu" else 2)
                sequences = sequences and got[1:] == expected[1:]
                hint = DIFFERENT_LENGTHS if sequences else ""
                raise BadSample(f"{top!r} has another shape", expected=str(expected), got=str(got), hint=hint)
        return arrays

    def _parts(self, item: Any) -> dict[str, Any]:
        """The part of each top."""
        if isinstance(item, Mapping):
            if absent := [top for top in self.tops if top not in item]:
                names = " ".join(map(str, item)) or "an empty dict"
                raise BadSample(f"it has no {absent[0]!r}", expected=" ".join(self.tops), got=names)
            return {top: item[top] for top in self.tops}
        if len(self.tops) == 1 and not (_is_row(item) and len(item) == 1 and not _is_number(item[0])):
            return {self.tops[0]: item}
        if not _is_row(item) or len(item) != len(self.tops):
            expected = f"a tuple ({', '.join(self.tops)}) or a dict with these keys"
            raise BadSample("it does not have a part for each top", expected=expected, got=_described(item))
        return dict(zip(self.tops, item, strict=True))

    def _array(self, top: str, part: Any) -> np.ndarray:
        try:
            array = as_array(widened(part))
        except NotAnArray as error:
            raise BadSample(f"{top!r} is not an array of numbers", got=str(error)) from None
        if array.dtype.kind not in "fiub":
            hint = "class indices are numbers: classes.index(name)" if array.dtype.kind in "US" else ""
            raise BadSample(f"{top!r} is not an array of numbers", got=_described(part), hint=hint)
        if self.batched and not array.ndim:
            raise BadSample(f"{top!r} is a number, not a batch", hint="batched=False, if an item is one sample")
        if 0 in array.shape[int(self.batched) :]:
            raise BadSample(f"{top!r} is empty", got=f"shape {array.shape}")
        rows = array if self.batched else array[None]
        return rows.reshape(-1, 1) if rows.ndim == 1 else rows


def users_traceback(error: BaseException) -> list[str]:
    """The lines of a traceback that are not in mochac, innermost last; those of its cause if all are in mochac."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(PACKAGE)]
    if not frames and error.__cause__ is not None:
        return users_traceback(error.__cause__)
    return [line.rstrip() for line in traceback.format_list(frames[-MOST_FRAMES:])]


def described_error(error: BaseException) -> str:
    """Kind and message of an exception, as Python shows them: the beginning and the end of a long one."""
    lines = "".join(traceback.format_exception_only(error)).strip().splitlines()
    if len(lines) > MOST_LINES:  # such as PyTorch's, which holds the traceback of a worker process
        lines = [lines[0], "...", *lines[2 - MOST_LINES :]]
    return "\n".join(lines)[-MOST_LETTERS:]


def _is_row(item: Any) -> bool:
    return isinstance(item, (tuple, list))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) or (is_array(value) and not np.ndim(value))


def _described(value: Any) -> str:
    if _is_row(value):
        return f"{type(value).__name__} of {len(value)}"
    shape = getattr(value, "shape", None)
    if not isinstance(shape, tuple):
        return f"{value!r:.60}"
    return f"{type(value).__name__} of {value.dtype}, shape {tuple(shape)}"


def _shown(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{top!r}: {n}" for top, n in counts.items())
