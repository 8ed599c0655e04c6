"""Partial lanes: every lane adds up a part of a sum; at the end the lanes are added up.

    acc[] = 0                                    each k_i in 0..16 vector { acc[k_i] = 0 }
    sum k in 0..800 {                            sum k_o in 0..50 {
      acc[] = fma(x[k], w[k], acc[])               each k_i in 0..16 vector { acc[k_i] = fma(x[..], w[..], acc[k_i]) }
    }                                     ->     }
    y = acc[]                                    sum k_i_s in 0..16 vector { acc.sum[] = add(acc[k_i_s], acc.sum[]) }
                                                 y = acc.sum[]

For sums along contiguous elements, and over the batch of blocked values. The number of lanes fixes the order of
addition.
"""

from __future__ import annotations

from mochac.ir.schedule_builder import ALL, Handle, ScheduleBuilder, because
from mochac.ir.steps.merge import Distribute
from mochac.ir.steps.run import Vector
from mochac.ir.steps.split import Peel


@because("a long sum runs in vectors, as many short sums that are added up at its end")
def partial_lanes(b: ScheduleBuilder, accumulator: str, term: str, count: int, peeled: bool = False) -> Handle:
    """Sum in vectors along the loop `term`.

    Args:
        peeled: the last vector, if it is not full, gets code of its own, so that the others need no masks.

    Returns:
        The loop over vectors.
    """
    rest = peeled and b.extent(term) % count > 0
    outer, lane = b.split(term, count, "guard")
    join, _ = sum_in_lanes(b, accumulator, lane)
    b.add(Vector(join))
    if rest:
        b.add(Peel(outer, 0, 1))
    return outer


@because("a sum runs in vectors; its lanes are added up at the end, always in the same order")
def sum_in_lanes(b: ScheduleBuilder, accumulator: str, lane: str) -> tuple[Handle, Handle]:
    """Make the loop `lane` of a sum, or of several that follow each other, the lanes of the accumulator.

    Returns:
        The loop of the short sum that adds the lanes, which is left to the caller, and the local that it sums into.
    """
    joined = b.partial(accumulator, lane)
    b.add(Distribute(lane, ALL), Vector(lane))
    return joined
