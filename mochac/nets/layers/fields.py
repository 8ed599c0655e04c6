"""Rules of fields for names of blobs, axes, shapes, tuples and tables of numbers, and objects such as neurons.

Rules of numbers and strings are in base/rules.py.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from mochac.base.hints.names import VALUES
from mochac.base.registry import suggestion
from mochac.base.rules import Refusal, Rule, integer, real, storable, text
from mochac.base.support.array_like import as_array, is_array

_SIDES = "PadLayer(before=..., after=...) in front of the layer pads the sides differently"
_PADDING = {
    "same": "with stride 1, pad=(kernel - 1) / 2 keeps the size",
    "valid": "write 0",
    "causal": "PadLayer(before=(kernel - 1) * dilation) in front of the layer",
}
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
            if not low and any(isinstance(side, (tuple, list, np.ndarray)) for side in value):
                raise Refusal(_SIDES)
            if not 1 <= len(value) <= most:
                raise ValueError
            return tuple(map(one.convert, value))
        return one.convert(value)

    bad = (low - 1, (low, low - 1), (low,) * (most + 1), (), (1.5, 1), "5", None)
    text = f"an integer >= {low} or a tuple of them, one per spatial axis, such as (height, width)"
    return Rule(text, convert, (low + 1, low), bad)


def numbers() -> Rule:
    """A tuple of finite numbers, perhaps empty.

    >>> numbers().convert([1, -0.5])
    (1.0, -0.5)
    """
    one = real()

    def convert(value: Any) -> tuple[float, ...]:
        if not isinstance(value, (tuple, list, np.ndarray)):
            raise TypeError
        return tuple(one.convert(v) for v in value)

    return Rule("a tuple of finite numbers", convert, (), (2.0, ("a",), (np.nan,), (True,), "ab", None))


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


def names(*, distinct: bool = True) -> Rule:
    """A list of non-empty strings, kept as a tuple; each once if `distinct`.

    >>> names().convert(["ip2", "label"])
    ('ip2', 'label')
    """

    def convert(value: Any) -> tuple[str, ...]:
        if isinstance(value, str):
            raise Refusal(f"write [{value!r}]")
        if getattr(value, "tops", ()):
            raise Refusal(f"bottoms are names: write {list(value.tops)!r} for the blob of layer {value.name!r}")
        if not isinstance(value, Iterable):
            raise TypeError
        names = tuple(value)
        for layer in (v for v in names if getattr(v, "tops", ())):
            raise Refusal(f"bottoms are names: write {layer.tops[0]!r} for the blob of layer {layer.name!r}")
        if not all(isinstance(v, str) and v for v in names):
            raise TypeError
        if distinct and len(set(names)) != len(names):
            raise ValueError
        return tuple(map(storable, names))

    bad = ("data", [1], [""], None, 3)
    if not distinct:
        return Rule("a list of blob names", convert, ["a", "b"], bad)
    return Rule("a list of distinct blob names", convert, ["a", "b"], (*bad, ["a", "a"]))


def _blob(value: Any, maker: str) -> str:
    """The name of a blob, or "". `maker` names what makes a blob from an array."""
    if isinstance(value, (list, tuple)) and len(value) == 1 and isinstance(value[0], str):
        raise Refusal(f"write {value[0]!r}")
    if is_array(value):
        raise Refusal(f"{maker} makes a blob of an array")
    return text(empty=True).convert(value)


def sample_blob() -> Rule:
    """The name of a blob with numbers for every sample; "" for none.

    >>> sample_blob().convert("mask"), sample_blob().convert("")
    ('mask', '')
    """
    return Rule('the name of a blob, or "" for none', partial(_blob, maker="a data layer"), "b", (3, None, True, ["b"]))


def parameter_blob() -> Rule:
    """The name of a blob to use as a parameter; "" for a parameter of the layer itself."""
    return Rule("the name of a blob", partial(_blob, maker="a ParameterLayer"), "W", (3, None, True))


def bias_blob(what: str = "bias") -> Rule:
    """As `parameter_blob`, or False for a layer without bias, or without `what`; True is "".

    >>> bias_blob().convert(True), bias_blob().convert(False), bias_blob().convert("b")
    ('', False, 'b')
    """
    name = text(empty=True)

    def convert(value: Any) -> str | bool:
        if isinstance(value, (bool, np.bool_)):
            return "" if value else False
        return name.convert(value)

    return Rule(f"the name of a blob, or False for no {what}", convert, "b", (3, None))


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
        array = as_array(value)
        if empty and array.shape == (0,):
            return Table([])
        if array.dtype.kind not in "fiu":
            raise TypeError
        if not array.size or array.ndim == 0 or (dims is not None and array.ndim != dims):
            raise ValueError
        if np.isnan(array).any() if infinite else not np.isfinite(array).all():
            raise Refusal("no number may be NaN" if infinite else "every number must be finite")
        if array.min() < low:
            raise Refusal(f"no number may be less than {low:g}")
        return Table(array)

    bad: tuple[Any, ...] = (3, None, "ab", [np.nan], [[1], [2, 3]], [1j], [True])
    bad += () if infinite else ([np.inf],)
    bad += ([low - 1.0],) if low > -np.inf else ()
    bad += (np.zeros((1,) * (dims + 1)),) if dims is not None else ()
    bad += () if empty else ([],)
    return Rule(words, convert, good, bad)


def spelled(cls: type) -> str:
    """A class as users write it: with its namespace, if it has one.

    >>> from mochac.nets.layers.neurons import ReLU
    >>> spelled(ReLU)
    'Neurons.ReLU'
    """
    for holder in vars(sys.modules[cls.__module__]).values():
        if isinstance(holder, type) and holder is not cls and vars(holder).get(cls.__name__) is cls:
            return f"{holder.__name__}.{cls.__name__}"
    return cls.__name__


def word_hint(base: type, word: str) -> str:
    """The hint for a word in place of an instance of `base`; lists all classes if none is similar.

    >>> from mochac.nets.layers.neurons import Neuron
    >>> word_hint(Neuron, "relu"), word_hint(Neuron, "leaky_relu")
    ('write Neurons.ReLU()', 'write Neurons.LReLU()')
    """
    known = {_letters(name): cls for name, cls in sorted(_public(base))}
    letters = _letters(word)
    text = letters if letters in known else VALUES.get(letters, letters)
    if " " in text:
        return text
    close = suggestion(_letters(text), known)
    if close:
        return f"write {spelled(known[close])}()"
    return f"one of {', '.join(dict.fromkeys(spelled(cls) for cls in known.values()))}"


def _public(base: type) -> Iterator[tuple[str, type]]:
    """mochac's subclasses of `base` by their names, and without the last word, such as Xavier(Initializer)."""
    for cls in base.__subclasses__():
        yield from _public(cls)
        name = cls.__name__
        if cls.__module__.startswith("mochac.nets.layers.") and not name.startswith("_"):
            yield name, cls
            yield re.sub("(Initializer|Regu|Cons)$", "", name), cls


def _letters(word: str) -> str:
    return re.sub(r"[\W_]", "", word).lower()


def instance(cls: type, words: str, good: Any) -> Rule:
    """An instance of `cls`, such as `good`; `words` describe it."""

    def convert(value: Any) -> Any:
        if isinstance(value, type) and issubclass(value, cls):
            raise Refusal(f"write {spelled(value)}() with parentheses")
        if isinstance(value, str):
            raise Refusal(word_hint(cls, value))
        if not isinstance(value, cls) and callable(value):  # torch.relu, torch.nn.ReLU(), keras.regularizers.L2()
            raise Refusal(word_hint(cls, getattr(value, "__name__", type(value).__name__)))
        if not isinstance(value, cls):
            raise TypeError
        return value

    return Rule(words, convert, good, ("relu", 3, None))
