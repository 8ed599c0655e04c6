"""Prefetch what a convolution reads from beyond L2 while its tiles are computed, a few lines with each term.

    sum ci { A }      ->      sum ci { prefetch x[n, ci, oh + 2, 4*t ..];  A }             rows: the image's next row
                              sum ci { prefetch x[n, ci, oh, 4*(t + 1) ..];  A }           columns: of the next tile
                              sum ci { prefetch w[6*(c + 1) .., ci];  A }                  filters: of the next channels

A row of the image lies in as many pages as the image has channels, and the filters of a data gradient in as many as it
has terms; the CPU's own prefetcher stops at the end of a page. Results are prefetched, too, before they are stored.
Filters of one tap read every row once, a tile of columns at a time; with prefetches of the next tile, they take 0.73 to
0.98 of the time (32 to 512 channels on 2 x 2 to 56 x 56, batch 32, Zen 4, one thread).
"""

from __future__ import annotations

from collections.abc import Sequence

from mochac.codegen.analysis.batch_sum import BatchSum
from mochac.codegen.machine import LINE, Machine
from mochac.ir.schedule_builder import ScheduleBuilder, because
from mochac.ir.steps.prefetch import PrefetchEpilogue
from mochac.ir.steps.prefetch_tile import PrefetchTile
from mochac.ir.types import DTYPES

FILLED = 0.75
"""Share of L1 that may be filled by data that all tiles of channels read."""
TURN = 16
"""Maximum terms of one tap during which one row of results is prefetched."""


def far_image(s: BatchSum, machine: Machine) -> bool:
    """Whether rows of images come from beyond L2, and neighbouring rows of results share some of them."""
    shared = bool(s.rows) and s.size(*s.row_taps) > 1
    return shared and s.stride == 1 and not s.cells and not s.column_phases and _far(s, s.image, machine)


def far_columns(s: BatchSum, machine: Machine, columns: int) -> bool:
    """Whether filters have one tap, so that all channels read a tile of columns before the next one, and the tiles come
    from beyond L2. Not where L1 holds a tile, but has no room for a good part of the next one.

    Args:
        columns: of a tile.
    """
    if not one_tap(s) or not s.channel or s.both or s.cells or s.stride > 1 or s.column_phases:
        return False
    read = columns * s.size(*s.depth) * machine.vector_bytes
    filled = machine.l1.n_bytes / 2 < read <= FILLED * machine.l1.n_bytes
    return not filled and _far(s, s.image, machine)


def far_filters(s: BatchSum, machine: Machine) -> bool:
    """Whether filters come from beyond L2, and those of neighbouring channels are apart for each term."""
    if s.weight is None or not s.channel or s.both or s.row_phases or s.column_phases or not s.depth:
        return False
    axes = {v: axis for axis, index in enumerate(s.weight.index) for v in index.vars}
    apart = axes.get(s.depth[0], 0) < axes.get(s.channel, 0)
    return apart and _far(s, s.weight.buffer, machine)


def far_results(s: BatchSum, machine: Machine, columns: int) -> tuple[str, ...]:
    """Outputs that do not stay in L2, whose lines are worth prefetching. With filters of one tap, these are all outputs
    if L2 does not hold the kernel's buffers from step to step, but none if the columns of a tile fill L1.

    Args:
        columns: of a tile.
    """
    if s.cells or (s.plane and not s.is_stored):
        return ()
    outputs = tuple(b.name for b in s.kernel.outputs if b.type.lanes)
    if not one_tap(s):
        return tuple(name for name in outputs if _far(s, name, machine))
    every = sum(b.type.storage_bytes for b in (*s.kernel.inputs, *s.kernel.outputs))
    read = columns * s.size(*s.depth) * machine.vector_bytes
    return outputs if machine.beyond_l2(every) and read < FILLED * machine.l1.n_bytes else ()


def one_tap(s: BatchSum) -> bool:
    """Whether filters have one tap: a term of the sum is a single multiply-add of every result."""
    return s.size(*s.row_taps, s.column_tap) == 1


@because("what the epilogue reads and stores is prefetched while the sum runs")
def prefetch_tiles(b: ScheduleBuilder, s: BatchSum, buffers: Sequence[str], lane: str, rows: int) -> str:
    """Prefetch what the epilogue of a tile of `rows` channels reads and writes; return the loop over terms.

    Each turn prefetches one row. A term of a single tap is too short for that, so several of them make a turn.
    """
    turn = term = s.depth[0] if s.depth else ""
    if buffers and one_tap(s):
        terms = s.size(term)
        size = next(n for n in range(max(1, min(TURN, terms // rows)), 0, -1) if terms % n == 0)
        if size > 1:
            turn, term = b.split(term, size, "cut")
    for name in buffers:
        b.fits(PrefetchEpilogue(name, turn, lane))
    return term


def _far(s: BatchSum, buffer: str, machine: Machine) -> bool:
    return machine.beyond_l2(s.kernel.buffers()[buffer].type.storage_bytes)


@because("the image comes from beyond L2: the next row is prefetched while this one is used")
def prefetch_rows(b: ScheduleBuilder, s: BatchSum, term: str, column: str, channels: str, tiles: int) -> None:
    """Prefetch the next row of the image, a part of it with each of the `tiles` of channels.

    Args:
        term: the loop over terms.
        column, channels: the loop over columns of a tile, and the one over tiles of channels.
    """
    per = -(-b.extent(column) // tiles)
    b.add(PrefetchTile(s.image, term, column, channels, next=s.rows[-1], per=per))


@because("the image comes from beyond L2: the next tile of columns is prefetched while all channels use this one")
def prefetch_columns(
    b: ScheduleBuilder, s: BatchSum, term: str, column: str, columns: str, channels: str, tiles: int
) -> None:
    """Prefetch the next tile of columns, in parts, with the last of the `tiles` of channels.

    Args:
        term: the loop over terms.
        column, columns: the loop over columns of a tile, and the one over tiles of them.
        channels: the loop over tiles of channels, inside of `columns`.
    """
    per, row = -(-b.extent(column) // tiles), s.rows[-1] if s.rows else ""
    b.add(PrefetchTile(s.image, term, column, channels, next=columns, wraps=row, per=per, late=True))


@because("filters come from beyond L2: those of the next tile are prefetched")
def prefetch_filters(b: ScheduleBuilder, s: BatchSum, term: str, channel: str, tiles: str, per: int, taps: int) -> None:
    """Prefetch the filters of the next tile of channels.

    Args:
        term: the loop over terms.
        channel, tiles: the loop over channels of a tile, and the one over tiles.
        per: channels of a tile.
        taps: number of taps of a filter for each term.
    """
    assert s.weight is not None
    wide = taps * DTYPES[s.kernel.buffers()[s.weight.buffer].type.dtype].itemsize > LINE
    whole = s.row_taps[-1] if wide and s.row_taps else ""
    b.add(PrefetchTile(s.weight.buffer, term, channel, next=tiles, per=per, whole=whole))
