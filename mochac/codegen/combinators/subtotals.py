"""Subtotals: a long sum is a sum of sums, none of which adds up many numbers one after another.

    sum a in 0..65536 { acc += x[a] }  ->  sum a_o in 0..256 {
                                             part = 0; sum a_i in 0..256 { part += x[256*a_o + a_i] }; acc += part
                                           }

The error of a float32 sum grows with the number of its terms; with subtotals, it grows only with the number of terms in
a level. PyTorch and NumPy add in such levels, too, and BLAS adds up products in blocks of terms. Subtotals come last,
when lanes have divided the terms.
"""

from __future__ import annotations

from itertools import pairwise
from math import isqrt, prod

from mochac.ir.kernel import Accum, Kernel, Loop, Store
from mochac.ir.schedule_builder import ScheduleBuilder, because
from mochac.ir.starts_fresh import uses
from mochac.ir.steps.run import Place
from mochac.ir.steps.split_sum import Subtotal
from mochac.ir.types import FLOATS

LONG = 256
"""Maximum terms that are added one after another without subtotals."""
LEAST = 16
"""Minimum terms of a subtotal, so that adding the subtotal is little work."""


@because("float32 sums of many numbers lose digits")
def subtotals(b: ScheduleBuilder) -> None:
    """Give long sums in registers subtotals."""
    for local in [x.name for x in b.kernel.locals if x.space == "register" and x.type.dtype in FLOATS]:
        loops = _sum_loops(b.kernel, local)
        if prod(extent for _, extent in loops) <= LONG:
            continue
        terms = 1
        for (_, extent), (outer, _) in pairwise(_levels(b, loops)):
            terms *= extent
            if terms >= LEAST and b.fits(Subtotal(local, outer)):
                terms = 1


@because("float32 sums of many products lose digits")
def tile_subtotals(b: ScheduleBuilder, accumulator: str) -> None:
    """Give the sums of a tile that fills the registers subtotals; the totals wait in scratch memory."""
    loops = _sum_loops(b.kernel, accumulator)
    terms = prod(extent for _, extent in loops)
    if terms <= 2 * LONG:
        return
    outermost, extent = loops[0]
    blocks, _ = b.split(outermost, max(1, LONG * extent // terms), "cut")
    b.add(Subtotal(accumulator, blocks), Place(accumulator, "scratch"))


def parts(extent: int, about: int) -> int:
    """A divisor of an extent from `about` to twice `about`, if there is one; else `about`."""
    return next((n for n in range(about, 2 * about) if not extent % n), about)


def _levels(b: ScheduleBuilder, loops: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Split long loops, so that a subtotal has about as many terms, with those of inner loops, as there are subtotals.
    Return the loops and their extents, inner first."""
    levels, terms = list[tuple[str, int]](), 1
    for loop, extent in reversed(loops):
        found = [(loop, extent)]
        if extent > LONG:
            few = parts(extent, max(1, isqrt(extent * terms) // terms))
            outer, inner = b.split(loop, few, "cut")
            found = [(inner, few), (outer, extent // few)]
        for level in found:
            terms = 1 if terms * level[1] >= LEAST else terms * level[1]
            levels.append(level)
    return levels


def _sum_loops(kernel: Kernel, local: str) -> list[tuple[str, int]]:
    """The nested loops that add to a local, outer first, and their extents; none if there are several nests of
    different loops.

    Where results or terms have been cut into blocks and a tail, there is a nest of the same loops for each.
    """
    nests, start = list[list[Loop]](), None
    for use in uses(kernel.body, local):
        if isinstance(use.stmt, Store):
            start = use
        elif isinstance(use.stmt, Accum):
            if start is None or use.stmt.fn == "max":
                return []
            nests.append([loop for loop in use.apart(start) if loop.kind == "sum" and loop.run == "serial"])
    if not nests or any(loop.extent is None or loop.at for nest in nests for loop in nest):
        return []
    longest = [(loop.var, loop.extent or 0) for loop in max(nests, key=_terms)]
    names = [name for name, _ in longest]
    return longest if all(loop.var in names for nest in nests for loop in nest) else []


def _terms(nest: list[Loop]) -> int:
    return prod(loop.extent or 0 for loop in nest)
