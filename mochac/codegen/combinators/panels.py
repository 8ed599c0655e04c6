"""Panels: threads copy both factors of a product into shared memory, panel by panel, while they compute with the last.

    sum k_o in 0..50 {                             fetch first panels X', W'
      each t threads { each r {                    for k_o in 0..50 {
        sum k_i in 0..16 {                           X, W = X', W'
          acc[t, r] = fma(x[..], w[..], acc)   ->    fetch next panels X', W'
        }                                            each t threads { each r {
      } }                                              sum k_i in 0..16 { acc[t, r] = fma(X[..], W[..], acc[t, r]) }
    }                                                } }
                                                   }

Panels are to a GPU what cache blocks are to a CPU: what all threads of a block read is loaded from memory once. Where a
condition skips terms, panels hold zeros, so products need no conditions.
"""

from __future__ import annotations

from collections.abc import Sequence

from mochac.ir.schedule_builder import ScheduleBuilder, because
from mochac.ir.steps.panels import Panels
from mochac.ir.steps.pipeline import Pipeline


@because("what several threads read is copied where all of them read it quickly")
def panels(
    b: ScheduleBuilder, loop: str, threads: int, across: Sequence[str], double: bool, exact: Sequence[str] = ()
) -> None:
    """Copy what each iteration of a loop of the sum reads.

    Args:
        threads: the number of threads of a block.
        across: the loops that run as threads, slowest first.
        exact: loops of the sum whose conditions stay around the products, so that no zeros are multiplied.
        double: each panel has two buffers, for one barrier per iteration instead of two.
    """
    b.add(Panels(loop, threads, tuple(across), tuple(exact)))
    if b.extent(loop) > 1:
        b.add(Pipeline(loop, double))
