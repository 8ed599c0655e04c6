"""Register tile: some results of two loops, or of more, are held in registers while their sum runs.

    each o in 0..500 { each q in 0..4 {             each o_o in 0..83 { each q_o in 0..1 {
      acc[] = 0                                       each o_i in 0..6 { each q_i in 0..4 { acc[o_i, q_i] = 0 } }
      sum f in 0..800 {                               sum f in 0..800 {
        acc[] = fma(w[o, f], x[q, f], acc[])   ->       each o_i in 0..6 { each q_i in 0..4 {
      }                                                   acc[o_i, q_i] = fma(w[6*o_o + o_i, f], x[..], acc[o_i, q_i])
      y[o, q] = acc[]                                 } } }
    } }                                               each o_i in 0..6 { each q_i in 0..4 { y[..] = acc[o_i, q_i] } }
                                                    } }                                          and the remaining rows

Each of the 24 accumulators stays in a register, since the loops of a tile are unrolled. Every w that is loaded is used
4 times, every x 6 times.
"""

from __future__ import annotations

from collections.abc import Sequence

from mochac.ir.schedule_builder import ALL, Handle, ScheduleBuilder, because
from mochac.ir.steps.merge import Distribute
from mochac.ir.steps.run import Unroll


@because("the results of a tile stay in registers while their sum runs, so that what is loaded is used several times")
def register_tile(
    b: ScheduleBuilder, *sizes: tuple[str, int], past: Sequence[str] = ALL
) -> list[tuple[Handle, Handle]]:
    """Cut each loop into tiles of a size, and hold their results in registers.

    Args:
        sizes: the loops with the sizes of their tiles, outermost first.
        past: the loops that tiles move into, if not all.

    Returns:
        For each loop, the loop over tiles and the loop inside a tile.
    """
    tiles = [b.split(loop, size, "cut") for loop, size in sizes]
    hold(b, *(inner for _, inner in tiles), past=past)
    return tiles


@because("these results stay in registers while their sum runs")
def hold(b: ScheduleBuilder, *loops: str, past: Sequence[str] = ALL) -> None:
    """Hold the results of whole loops in registers."""
    for loop in loops:
        b.add(Distribute(loop, tuple(past)))
    b.add(*(Unroll(loop) for loop in loops))
