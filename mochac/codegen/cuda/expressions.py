"""Calls of functions of the scalar table as C expressions, with only the parentheses they need.

All arithmetic on elements comes from the `cuda` column of the table; this module fills it in.
"""

from __future__ import annotations

import re

from mochac.base.errors import InternalError
from mochac.base.records import record
from mochac.codegen.cuda.names import C_TYPES
from mochac.ir.scalar import FUNCTIONS

_HOLE = re.compile(r"\{(\d)\}")
_UNSIGNED = {"u8": "", "u32": "u", "u64": "ull"}


@record
class Expression:
    """C text and its element type.

    Attributes:
        reads: buffers that it reads, which must not change before it is used.
        memory: its evaluation waits for memory.
    """

    text: str
    dtype: str
    reads: frozenset[str] = frozenset()
    memory: bool = False

    @property
    def atomic(self) -> bool:
        """Whether the text may be repeated: a name or a literal."""
        return re.fullmatch(r"\w+|\(?-?[\d.e+-]+[a-z]*\)?", self.text) is not None


def call(fn: str, args: list[Expression]) -> Expression:
    """A function of the table applied to arguments.

    >>> a, b = Expression("a", "f32"), Expression("(b + 1.0f)", "f32")
    >>> call("exp", [b]).text, call("mul", [a, b]).text
    ('expf(b + 1.0f)', '(a * (b + 1.0f))')
    """
    dtype = FUNCTIONS[fn].result(tuple(a.dtype for a in args))
    if fn == "ge" and args[1].text == "0" + _UNSIGNED.get(args[0].dtype, "?"):
        return Expression("true", "bool")  # nvcc warns about comparisons that are always true
    text = filled(template(fn, dtype, args[0].dtype), [a.text for a in args])
    if dtype in ("i8", "u8") and not fn.startswith("to_") and not FUNCTIONS[fn].picks:
        text = f"(({C_TYPES[dtype]}){text})"  # C promotes small integers to int
    reads = frozenset[str]().union(*(a.reads for a in args))
    return Expression(text, dtype, reads, any(a.memory for a in args))


def template(fn: str, dtype: str, operand: str) -> str:
    """The `cuda` column for a result of `dtype` (for a bool result: for operands of type `operand`)."""
    column = FUNCTIONS[fn].cuda
    for key in (dtype, operand if dtype == "bool" else dtype, ""):
        if key in column:
            return column[key]
    raise InternalError(f"the scalar function {fn!r} has no CUDA text for {dtype}")


def repeats(fn: str, dtype: str, operand: str, position: int) -> bool:
    """Whether the text of a function uses an argument more than once, or not at all."""
    return template(fn, dtype, operand).count(f"{{{position}}}") != 1


def filled(pattern: str, args: list[str]) -> str:
    """Fill the holes of a pattern; an argument alone between parentheses or commas loses its own parentheses."""

    def fill(match: re.Match[str]) -> str:
        before, after = pattern[: match.start()].rstrip(), pattern[match.end() :].lstrip()
        alone = before[-1:] in ("(", ",") and after[:1] in (")", ",") and not before.endswith(")")
        text = args[int(match[1])]
        return bare(text) if alone else text

    return _HOLE.sub(fill, pattern)


def bare(text: str) -> str:
    """Remove parentheses around the whole text.

    >>> bare("(a + b)"), bare("(a) + (b)")
    ('a + b', '(a) + (b)')
    """
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for k, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if not depth:
            return text[1:-1] if k == len(text) - 1 else text
    return text
