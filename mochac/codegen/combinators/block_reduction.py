"""Block reduction: the threads of a block share the terms of a sum; their parts are added up in a fixed order.

    each r in 0..4 { acc[r] = 0 }                        each r in 0..4 threads { acc[r] = 0 }
    sum k in 0..9000 {                                   sum k in 0..9000 threads {
      each r in 0..4 { acc[r] = fma(.., acc[r]) }   ->     each r in 0..4 { acc[r] = fma(.., acc[r]) }
    }                                                    }
    each r in 0..4 { y[r] = f(acc[r]) }                  each r in 0..4 threads { y[r] = f(acc[r]) }

Thread t adds up the terms t, t + threads, ...; the number of threads, a multiple of 32, fixes the order of addition.
"""

from __future__ import annotations

from collections.abc import Sequence

from mochac.ir.schedule_builder import ScheduleBuilder, because
from mochac.ir.steps.block_reduce import BlockReduce
from mochac.ir.steps.grid import Threads


@because("the threads of a block share a long sum")
def block_reduction(b: ScheduleBuilder, terms: Sequence[str], threads: int, accumulators: str = "") -> None:
    """Share perfectly nested loops of a sum among the threads of a block.

    Args:
        accumulators: a local with several sums, whose results the threads then share; a single one needs no step.
    """
    b.add(Threads(tuple(terms), threads))
    if accumulators:
        b.add(BlockReduce(accumulators))
