"""When the tail of a batch is computed without idle lanes (combinators/batch_tail.py), and in which tiles.

Idle lanes cost as much as busy ones. Packing costs the copies, and an epilogue that runs on a few samples at a time.
Both are counted in cycles per term of the sum and row of results.
"""

from __future__ import annotations

import itertools
from math import prod

from mochac.codegen.analysis.batch_sum import BatchSum
from mochac.codegen.analysis.nests import block_lanes, float_dtype, read_once
from mochac.codegen.combinators.batch_tail import BatchTail
from mochac.codegen.combinators.prefetching import far_filters
from mochac.codegen.combinators.tiles import columns_together
from mochac.codegen.cpu.schedules.tiles import RegisterTile, best_tile, total_cost
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import If, walk
from mochac.ir.nest import extents
from mochac.ir.types import DTYPES

PACK_CYCLES = 2.0
EPILOGUE_CYCLES = 3.0
"""Cycles for one column of a few samples: to copy it into the pack, and to run the epilogue on it."""
WORTH = 0.9
"""Packing must cost at most this share of what idle lanes cost."""
PACK_BYTES = 1 << 20
"""Maximum size of the packed images of all samples, which must stay in L2."""
ITEMS = 2
"""Items for each thread of a team if the batch is smaller than a block; one if every item reads the same filters from
beyond L2."""


def tail_of(
    s: BatchSum, target: CpuTarget, padded: RegisterTile, register_loops: tuple[str, ...], pooled: int
) -> BatchTail | None:
    """How to compute the tail without padding; None if there is none, or if padding it to a whole block is cheaper.

    Args:
        padded: the tile (channels x columns) that computes the padded block.
        register_loops: loops over the cells of a window whose sums this tile keeps in registers.
        pooled: windows in registers.
    """
    lanes, batch = target.lanes(float_dtype(s.kernel)), s.size(s.batch)
    samples, natural = batch % lanes, not block_lanes(s.kernel)
    again = (s.cells or s.plane) and not read_once(s.kernel, s.image)
    phased = s.row_phases or s.column_phases
    if not samples or not s.axis or not s.end or again or s.is_stored or (phased and not s.rows):
        return None
    columns, channels = s.size(s.column, *s.cells[-1:]), s.size(s.channel)
    tile = best_tile(channels, -(-columns * samples // lanes), target.machine, max_columns=8)
    least = 1 if batch >= lanes else target.team * (1 if _far_weight(s, target) else ITEMS)
    by_rows = bool(s.rows) and not s.plane and not _by_channels(s, target, samples, -(-channels // tile.rows))
    if not by_rows and batch < lanes:
        tile = RegisterTile(shared(channels, tile.rows, target.team), tile.columns)
    around = s.size(*s.outer, *s.rows[:-1])
    rows = item_rows(s.size(s.rows[-1]), lanes // samples, -(-least // around)) if by_rows else 0
    if samples == 1:
        pooled = min(lanes, s.size(s.reader[-1] if s.plane else s.column))
    far, together = far_filters(s, target.machine), columns_together(s.kernel, samples, lanes)
    packed = not natural or bool(s.cells or s.plane) or s.stride > 1 or s.size(*s.row_taps, s.column_tap) > 1
    tail = BatchTail(samples, lanes, tile.rows, tile.columns, rows, pooled, natural, far, together, packed)
    if natural:
        return tail
    phases = [x.phase for x in s.column_phases]
    cells = 1 if s.averaged else s.size(*register_loops, *phases)
    turns = s.size(*s.cells, *phases) / cells
    idle = turns * total_cost(channels, s.size(s.column), padded, target.machine, cells) * valid_share(s)
    lines = s.size(*s.cells[:-1], *(x.phase for x in s.column_phases))
    exact = lines * total_cost(channels, -(-columns * samples // lanes), tile, target.machine)
    return tail if exact + _overhead(s, tail) < WORTH * idle and _pack_bytes(s, rows, samples) <= PACK_BYTES else None


def _by_channels(s: BatchSum, target: CpuTarget, samples: int, tiles: int) -> bool:
    """Whether tiles of channels become items, and not rows, since a team has twice as many threads as there are rows.
    What they pack must leave room in L2."""
    few = 2 * s.size(*s.outer, *s.rows) <= min(target.team, tiles * s.size(*s.outer))
    return few and _pack_bytes(s, 0, samples) <= target.machine.l2.n_bytes // 2


def _pack_bytes(s: BatchSum, rows: int, samples: int) -> int:
    return s.size(*s.depth) * _packed(s, rows) * samples * DTYPES[float_dtype(s.kernel)].itemsize


def _far_weight(s: BatchSum, target: CpuTarget) -> bool:
    """Whether filters come from beyond L2 for every item."""
    weight = s.weight and s.kernel.buffers()[s.weight.buffer].type
    return weight is not None and target.machine.beyond_l2(weight.storage_bytes)


def shared(things: int, most: int, team: int) -> int:
    """Things per item, at most `most`, where only they are divided into items: as many items as a multiple of the
    team's threads, if possible.

    >>> [shared(things, most, 4) for things, most in ((32, 13), (64, 13), (19, 9), (19, 2), (3, 8))]
    [8, 8, 5, 2, 1]
    """
    items = -(-things // most)
    return -(-things // (-(-items // team) * team))


def item_rows(rows: int, most: int, least: int) -> int:
    """Rows per item: at most `most`, fewer if there would be less than `least` items, and a divisor of all rows if
    possible.

    >>> item_rows(16, 4, 1), item_rows(24, 5, 1), item_rows(13, 4, 1), item_rows(24, 16, 8)
    (4, 4, 4, 3)
    """
    most = max(1, min(most, rows // least))
    return max((n for n in range((most + 1) // 2, most + 1) if rows % n == 0), default=most)


def valid_share(s: BatchSum) -> float:
    """Share of the taps along a row that lie inside the image."""
    along = tuple(filter(None, (s.column, *s.cells[-1:], s.column_tap)))
    extent = extents(s.kernel)
    conds = [c for x in walk(s.kernel.body) if isinstance(x, If) for c in x.conds if set(c.vars) == set(along)]
    every = itertools.product(*(range(extent[var]) for var in along))
    taps = [all(c.evaluate(dict(zip(along, at, strict=True))) >= 0 for c in conds) for at in every]
    return sum(taps) / len(taps)


def _overhead(s: BatchSum, tail: BatchTail) -> float:
    """Cycles of packing and of an epilogue, per term and row of results. Poolings do not count: they cost as much with
    padding."""
    times = 1 if tail.rows else -(-s.size(s.channel) // tail.channels)
    cycles = PACK_CYCLES * times * _packed(s, tail.rows) / (tail.rows or s.size(*s.rows))
    if not s.cells and not s.plane:
        pieces = (1 if tail.samples & (tail.samples - 1) == 0 else 2) / tail.together
        cycles = pieces * (cycles + EPILOGUE_CYCLES * s.size(s.channel, s.column) / s.size(*s.depth))
    return cycles / s.size(*s.row_taps, s.column_tap)


def _packed(s: BatchSum, rows: int) -> int:
    """Elements of one channel and sample that an item of some rows packs; of all rows if it is 0."""
    cells = s.size(*s.cells[:-1])
    spans = [*(1 for _ in s.rows[1:]), rows * cells] if rows else [s.size(v) for v in s.rows]
    heights = (s.stride * (n - 1) + s.size(tap) for n, tap in zip(spans, s.row_taps, strict=True))
    return (s.stride * (s.size(s.column, *s.cells[-1:]) - 1) + s.size(s.column_tap)) * prod(heights)
