"""Prefetches of what a tile of results reads next, and of what its end reads and stores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mochac.base.records import record
from mochac.codegen.analysis.batch_sum import BatchSum
from mochac.codegen.machine import LINE, Machine
from mochac.ir.schedule_builder import ScheduleBuilder, because
from mochac.ir.steps.prefetch import PrefetchEpilogue
from mochac.ir.steps.prefetch_tile import EVERY, PrefetchSpread, PrefetchTile
from mochac.ir.types import DTYPES


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

    each q { each f { .. } }    ->    each q { each f { prefetch x[q, f + 2, ..]; .. } }

    Args:
        inside: the loop whose iterations prefetch.
        around: the loops over blocks, outer first.
        start: the iteration of the first turn at which it begins.
    """
    *_, wraps, following = ("", *around)
    per = tuple(-(-x.count // (1 if x.turn == EVERY else b.extent(x.turn))) for x in lines)
    loops, by, first = (tuple(getattr(x, name) for x in lines) for name in ("loop", "turn", "first"))
    b.fits(PrefetchSpread(buffer, inside, following, loops, by, per, first, (start, *(0 for _ in lines[1:])), wraps))


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
    strided = axes.get(s.depth[0], 0) < axes.get(s.channel, 0)
    return strided and _far(s, s.weight.buffer, machine)


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

    sum ci { A }      ->      sum ci { prefetch x[n, ci, oh + 2, 4*t ..];  A }             rows: the image's next row
                              sum ci { prefetch x[n, ci, oh, 4*(t + 1) ..];  A }           columns: of the next tile
                              sum ci { prefetch w[6*(c + 1) .., ci];  A }                  filters: of the next channels

    A row of the image lies in as many pages as the image has channels, and the filters of a data gradient in as many as
    it has terms; the CPU's own prefetcher stops at the end of a page. Results are prefetched, too, before they are
    stored. Filters of one tap read every row once, a tile of columns at a time; with prefetches of the next tile, they
    take 0.73 to 0.98 of the time (32 to 512 channels on 2 x 2 to 56 x 56, batch 32, Zen 4, one thread).

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
    A remainder of the sum prefetches next to nothing; more parts than rows would prefetch rows of other tiles.

        sum n in 0..100 { A }                 sum n_o in 0..10 { sum n_i in 0..10 {
        each r in 0..8 { each v in 0..3 {       prefetch w[8*t + n_o, 48*u + 5*n_i + 48]
          w[8*t + r, 48*u + 16*v ..] ..   ->    A
        } }                                   } }
                                              each r in 0..8 { each v in 0..3 { w[8*t + r, 48*u + 16*v ..] .. } }

    Each part of the sum prefetches a row of the next tile. If prefetches are spread evenly, only a few wait for a far
    cache at a time, which leaves room for loads from a near one: weight gradients of 1000 x 1000 take 1.85 ms, 2.0 ms
    if a part begins with all prefetches of its row, and 2.6 ms without prefetching (Sapphire Rapids, one thread).

    Args:
        buffers: inputs and outputs; those that are not matrices are left out.
        tile: what is prefetched: the next tile, or the current one.
        part: terms of a part; 0: as many as there are parts for all rows.
    """
    terms, rows, vectors = b.extent(term), b.extent(tile.row), b.extent(tile.vector)
    size = part or max(1, terms // rows)
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
