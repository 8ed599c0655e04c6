"""Table: a read-only array of numbers in a field of a layer, such as class weights or a cost matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from mochac.base.support.array_like import as_array
from mochac.nets.layers.fields import Refusal, Rule


class Table:
    """A read-only float64 array that is hashable, and equal to another with the same numbers.

    >>> Table([[0, 1], [1, 0]])
    Table([[0.0, 1.0], [1.0, 0.0]])
    >>> Table([1, 2]) == Table(np.array([1.0, 2.0]))
    True
    """

    __slots__ = ("values",)

    def __init__(self, values: ArrayLike) -> None:
        self.values = np.array(values, np.float64)
        self.values.flags.writeable = False

    @property
    def shape(self) -> tuple[int, ...]:
        """Extents; (0,) if it is empty."""
        return self.values.shape

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.values, dtype=dtype)

    def __bool__(self) -> bool:
        return self.values.size > 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and np.array_equal(self.values, other.values)

    def __hash__(self) -> int:
        return hash((self.shape, self.values.tobytes()))

    def __repr__(self) -> str:
        if not self:
            return "[]"
        if self.values.size > 16:
            return f"Table(shape={self.shape})"
        return f"Table({self.values.tolist()})"


def table(
    words: str, good: Any, *, low: float = -np.inf, dims: int | None = None, empty: bool = False, infinite: bool = False
) -> Rule:
    """Field rule: an array of finite numbers >= low, with `dims` axes if given; `empty` allows [], `infinite` inf.

    >>> table("weights >= 0", [1, 2], low=0).convert([1, 2])
    Table([1.0, 2.0])
    """

    def convert(value: Any) -> Table:
        if isinstance(value, Table):
            value = value.values
        given = as_array(value)
        if empty and given.shape == (0,):
            return Table([])
        if given.dtype.kind not in "fiu":
            raise TypeError
        if not given.size or given.ndim == 0 or (dims is not None and given.ndim != dims):
            raise ValueError
        if np.isnan(given).any() if infinite else not np.isfinite(given).all():
            raise Refusal("no number may be NaN" if infinite else "every number must be finite")
        if given.min() < low:
            raise Refusal(f"no number may be less than {low:g}")
        return Table(given)

    bad: tuple[Any, ...] = (3, None, "ab", [np.nan], [[1], [2, 3]], [1j], [True])
    bad += () if infinite else ([np.inf],)
    bad += ([low - 1.0],) if low > -np.inf else ()
    bad += (np.zeros((1,) * (dims + 1)),) if dims is not None else ()
    bad += () if empty else ([],)
    return Rule(words, convert, good, bad)
