"""Index arithmetic as C text: offsets, conditions and limits, folded and in the usual order.

Loops that a kernel only uses combined into one number (all axes of an elementwise kernel) are merged into one variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from mochac.base.records import record
from mochac.codegen.cuda.tokens import Names
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Buffer, Loop, Stmt, access, walk
from mochac.ir.nest import indices

Term = tuple[str, int]


def strides(shape: Sequence[int]) -> tuple[int, ...]:
    """Elements between neighbours along each axis, in row-major order.

    >>> strides((4, 3, 2))
    (6, 2, 1)
    """
    steps, step = [], 1
    for extent in reversed(shape):
        steps.append(step)
        step *= extent
    return tuple(reversed(steps))


def flat(buffer: Buffer, index: tuple[Index, ...]) -> Index:
    """The offset of an element in its buffer."""
    return sum((i * s for i, s in zip(index, strides(buffer.type.shape), strict=True)), Index())


@record
class MergedLoops:
    """Perfectly nested loops printed as one variable: its name, its extent, and the loops, outer first."""

    name: str
    extent: int
    loops: tuple[Loop, ...]


@dataclass
class Indices:
    """The loop variables in scope with their C identifiers, and the groups they were merged into."""

    names: Names
    merged: dict[str, MergedLoops] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)
    scope: dict[str, str] = field(default_factory=dict)

    def enter(self, var: str) -> str:
        """Open a loop that is printed as such; returns its identifier."""
        self.merged.pop(var, None)
        self.constants.pop(var, None)
        self.scope[var] = self.names.of(("var", var), var)
        return self.scope[var]

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Loops entered and merged inside are forgotten afterwards."""
        scope, merged, constants = dict(self.scope), dict(self.merged), dict(self.constants)
        yield
        self.scope, self.merged, self.constants = scope, merged, constants

    def merge(self, group: MergedLoops) -> None:
        """From here on, the loops of a group are one variable (none at all if they run once)."""
        for loop in group.loops:
            if group.extent == 1:
                self.constants[loop.var] = loop.lo.const or 0
            else:
                self.merged[loop.var] = group

    # --- text ------------------------------------------------------------------------------------

    def text(self, index: Index) -> str:
        """An index as a C expression without outer parentheses."""
        return _sum(self._terms(index), self._const(index))

    def factor(self, index: Index) -> str:
        """Like `text`, in parentheses where a neighbouring operator would bind tighter."""
        text = self.text(index)
        return f"({text})" if " " in text or text.startswith("-") else text

    def offset(self, buffer: Buffer, index: tuple[Index, ...]) -> str:
        """Offset of an element, axis by axis: n * 576 + (oh + kh) * 28 + ow."""
        whole = flat(buffer, index)
        if any(v in self.merged for v in whole.vars):
            return self.text(whole)
        parts, const = [], 0
        for i, step in zip(index, strides(buffer.type.shape), strict=True):
            terms, rest = self._terms(i), self._const(i)
            if len(terms) > 1 and step > 1:
                parts.append(f"({_sum(terms, rest)}) * {step}")
            else:
                parts += [_term(v, c * step) for v, c in terms]
                const += rest * step
        return _joined(parts, const)

    def condition(self, cond: Index) -> str:
        """`cond >= 0`, with its negative terms on the other side."""
        terms, const = self._terms(cond), self._const(cond)
        more, less = [t for t in terms if t[1] > 0], [(v, -c) for v, c in terms if c < 0]
        if not more and not less:
            return "true" if const >= 0 else "false"
        if not more:
            return f"{_sum(less, 0)} < {const + 1}"
        if not less:
            return f"{_sum(more, 0)} >= {-const}"
        left, right = (_sum(more, max(const, 0)), _sum(less, max(-const, 0)))
        return f"{left} >= {right}"

    def limit(self, limit: Limit, join: str) -> str:
        """One limit of a loop's range, its candidates combined by max or min."""
        texts = []
        for index, divisor in limit.candidates:
            if divisor > 1 and not self._terms(index):
                texts.append(str(-(-self._const(index) // divisor)))
            elif divisor > 1:
                texts.append(f"mochac_ceil_div({self.text(index)}, {divisor})")
            else:
                texts.append(self.text(index))
        out = texts[0]
        for text in texts[1:]:
            out = f"{join}({out}, {text})"
        return out

    def _terms(self, index: Index) -> list[Term]:
        terms: dict[str, int] = {}
        for var, c in index.terms:
            if var in self.constants:
                continue
            group = self.merged.get(var)
            if group is None:
                terms[self.scope[var]] = terms.get(self.scope[var], 0) + c
            elif var == group.loops[-1].var:
                terms[group.name] = terms.get(group.name, 0) + c
        return sorted(terms.items(), key=lambda t: -abs(t[1]))

    def _const(self, index: Index) -> int:
        return index.const + sum(c * self.constants.get(v, 0) for v, c in index.terms)


def _term(name: str, c: int) -> str:
    return name if c == 1 else f"-{name}" if c == -1 else f"{name} * {c}"


def _sum(terms: list[Term], const: int) -> str:
    ordered = [t for t in terms if t[1] > 0] + [t for t in terms if t[1] < 0]
    return _joined([_term(v, c) if c > 0 else "-" + _term(v, -c) for v, c in ordered], const)


def _joined(parts: list[str], const: int) -> str:
    if const or not parts:
        parts = [*parts, str(const)]
    out = parts[0]
    for part in parts[1:]:
        out += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
    return out


def forms(body: tuple[Stmt, ...], buffers: dict[str, Buffer]) -> Iterator[Index]:
    """Everything a body computes from loop variables: offsets in memory, register indices, conditions, limits."""
    for stmt in walk(body):
        accessed = access(stmt)
        if accessed is None:
            yield from indices(stmt)
            continue
        buffer = buffers[accessed[0]]
        at = set(map(id, accessed[1]))
        if buffer.space == "register":
            yield from accessed[1]
        else:
            yield flat(buffer, accessed[1])
        yield from (i for i in indices(stmt) if id(i) not in at)


def merged_loops(
    loops: Sequence[Loop], used: Iterable[Index], name: Callable[[tuple[Loop, ...]], str]
) -> tuple[MergedLoops, ...]:
    """Merge neighbours a, b if every index moves by extent(b) * its step along b when a moves by one.

    each a in 0..4 { each b in 0..5 { y[5*a + b] } }  ->  one variable of extent 20
    """
    vectors = [dict(i.terms) for i in used]
    merged: list[list[Loop]] = []
    for loop in loops:
        if merged and _mergeable(merged[-1][-1], loop, vectors):
            merged[-1].append(loop)
        else:
            merged.append([loop])
    return tuple(MergedLoops(name(tuple(part)), _extent(part), tuple(part)) for part in merged)


def _mergeable(a: Loop, b: Loop, vectors: list[dict[str, int]]) -> bool:
    if a.lo.const != 0 or b.lo.const != 0:
        return False
    return all(v.get(a.var, 0) == (b.extent or 0) * v.get(b.var, 0) for v in vectors)


def _extent(loops: Sequence[Loop]) -> int:
    n = 1
    for loop in loops:
        n *= loop.extent or 0
    return n
