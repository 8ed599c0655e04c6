"""How an op may be called: its operands and attributes, as the signature of its `infer` states them.

The tracer asks before the `emit` of a layer appends a node, so that a misuse is reported in the terms of its author.
Passes and vjp rules do not ask. It knows no particular op.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping
from functools import cache
from inspect import Parameter, signature
from typing import Any, get_type_hints

from mochac.habits import OPERATIONS, instead
from mochac.ir.graph import Value
from mochac.ir.op import OPS, Op, OpTypeError
from mochac.registry import suggestion


class OpCallError(OpTypeError):
    """An op called as it cannot be, or an `emit` that returns no values: a mistake in the code of a layer."""


def check_call(name: str, operands: tuple[object, ...], attrs: Mapping[str, object]) -> None:
    """Refuse an unknown op, operands that are no values or too many, attributes of a wrong name or kind.

    >>> check_call("softmx", (), {})
    Traceback (most recent call last):
    mochac.ir.op_call.OpCallError: there is no operation 'softmx'
    """
    if not isinstance(name, str) or name not in OPS:
        raise OpCallError(f"there is no operation {name!r}", hint=_known_hint(name))
    for k, operand in enumerate(operands):
        require_value(f"operand {k} of {name}", operand)
    op = OPS[name]
    known = signature(op.infer).parameters
    _check_names(op, known, len(operands), attrs)
    kinds = _kinds(op.infer)
    for key, value in attrs.items():
        words, accepts = _KINDS.get(kinds.get(key, ""), ("", None))
        if accepts is not None and not accepts(value):
            hint = f"write {key}=({value},)" if accepts is _are_integers and _is_integer(value) else ""
            raise OpCallError(f"attribute {key!r} of {name} is of the wrong type", words, repr(value), hint)


def require_value(what: str, given: object) -> None:
    """Refuse what is no value of the graph."""
    if isinstance(given, Value):
        return
    hint = ""
    if isinstance(given, (list, tuple)):
        hint = "give values one by one: *values"
    elif isinstance(given, numbers.Number):
        hint = f"ctx.constant({given!r}, like=x) for a number, ctx.scaled(x, {given!r}) for x times it"
    elif hasattr(given, "__array__"):
        hint = "ctx.table(name, array) for fixed numbers, ctx.param(...) for learned ones"
    raise OpCallError(f"{what} is no value", "a bottom, or what ctx.op and ctx.param return", _short(given), hint)


def _known_hint(name: object) -> str:
    if name in OPERATIONS:
        return instead(OPERATIONS[str(name)]).removeprefix("; ")
    close = suggestion(str(name), dict.fromkeys(OPS))
    return f"did you mean {close!r}?" if close else "the operations are listed in docs/guide/own-layers.md"


def _check_names(op: Op, known: Mapping[str, Parameter], n_operands: int, attrs: Mapping[str, object]) -> None:
    """Compare a call with the parameters of `infer`: operands come by position, attributes by name."""
    any_name = any(p.kind is Parameter.VAR_KEYWORD for p in known.values())
    any_number = any(p.kind is Parameter.VAR_POSITIONAL for p in known.values())
    placed = [p for p in known.values() if p.kind is Parameter.POSITIONAL_OR_KEYWORD and p.name not in attrs]
    named = [p.name for p in known.values() if p.kind is Parameter.KEYWORD_ONLY]
    unknown = [key for key in attrs if key not in known and not any_name]
    if unknown:
        close = suggestion(unknown[0], named)
        expected = " ".join(named) or "no attributes"
        hint = f"did you mean {close!r}?" if close else ""
        raise OpCallError(f"operation {op.name!r} has no attribute {unknown[0]!r}", expected, unknown[0], hint)
    absent = [key for key in named if key not in attrs and known[key].default is Parameter.empty]
    if absent:
        given = " ".join(attrs) or "no attributes"
        raise OpCallError(f"operation {op.name!r} needs the attribute {absent[0]!r}", " ".join(named), given)
    least = sum(p.default is Parameter.empty for p in placed)
    if n_operands < least or (n_operands > len(placed) and not any_number):
        count = str(least) if least == len(placed) else f"{least} to {len(placed)}"
        raise OpCallError(f"wrong number of operands of {op.name}", count, str(n_operands))


@cache
def _kinds(infer: Callable[..., Any]) -> dict[str, str]:
    """The annotations of `infer` as texts; those of a user's own op may say nothing."""
    return {key: str(kind) if not isinstance(kind, type) else kind.__name__ for key, kind in _hints(infer).items()}


def _hints(infer: Callable[..., Any]) -> dict[str, Any]:
    try:
        return get_type_hints(infer)
    except NameError:  # names that a user's file imports for type checkers only
        return {}


def _is_integer(value: object) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def _are_integers(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(map(_is_integer, value))


def _is_real(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


_KINDS: dict[str, tuple[str, Callable[[object], bool]]] = {
    "int": ("an integer", _is_integer),
    "float": ("a number", _is_real),
    "bool": ("True or False", lambda value: isinstance(value, bool)),
    "str": ("a string", lambda value: isinstance(value, str)),
    "tuple[int, ...]": ("a tuple of integers", _are_integers),
}


def _short(value: object) -> str:
    text = " ".join(repr(value).split())
    return f"{text[:60]}..." if len(text) > 63 else text
