"""Subtotals: a long sum is a sum of sums, none of which adds up many numbers one after another.

    sum a in 0..65536 { acc += x[a] }  ->  sum a_o in 0..256 {
                                             part = 0; sum a_i in 0..256 { part += x[256*a_o + a_i] }; acc += part
                                           }

The error of a float32 sum grows with the number of its terms; so it grows with that of a level. PyTorch and NumPy add
in such levels, too. It comes last, when lanes have divided the terms.
"""

from __future__ import annotations

from itertools import pairwise
from math import isqrt, prod

from mochac.ir.kernel import Accum, Kernel, Loop, Stmt, Store
from mochac.ir.schedule_builder import ScheduleBuilder, because
from mochac.ir.steps.subtotal import FLOATS, Subtotal
from mochac.ir.uses import uses

LONG = 256
"""Terms that are added one after another without subtotals."""
LEAST = 16
"""Terms of a subtotal, so that its own addition is little work."""


@because("float32 sums of many numbers lose digits")
def subtotals(b: ScheduleBuilder) -> None:
    """Give long sums in registers subtotals."""
    for local in [x.name for x in b.kernel.locals if x.space == "register" and x.type.dtype in FLOATS]:
        loops = _sum_loops(b.kernel, local)
        terms = prod(loop.extent or 0 for loop in loops)
        if terms <= LONG:
            continue
        names, inner = [loop.var for loop in loops], loops[-1].extent or 0
        if inner > LONG:
            names[-1:] = b.split(names[-1], parts(inner, isqrt(inner)), "cut")
        terms = 1
        for outer, loop in reversed(list(pairwise(names))):
            terms *= b.extent(loop)
            if terms >= LEAST and b.fits(Subtotal(local, outer)):
                terms = 1


def parts(extent: int, about: int) -> int:
    """A number that divides an extent, from `about` to twice that, if there is one; else `about`."""
    return next((n for n in range(about, 2 * about) if not extent % n), about)


def _sum_loops(kernel: Kernel, local: str) -> list[Loop]:
    """The loops that add to a local one after another, outer first; none if there are several such nests."""
    found = list(uses(kernel.body, local))
    start = next((use for use in found if isinstance(use.stmt, Store)), None)
    sums = [use for use in found if isinstance(use.stmt, Accum)]
    if start is None or not sums or any(use.apart(sums[0]) for use in sums) or _is_max(sums[0].stmt):
        return []
    loops = [loop for loop in sums[0].apart(start) if loop.kind == "sum" and loop.run == "serial"]
    return [] if any(loop.extent is None or loop.at for loop in loops) else loops


def _is_max(stmt: Stmt) -> bool:
    return isinstance(stmt, Accum) and stmt.fn == "max"
