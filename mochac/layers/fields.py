"""Rules of fields: legal values, and their conversion to a canonical form.

Layers, neurons, initializers and regularizers declare fields with `option(rule, default=...)`. Each rule has examples
of good and bad values, which the tests use.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np

from mochac.layers.spelling import spelled, word_hint
from mochac.runtime.support.array_like import is_array

FLOAT_TYPES = {"float32": "f32", "float64": "f64"}
"""Names of types in NumPy and in graphs."""


class Refusal(ValueError):
    """The value is illegal; the text is a hint for the user."""


@dataclass(frozen=True)
class Rule:
    """The rule of a field.

    Args:
        text: description of legal values, for "expected" in error messages.
        convert: returns the canonical value; raises TypeError, ValueError or Refusal if it is illegal.
        good: a legal value, for the tests.
        bad: illegal values, for the tests.
    """

    text: str
    convert: Callable[[Any], Any]
    good: Any
    bad: tuple[Any, ...]


def option(rule: Rule, *, default: Any = MISSING, repr: bool = True) -> Any:
    """A dataclass field checked by `rule`; without a default, it is required."""
    return field(default=default, repr=repr, metadata={"rule": rule})


def integer(low: int) -> Rule:
    """An integer >= low.

    >>> integer(1).convert(np.int32(3))
    3
    """

    def convert(value: Any) -> int:
        return _integer(value, low)

    return Rule(f"an integer >= {low}", convert, low, (low - 1, 1.5, "3", None, True))


def real(low: float = -math.inf, *, above: float = -math.inf, below: float = math.inf, most: float = math.inf) -> Rule:
    """A finite number >= low, > above, < below, <= most.

    >>> real(above=0, below=1).convert(0.5)
    0.5
    """
    limits = [f">= {low:g}"] if low > -math.inf else []
    limits += [f"> {above:g}"] if above > -math.inf else []
    limits += [f"< {below:g}"] if below < math.inf else []
    limits += [f"<= {most:g}"] if most < math.inf else []

    def convert(value: Any) -> float:
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
            raise TypeError
        number = float(value)
        if not (math.isfinite(number) and number >= low and above < number < below and number <= most):
            raise ValueError
        return number

    bad: tuple[Any, ...] = (math.nan, math.inf, "0.5", None, True)
    bad += (low - 1,) if low > -math.inf else ()
    bad += (above,) if above > -math.inf else ()
    bad += (below,) if below < math.inf else ()
    bad += (most + 1,) if most < math.inf else ()
    least = max(low, above)
    good = (least + min(below, least + 2)) / 2 if math.isfinite(least) else min(0.5, below - 1)
    return Rule(f"a finite number {' and '.join(limits)}".strip(), convert, good, bad)


def pair(low: int, sides: str = "height, width") -> Rule:
    """A pair of integers >= low, (height, width) or as in `sides`; one integer means both.

    >>> pair(1).convert(5), pair(0).convert([1, 2])
    ((5, 5), (1, 2))
    """

    def convert(value: Any) -> tuple[int, int]:
        if isinstance(value, (tuple, list, np.ndarray)):
            if len(value) != 2:
                raise ValueError
            return (_integer(value[0], low), _integer(value[1], low))
        both = _integer(value, low)
        return both, both

    bad = (low - 1, (low, low - 1), (low, low, low), (low,), (1.5, 1), "5", None)
    return Rule(f"an integer >= {low} or a ({sides}) pair of them", convert, (low + 1, low), bad)


def per_axis_field(low: int) -> Rule:
    """An integer >= low for all spatial axes, or a tuple of one to three, one for each.

    >>> per_axis_field(1).convert(5), per_axis_field(0).convert([1, 2])
    (5, (1, 2))
    """

    def convert(value: Any) -> int | tuple[int, ...]:
        if isinstance(value, str) and value.lower() in _PADDING:
            raise Refusal(_PADDING[value.lower()])
        if isinstance(value, (tuple, list, np.ndarray)):
            if not 1 <= len(value) <= 3:
                raise ValueError
            return tuple(_integer(v, low) for v in value)
        return _integer(value, low)

    bad = (low - 1, (low, low - 1), (low,) * 4, (), (1.5, 1), "5", None)
    text = f"an integer >= {low} or a tuple of them, one per spatial axis, such as (height, width)"
    return Rule(text, convert, (low + 1, low), bad)


def maybe_per_axis(low: int) -> Rule:
    """As per_axis_field, or None.

    >>> maybe_per_axis(0).convert(None), maybe_per_axis(0).convert((1, 2))
    (None, (1, 2))
    """
    rule = per_axis_field(low)

    def convert(value: Any) -> int | tuple[int, ...] | None:
        return None if value is None else rule.convert(value)

    return Rule(f"{rule.text}, or None", convert, rule.good, tuple(bad for bad in rule.bad if bad is not None))


_PADDING = {"same": "with stride 1, pad=(kernel - 1) / 2 keeps the size", "valid": "write 0"}
"""Words for padding in Keras and PyTorch."""


def shape(*, batch_first: bool = False, empty: bool = False) -> Rule:
    """A tuple of positive extents, not empty by default; an integer n means (n,), unless the batch comes first.

    >>> shape().convert([20, 5])
    (20, 5)
    """

    def convert(value: Any) -> tuple[int, ...]:
        if isinstance(value, (tuple, list)) and (None in value or -1 in value):
            raise Refusal("give every extent as a number; None or -1 is not allowed")
        if isinstance(value, (tuple, list)) and (value or empty):
            return tuple(_integer(v, 1) for v in value)
        if batch_first and isinstance(value, Integral):
            raise Refusal(f"a tuple that begins with the batch, such as (64, {value})")
        return (_integer(value, 1),)

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


def axis() -> Rule:
    """An axis in NumPy order other than the batch: an integer other than 0; negative numbers count from the end."""

    def convert(value: Any) -> int:
        number = _integer(value, -(2**31))
        if number == 0:
            raise Refusal("axis 0 is the batch; axis 1 is the channels")
        return number

    return Rule("an integer other than 0", convert, 1, (0, 1.5, "1", None))


def class_axis() -> Rule:
    """The axis of classes, or None: 1, which must be said where a label fits other axes as well."""
    rule = axis()
    return Rule(f"{rule.text}, or None", lambda value: None if value is None else rule.convert(value), 1, rule.bad[:-1])


def sizes() -> Rule:
    """A tuple of positive numbers, perhaps empty.

    >>> sizes().convert([20]), sizes().convert(())
    ((20,), ())
    """

    def convert(value: Any) -> tuple[int, ...]:
        if not isinstance(value, (tuple, list)):
            raise Refusal(f"write [{value!r}]") if isinstance(value, int) and value > 0 else TypeError()
        return tuple(_integer(v, 1) for v in value)

    return Rule("a tuple of integers >= 1", convert, (), (2, (0,), (2, -1), (1.5,), "ab", None))


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

    return Rule("a tuple of finite numbers", convert, (), (2.0, ("a",), (math.nan,), (True,), "ab", None))


def maybe_integer() -> Rule:
    """An integer, or None.

    >>> maybe_integer().convert(None), maybe_integer().convert(np.int64(-1))
    (None, -1)
    """

    def convert(value: Any) -> int | None:
        return None if value is None else _integer(value, -(2**31))

    return Rule("an integer or None", convert, 255, (1.5, "1", True))


def any_axis() -> Rule:
    """An axis in NumPy order, perhaps the batch; negative numbers count from the end."""

    def convert(value: Any) -> int:
        return _integer(value, -(2**31))

    return Rule("an integer", convert, 1, (1.5, "1", None))


def axes(empty: bool = False) -> Rule:
    """Axes in NumPy order; negative numbers count from the end; an integer means one axis. `empty`: there may be none.

    >>> axes().convert([0, 2, 1]), axes().convert(-1)
    ((0, 2, 1), (-1,))
    """

    def convert(value: Any) -> tuple[int, ...]:
        if not isinstance(value, (tuple, list, np.ndarray)):
            return (_integer(value, -(2**31)),)
        if not len(value) and not empty:
            raise ValueError
        return tuple(_integer(v, -(2**31)) for v in value)

    what, bad = ("a tuple of integers", ()) if empty else ("a non-empty tuple of integers", ((),))
    return Rule(what, convert, (1,), (*bad, (1.5,), "ab", None, 1.5))


def boolean(**words: bool) -> Rule:
    """True or False. `words` are what others write for them, which is refused with a hint.

    >>> boolean(tanh=True).convert("tanh")
    Traceback (most recent call last):
    mochac.layers.fields.Refusal: write True
    """

    def convert(value: Any) -> bool:
        if isinstance(value, str) and value in words:
            raise Refusal(f"write {words[value]}")
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError
        return bool(value)

    return Rule("True or False", convert, True, (1, "yes", None))


def text(*, empty: bool = False) -> Rule:
    """A string; `empty` allows ""."""

    def convert(value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError
        if not value and not empty:
            raise ValueError
        return _storable(value)

    return Rule("a string" if empty else "a non-empty string", convert, "blob", (3, None) + (() if empty else ("",)))


def _blob(value: Any, maker: str) -> str:
    """The name of a blob, or "". `maker` is what makes a blob of an array."""
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


def bias_blob() -> Rule:
    """As `parameter_blob`, or False for a layer without bias; True is "".

    >>> bias_blob().convert(True), bias_blob().convert(False), bias_blob().convert("b")
    ('', False, 'b')
    """
    name = text(empty=True)

    def convert(value: Any) -> str | bool:
        if isinstance(value, (bool, np.bool_)):
            return "" if value else False
        return name.convert(value)

    return Rule("the name of a blob, or False for no bias", convert, "b", (3, None))


def _storable(name: str) -> str:
    """`name`, if HDF5 files and dumps can hold it."""
    if "\0" in name:
        raise Refusal("a name cannot contain the character NUL")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise Refusal("a name must be valid Unicode") from None
    return name


def path(*, empty: bool = False) -> Rule:
    """A file name: a non-empty string or any os.PathLike; `empty` allows ""."""

    def convert(value: Any) -> str:
        name = value if isinstance(value, str) else operator.methodcaller("__fspath__")(value)
        if not isinstance(name, str) or not (name or empty):
            raise ValueError
        return name

    def checked(value: Any) -> str:
        if isinstance(value, (list, tuple)):
            raise Refusal("only one file: a text file can list others, one path per line")
        try:
            return convert(value)
        except AttributeError:
            raise TypeError from None

    return Rule("a file name", checked, "train.txt", (3, None) + (() if empty else ("",)))


def choice(*known: str) -> Rule:
    """One of some strings."""

    def convert(value: Any) -> str:
        if value not in known or not isinstance(value, str):
            raise ValueError
        return value

    return Rule("one of " + ", ".join(repr(k) for k in known), convert, known[0], ("nonsense", None, 3))


def choice_of(*known: int) -> Rule:
    """One of some integers."""

    def convert(value: Any) -> int:
        number = _integer(value, min(known))
        if number not in known:
            raise ValueError
        return number

    return Rule("one of " + ", ".join(map(str, known)), convert, known[0], (max(known) + 1, "3", None, True))


def float_type() -> Rule:
    """float32 or float64, as a name or a NumPy type; "" for none.

    >>> float_type().convert(np.float64)
    'float64'
    """

    def convert(value: Any) -> str:
        name = value if isinstance(value, str) else getattr(value, "__name__", None) or getattr(value, "name", None)
        if name not in ("", *FLOAT_TYPES):
            raise ValueError
        return name

    return Rule("'float32' or 'float64'", convert, "float64", ("Float16", np.int32, None, 3))


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
        given = tuple(value)
        for layer in (v for v in given if getattr(v, "tops", ())):
            raise Refusal(f"bottoms are names: write {layer.tops[0]!r} for the blob of layer {layer.name!r}")
        if not all(isinstance(v, str) and v for v in given):
            raise TypeError
        if distinct and len(set(given)) != len(given):
            raise ValueError
        return tuple(map(_storable, given))

    bad = ("data", [1], [""], None, 3)
    if not distinct:
        return Rule("a list of blob names", convert, ["a", "b"], bad)
    return Rule("a list of distinct blob names", convert, ["a", "b"], (*bad, ["a", "a"]))


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


def or_none(rule: Rule) -> Rule:
    """What a rule allows, or None."""

    def convert(value: Any) -> Any:
        return None if value is None else rule.convert(value)

    return Rule(f"{rule.text}, or None", convert, rule.good, tuple(value for value in rule.bad if value is not None))


def _integer(value: Any, low: int) -> int:
    if isinstance(value, (bool, np.bool_)):
        raise TypeError
    number = operator.index(value)
    if number < low:
        raise ValueError
    return number
