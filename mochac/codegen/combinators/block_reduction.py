"""Block reduction: the threads of a block share the terms of a sum; their parts are added up in a fixed order.

    each r in 0..4 { acc[r] = 0 }                        each r in 0..4 threads { acc[r] = 0 }
    sum k in 0..9000 {                                   sum k in 0..9000 threads {
      each r in 0..4 { acc[r] = fma(.., acc[r]) }   ->     each r in 0..4 { acc[r] = fma(.., acc[r]) }
    }                                                    }
    each r in 0..4 { y[r] = f(acc[r]) }                  each r in 0..4 threads { y[r] = f(acc[r]) }

Thread t adds up the terms t, t + threads, ...; the number of threads, a multiple of 32, fixes the order of addition. A
thread that has many terms adds them up in levels (combinators/subtotals.py):

    sum k in 0..1000000 threads { acc += x[k] }  ->  sum k_i in 0..31250 threads {
                                                       part = 0
                                                       sum k_o in 0..32 { part += x[31250*k_o + k_i] }
                                                       acc += part
                                                     }
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt, prod

from mochac.codegen.combinators.subtotals import LEAST, LONG, parts
from mochac.ir.kernel import Accum, Kernel, walk
from mochac.ir.nest import loops
from mochac.ir.schedule_builder import ScheduleBuilder, because
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.run import Threads, Unroll
from mochac.ir.steps.split_sum import Subtotal
from mochac.ir.steps.threads import BlockReduce
from mochac.ir.types import FLOATS

IN_FLIGHT = 16
"""Terms that a thread loads at once."""


@because("the threads of a block share a long sum")
def block_reduction(b: ScheduleBuilder, terms: Sequence[str], threads: int, accumulators: str = "") -> None:
    """Share perfectly nested loops of a sum among the threads of a block.

    Args:
        accumulators: a local with several sums, whose results the threads then share; a single sum needs no step for
            that.
    """
    b.add(Threads(_in_levels(b, terms, threads, not accumulators), threads))
    if accumulators:
        b.add(BlockReduce(accumulators))


def _in_levels(b: ScheduleBuilder, terms: Sequence[str], threads: int, unrolled: bool) -> tuple[str, ...]:
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
    if unrolled and b.extent(inside[-1]) % IN_FLIGHT == 0:
        b.add(Unroll(b.split(inside[-1], IN_FLIGHT)[1]))
    return tuple(shared)


def _sums(kernel: Kernel, loop: str) -> list[str]:
    """The float locals that a loop adds to; none if the loop does anything else."""
    top = loops(kernel)[loop]
    floats = {x.name for x in kernel.locals if x.space == "register" and x.type.dtype in FLOATS}
    found = {s.buffer: s.fn for s in walk(top.body) if isinstance(s, Accum)} if top.kind == "sum" else {}
    return list(found) if floats.issuperset(found) and "max" not in found.values() else []
