"""Transposed sum: adds up the lanes of several results at once, of as many as a vector has lanes.

    each k in 0..500 {                                each k_o in 0..31 {
      acc.sum[] = 0                                     each k_i in 0..16 vector { acc.sum[k_i] = 0 }
      sum lane in 0..16 {                               acc.tile[lane, ..] = acc[16*k_o.., ..]     (rows transposed)
        acc.sum[] = add(acc[k, lane], acc.sum[])  ->    sum lane in 0..16 unroll {
      }                                                   each k_i in 0..16 vector { acc.sum[k_i] += acc.tile[..] }
      y[k] = acc.sum[]                                  }
    }                                                   each k_i in 0..16 vector { y[16*k_o + k_i] = acc.sum[k_i] }
                                                      }                                              and the remainder

Adding the lanes of one register takes a shuffle and an addition for each halving; transposing as many registers as a
vector has lanes takes the same shuffles for all of them together, and results are stored as vectors.
"""

from __future__ import annotations

from collections.abc import Sequence

from mochac.codegen.combinators.lanes import lanes
from mochac.ir.schedule_builder import ScheduleBuilder, because
from mochac.ir.steps.storage import Flatten
from mochac.ir.steps.vectors import Transpose


@because("the lanes of many sums are added up together, a vector at a time")
def transposed_sum(
    b: ScheduleBuilder, accumulator: str, lane: str, results: Sequence[str], buffers: Sequence[str]
) -> None:
    """Sum the lanes of a nest of results.

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
