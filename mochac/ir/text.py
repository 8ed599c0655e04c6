"""parse: reads the text of a Graph, a Kernel or a Plan; the inverse of str().

Dumps, tests, bug reports and `mochac opt` use it. It checks only the syntax; ir/verifier.py checks whether a graph is
well formed.

    graph @g(%x: f32[b2,3], %w: f32[3] param) {
      %y: f32[b2,3] = relu(%x) {axis = 1, pad = (0,0)}  @"relu1 net.py:7" group 0
      return %y
      update %w = %y
    }
    # a note of a pass
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from mochac.base.errors import MochacError
from mochac.ir.graph import MOST_DIGITS, PLAIN, ROLES, Attr, Graph, Input, Node, Value, make_attrs, parse_loc
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.notes import parse_note
from mochac.ir.plan import parse_plan
from mochac.ir.types import TensorType, parse_type

STRING = r'"(?:[^"\\\n]|\\.)*"'
NUMBER = r"-?(?:inf\b|nan\b|\d+\.\d*(?:[eE][+-]?\d+)?|\d+(?:[eE][+-]?\d+)?)"
TYPE = r"\w+\[[^\]]*\](?:\s+blocked\(\d+\))?"


SHOWN = 100
"""How many characters of a line an error message quotes on either side of the error."""

DEEPEST = 32
"""Maximum nesting depth of tuples in an attribute, and of graphs; the ops need two levels."""


class ParseError(MochacError, ValueError):
    """The text is not a graph; the message shows the line with a caret under the error.

    >>> parse("graph @g( {")
    Traceback (most recent call last):
    mochac.ir.text.ParseError: line 1, column 11: expected '%name'
      graph @g( {
                ^
    """

    def __init__(self, rule: str, text: str, position: int) -> None:
        start = text.rfind("\n", 0, position) + 1
        end = text.find("\n", start)
        line, column = text.count("\n", 0, position) + 1, position - start + 1
        first = max(start, position - SHOWN)  # quote only a part of a long line
        shown = text[first : min(position + SHOWN, end if end >= 0 else len(text))]
        caret = " " * (position - first) + "^"
        super().__init__(f"line {line}, column {column}: {rule}\n  {shown}\n  {caret}")
        self.rule, self.line, self.column = rule, line, column


def parse(text: str) -> Any:
    """The Graph, Kernel or Plan that a text describes.

    Args:
        text: the str() of one of them, or hand-written text; '#' starts a comment.

    Returns:
        A Graph for text starting with "graph", a Kernel for "kernel", a Plan for "plan".

    Raises:
        ParseError: with line, column and a caret.

    >>> print(parse("graph @g(%x: f32[2]) { %y: f32[2] = neg(%x) return %y }"), end="")
    graph @g(%x: f32[2]) {
      %y: f32[2] = neg(%x)
      return %y
    }
    """
    first = re.match(r"(?:\s|#[^\n]*)*(\w*)", text)
    word = first[1] if first else ""
    if word == "kernel":
        return parse_kernel(text)
    if word == "plan":
        return parse_plan(text)
    return _Parser(text).graph()


class _Parser:
    """Recursive-descent parser; `at` is the position of the next character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def fail(self, rule: str, at: int | None = None) -> NoReturn:
        raise ParseError(rule, self.text, self.at if at is None else at)

    def skip(self) -> None:
        match = re.compile(r"(?:\s|#[^\n]*)*").match(self.text, self.at)
        self.at = match.end() if match else self.at

    def take(self, pattern: str) -> str | None:
        """Consume and return the text that matches `pattern` here; None if it does not match."""
        self.skip()
        match = re.compile(pattern, re.ASCII).match(self.text, self.at)
        if match is None:
            return None
        self.at = match.end()
        return match[0]

    def word(self, word: str) -> bool:
        return self.take(re.escape(word) + (r"\b" if word.isalpha() else "")) is not None

    def need(self, word: str) -> None:
        if not self.word(word):
            self.fail(f"expected {word!r}")

    def name(self, sigil: str) -> str:
        text = self.take(f"{sigil}(?:{PLAIN}|{STRING})")
        if text is None:
            self.fail(f"expected '{sigil}name'")
        return self.unquoted(text[1:]) if text[1] == '"' else text[1:]

    def unquoted(self, text: str) -> str:
        try:
            value: str = json.loads(text)
            value.encode()  # halves of surrogate pairs cannot be printed
        except ValueError:
            self.fail("not a string", self.at - len(text))
        return value

    def list_of(self, item: Any, close: str) -> list[Any]:
        """Items separated by commas up to `close`; a trailing comma is allowed."""
        items = []
        while not self.word(close):
            items.append(item())
            if not self.word(","):
                self.need(close)
                break
        return items

    def type(self) -> TensorType:
        self.skip()
        start = self.at
        text = self.take(TYPE)
        if text is None:
            self.fail("expected a type such as f32[64,10]")
        try:
            return parse_type(text)
        except ValueError as error:
            self.fail(str(error), start)

    def value(self) -> Value:
        name = self.name("%")
        self.need(":")
        return Value(name, self.type())

    def input(self) -> Input:
        value = self.value()
        self.skip()
        start = self.at
        role = self.take(r"[a-z]+") or "data"
        if role not in ROLES:
            self.fail(f"unknown role {role!r}, expected one of {', '.join(ROLES)}", start)
        return Input(value.name, value.type, role)

    def attr(self, depth: int = 0) -> Attr:
        if self.word("(") or self.word("["):
            if depth == DEEPEST:
                self.fail(f"tuples are nested more than {DEEPEST} deep", self.at - 1)
            close = ")" if self.text[self.at - 1] == "(" else "]"
            return tuple(self.list_of(lambda: self.attr(depth + 1), close))
        if string := self.take(STRING):
            return self.unquoted(string)
        if self.word("graph"):
            return self.body()
        if number := self.take(NUMBER):
            return self.number(number)
        flag = self.take(r"(?:true|false)\b")
        if flag is None:
            self.fail("expected a number, a string, true, false, a tuple or a graph")
        return flag == "true"

    def number(self, text: str) -> int | float:
        if text == "nan":
            return math.nan
        if not re.fullmatch(r"-?\d+", text):
            return float(text)
        if len(text) > MOST_DIGITS or not -(2**63) <= int(text) < 2**64:
            self.fail("an integer has at most 64 bits", self.at - len(text))
        return int(text)

    def pair(self) -> tuple[str, Attr]:
        key = self.take(r"[A-Za-z_]\w*")
        if key is None:
            self.fail("expected an attribute's name")
        self.need("=")
        return key, self.attr()

    def node(self) -> Node:
        outputs = [self.value()]
        while self.word(","):
            outputs.append(self.value())
        self.need("=")
        op = self.take(r"[A-Za-z_][\w.]*")
        if op is None:
            self.fail("expected an op's name")
        self.need("(")
        inputs = self.list_of(lambda: self.name("%"), ")")
        attrs = self.list_of(self.pair, "}") if self.word("{") else []
        locs = []
        while quoted := self.take("@" + STRING):
            locs.append(parse_loc(self.unquoted(quoted[1:])))
        group = self.group() if self.word("group") else -1
        return Node(op, tuple(inputs), tuple(outputs), make_attrs(dict(attrs)), tuple(locs), group)

    def group(self) -> int:
        number = self.take(r"\d+")
        if number is None:
            self.fail("expected a group's number")
        return int(self.number(number))

    def graph(self) -> Graph:
        self.need("graph")
        graph = self.rest()
        end = self.at
        self.skip()
        if self.at != len(self.text):
            self.fail("text after the end of the graph")
        return graph.with_(notes=tuple(map(parse_note, re.findall(r"# ?([^\n]*)", self.text[end:]))))

    def body(self) -> Graph:
        """A graph among the attributes of a node."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(f"graphs are nested more than {DEEPEST} deep", self.at - len("graph"))
        graph = self.rest()
        self.depth -= 1
        return graph

    def rest(self) -> Graph:
        """What follows the word "graph"."""
        name = self.name("@")
        self.need("(")
        inputs = self.list_of(self.input, ")")
        self.need("{")
        nodes = []
        while not self.word("return"):
            if not self.text[self.at : self.at + 1] == "%":
                self.fail("expected a node or 'return'")
            nodes.append(self.node())
        outputs = self.outputs()
        updates = []
        while self.word("update"):
            target = self.name("%")
            self.need("=")
            updates.append((target, self.name("%")))
        self.need("}")
        return Graph(name, tuple(inputs), tuple(nodes), tuple(outputs), tuple(updates))

    def outputs(self) -> list[str]:
        self.skip()
        if self.text[self.at : self.at + 1] != "%":
            return []
        names = [self.name("%")]
        while self.word(","):
            names.append(self.name("%"))
        return names
