"""Rules of fields for shapes and other tuples of sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from numbers import Integral
from typing import Any

from mochac.nets.layers.fields import Refusal, Rule, integer


def shape(*, batch_first: bool = False, empty: bool = False) -> Rule:
    """A tuple of positive extents, not empty by default; an integer n means (n,), unless the batch comes first.

    >>> shape().convert([20, 5])
    (20, 5)
    """

    extent = integer(1)

    def convert(value: Any) -> tuple[int, ...]:
        if isinstance(value, (tuple, list)) and (None in value or -1 in value):
            raise Refusal("give every extent as a number; None or -1 is not allowed")
        if isinstance(value, (tuple, list)) and (value or empty):
            return tuple(map(extent.convert, value))
        if batch_first and isinstance(value, Integral):
            raise Refusal(f"a tuple that begins with the batch, such as (64, {value})")
        return (extent.convert(value),)

    bad = ((0,), (2, -1), (1.5,), "ab", None)
    bad += ((784,) if batch_first else ()) + (() if empty else ((),))
    return Rule(f"a {'' if empty else 'non-empty '}tuple of integers >= 1", convert, (2, 3), bad)


class Shapes(Mapping[str, tuple[int, ...]]):
    """Shapes by blob, read-only and hashable, as values of fields must be."""

    def __init__(self, shapes: Mapping[str, tuple[int, ...]]) -> None:
        self._shapes = dict(shapes)

    def __getitem__(self, blob: str) -> tuple[int, ...]:
        return self._shapes[blob]

    def __iter__(self) -> Iterator[str]:
        return iter(self._shapes)

    def __len__(self) -> int:
        return len(self._shapes)

    def __hash__(self) -> int:
        return hash(tuple(self._shapes.items()))

    def __repr__(self) -> str:
        return repr(self._shapes)


def sample_shapes() -> Rule:
    """Shapes of a sample by blob; that of a number, such as a label, is (1,).

    >>> sample_shapes().convert({"data": [1, 28, 28], "label": ()})
    {'data': (1, 28, 28), 'label': (1,)}
    """

    def convert(value: Any) -> Shapes:
        if not isinstance(value, Mapping):
            raise TypeError
        if not all(isinstance(blob, str) and blob for blob in value):
            raise ValueError
        return Shapes({blob: shape().convert((1,) if extents == () else extents) for blob, extents in value.items()})

    bad = (3, None, "data", {"data": (0,)}, {"data": "ab"}, {3: (2,)}, [("data", (1,))])
    return Rule("a dict of shapes of one sample by top", convert, {}, bad)


def sizes() -> Rule:
    """A tuple of positive numbers, perhaps empty.

    >>> sizes().convert([20]), sizes().convert(())
    ((20,), ())
    """

    extent = integer(1)

    def convert(value: Any) -> tuple[int, ...]:
        if not isinstance(value, (tuple, list)):
            raise Refusal(f"write [{value!r}]") if isinstance(value, int) and value > 0 else TypeError()
        return tuple(map(extent.convert, value))

    return Rule("a tuple of integers >= 1", convert, (), (2, (0,), (2, -1), (1.5,), "ab", None))
