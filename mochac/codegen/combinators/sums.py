"""Sums in levels, sums that threads share, and lanes of many sums added up together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isqrt, prod

from mochac.codegen.combinators.tiles import lanes
from mochac.ir.kernel import Accum, Kernel, Loop, Store, walk
from mochac.ir.nest import loops
from mochac.ir.schedule_builder import ScheduleBuilder, because
from mochac.ir.starts_fresh import uses
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.run import Place, Threads, Unroll
from mochac.ir.steps.split_sum import Subtotal
from mochac.ir.steps.storage import Flatten
from mochac.ir.steps.vectors import Transpose
from mochac.ir.types import FLOATS

LONG = 256
"""Maximum terms that are added one after another without subtotals."""
LEAST = 16
"""Minimum terms of a subtotal, so that adding the subtotal is little work."""
IN_FLIGHT = 16
"""Terms that a thread loads at once."""


@because("float32 sums of many numbers lose digits")
def subtotals(b: ScheduleBuilder) -> None:
    """Give long sums in registers subtotals.

        sum a in 0..65536 { acc += x[a] }  ->  sum a_o in 0..256 {
                                                 part = 0; sum a_i in 0..256 { part += x[256*a_o + a_i] }; acc += part
                                               }

    The error of a float32 sum grows with the number of its terms; with subtotals, it grows only with the number of
    terms in a level. PyTorch and NumPy add in such levels, too, and BLAS adds up products in blocks of terms. Subtotals
    come last, when lanes have divided the terms.
    """
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
            nests.append([loop for loop in use.own_loops(start) if loop.kind == "sum" and loop.run == "serial"])
    if not nests or any(loop.extent is None or loop.at for nest in nests for loop in nest):
        return []
    longest = [(loop.var, loop.extent or 0) for loop in max(nests, key=_terms)]
    names = [name for name, _ in longest]
    return longest if all(loop.var in names for nest in nests for loop in nest) else []


def _terms(nest: list[Loop]) -> int:
    return prod(loop.extent or 0 for loop in nest)


@because("the lanes of many sums are added up together, a vector at a time")
def transposed_sum(
    b: ScheduleBuilder, accumulator: str, lane: str, results: Sequence[str], buffers: Sequence[str]
) -> None:
    """Sum the lanes of a nest of results.

    each k in 0..500 {                                each k_o in 0..31 {
      acc.sum[] = 0                                     each k_i in 0..16 vector { acc.sum[k_i] = 0 }
      sum lane in 0..16 {                               acc.tile[lane, ..] = acc[16*k_o.., ..]     (rows transposed)
        acc.sum[] = add(acc[k, lane], acc.sum[])  ->    sum lane in 0..16 unroll {
      }                                                   each k_i in 0..16 vector { acc.sum[k_i] += acc.tile[..] }
      y[k] = acc.sum[]                                  }
    }                                                   each k_i in 0..16 vector { y[16*k_o + k_i] = acc.sum[k_i] }
                                                      }                                              and the remainder

    Adding the lanes of one register takes a shuffle and an addition for each halving; transposing as many registers as
    a vector has lanes takes the same shuffles for all of them together, and results are stored as vectors.

    Args:
        lane: the loop of the short sum.
        results: perfectly nested loops over results that lie side by side; the lanes' sums run along them.
        buffers: what is read or stored along these results; the last axes of these buffers become one.
    """
    count, along = b.extent(lane), results[-1]
    for buffer in (*buffers, accumulator):
        axes = len(b.kernel.buffers()[buffer].type.shape) - (buffer == accumulator)
        b.add(*[Flatten(buffer, axes - len(results))] * (len(results) - 1))
    for outer in reversed(results[:-1]):
        along = b.merge(outer, along)
    _, lane_of = lanes(b, along, count, "cut")
    b.add(Transpose(accumulator, lane_of, lane))


@because("the threads of a block share a long sum")
def block_reduction(b: ScheduleBuilder, terms: Sequence[str], threads: int) -> None:
    """Share perfectly nested loops of a sum among the threads of a block.

        sum k in 0..9000 { acc += x[k] }  ->  sum k in 0..9000 threads { acc += x[k] }

    Thread t adds up the terms t, t + threads, ...; the number of threads, a multiple of 32, fixes the order of
    addition. A thread that has many terms adds them up in levels:

        sum k in 0..1000000 threads { acc += x[k] }  ->  sum k_i in 0..31250 threads {
                                                           part = 0
                                                           sum k_o in 0..32 { part += x[31250*k_o + k_i] }
                                                           acc += part
                                                         }
    """
    b.add(Threads(_in_levels(b, terms, threads), threads))


def _in_levels(b: ScheduleBuilder, terms: Sequence[str], threads: int) -> tuple[str, ...]:
    """Give the terms of each thread subtotals if they are many; return the loops that the threads share.

    The outermost loops, or parts of them, become those of a subtotal, so that neighbouring threads still load
    neighbours.
    """
    of_thread, sums = -(-prod(map(b.extent, terms)) // threads), _sums(b.kernel, terms[-1])
    if of_thread <= LONG or not sums:
        return tuple(terms)
    few, shared, inside = max(LEAST, isqrt(of_thread)), list(terms), list[str]()
    while few > 1:
        loop = shared.pop(0)
        if b.extent(loop) > few:
            loop, rest = b.split(loop, -(-b.extent(loop) // parts(b.extent(loop), few)))
            shared.insert(0, rest)
        few //= b.extent(loop)
        inside.append(loop)
    b.add(Reorder((*shared, *inside)), *(Subtotal(local, shared[-1]) for local in sums))
    if b.extent(inside[-1]) % IN_FLIGHT == 0:
        b.add(Unroll(b.split(inside[-1], IN_FLIGHT)[1]))
    return tuple(shared)


def _sums(kernel: Kernel, loop: str) -> list[str]:
    """The float locals that a loop adds to; none if the loop does anything else."""
    top = loops(kernel)[loop]
    floats = {x.name for x in kernel.locals if x.space == "register" and x.type.dtype in FLOATS}
    found = {s.buffer: s.fn for s in walk(top.body) if isinstance(s, Accum)} if top.kind == "sum" else {}
    return list(found) if floats.issuperset(found) and "max" not in found.values() else []
