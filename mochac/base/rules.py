"""Rules of fields and arguments: what is legal, its canonical form, and the wording of the error about anything else.

A record declares a rule for each field with `option(rule, default=...)`, and calls `check_fields` in `__post_init__`. A
function checks an argument by `rule.check("name", value)`. Rules have examples of good and bad values, which the tests
use. Rules for axes, shapes, blobs and objects of a net are in nets/layers/fields.py.

NumPy's numbers are accepted like Python's, but NumPy is not imported: the command line reads its settings without it.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral, Real
from typing import Any

from mochac.base.errors import MochacError, OptionError, shown
from mochac.base.escaping import fault_of
from mochac.base.records import record
from mochac.base.registry import misspelt, suggestion

MAX_EXACT = 2**53
"""Integers up to this are exact in float64; larger ones are mistakes."""


class Refusal(ValueError):
    """The value is illegal; the text is a hint for the user."""


@record
class Rule:
    """What a field or an argument may be.

    Args:
        text: description of legal values, for "expected" in error messages.
        convert: returns the canonical value; raises TypeError, ValueError or Refusal if it is illegal.
        good: a legal value, for the tests.
        bad: illegal values, for the tests.
    """

    text: str
    convert: Callable[[Any], Any]
    good: Any = None
    bad: tuple[Any, ...] = ()

    def check(
        self, name: str, value: Any, owner: str = "", error: Callable[..., MochacError] = OptionError, hint: str = ""
    ) -> Any:
        """The canonical form of a value.

        Args:
            name: of the field or argument, for the message.
            owner: the class or function that has it, where the name alone does not say.
            error: makes the error: a class, or a method of the object whose field it is.
            hint: unless the rule has a better one.

        Raises:
            error: the value is illegal.

        >>> integer(1).check("n_iter", 0, "profile()")
        Traceback (most recent call last):
        mochac.base.errors.OptionError: profile(): n_iter is out of range
          expected  an integer >= 1,  got  0
        """
        try:
            return self.convert(value)
        except (TypeError, ValueError, OverflowError) as fault:
            hint = str(fault) if isinstance(fault, Refusal) else hint
            what = f"{owner}: {name}" if owner else name
            raise error(f"{what} is out of range", expected=self.text, got=shown(value), hint=hint) from None

    def described(self, text: str) -> Rule:
        """The rule with another description."""
        return Rule(text, self.convert, self.good, self.bad)


def check_fields(
    instance: Any, owner: str = "", error: Callable[..., MochacError] = OptionError, unchecked: type | tuple[()] = ()
) -> None:
    """Check the fields of a record that have rules, and store their canonical values; for `__post_init__`.

    Args:
        owner: what messages call the record; "": its fields are named alone.
        unchecked: the type of a default that no rule needs to accept.
    """
    for name, f in type(instance).__dataclass_fields__.items():
        rule, value = f.metadata.get("rule"), getattr(instance, name)
        if rule is not None and not isinstance(value, unchecked):
            object.__setattr__(instance, name, rule.check(name, value, owner, error))


def integer(low: int | None = None, most: int | None = None) -> Rule:
    """An integer, >= low and <= most if these are given.

    >>> integer(1).convert(3), integer(0, 2**64 - 1).text
    (3, 'an integer from 0 to 2**64 - 1')
    """

    def convert(value: Any) -> int:
        if _is_boolean(value):
            raise TypeError
        number = operator.index(value)
        if (low is not None and number < low) or (most is not None and number > most):
            raise ValueError
        if most is None and abs(number) > MAX_EXACT:
            raise Refusal("at most 2**53")
        return number

    bad: tuple[Any, ...] = (1.5, "3", None, True)
    if low is None:
        return Rule("an integer", convert, 1, bad)
    if most is None:
        return Rule(f"an integer >= {low}", convert, low, (low - 1, *bad))
    last = f"2**{most.bit_length()} - 1" if most > MAX_EXACT and not most & (most + 1) else str(most)
    return Rule(f"an integer from {low} to {last}", convert, low, (low - 1, most + 1, *bad))


def decimal(low: int, most: int | None = None) -> Rule:
    """The decimal text of an integer, as in environment variables and on the command line.

    >>> decimal(1, 4096).convert("2")
    2
    """
    number = integer(low, most)

    def convert(value: str) -> int:
        if not value.isdecimal():
            raise ValueError
        return number.convert(int(value))

    return Rule(number.text, convert, str(low), ("-1", "1.5", "one"))


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
        if _is_boolean(value) or not isinstance(value, (float, int, Real)):
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


def boolean(**words: bool) -> Rule:
    """True or False. `words` are what other frameworks write for them; these are refused with a hint.

    >>> boolean(tanh=True).convert("tanh")
    Traceback (most recent call last):
    mochac.base.rules.Refusal: write True
    """

    def convert(value: Any) -> bool:
        if isinstance(value, str) and value in words:
            raise Refusal(f"write {words[value]}")
        if not _is_boolean(value):
            raise TypeError
        return bool(value)

    return Rule("True or False", convert, True, (1, "yes", None))


def switch() -> Rule:
    """True or False, or 1 or 0 for them."""

    def convert(value: Any) -> bool:
        if not _is_boolean(value) and not (isinstance(value, Integral) and value in (0, 1)):
            raise TypeError
        return bool(value)

    return Rule("True or False", convert, True, (2, 1.0, "yes", None))


def _is_boolean(value: object) -> bool:
    """Whether it is a bool, of Python or NumPy."""
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")


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


def path(*, empty: bool = False, several: str = "") -> Rule:
    """A file name: a non-empty string or any os.PathLike; `empty` allows "". `several`: the hint for a list of them."""

    def convert(value: Any) -> str:
        if several and isinstance(value, (list, tuple)):
            raise Refusal(several)
        name = os.fspath(value)
        if not isinstance(name, str) or not (name or empty):
            raise ValueError
        if "\0" in name:
            raise Refusal("no file can have this name")
        return name

    return Rule("a file name", convert, "train.txt", (3, None) + (() if empty else ("",)))


FOLDER = path().described("the name of a folder")


def of_class(cls: type, words: str) -> Rule:
    """An instance of a class, which `words` describe."""

    def convert(value: Any) -> Any:
        if not isinstance(value, cls):
            raise TypeError
        return value

    return Rule(words, convert, bad=(3, None))


def listed(known: Iterable[str]) -> str:
    """Strings as alternatives.

    >>> listed(["L1"]), listed(["L1", "L2", "max"])
    ("'L1'", "'L1', 'L2' or 'max'")
    """
    *others, last = map(repr, known)
    return f"{', '.join(others)} or {last}" if others else last


def choice(*known: str, hints: Mapping[str, str] | None = None) -> Rule:
    """One of some strings; `hints` say what to write for what others call one.

    >>> choice("quick", "full").check("tune", "quik")
    Traceback (most recent call last):
    mochac.base.errors.OptionError: tune is out of range
      expected  'quick' or 'full',  got  'quik'
      hint: did you mean 'quick'?
    """

    def convert(value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError
        if value not in known:
            raise Refusal(_misspelt(value, known) or (hints or {}).get(value, ""))
        return value

    return Rule(listed(known), convert, known[0], ("nonsense", None, 3))


def _misspelt(value: str, known: tuple[str, ...]) -> str:
    close = suggestion(value, known)
    same = close and close.rstrip(_DIGITS) == value.rstrip(_DIGITS)  # float16 is no misspelt float64
    return "" if same and sorted(close or "") != sorted(value) else misspelt(value, known)


_DIGITS = "0123456789"


def choice_of(*known: int) -> Rule:
    """One of some integers."""
    whole = integer()

    def convert(value: Any) -> int:
        number = whole.convert(value)
        if number not in known:
            raise ValueError
        return number

    return Rule("one of " + ", ".join(map(str, known)), convert, known[0], (max(known) + 1, "3", None, True))


FLOAT_TYPES = {"float32": "f32", "float64": "f64"}
"""Names of types in NumPy and in graphs."""


def float_type(*, empty: bool = False) -> Rule:
    """float32 or float64, as a name or a NumPy type; `empty` allows "".

    >>> import numpy as np
    >>> float_type().convert(np.float64)
    'float64'
    """
    name = choice(*FLOAT_TYPES)

    def convert(value: Any) -> str:
        if not isinstance(value, str):
            value = getattr(value, "__name__", None) or getattr(value, "name", None)
        return "" if empty and value == "" else name.convert(value)

    return Rule(name.text, convert, "float64", ("Float16", int, None, 3))


def or_none(rule: Rule) -> Rule:
    """What a rule allows, or None."""

    def convert(value: Any) -> Any:
        return None if value is None else rule.convert(value)

    return Rule(f"{rule.text}, or None", convert, rule.good, tuple(value for value in rule.bad if value is not None))


def names_of(what: str) -> Rule:
    """Names of something in a list, or one by itself; kept as a tuple.

    >>> names_of("blobs").convert("ip1"), names_of("blobs").convert(["ip1", "ip2"])
    (('ip1',), ('ip1', 'ip2'))
    """

    def convert(value: Any) -> tuple[str, ...]:
        names = (value,) if isinstance(value, str) else tuple(value)
        if not all(isinstance(name, str) for name in names):
            raise TypeError
        return names

    return Rule(f"a name, or a list of names, of {what}", convert, ("a",), (3, None, [1]))


def multiple(rule: Rule) -> Rule:
    """What a rule allows, or a tuple or list of it; kept as a tuple.

    >>> multiple(integer(1)).convert(8), multiple(integer(1)).convert([1, 8])
    ((8,), (1, 8))
    """

    def convert(value: Any) -> tuple[Any, ...]:
        return tuple(map(rule.convert, value if isinstance(value, (tuple, list)) else (value,)))

    return Rule(f"{rule.text}, or a list of them", convert, (rule.good,), rule.bad)


def is_number(value: object) -> bool:
    """Whether it is a number other than a bool."""
    return isinstance(value, Real) and not isinstance(value, bool)


SEED = integer(0, 2**64 - 1)
"""The rule of seeds of random numbers."""
