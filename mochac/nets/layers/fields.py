"""Rules of fields: legal values and their conversion to a canonical form; how users write the classes that fields take.

Rules of fields: legal values, and their conversion to a canonical form.

Layers, neurons, initializers and regularizers declare fields with `option(rule, default=...)`. Each rule has examples
of good and bad values, which the tests use. This file has the rules for numbers, strings and objects; field_kinds.py
has those for axes, shapes and the names of blobs.
"""

from __future__ import annotations

import math
import operator
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import MISSING, field
from typing import Any

import numpy as np

from mochac.base.checked_numbers import LARGEST
from mochac.base.escaping import fault_of
from mochac.base.hints.fields import VALUES
from mochac.base.records import record
from mochac.base.registry import suggestion


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
    said = letters if letters in known else VALUES.get(letters, letters)
    if " " in said:
        return said
    close = suggestion(_letters(said), known)
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


FLOAT_TYPES = {"float32": "f32", "float64": "f64"}
"""Names of types in NumPy and in graphs."""


class Refusal(ValueError):
    """The value is illegal; the text is a hint for the user."""


@record
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


def integer(low: int | None = None) -> Rule:
    """An integer, >= low if that is given.

    >>> integer(1).convert(np.int32(3)), integer().convert(-3)
    (3, -3)
    """

    def convert(value: Any) -> int:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
        if low is not None and number < low:
            raise ValueError
        if abs(number) > LARGEST:
            raise Refusal("at most 2**53")
        return number

    if low is None:
        return Rule("an integer", convert, 1, (1.5, "3", None, True))
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


def boolean(**words: bool) -> Rule:
    """True or False. `words` are what other frameworks write for them; these are refused with a hint.

    >>> boolean(tanh=True).convert("tanh")
    Traceback (most recent call last):
    mochac.nets.layers.fields.Refusal: write True
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
        return storable(value)

    return Rule("a string" if empty else "a non-empty string", convert, "blob", (3, None) + (() if empty else ("",)))


def storable(name: str) -> str:
    """`name`, which cannot have control characters, line separators or halves of surrogate pairs."""
    if why := fault_of(name):
        raise Refusal(why)
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
    whole = integer()

    def convert(value: Any) -> int:
        number = whole.convert(value)
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
