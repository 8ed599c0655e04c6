"""An operation called by name with values that are checked, and inputs that a graph declares.

The parameters that the `infer` function of an op declares, and the values that each attribute accepts.

Used by op_call.py to check a call as its author wrote it, and by the verifier to check the nodes of a graph.

check_call: checks the operands and attributes of a call of an op against the signature of its `infer`.

The tracer uses it when a layer's `emit` appends a node, so that errors are reported in terms of the author's code.
Passes and vjp rules skip it.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping
from functools import cache
from inspect import Parameter, signature
from typing import Any, NamedTuple, get_type_hints

from mochac.base.errors import shown
from mochac.base.hints.calls import OPERATIONS
from mochac.base.hints.names import instead
from mochac.base.registry import misspelt
from mochac.ir.graph import Graph, Value, make_attrs
from mochac.ir.op import OPS, Op, OpTypeError


class AttributeKind(NamedTuple):
    """One type of attribute: its annotation in `infer`, its name in messages, and a test of canonical values."""

    annotation: str
    words: str
    accepts: Callable[[object], bool]


class Declared(NamedTuple):
    """The parameters of `infer`, and the kinds of those annotated with one of KINDS."""

    parameters: Mapping[str, Parameter]
    kinds: Mapping[str, AttributeKind]


@cache
def declared(infer: Callable[..., Any]) -> Declared:
    """The parameters of a signature. The `infer` of a user's own op need not have annotations.

    >>> def infer(x, *, axis: int): ...
    >>> d = declared(infer)
    >>> list(d.parameters), d.kinds["axis"].words, d.kinds["axis"].accepts(True)
    (['x', 'axis'], 'an integer', False)
    """
    parameters = signature(infer).parameters
    try:
        annotations = get_type_hints(infer)
    except NameError:  # names that a user's file imports only for type checkers
        annotations = {name: p.annotation for name, p in parameters.items()}
    texts = {name: a.__name__ if isinstance(a, type) else str(a) for name, a in annotations.items()}
    return Declared(parameters, {name: _BY_TEXT[text] for name, text in texts.items() if text in _BY_TEXT})


def _is_integer(value: object) -> bool:
    return type(value) is int  # excludes bool


def are_integers(value: object) -> bool:
    """Whether a value is a tuple of integers."""
    return isinstance(value, tuple) and all(map(_is_integer, value))


KINDS = (
    AttributeKind("int", "an integer", _is_integer),
    AttributeKind("float", "a number", lambda value: type(value) in (int, float)),
    AttributeKind("bool", "True or False", lambda value: type(value) is bool),
    AttributeKind("str", "a string", lambda value: type(value) is str),
    AttributeKind("Graph", "a graph", lambda value: isinstance(value, Graph)),
    AttributeKind("tuple[int, ...]", "a tuple of integers", are_integers),
)
_BY_TEXT = {kind.annotation: kind for kind in KINDS}


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


def require_value(what: str, value: object) -> None:
    """Raise OpCallError for anything but a value of the graph."""
    if isinstance(value, Value):
        return
    hint = ""
    if isinstance(value, (list, tuple)):
        hint = "give values one by one: *values"
    elif isinstance(value, numbers.Number):
        hint = f"operators take numbers, as in x * {value!r}; ctx.constant({value!r}, like=x) makes a value of one"
    elif hasattr(value, "__array__"):
        hint = "ctx.table(name, array) for fixed numbers, ctx.param(...) for learned ones"
    raise OpCallError(f"{what} is not a value", "a bottom, or what ctx.op and ctx.param return", shown(value), hint)


def _known_hint(name: object) -> str:
    if name in OPERATIONS:
        return instead(OPERATIONS[str(name)]).removeprefix("; ")
    return misspelt(str(name), dict.fromkeys(OPS), "the operations are listed in docs/guide/own-layers.md")


def _check_names(op: Op, known: Mapping[str, Parameter], n_operands: int, attrs: Mapping[str, object]) -> None:
    """Compare a call with the parameters of `infer`: operands are positional, attributes are keywords."""
    any_name = any(p.kind is Parameter.VAR_KEYWORD for p in known.values())
    any_number = any(p.kind is Parameter.VAR_POSITIONAL for p in known.values())
    placed = [p for p in known.values() if p.kind is Parameter.POSITIONAL_OR_KEYWORD and p.name not in attrs]
    named = [p.name for p in known.values() if p.kind is Parameter.KEYWORD_ONLY]
    unknown = [key for key in attrs if key not in known and not any_name]
    if unknown:
        hint = misspelt(unknown[0], named)
        expected = " ".join(named) or "no attributes"
        raise OpCallError(f"operation {op.name!r} has no attribute {unknown[0]!r}", expected, unknown[0], hint)
    absent = [key for key in named if key not in attrs and known[key].default is Parameter.empty]
    if absent:
        got = " ".join(attrs) or "no attributes"
        raise OpCallError(f"operation {op.name!r} needs the attribute {absent[0]!r}", " ".join(named), got)
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
