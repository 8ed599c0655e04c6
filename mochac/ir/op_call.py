"""check_call: checks the operands and attributes of a call of an op against the signature of its `infer`.

The tracer uses it when a layer's `emit` appends a node, so that errors are reported in terms of the author's code.
Passes and vjp rules skip it.
"""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from inspect import Parameter

from mochac.base.errors import shown
from mochac.base.hints.operations import OPERATIONS
from mochac.base.hints.wording import instead
from mochac.base.registry import suggestion
from mochac.ir.declared import are_integers, declared
from mochac.ir.graph import Value, make_attrs
from mochac.ir.op import OPS, Op, OpTypeError


class OpCallError(OpTypeError):
    """An op is called wrongly, or an `emit` returns something other than values: a mistake in the code of a layer."""


class UnsupportedCallError(OpCallError):
    """A call in an `emit` that is meaningful but cannot be compiled."""


def check_call(name: str, operands: tuple[object, ...], attrs: Mapping[str, object]) -> None:
    """Raise OpCallError for an unknown op, wrong operands, or attributes of a wrong name or type.

    >>> check_call("softmx", (), {})
    Traceback (most recent call last):
    mochac.ir.op_call.OpCallError: there is no operation 'softmx'
    """
    if not isinstance(name, str) or name not in OPS:
        raise OpCallError(f"there is no operation {name!r}", hint=_known_hint(name))
    for k, operand in enumerate(operands):
        require_value(f"operand {k} of {name}", operand)
    op = OPS[name]
    known, kinds = declared(op.infer)
    _check_names(op, known, len(operands), attrs)
    for key, value in attrs.items():
        if key in kinds and not kinds[key].accepts(_canonical(value)):
            alone = kinds[key].accepts is are_integers and are_integers(_canonical((value,)))
            hint = f"write {key}=({value},)" if alone else ""
            raise OpCallError(f"attribute {key!r} of {name} is of the wrong type", kinds[key].words, repr(value), hint)


def require_value(what: str, given: object) -> None:
    """Raise OpCallError for anything but a value of the graph."""
    if isinstance(given, Value):
        return
    hint = ""
    if isinstance(given, (list, tuple)):
        hint = "give values one by one: *values"
    elif isinstance(given, numbers.Number):
        hint = f"operators take numbers, as in x * {given!r}; ctx.constant({given!r}, like=x) makes a value of one"
    elif hasattr(given, "__array__"):
        hint = "ctx.table(name, array) for fixed numbers, ctx.param(...) for learned ones"
    raise OpCallError(f"{what} is not a value", "a bottom, or what ctx.op and ctx.param return", shown(given), hint)


def _known_hint(name: object) -> str:
    if name in OPERATIONS:
        return instead(OPERATIONS[str(name)]).removeprefix("; ")
    close = suggestion(str(name), dict.fromkeys(OPS))
    return f"did you mean {close!r}?" if close else "the operations are listed in docs/guide/own-layers.md"


def _check_names(op: Op, known: Mapping[str, Parameter], n_operands: int, attrs: Mapping[str, object]) -> None:
    """Compare a call with the parameters of `infer`: operands are positional, attributes are keywords."""
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


def _canonical(value: object) -> object:
    """The value as a node would store it: lists as tuples, NumPy scalars as Python numbers."""
    try:
        return make_attrs({"": value})[0][1]
    except ValueError:  # an array of several numbers
        return value
