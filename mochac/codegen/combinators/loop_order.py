"""Loop order: result loops and the loops of their sum in any order, accumulators in memory where a sum is interrupted.

    each o_t { each n_t {                                 for f_b {
      acc = 0                                               each n_t { each o_t {
      sum f_b { sum f_i { acc += x[n, f] * w[o, f] } }        acc.reg = acc[n_t, o_t]
      y[n, o] = acc                                   ->      sum f_i { acc.reg += x[n, f] * w[o, f] }
    } }                                                       acc[n_t, o_t] = acc.reg
                                                            } }                   order (f_b, n_t, o_t, f_i)
                                                          }            before it all accumulators are set to 0,
                                                                       after it they are stored

A result loop moves into the loops of the sum that come before it; loops of the sum keep their order.
"""

from __future__ import annotations

from collections.abc import Sequence

from mochac.codegen.combinators.cache_block import keep_near
from mochac.ir.schedule_builder import ScheduleBuilder, because
from mochac.ir.steps.merge import Distribute


@because("what is read in the inner loops is near, or the same for many iterations")
def loop_order(
    b: ScheduleBuilder, accumulators: str, results: Sequence[str], terms: Sequence[str], order: Sequence[str]
) -> None:
    """Nest loops in an order.

    Args:
        results: loops of the results as they are nested now, outermost first.
        terms: loops of the sum, inside of them, in the same way.
        order: all of them as they are to be nested; those of the sum in the order of `terms`.
    """
    place = {loop: k for k, loop in enumerate(order)}
    inside = list(terms)
    for loop in reversed(results):
        before = [x for x in inside if place[x] < place[loop]]
        if before:
            b.add(Distribute(loop, tuple(before)))
        inside.insert(len(before), loop)
    first = place[terms[0]] if terms else len(order)
    late = [loop for loop in order[first:] if loop in results]
    if late:
        keep_near(b, accumulators, late[-1])
