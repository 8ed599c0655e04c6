"""Whole windows: the sums of a window are computed in registers, then pooled there.

    each pw {                                          each pw {
      best[] = -inf                                      each i in 0..2 { each j in 0..2 { acc[i, j] = .. } }
      for i in 0..2 { for j in 0..2 {                    sum k { each i { each j { acc[i, j] += .. } } }
        acc[] = .. sum k { acc[] += .. }           ->    best[] = -inf
        best[] = max(acc[], best[])                      for i { for j { best[] = max(acc[i, j], best[]) } }
      } }                                                y[pw] = best[]
      y[pw] = best[]                                   }
    }

This fits windows that do not overlap; their sums are never stored. A mean needs no such separation, since it adds up
the cells one after another, but where several of them are computed together.
"""

from __future__ import annotations

from collections.abc import Sequence

from mochac.ir.schedule_builder import ScheduleBuilder, because
from mochac.ir.steps.merge import Advance
from mochac.ir.steps.run import Unroll


@because("the results that pooling reads together are computed together, and never stored")
def whole_windows(b: ScheduleBuilder, cells: Sequence[str], end: int) -> None:
    """Give the sums under the loops `cells`, which are the statements up to number `end`, a nest of their own before
    the rest."""
    pooling = b.detach(tuple(cells), end, "second")
    b.add(Advance(cells[0]), *(Unroll(pooling(cell)) for cell in cells))
