"""Contraction: a kernel as a sum of products, its loops by their role, and how its two factors are read.

    product        y[n, o]         += x[n, f] * w[o, f]                          rows n, columns o, terms f
    batched        y[b, i, j]      += p[b, i, k] * q[b, k, j]                    shared b, rows i, columns j
    convolution    y[n, f, i]      += x[n, c, i + k] * w[f, c, k]                rows n i, columns f, terms c k

Rows are the loops on which only the first factor depends, columns those on which only the second does (the second
depends on the innermost loop of the results). So a convolution is a product whose rows overlap in memory (an implicit
GEMM). Only indices and conditions count, never names of operations or loops, so users' operations are recognized, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.codegen.analysis.nests import depends, parts_of
from mochac.codegen.analysis.plain import Strided, plain
from mochac.ir.index import Index
from mochac.ir.kernel import (
    MULTIPLY_ADDS,
    Accum,
    Buffer,
    If,
    Kernel,
    Let,
    Load,
    Loop,
    Operand,
    Stmt,
    loaded_buffers,
    multiply_adds,
    walk,
)
from mochac.ir.nest import band, extents
from mochac.ir.schedule import Step

Dims = tuple[tuple[str, int], ...]
"""(loop, extent), slowest first."""


@record
class Window:
    """A result and a term that move together over an axis: index = stride * result + step * term - pad.

    Under a pooling, the loop of the result and the loop over the pooling's window make two windows with the same term.
    """

    result: str
    term: str
    stride: int
    step: int
    pad: int
    axis: int


@record
class Factor:
    """One factor of the products.

    Attributes:
        loads: what it reads; several if it is an expression.
        direct: whether the factor is the loaded element itself.
        along: the loops, of results and terms, that it depends on.
        contiguous: loops that move every load by one along its last axis: to the next element, or vector if blocked.
        windows: results and terms that move together over an axis of the first load.
        batch: the loop over axis 0 of blocked storage, "" if it is not blocked.
    """

    loads: tuple[Load, ...]
    direct: bool
    along: frozenset[str]
    contiguous: tuple[str, ...]
    windows: tuple[Window, ...]
    batch: str


@record
class Contraction:
    """A sum of products; loops are given slowest first.

    Attributes:
        kernel, steps: the plain kernel and the steps that lead to it.
        rows, columns: loops of the results on which only one factor depends.
        shared: those on which both depend.
        terms: loops of the sum.
        window: loops over the window of a pooling around the sum.
        strided: loops that the plain form divided by a stride.
        factors: those of rows and of columns.
        accumulator: the local that the sum adds to.
        after: the sum is statement number `after` of the innermost of the other loops, counted from 1.
        epilogue: inputs that are only read outside of the sum.
        padding_only: whether conditions skip only terms that would read outside of an operand.
    """

    kernel: Kernel
    steps: tuple[Step, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    shared: tuple[str, ...]
    terms: tuple[str, ...]
    window: tuple[str, ...]
    strided: tuple[Strided, ...]
    factors: tuple[Factor, Factor]
    accumulator: str
    after: int
    epilogue: tuple[str, ...]
    padding_only: bool

    @cached_property
    def extent(self) -> dict[str, int]:
        """The extents of all loops."""
        return extents(self.kernel)

    def dims(self, loops: Iterable[str]) -> Dims:
        """Loops with their extents."""
        return tuple((var, self.extent[var]) for var in loops)

    def size(self, loops: Iterable[str]) -> int:
        """Iterations of all these loops together."""
        return math.prod(self.extent[var] for var in loops)

    @property
    def turned(self) -> Contraction:
        """This contraction with rows and columns exchanged: the second factor becomes the first."""
        first, second = self.factors
        return replace(self, rows=self.columns, columns=self.rows, factors=(second, first))

    @property
    def phases(self) -> frozenset[str]:
        """Loops over remainders of a stride."""
        return frozenset(cut.phase for cut in self.strided)


def contraction(kernel: Kernel) -> Contraction | None:
    """The kernel as a sum of products; None if it has another kind of sum, several sums, or a result loop on which no
    factor depends."""
    if not multiply_adds(kernel.body):
        return None
    form = plain(kernel)
    outer = band(form.kernel.body, kind="each")
    body = outer[-1].body if outer else ()
    while form.steps and len(body) == 1 and isinstance(body[0], If):
        body = body[0].body
    accums = [s for s in walk(body) if isinstance(s, Accum)]
    if len(accums) != 1 or accums[0].fn not in MULTIPLY_ADDS:
        return None
    pooled, after, inner = _window(body)
    terms = [s for s in walk(inner) if isinstance(s, Loop)]
    if not inner or any(loop.kind != "sum" or loop.extent is None for loop in terms):
        return None
    definitions = {s.name: s for s in walk(body) if isinstance(s, (Let, Load))}
    (one, first), (two, second) = ((arg, depends(arg, definitions)) for arg in accums[0].args)
    results, window = _vars(outer), _vars(pooled)
    if outer[-1].var in first:
        one, two, first, second = two, one, second, first
    if not set(results) <= first | second or set(window) & first:
        return None
    shared = first & second
    moving = frozenset((*results, *window)) - shared - {cut.phase for cut in form.strided}
    factors = (_factor(arg, definitions, moving, _vars(terms), form.kernel) for arg in (one, two))
    return Contraction(
        form.kernel,
        form.steps,
        rows=tuple(v for v in results if v in first - second),
        columns=tuple(v for v in results if v in second - first),
        shared=tuple(v for v in results if v in shared),
        terms=_vars(terms),
        window=window,
        strided=form.strided,
        factors=(next(factors), next(factors)),
        accumulator=accums[0].buffer,
        after=after,
        epilogue=tuple(b.name for b in read_outside(form.kernel, inner)),
        padding_only=_padding_only(form.kernel, terms),
    )


def _vars(loops: Iterable[Loop]) -> tuple[str, ...]:
    return tuple(loop.var for loop in loops)


def _window(body: tuple[Stmt, ...]) -> tuple[list[Loop], int, tuple[Stmt, ...]]:
    """The perfectly nested `for` loops of a pooling around a sum (empty for a bare sum), the number of statements
    inside them up to and including the sum, and the sum itself; no sum if there is more than one loop."""
    window: list[Loop] = []
    while True:
        inner = [k for k, s in enumerate(body) if isinstance(s, (Loop, If))]
        loop = body[inner[0]] if len(inner) == 1 else None
        if not isinstance(loop, Loop) or (window and loop.kind == "for" and len(body) != 1):
            return window, 0, ()
        if loop.kind != "for":
            return window, inner[0] + 1, (loop,)
        window.append(loop)
        body = loop.body


def _factor(
    name: Operand, definitions: dict[str, Let | Load], moving: frozenset[str], terms: tuple[str, ...], kernel: Kernel
) -> Factor:
    loads = tuple(s for s in parts_of(name, definitions) if isinstance(s, Load))
    indexed = [s for s in loads if s.index]
    axes = indexed[0].index if indexed else ()
    steps = [{v for v, c in s.index[-1].terms if c == 1} for s in indexed]
    buffers = kernel.buffers()
    blocked = {s.index[0] for s in indexed if buffers[s.buffer].type.lanes}
    batch = {v for index in blocked for v in index.vars}
    return Factor(
        loads,
        direct=any(s.name == name for s in indexed),
        along=depends(name, definitions),
        contiguous=tuple(sorted(set[str].intersection(*steps))) if steps else (),
        windows=tuple(w for a, index in enumerate(axes) for w in _windows(index, a, moving, terms)),
        batch=batch.pop() if len(blocked) == len(batch) == 1 else "",
    )


def _windows(index: Index, axis: int, moving: frozenset[str], terms: tuple[str, ...]) -> Iterable[Window]:
    """The windows of an index: none unless exactly one term moves it, and otherwise only results."""
    over, within = [v for v in index.vars if v in moving], [v for v in index.vars if v in terms]
    if len(within) == 1 and len(over) + 1 == len(index.vars):
        step = index.coefficient(within[0])
        yield from (Window(v, within[0], index.coefficient(v), step, -index.const, axis) for v in over)


def read_outside(kernel: Kernel, inner: tuple[Stmt, ...]) -> list[Buffer]:
    """Inputs that are only read outside of some of the kernel's statements."""
    inside = loaded_buffers(inner)
    read = loaded_buffers(kernel.body)
    return [b for b in kernel.inputs if b.name in read - inside]


def _padding_only(kernel: Kernel, terms: list[Loop]) -> bool:
    """Whether conditions skip only terms that would read outside of an operand, as with padding but not with groups."""
    buffers = kernel.buffers()
    loads = [s for s in walk(kernel.body) if isinstance(s, Load)]
    reads = [axis for s in loads for axis in zip(s.index, buffers[s.buffer].type.shape, strict=True)]
    ranges = {c for i, d in reads for c in (i, d - 1 - i)}
    sums = {loop.var for loop in terms}
    conds = [c for s in walk(kernel.body) if isinstance(s, If) for c in s.conds]
    return all(c in ranges for c in conds if sums & set(c.vars))
