"""Rules of fields for axes, and for numbers that are given for each axis of an image, such as strides."""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.nets.layers.fields import Refusal, Rule, integer

_PADDING = {"same": "with stride 1, pad=(kernel - 1) / 2 keeps the size", "valid": "write 0"}
"""Words for padding in Keras and PyTorch."""


def pair(low: int, sides: str = "height, width") -> Rule:
    """A pair of integers >= low, (height, width) or as in `sides`; one integer means both.

    >>> pair(1).convert(5), pair(0).convert([1, 2])
    ((5, 5), (1, 2))
    """

    side = integer(low)

    def convert(value: Any) -> tuple[int, int]:
        if isinstance(value, (tuple, list, np.ndarray)):
            if len(value) != 2:
                raise ValueError
            return side.convert(value[0]), side.convert(value[1])
        both = side.convert(value)
        return both, both

    bad = (low - 1, (low, low - 1), (low, low, low), (low,), (1.5, 1), "5", None)
    return Rule(f"an integer >= {low} or a ({sides}) pair of them", convert, (low + 1, low), bad)


def per_axis_field(low: int, most: int = 3) -> Rule:
    """An integer >= low for all spatial axes, or a tuple of one to three, or to `most`, one for each.

    >>> per_axis_field(1).convert(5), per_axis_field(0).convert([1, 2])
    (5, (1, 2))
    """

    one = integer(low)

    def convert(value: Any) -> int | tuple[int, ...]:
        if isinstance(value, str) and value.lower() in _PADDING:
            raise Refusal(_PADDING[value.lower()])
        if isinstance(value, (tuple, list, np.ndarray)):
            if not 1 <= len(value) <= most:
                raise ValueError
            return tuple(map(one.convert, value))
        return one.convert(value)

    bad = (low - 1, (low, low - 1), (low,) * (most + 1), (), (1.5, 1), "5", None)
    text = f"an integer >= {low} or a tuple of them, one per spatial axis, such as (height, width)"
    return Rule(text, convert, (low + 1, low), bad)


def axis() -> Rule:
    """An axis in NumPy order other than the batch: an integer other than 0; negative numbers count from the end."""

    whole = integer()

    def convert(value: Any) -> int:
        number = whole.convert(value)
        if number == 0:
            raise Refusal("axis 0 is the batch; axis 1 is the channels")
        return number

    return Rule("an integer other than 0", convert, 1, (0, 1.5, "1", None))


def axes(empty: bool = False) -> Rule:
    """Axes in NumPy order; negative numbers count from the end; an integer means one axis. `empty`: there may be none.

    >>> axes().convert([0, 2, 1]), axes().convert(-1)
    ((0, 2, 1), (-1,))
    """

    one = integer()

    def convert(value: Any) -> tuple[int, ...]:
        if not isinstance(value, (tuple, list, np.ndarray)):
            return (one.convert(value),)
        if not len(value) and not empty:
            raise ValueError
        return tuple(map(one.convert, value))

    what, bad = ("a tuple of integers", ()) if empty else ("a non-empty tuple of integers", ((),))
    return Rule(what, convert, (1,), (*bad, (1.5,), "ab", None, 1.5))
