"""Contraction: a kernel as a sum of products, with its rows, columns and terms, and how both factors are read.

Rows are the variables on which only one factor depends, columns those on which only the other does: samples and outputs
of a product, pixels and filters of a convolution (an implicit GEMM).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from mochac.codegen.cuda.schedules.plain import plain
from mochac.codegen.cuda.schedules.sides import Dims
from mochac.codegen.cuda.schedules.tiles import Read
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Buffer, If, Kernel, Let, Load, Loop, Stmt, walk
from mochac.ir.nest import band
from mochac.ir.schedule import Step


@dataclass(frozen=True)
class Contraction:
    """The loops of a sum of products, slowest first.

    Attributes:
        rows, columns: loops on which only one factor depends.
        both: loops on which both factors depend.
        terms: loops of the sum.
        window: loops over the columns of a window that a pooling reduces.
        after: the sum is statement number `after` of the innermost of the other loops, counted from 1.
        sum: the accumulator.
        reads: how the rows' and the columns' factors are read.
        before: the steps that gave the kernel these loops.
    """

    rows: Dims
    columns: Dims
    both: Dims
    terms: Dims
    window: Dims = ()
    after: int = 0
    sum: str = ""
    reads: tuple[Read, Read] = (Read(), Read())
    before: tuple[Step, ...] = ()


def contraction(kernel: Kernel) -> Contraction | None:
    """The kernel as a sum of products, or None."""
    form = plain(kernel)
    outer = band(form.kernel.body, kind="each")
    body = outer[-1].body if outer else ()
    while form.steps and len(body) == 1 and isinstance(body[0], If):
        body = body[0].body
    accums = [s for s in walk(body) if isinstance(s, Accum)]
    if len(accums) != 1 or accums[0].fn != "fma":
        return None
    window, after, inner = _window(body)
    terms = [s for s in walk(inner) if isinstance(s, Loop)]
    if not inner or any(loop.kind != "sum" or loop.extent is None for loop in terms):
        return None
    left, right = (_depends(a, body) for a in accums[0].args)
    variables = {loop.var for loop in outer}
    if not variables <= left | right or not _padding_only(form.kernel, terms):
        return None
    factors = accums[0].args
    if outer[-1].var in left:
        left, right, factors = right, left, (factors[1], factors[0])
    if any(loop.var in left for loop in window):
        return None
    apart = form.phases | (left & right & form.blocks)
    return Contraction(
        rows=_dims(outer, left - right),
        columns=_dims(outer, right - left),
        both=_dims(outer, left & right),
        terms=_dims(terms, {loop.var for loop in terms}),
        window=_dims(window, {loop.var for loop in window}),
        after=after,
        sum=accums[0].buffer,
        reads=(_read(factors[0], body, terms, apart), _read(factors[1], body, terms, apart)),
        before=form.steps,
    )


def _read(name: object, body: tuple[Stmt, ...], terms: list[Loop], apart: frozenset[str]) -> Read:
    """How products read a factor; windows over different positions of the variables `apart` never overlap."""
    load = next((s for s in walk(body) if isinstance(s, Load) and s.name == name), None)
    if load is None or not load.index:
        return Read(False)
    sums = {loop.var: loop.extent or 1 for loop in terms}
    last, share = load.index[-1], 1.0
    for index in load.index:
        along = math.prod(sums[v] for v in index.vars if v in sums)
        if along > 1 and set(index.vars) - set(sums) - apart:
            share *= 2 / along  # assuming as many positions as taps
    if set(last.vars) <= set(sums):
        return Read(True, share=share)
    if len(last.terms) == 1 and last.terms[0][1] == 1:
        return Read(False, adjacent=last.vars[0], share=share)
    taps = [v for v in last.vars if v in sums]
    places = [v for v, c in last.terms if v not in sums and v not in apart and c == 1]
    if len(taps) == 1 and len(places) == 1:
        return Read(False, slides=places[0], taps=sums[taps[0]], share=share)
    return Read(False, share=share)


def _window(body: tuple[Stmt, ...]) -> tuple[list[Loop], int, tuple[Stmt, ...]]:
    """The perfectly nested `for` loops of a pooling around a sum (empty for a bare sum), the number of statements up to
    and including the sum inside them, and the sum alone; no sum if there is more than one loop."""
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


def _padding_only(kernel: Kernel, terms: list[Loop]) -> bool:
    """Whether conditions skip only terms that would read outside of an operand, as with padding but not with groups."""
    buffers = kernel.buffers()
    reads = [(i, d) for s in walk(kernel.body) if isinstance(s, Load) for i, d in _axes(s, buffers[s.buffer])]
    ranges = {c for i, d in reads for c in (i, d - 1 - i)}
    sums = {loop.var for loop in terms}
    conds = [c for s in walk(kernel.body) if isinstance(s, If) for c in s.conds]
    return all(c in ranges for c in conds if sums & set(c.vars))


def _axes(load: Load, buffer: Buffer) -> zip[tuple[Index, int]]:
    return zip(load.index, buffer.type.shape, strict=True)


def _dims(loops: list[Loop], variables: set[str]) -> Dims:
    return tuple((loop.var, loop.extent or 0) for loop in loops if loop.var in variables)


def _depends(name: object, body: tuple[Stmt, ...]) -> set[str]:
    """The variables that a value depends on."""
    made = {s.name: s for s in walk(body) if isinstance(s, (Let, Load))}
    variables: set[str] = set()
    pending = [name]
    while pending:
        value = pending.pop()
        if isinstance(value, Index):
            variables.update(value.vars)
        elif isinstance(value, str) and value in made:
            stmt = made[value]
            pending += stmt.args if isinstance(stmt, Let) else stmt.index
    return variables
