"""Unroll inner loops, from the innermost outwards, as long as the code stays short.

sum c in 0..20 { sum kh in 0..3 { sum kw in 0..3 { A } } }  ->  sum c in 0..20 { 9 x A }      at most 9 copies
"""

from __future__ import annotations

from collections.abc import Sequence

from mochac.ir.nest import extents
from mochac.ir.schedule_builder import ScheduleBuilder, because
from mochac.ir.steps.run import Unroll


@because("a longer body has fewer loop ends, and more instructions that do not wait for each other")
def unroll_inner(b: ScheduleBuilder, loops: Sequence[str], most: int, copies: int = 1) -> None:
    """Unroll loops, given outer first, up to `most` copies of the body; there are `copies` of it already."""
    extent = extents(b.kernel)
    for loop in reversed(loops):
        copies *= extent.get(loop, most + 1)
        if copies > most:
            break
        b.add(Unroll(loop))
