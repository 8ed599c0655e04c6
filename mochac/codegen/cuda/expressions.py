"""C expressions: calls of functions of the scalar table, and which named values are written into their only use.

All arithmetic on elements comes from the `cuda` column of the table; this module fills it in, with only the parentheses
that C needs. A value is inlined only if nothing it reads changes before its use, so that the text means what the kernel
means. Other values become C constants.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from mochac.base.errors import InternalError
from mochac.base.records import record
from mochac.codegen.cuda.tokens import C_TYPES
from mochac.ir.kernel import Accum, If, Let, Load, Loop, Stmt, Store, operands, walk, written_buffers
from mochac.ir.kernel_rules import operand_dtype
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


LONGEST = 64
"""Maximum length in characters of an expression that is inlined."""


def use_counts(body: tuple[Stmt, ...]) -> Counter[str]:
    """How often each name is read in a body, inner bodies included."""
    return Counter(a for s in walk(body) for a in operands(s) if isinstance(a, str))


@record
class ValueUses:
    """Decides how the values defined in one body are printed."""

    body: tuple[Stmt, ...]
    counts: tuple[Counter[str], ...]

    @staticmethod
    def of(body: tuple[Stmt, ...]) -> ValueUses:
        return ValueUses(body, tuple(use_counts((s,)) for s in body))

    def readers(self, at: int, name: str) -> list[int]:
        """Statements after number `at` that read `name`, up to its next definition."""
        readers: list[int] = []
        for k in range(at + 1, len(self.body)):
            if self.counts[k][name]:
                readers.append(k)
            stmt = self.body[k]
            if isinstance(stmt, (Let, Load)) and stmt.name == name:
                break
        return readers

    def moves(self, at: int, name: str, value: Expression, dtypes: Mapping[str, str], barriers: frozenset[int]) -> bool:
        """Whether the value defined by statement `at` may be inlined at its use."""
        readers = self.readers(at, name)
        if not readers or self._changed(at, readers[-1], value.reads, barriers):
            return False
        if value.atomic:
            return not self._changed_inside(readers, value.reads)
        stmt = self.body[readers[0]]
        if len(readers) > 1 or self.counts[readers[0]][name] > 1 or isinstance(stmt, (Loop, If)):
            return False
        if isinstance(stmt, Store):
            return True
        return len(value.text) <= LONGEST and not self._repeated(stmt, name, dtypes) and not _late(stmt, name, value)

    def _changed(self, at: int, last: int, reads: frozenset[str], barriers: frozenset[int]) -> bool:
        between = self.body[at + 1 : last]
        waits = any(at < k <= last for k in barriers)
        return bool(reads) and (waits or bool(written_buffers(between) & reads))

    def _changed_inside(self, readers: list[int], reads: frozenset[str]) -> bool:
        nested = (self.body[k] for k in readers if isinstance(self.body[k], (Loop, If)))
        return any(written_buffers((s,)) & reads for s in nested)

    def _repeated(self, stmt: Stmt, name: str, dtypes: Mapping[str, str]) -> bool:
        assert isinstance(stmt, (Let, Accum))
        kinds = [operand_dtype(a, dtypes) for a in stmt.args]
        position = stmt.args.index(name)
        result = kinds[-1] if isinstance(stmt, Accum) else dtypes[stmt.name]
        return repeats(stmt.fn, result, kinds[0], position)


def _late(stmt: Stmt, name: str, value: Expression) -> bool:
    """Whether inlining a value would delay its load until a condition is decided: C evaluates only one side of a `?`,
    and a compiler may not load the other in advance."""
    return value.memory and isinstance(stmt, Let) and FUNCTIONS[stmt.fn].lazy and name in stmt.args[1:]
