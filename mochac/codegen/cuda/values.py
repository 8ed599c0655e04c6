"""Named values during printing: which are inlined into their only use, and which become C constants.

A value is inlined only if nothing it reads changes before its use, so that the text means what the kernel means.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from mochac.base.records import record
from mochac.codegen.cuda.expressions import Expression, repeats
from mochac.ir.kernel import Accum, If, Let, Load, Loop, Stmt, Store, operands, walk, written_buffers
from mochac.ir.kernel_rules import operand_dtype
from mochac.ir.scalar import FUNCTIONS

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
