"""Formula: a number written down instead of computed, so that a language other than Python can compute it.

Policies and methods compute the scalars of an update from the number t of completed ones. Given a Formula as t, the
same code returns Formulas, which the C library prints. Code that works on both takes `choose`, `least`, `sqrt`, `cos`,
`exp`, `power` and `number` from here in place of Python's `if`, `min`, `math` and `float`; for numbers they return
numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

Number = TypeVar("Number")


class Formula:
    """An operation on numbers and formulas.

    Attributes:
        op: "t" (the argument), "set" (of a scalar's name and a formula: what a user has set, else the formula),
            "choose", "pow", "sqrt", "cos", "exp", "min", or an operator of Python.
        args: its operands.
        whole: it is an integer.

    >>> LENGTH = 3 * (Formula.argument() // 2) + 0.5
    >>> LENGTH
    ((3 * (t // 2)) + 0.5)
    """

    def __init__(self, op: str, *args: Any, whole: bool = False) -> None:
        self.op, self.args, self.whole = op, args, whole

    @staticmethod
    def argument() -> Formula:
        """The number t, an integer."""
        return Formula("t", whole=True)

    def __repr__(self) -> str:
        if not self.args:
            return self.op
        if len(self.args) == 2 and not self.op.isalpha():
            return f"({self.args[0]!r} {self.op} {self.args[1]!r})"
        return f"{self.op}({', '.join(map(repr, self.args))})"

    def __add__(self, other: Any) -> Formula:
        return _binary("+", self, other)

    def __radd__(self, other: Any) -> Formula:
        return _binary("+", other, self)

    def __sub__(self, other: Any) -> Formula:
        return _binary("-", self, other)

    def __rsub__(self, other: Any) -> Formula:
        return _binary("-", other, self)

    def __mul__(self, other: Any) -> Formula:
        return _binary("*", self, other)

    def __rmul__(self, other: Any) -> Formula:
        return _binary("*", other, self)

    def __truediv__(self, other: Any) -> Formula:
        return Formula("/", self, other)

    def __rtruediv__(self, other: Any) -> Formula:
        return Formula("/", other, self)

    def __floordiv__(self, other: Any) -> Formula:
        return _whole("//", self, other)

    def __mod__(self, other: Any) -> Formula:
        return _whole("%", self, other)

    def __pow__(self, other: Any) -> Formula:
        return Formula("pow", self, other)

    def __rpow__(self, other: Any) -> Formula:
        return Formula("pow", other, self)

    def __neg__(self) -> Formula:
        return _binary("-", 0, self)

    def __abs__(self) -> Formula:
        return choose(self < 0, lambda: -self, lambda: self)

    def __lt__(self, other: Any) -> Formula:
        return Formula("<", self, other, whole=True)

    def __le__(self, other: Any) -> Formula:
        return Formula("<=", self, other, whole=True)

    def __gt__(self, other: Any) -> Formula:
        return Formula(">", self, other, whole=True)

    def __ge__(self, other: Any) -> Formula:
        return Formula(">=", self, other, whole=True)

    def __bool__(self) -> bool:
        raise TypeError("it decides something by t in Python")

    def __float__(self) -> float:
        raise TypeError("it turns a formula of t into a number of Python")


def is_whole(value: Any) -> bool:
    """Whether a number or formula is an integer."""
    return value.whole if isinstance(value, Formula) else isinstance(value, int)


def _binary(op: str, a: Any, b: Any) -> Formula:
    return Formula(op, a, b, whole=is_whole(a) and is_whole(b))


def _whole(op: str, a: Any, b: Any) -> Formula:
    if not (is_whole(a) and isinstance(b, int) and b > 0):
        raise TypeError(f"{op} is for a formula that is an integer, and a number >= 1")
    return Formula(op, a, b, whole=True)


def choose(condition: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
    """then() where the condition holds, else otherwise()."""
    if not isinstance(condition, Formula):
        return then() if condition else otherwise()
    return Formula("choose", condition, then(), otherwise())


def least(a: Any, b: Any) -> Any:
    """The smaller one, as min(a, b)."""
    return Formula("min", a, b) if isinstance(a, Formula) or isinstance(b, Formula) else min(a, b)


def sqrt(x: Any) -> Any:
    """The square root."""
    return Formula("sqrt", x) if isinstance(x, Formula) else math.sqrt(x)


def cos(x: Any) -> Any:
    """The cosine, for |x| < 1000."""
    return Formula("cos", x) if isinstance(x, Formula) else math.cos(x)


def exp(x: Any) -> Any:
    """e to the power of x."""
    return Formula("exp", x) if isinstance(x, Formula) else math.exp(x)


def power(base: Any, exponent: Any) -> Any:
    """base ** exponent for base >= 0; infinity where it overflows.

    >>> power(0.5, 2), power(10.0, 400)
    (0.25, inf)
    """
    if isinstance(base, Formula) or isinstance(exponent, Formula):
        return Formula("pow", base, exponent)
    try:
        return base**exponent
    except OverflowError:
        return math.inf


def number(value: Any) -> Any:
    """A formula as it is; anything else as a float."""
    return value if isinstance(value, Formula) else float(value)
