"""A scanner of prototxt files, which finds the line and type of each layer before protobuf parses the text.

protobuf does not report the lines of what it has parsed, and refuses unknown types. The scanner looks at names, braces
and strings only; protobuf reports malformed text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mochac.base.records import record

_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|[{}<>\[\]:;,]|[^\s{}<>\[\]:;,"'#]+"""
)
DEEPEST = 32
"""Limit on the nesting of messages; Caffe's own files have six levels."""

_KEPT = ("name", "top", "bottom", "include", "exclude", "transform_param")


@record
class Field:
    """`name: value` or `name { fields }`, at text[start:end]; `inside` is the range between the braces, None if the
    closing brace is missing."""

    name: str
    start: int
    end: int
    value: str = ""
    fields: tuple[Field, ...] = ()
    inside: tuple[int, int] | None = None

    def get(self, name: str) -> str:
        """The value of its first field of that name, without quotes; "" if there is none."""
        return next((f.value.strip("\"'") for f in self.fields if f.name == name), "")


@record
class Block:
    """A `layer { ... }` or `layers { ... }` of a net, its type as written ("" if absent), and its first line."""

    field: Field
    type: str
    line: int


def too_deep(text: str) -> int:
    """The line where messages are nested deeper than DEEPEST, or 0. (`scan` and protobuf are recursive.)

    >>> too_deep("layer {\\n a { b: '{{{' } }"), too_deep("a {\\n" * 40)
    (0, 33)
    """
    depth = 0
    for token in _TOKEN.finditer(text):
        depth = max(0, depth + (token[0] in "{<[") - (token[0] in "}>]"))
        if depth > DEEPEST:
            return text.count("\n", 0, token.start()) + 1
    return 0


def fields_of(text: str) -> tuple[Field, ...]:
    """The fields of a message in text format.

    >>> [f.name for f in fields_of("net_param { layer { } } base_lr: 1")]
    ['net_param', 'base_lr']
    """
    return _fields(_Tokens(text))


def is_net(text: str) -> bool:
    """Whether it is the text of a net, and not of a solver."""
    return any(field.name in ("layer", "layers", "input") for field in fields_of(text))


def scan(text: str) -> list[Block]:
    """All layers of a prototxt, in order.

    >>> [(b.field.name, b.type, b.line) for b in scan('name: "n"\\nlayers { # one\\n type: RELU }\\nlayer {type:"X"}')]
    [('layers', 'RELU', 2), ('layer', 'X', 4)]
    """
    blocks: list[Block] = []
    for field in fields_of(text):
        if field.name in ("layer", "layers") and not field.value:
            oldest = next((f for f in field.fields if f.name == "layer"), None)
            blocks.append(Block(field, (oldest or field).get("type"), text.count("\n", 0, field.start) + 1))
    return blocks


def stub(text: str, block: Block) -> str:
    """A block reduced to its name, wiring and rules, with the same number of lines."""
    kept = " ".join(text[f.start : f.end].replace("\n", " ") for f in block.field.fields if f.name in _KEPT)
    lines = text.count("\n", block.field.start, block.field.end)
    return f"{block.field.name} {{ {kept} }}" + "\n" * lines


class _Tokens:
    """The tokens of a text, with a lookahead of one."""

    def __init__(self, text: str) -> None:
        self._rest: Iterator[re.Match[str]] = (m for m in _TOKEN.finditer(text) if not m["comment"])
        self._next = next(self._rest, None)
        self.start = self.end = 0

    def peek(self) -> str:
        return self._next[0] if self._next else ""

    def take(self) -> str:
        token = self.peek()
        if self._next:
            self.start, self.end = self._next.span()
        self._next = next(self._rest, None)
        return token


def _fields(tokens: _Tokens) -> tuple[Field, ...]:
    """Fields up to a closing brace, which is not consumed, or to the end."""
    fields: list[Field] = []
    while tokens.peek() and tokens.peek() not in "}>":
        name = tokens.take()
        if name not in ";,":
            fields.append(_field(tokens, name, tokens.start))
    return tuple(fields)


def _field(tokens: _Tokens, name: str, start: int) -> Field:
    if tokens.peek() == ":":
        tokens.take()
    if tokens.peek() and tokens.peek() in "{<":
        tokens.take()
        begin, fields = tokens.end, _fields(tokens)
        closed = bool(tokens.take())
        return Field(name, start, tokens.end, fields=fields, inside=(begin, tokens.start) if closed else None)
    value = tokens.take()
    while value == "[" and tokens.peek() and tokens.take() != "]":
        pass
    while value[:1] in ('"', "'") and tokens.peek()[:1] in ('"', "'"):
        tokens.take()
    return Field(name, start, tokens.end, value=value)
