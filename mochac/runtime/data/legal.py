"""Legal values of a batch: class indices, labels of other kinds, finite numbers; and the first element that is not
legal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from typing import Any

import numpy as np

from mochac.base.records import record
from mochac.base.support.finite import first_not_finite
from mochac.runtime.data.class_indices import ClassIndices
from mochac.runtime.data.targets import TARGETS


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
