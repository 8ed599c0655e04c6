"""Formulas: ONNX operators in functional notation, as the scalar table has them (ir/onnx_writer.py)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mochac.base.records import record
from mochac.ir.onnx_writer import Attribute

_TOKEN = re.compile(r'\s*([A-Za-z]\w*|\{\d+\}|-?(?:\d[\d.]*(?:e[-+]?\d+)?|inf|nan)|"[^"]*"|[<>=(),])')


@record
class OperatorCall:
    """An operator with its attributes, applied to operands: calls, numbers, and positions of operands as strings."""

    operator: str
    attributes: dict[str, Attribute]
    operands: tuple[OperatorCall | float | str, ...]


def parse(text: str) -> OperatorCall | float | str:
    """The tree of a formula.

    >>> parse('Mul({0}, Elu<alpha=0.5>(2))').operands
    ('0', OperatorCall(operator='Elu', attributes={'alpha': 0.5}, operands=(2.0,)))
    """
    tokens = list(_tokens(text))
    tree = _tree(tokens)
    if tokens:
        raise ValueError(f"{text!r}: {tokens[0]!r} is too much")
    return tree


def _tokens(text: str) -> Iterator[str]:
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if not found:
            raise ValueError(f"{text!r}: cannot read {text[place:]!r}")
        yield found[1]
        place = found.end()


def _tree(tokens: list[str]) -> OperatorCall | float | str:
    token = tokens.pop(0)
    if token[0] == "{":
        return token[1:-1]
    if not token[0].isalpha() or token in ("inf", "nan"):
        return float(token)
    attributes: dict[str, Attribute] = {}
    operands: list[OperatorCall | float | str] = []
    if tokens.pop(0) == "<":
        while True:
            name, _, value = (tokens.pop(0) for _ in range(3))
            attributes[name] = value[1:-1] if value[0] == '"' else float(value)
            if tokens.pop(0) == ">":
                break
        tokens.pop(0)
    while True:
        operands.append(_tree(tokens))
        if tokens.pop(0) == ")":
            return OperatorCall(token, attributes, tuple(operands))
