"""Partial groups: groups of threads sum up a share of the terms each; the groups' parts are added in order.

    acc[] = 0                          each k_o in 0..4 { acc[k_o] = 0 }
    sum k in 0..32 {                   each k_o in 0..4 { sum k_i in 0..8 { acc[k_o] = fma(.., acc[k_o]) } }
      acc[] = fma(.., acc[])     ->    acc.sum[] = 0
    }                                  sum k_o_s in 0..4 { acc.sum[] = add(acc[k_o_s], acc.sum[]) }
    y = acc[]                          y = acc.sum[]

It keeps more threads busy where there are few results. Threads read each other's parts after the step Exchange.
"""

from __future__ import annotations

from mochac.ir.schedule_builder import Handle, ScheduleBuilder
from mochac.ir.steps.run import Unroll


def partial_groups(b: ScheduleBuilder, accumulator: str, term: str, groups: int) -> tuple[Handle, Handle]:
    """Divide the loop `term` among groups, which divide its extent.

    Returns:
        The loop over groups, and the loop over a group's terms.
    """
    group, share = b.split(term, b.extent(term) // groups)
    join, _ = b.partial(accumulator, group)
    b.add(Unroll(join))
    return group, share
