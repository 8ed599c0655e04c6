"""Lanes: the iterations of a loop become lanes of vector registers.

    each n in 0..100 { each c in 0..30 {       each n_o in 0..7 { each c in 0..30 {
      y[n, c] = f(x[n, c])                ->     each n_i in 0..16 vector { y[16*n_o + n_i, c] = f(x[16*n_o + n_i, c]) }
    } }                                        } }

Over the batch of blocked values no lane shuffles are ever needed, whatever the kernel; over the last axis of natural
values a vector is one load.
"""

from __future__ import annotations

from mochac.codegen.analysis.nests import block_lanes
from mochac.ir.kernel import Kernel
from mochac.ir.schedule_builder import ALL, Handle, ScheduleBuilder, because
from mochac.ir.steps.merge import Distribute
from mochac.ir.steps.run import Vector


@because("one instruction works on a whole vector of neighbours")
def lanes(b: ScheduleBuilder, loop: str, count: int, tail: str) -> tuple[Handle, Handle]:
    """Run a loop in vectors.

    Args:
        count: lanes of a vector.
        tail: what is done with the last vector, as in Split: "pad", "guard" or "cut".

    Returns:
        The loop over vectors, and the loop over lanes.
    """
    outer, lane = b.split(loop, count, tail)
    whole_lanes(b, lane)
    return outer, lane


@because("one instruction works on a whole vector of neighbours")
def whole_lanes(b: ScheduleBuilder, loop: str) -> None:
    """Run a short loop as one vector."""
    b.add(Distribute(loop, ALL), Vector(loop))


def columns_together(kernel: Kernel, samples: int, count: int) -> int:
    """Neighbouring columns whose samples fill a vector of `count` lanes, if these lie side by side in memory; else
    1."""
    return count // samples if block_lanes(kernel) == samples else 1


@because("neighbouring columns, each with all samples, fill a vector that samples alone do not fill")
def lanes_together(b: ScheduleBuilder, column: str, samples: str, columns: int) -> None:
    """Run the samples, whose loop is the innermost, as lanes, those of several columns together."""
    some = b.split(column, columns, "cut")[1] if columns > 1 else ""
    b.add(Vector(samples))
    if some:
        b.fits(Vector(some))
