"""The parameters that the `infer` function of an op declares, and the values that each attribute accepts.

Used by op_call.py to check a call as its author wrote it, and by the verifier to check the nodes of a graph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from inspect import Parameter, signature
from typing import Any, NamedTuple, get_type_hints

from mochac.ir.graph import Graph


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
