"""Prefetch what the next block of tiles accesses, some lines with every register tile of the products of this one.

each q { each f { .. } }    ->    each q { each f { prefetch x[q, f + 2, ..]; .. } }
"""

from __future__ import annotations

from collections.abc import Sequence

from mochac.base.records import record
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.prefetch_tile import EVERY, PrefetchSpread


@record
class Lines:
    """Iterations of a loop around an access that are prefetched, spread over the loop `turn`; EVERY: all of them with
    each register tile."""

    loop: str
    first: int
    count: int
    turn: str


def prefetch_lines(
    b: ScheduleBuilder, buffer: str, inside: str, around: Sequence[str], lines: Sequence[Lines], start: int
) -> None:
    """Prefetch lines of a buffer for the next iteration of the innermost loop of `around`, if there is an access.

    Args:
        inside: the loop whose iterations prefetch.
        around: the loops over blocks, outer first.
        start: the iteration of the first turn at which it begins.
    """
    *_, wraps, following = ("", *around)
    per = tuple(-(-x.count // (1 if x.turn == EVERY else b.extent(x.turn))) for x in lines)
    loops, by, first = (tuple(getattr(x, name) for x in lines) for name in ("loop", "turn", "first"))
    b.fits(PrefetchSpread(buffer, inside, following, loops, by, per, first, (start, *(0 for _ in lines[1:])), wraps))
