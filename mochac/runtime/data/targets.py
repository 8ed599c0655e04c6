"""Legal labels: class indices, signs, probabilities, counts, distributions; and the first element that is not legal.

Layers declare which of their bottoms hold class indices, and losses declare the kind of their labels; readers check
every batch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np

from mochac.base.records import record
from mochac.base.support.memory import first_not_finite
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


SLACK = 1e-6
"""Rounding error allowed in a probability."""
SUM_SLACK = 1e-3
"""Rounding error allowed in the sum of a distribution."""


@record
class Target:
    """A kind of label.

    Args:
        words: what is allowed, for messages.
        legal: (samples, ...) -> bool of that shape, or one per sample.
        hint: the usual mistake.
        between: all values between these two are legal, which is fast to check for images as labels.
        what: it is, for messages.
        value_hints: hints about single values, in place of `hint`.
    """

    words: str
    legal: Callable[[np.ndarray], np.ndarray]
    hint: str
    between: tuple[float, float] = (math.inf, -math.inf)
    what: str = "label"
    value_hints: Mapping[float, str] = field(default_factory=dict)

    def hint_for(self, label: np.ndarray) -> str:
        """The hint about a label, or about a whole sample.

        >>> TARGETS["probability"].hint_for(np.array(-1.0))
        '(label + 1) / 2 turns -1 and 1 into 0 and 1'
        """
        return self.hint if label.shape else self.value_hints.get(float(label), self.hint)

    def first_bad(self, values: np.ndarray) -> np.ndarray | None:
        """Index of the first illegal element, or (sample,) if a whole sample is illegal; None if there is none.

        >>> TARGETS["sign"].first_bad(np.array([[1.0], [0.0]])).tolist()
        [1, 0]
        """
        if values.min() >= self.between[0] and values.max() <= self.between[1]:
            return None
        legal = self.legal(values)
        return None if legal.all() else np.argwhere(~legal)[0]


def _is_probability(values: np.ndarray) -> np.ndarray:
    return (values >= -SLACK) & (values <= 1 + SLACK)


def _distribution(values: np.ndarray) -> np.ndarray:
    rows = values.reshape(len(values), -1)
    return (rows >= -SLACK).all(axis=1) & (np.abs(rows.sum(axis=1) - 1) <= SUM_SLACK)


TARGETS = {
    "sign": Target("-1 or 1", lambda v: np.abs(v) == 1, "2 * label - 1 turns 0 and 1 into signs"),
    "probability": Target(
        "0 <= label <= 1",
        _is_probability,
        "for class indices use SoftmaxLossLayer; divide images by 255",
        (-SLACK, 1 + SLACK),
        value_hints={-1.0: "(label + 1) / 2 turns -1 and 1 into 0 and 1"},
    ),
    "predicted probability": Target(
        "0 <= prediction <= 1",
        _is_probability,
        "losses of any numbers are SoftmaxLossLayer and BinaryCrossEntropyLossLayer(logits=True)",
        (-SLACK, 1 + SLACK),
        what="prediction",
    ),
    "count": Target("label >= 0", lambda v: v >= 0, "counts and rates are not negative", (0.0, math.inf)),
    "distribution": Target("elements >= 0 with sum 1", _distribution, "divide each sample by its sum"),
}


@record
class Illegal:
    """The first illegal element of a batch.

    Attributes:
        index: of the element, or of the sample's part that is wrong as a whole.
        rule, parts: the message.
        inside: whether the message should tell the place in the sample.
    """

    index: tuple[int, ...]
    rule: str
    parts: dict[str, Any] = field(default_factory=dict)
    inside: bool = False


def illegal_in(
    values: np.ndarray, classes: ClassIndices | None, targets: Sequence[str] = (), finite: bool = True
) -> Illegal | None:
    """The first element that is not a legal label, or not finite; None if there is none.

    Args:
        classes: the class indices that are legal; None: the values are no class indices.
        targets: kinds of labels (targets.py) that they must be.
        finite: look for NaN and infinities, unless they are class indices.
    """
    if classes is not None:
        bad = classes.first_bad(values)
        if bad is not None:
            rule, parts = classes.complaint(float(values[tuple(bad)]))
            return Illegal(tuple(int(k) for k in bad), rule, parts)
    elif finite and (found := first_not_finite({"": values})) is not None:
        what = "NaN" if math.isnan(found.value) else f"an infinity or a number too large for {values.dtype}"
        return Illegal(tuple(int(k) for k in found.at), f"data holds {what}", inside=True)
    for target in (TARGETS[kind] for kind in targets):
        bad = target.first_bad(values)
        if bad is not None:
            label = values[tuple(bad)]
            got = f"{float(label):g}" if not label.shape else f"sum {label.sum():g}, minimum {label.min():g}"
            parts = {"expected": target.words, "got": got, "hint": target.hint_for(label)}
            return Illegal(tuple(int(k) for k in bad), f"{target.what} out of range", parts)
    return None
