"""Prefetch results: elements of matrices that the epilogue of a tile reads or stores are prefetched while the
tile is summed.

    sum n in 0..100 { A }                 sum n_o in 0..10 { sum n_i in 0..10 {
    each r in 0..8 { each v in 0..3 {       prefetch w[8*t + n_o, 48*u + 5*n_i + 48]
      w[8*t + r, 48*u + 16*v ..] ..   ->    A
    } }                                   } }
                                          each r in 0..8 { each v in 0..3 { w[8*t + r, 48*u + 16*v ..] .. } }

Each part of the sum prefetches a row of the next tile. If prefetches are spread evenly, only a few wait for a far cache
at a time, which leaves room for loads from a near one: weight gradients of 1000 x 1000 take 1.85 ms, 2.0 ms if a part
begins with all prefetches of its row, and 2.6 ms without prefetching (Sapphire Rapids, one thread).
"""

from __future__ import annotations

from collections.abc import Iterable

from mochac.base.records import record
from mochac.ir.schedule_builder import ScheduleBuilder, because
from mochac.ir.steps.prefetch_tile import PrefetchTile

NARROW = 2
"""A row of at most this many vectors is prefetched at once, and so are those of parts with fewer terms than vectors."""


@record
class ResultTile:
    """A tile of results: its loops over rows, over vectors of a row and over lanes, and the loops around it.

    Attributes:
        next, wraps: the loop over tiles, and the loop around it, whose next iteration follows the last tile.
    """

    row: str
    vector: str
    lane: str
    next: str = ""
    wraps: str = ""


@because("results go beyond L2: their lines are prefetched before they are written")
def prefetch_results(b: ScheduleBuilder, buffers: Iterable[str], term: str, tile: ResultTile, part: int = 0) -> None:
    """Cut the sum over `term` into parts, and prefetch a row with each part, or several rows if there are fewer parts.

    Args:
        buffers: inputs and outputs; those that are not matrices are left out.
        tile: what is prefetched: the next tile, or the current one.
        part: terms of a part; 0: as many as there are parts for all rows.
    """
    terms, rows, vectors = b.extent(term), b.extent(tile.row), b.extent(tile.vector)
    size = part or _divisor(terms, rows)
    turn, inside = b.split(term, size, "cut")
    per = -(-rows // max(1, terms // size))
    written = {x.name for x in b.kernel.outputs} - {x.name for x in b.kernel.inputs}
    for buffer in buffers:
        write = buffer in written
        if len(b.kernel.buffers()[buffer].type.shape) != 2:
            continue
        if vectors <= NARROW or size < vectors:
            step = PrefetchTile(buffer, turn, tile.row, turn, tile.next, tile.wraps, per, tile.vector, write)
        else:
            pace = -(-vectors * b.extent(tile.lane) // size)
            at = (tile.row, turn, tile.next, tile.wraps, per)
            step = PrefetchTile(buffer, inside, *at, write=write, also=tile.lane, by=inside, pace=pace)
        b.add(step)


def _divisor(terms: int, rows: int) -> int:
    """The size of equal parts of a sum, such that there are about as many parts as rows.

    >>> [_divisor(terms, 8) for terms in (100, 64, 25, 49, 31, 4)]
    [10, 8, 5, 7, 1, 1]
    """
    whole = [n for n in range(1, terms + 1) if terms % n == 0]
    return min(whole, key=lambda n: max(n * rows / terms, terms / (n * rows)))
