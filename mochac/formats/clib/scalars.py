"""The scalars of an update, such as learning rates, as C: the formulas of a method and of its policies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mochac.base.errors import UnsupportedError
from mochac.base.records import record
from mochac.nets.solvers.formula import Formula, is_whole
from mochac.nets.solvers.method import Method

_CALLS = {"pow": "power", "sqrt": "square_root", "cos": "cosine", "exp": "power_of_e", "min": "least"}
"""Functions of templates/c/arithmetic.c.j2, by operation of a formula."""


@record
class Scalars:
    """What the library computes before an update.

    Attributes:
        settable: names of the policies, as in solver.hypers.
        names: of the scalars that the plan reads.
        lines: statements of C that compute them from t, the number of completed updates.
        values: an expression of C for each name.
    """

    settable: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


def scalars_of(method: Method) -> Scalars:
    """The scalars of a method.

    Raises:
        UnsupportedError: a policy watches validations, or its value is not a formula.
    """
    kind = method.title
    if method.begin().watching(None):
        hint = "give the method a number, and call ..._set_scalar() when your program has validated"
        raise UnsupportedError(f"build: a policy of {kind} watches validations, which happen in Python", hint=hint)
    policies = method.policies()
    traced = method.with_policies({name: _Settable(name, method.policy(name)) for name in policies})
    try:
        formulas: Mapping[str, Any] = traced.hypers_since(Formula.argument(), 0)  # type: ignore[arg-type]
    except (TypeError, ValueError, AttributeError) as error:
        hint = "policies of your own: plain arithmetic of t, or the functions of mochac.nets.solvers.formula"
        raise UnsupportedError(f"build: a scalar of {kind} is not a formula of t", got=str(error), hint=hint) from None
    printer = _Printer(tuple(policies))
    values = tuple(printer.real(formula) for formula in formulas.values())
    return Scalars(tuple(policies), tuple(formulas), tuple(printer.lines), values)


class _Settable:
    """A policy whose value a user may replace."""

    def __init__(self, name: str, policy: Any) -> None:
        self._name, self._policy = name, policy

    def value(self, t: Any) -> Any:
        return Formula("set", self._name, self._policy.value(t))


class _Printer:
    """Prints formulas as statements that compute one value each."""

    def __init__(self, settable: tuple[str, ...]) -> None:
        self.lines: list[str] = []
        self._settable = settable
        self._known: dict[str, str] = {}

    def real(self, value: Any) -> str:
        """A double."""
        if isinstance(value, Formula):
            text = self._name(value)
            return f"(double){text}" if value.whole else text
        return _literal(float(value))

    def _operand(self, value: Any, whole: bool) -> str:
        if not whole:
            return self.real(value)
        return self._name(value) if isinstance(value, Formula) else f"INT64_C({int(value)})"

    def _name(self, formula: Formula) -> str:
        if formula.op == "t":
            return "t"
        text = self._text(formula)
        if text not in self._known:
            self._known[text] = f"v{len(self._known)}"
            kind = "int64_t" if formula.whole else "double"
            self.lines.append(f"const {kind} {self._known[text]} = {text};")
        return self._known[text]

    def _text(self, formula: Formula) -> str:
        op, args = formula.op, formula.args
        if op == "set":
            k = self._settable.index(args[0])
            return f"net->is_set[{k}] ? net->set[{k}] : {self.real(args[1])}"
        if op == "choose":
            condition = self._operand(args[0], True)
            return f"{condition} ? {self.real(args[1])} : {self.real(args[2])}"
        if op in _CALLS:
            return f"{_CALLS[op]}({', '.join(self.real(a) for a in args)})"
        whole = op != "/" and all(is_whole(a) for a in args)
        left, right = (self._operand(a, whole) for a in args)
        return f"{left} {op[0] if op == '//' else op} {right}"


def _literal(value: float) -> str:
    """A double that C reads as the same number.

    >>> _literal(0.1), _literal(3.0), _literal(-0.5), _literal(float("inf"))
    ('0.1', '3.0', '(-0.5)', '(1.0 / 0.0)')
    """
    if value != value or abs(value) == float("inf"):
        return "(1.0 / 0.0)" if value > 0 else "(0.0 / 0.0)"
    return repr(value) if value >= 0 else f"({value!r})"
