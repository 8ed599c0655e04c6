"""Class indices: which labels are legal, and the message about others.

Layers declare which of their bottoms hold class indices; readers check every batch.
"""

from __future__ import annotations

import math
from dataclasses import field, replace
from typing import Any

import numpy as np

from mochac.base.records import record
from mochac.base.threads import cached_property

_UNSIGNED = {np.dtype(f"{sign}{size}"): np.dtype(f"u{size}") for sign in "iu" for size in (1, 2, 4, 8)}
"""Integer types, and those of the same size without a sign."""
FEW = 256
"""Up to this many numbers a set is faster than NumPy."""
HINTS = {
    "": "{0}s are numbered from 0, and there are {1} of them",
    "label": "classes are numbered from 0, and there are {1} of them",
    "length": "sequences have {2} steps",
}
"""What a message says about values out of range, given their name, the number of classes, and the largest value."""

ONE_CLASS = "one output is one class: BinaryCrossEntropyLossLayer(logits=True), or output_dim=2 for two classes"
"""What a message says about labels beside a prediction of one class."""


@record
class ClassIndices:
    """The integers 0 .. n - 1, and labels that the layers ignore.

    Args:
        n: the number of classes.
        ignored: other legal values.
        what: what messages call them.
        reader: the layer that reads them, for messages about what is no label.
    """

    n: int
    ignored: frozenset[int] = frozenset()
    what: str = "label"
    reader: str = field(default="", compare=False, repr=False)

    def shared(self, other: ClassIndices) -> ClassIndices:
        """The labels that are legal for both.

        >>> ClassIndices(21, frozenset({255})).shared(ClassIndices(10))
        ClassIndices(n=10, ignored=frozenset(), what='label')
        """
        either = self.ignored | other.ignored
        ignored = frozenset(v for v in either if v in self and v in other)
        return replace(self, n=min(self.n, other.n), ignored=ignored, reader=min(self, other, key=lambda c: c.n).reader)

    def __contains__(self, label: int) -> bool:
        return 0 <= label < self.n or label in self.ignored

    def has_all(self, values: np.ndarray) -> bool:
        """Whether they are integers in 0 .. n - 1; may be False if finding out needs a closer look. This is the fast
        path.

        >>> ClassIndices(3).has_all(np.array([0, 2])), ClassIndices(3).has_all(np.array([0, -1]))
        (True, False)
        """
        unsigned = _UNSIGNED.get(values.dtype)
        if unsigned is None or not values.size:
            return False
        if values.size <= FEW and self.n <= FEW:
            return self._all.issuperset(values.ravel().tolist())
        return bool(values.view(unsigned).max() < self.n)  # as such, negative numbers are large

    @cached_property
    def _all(self) -> frozenset[int]:
        return frozenset(range(self.n))

    def first_bad(self, values: np.ndarray) -> np.ndarray | None:
        """Index of the first illegal element; None if there is none.

        >>> ClassIndices(3).first_bad(np.array([[0.0], [1.5]])).tolist()
        [1, 0]
        """
        if self.has_all(values):
            return None
        with np.errstate(invalid="ignore"):
            legal = (values >= 0) & (values < self.n) & (values == np.rint(values))
            for label in self.ignored:
                legal |= values == label
        return None if legal.all() else np.argwhere(~legal)[0]

    def complaint(self, value: float) -> tuple[str, dict[str, Any]]:
        """The rule that an illegal value breaks, and the other parts of the message."""
        besides = "".join(f", or {label}" for label in sorted(self.ignored))
        besides += f" for layer {self.reader!r}" if self.reader and self.what != "label" else ""
        if self.what == "mask":
            return "mask is neither 0 nor 1", {"expected": f"0 or 1{besides}", "got": f"{value:g}"}
        if 0 <= value < self.n:
            expected = f"one of the integers 0 .. {self.n - 1}{besides}"
            return f"{self.what} is not an integer", {"expected": expected, "got": f"{value:g}"}
        hint = HINTS.get(self.what, HINTS[""]) if math.isfinite(value) else ""
        hint = ONE_CLASS if hint and self.what == "label" and self.n == 1 else hint
        limit = f"<= {self.n - 1}" if self.what == "length" else f"< {self.n}"
        rule, expected = f"{self.what} out of range", f"0 <= {self.what} {limit}{besides}"
        return rule, {"expected": expected, "got": f"{value:g}", "hint": hint.format(self.what, self.n, self.n - 1)}
