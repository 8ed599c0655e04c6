"""The tail of a batch (samples that do not fill a block) in convolutions: lanes = columns and samples together.

    for row-tile:  pack what its rows read of x, samples innermost, zeros at the padding;  for row, co-tile:
        for p-tile over ow * samples + n:  acc[r][t] over ci, kh, (kw unrolled);  then for r, ow:  epilogue of n

Every index is affine in p, so lanes are idle only in the last vector of a row. The rules of convolutions decide whether
packing pays, and add these steps to those of the full blocks.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from mochac.codegen.analysis.convolution import Convolution, convolution, lines
from mochac.codegen.cpu.schedules.nests import block_lanes, is_guarded
from mochac.codegen.cpu.schedules.tail import Tail
from mochac.codegen.cpu.schedules.tiles import RegisterTile, best_tile, total_cost
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.index import Index
from mochac.ir.kernel import If, Kernel, Load, Loop, walk
from mochac.ir.nest import extents, loops
from mochac.ir.schedule import Step
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.cut import Cut
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.fission import Fission
from mochac.ir.steps.flatten import Flatten
from mochac.ir.steps.merge import Merge
from mochac.ir.steps.pack import Pack
from mochac.ir.steps.peel import Peel
from mochac.ir.steps.place import Place
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Unroll, Vector
from mochac.ir.steps.split import Split

PACK_CYCLES = 2.0
EPILOGUE_CYCLES = 3.0
"""Cycles for a column of a few samples: to copy it into the pack, and to apply an epilogue to it."""
WORTH = 0.9
"""Packing must cost at most this fraction of what idle lanes cost."""
LONGEST = 64
"""Maximum length of the rows that images under one-tap filters are cut into."""
ENOUGH_ITEMS = 8
ITEMS = 4


@dataclass(frozen=True)
class ConvTail(Tail):
    """The tail of a convolution, and how it is computed.

    Attributes:
        tile: filters x vectors in registers.
        rows: rows of an item; they take about as long as one row of a full block.
        groups: loops over groups of channels around the rows.
    """

    tile: RegisterTile
    rows: int
    groups: tuple[str, ...] = ()

    @property
    def items(self) -> tuple[str, ...]:
        """The loops that threads share."""
        return tuple(f"{var}{self.suffix}" for var in (*self.groups, "rows"))


def plain_rows(kernel: Kernel) -> Convolution | None:
    """The convolution; under filters of one tap with images as lines, cut into rows that whole tiles fill."""
    form, lanes = convolution(kernel), block_lanes(kernel)
    if form is None or extents(form.kernel)[form.batch] % lanes:
        return form
    return lines(form, row_length)


def row_length(rows: int, columns: int) -> int:
    """The longest row of a few tiles of four columns that leaves at least half as many rows, else `columns`.

    >>> row_length(14, 14), row_length(56, 56), row_length(13, 13)
    (28, 64, 13)
    """
    fits = (n for n in range(4, LONGEST + 1, 4) if rows * columns % n == 0 and 2 * (rows * columns // n) >= rows)
    return max(fits, default=columns)


def tail_of(form: Convolution, target: CpuTarget, padded: RegisterTile) -> ConvTail | None:
    """How to compute the tail without padding; None if there is none, or if padding it to a whole block is cheaper.

    `padded` is the tile (channels x columns) that computes the padded block.
    """
    extent, lanes = extents(form.kernel), block_lanes(form.kernel)
    samples = extent[form.batch] % lanes
    image = image_of(form.kernel, form.column, form.kw) if samples and form.kw and not any(form.phases) else None
    if image is None or _sum_end(form) is None:
        return None
    channels, columns = extent[form.channel], extent[form.column]
    vectors = -(-columns * samples // lanes)
    tile = best_tile(channels, vectors, target.registers, max_columns=8)
    rows = item_rows(extent[form.row], lanes // samples, extent[form.batch] < lanes)
    tail = ConvTail(samples, extent[form.batch], lanes, image, tile, rows, form.groups)
    idle = total_cost(channels, columns, padded) * valid_share(form.kernel, (form.column, form.kw))
    exact = total_cost(channels, vectors, tile) + _overhead(form, tail, extent[form.depth])
    return tail if exact < WORTH * idle else None


def image_of(kernel: Kernel, column: str, tap: str) -> str | None:
    """The buffer that the sum reads with stride 1 along columns, with samples on axis 0; the epilogue may read it too,
    as in a residual block."""
    taps = loops(kernel)[tap].body
    loads = [s for s in walk(taps) if isinstance(s, Load) and s.index and s.index[0] == Index.var("n")]
    if len(loads) != 1 or len(loads[0].index) != 4:
        return None
    along = loads[0].index[3]
    strides = (along.coefficient(column), abs(along.coefficient(tap)))
    return loads[0].buffer if strides == (1, 1) and len(along.vars) == 2 else None


def _sum_end(form: Convolution) -> int | None:
    """Number of statements in the column loop up to the only load of the finished sum, None if there is none."""
    body = loops(form.kernel)[form.column].body
    locals_ = {b.name for b in form.kernel.locals}
    sums = [k for k, s in enumerate(body) if isinstance(s, Loop)]
    loads = [k for k, s in enumerate(body) if isinstance(s, Load) and s.buffer in locals_]
    return loads[0] + 1 if len(sums) == len(loads) == 1 and sums[0] < loads[0] else None


def shared(things: int, most: int) -> int:
    """Things per item, `most` or fewer, if there are no other items: the number of items is a multiple of ITEMS.

    >>> shared(32, 13), shared(64, 13), shared(19, 9), shared(19, 2), shared(3, 8)
    (8, 8, 5, 2, 1)
    """
    items = -(-things // most)
    return -(-things // (-(-items // ITEMS) * ITEMS))


def item_rows(rows: int, most: int, alone: bool) -> int:
    """Rows per item: `most`, or fewer if these are the only items and there are few; a divisor of all rows if possible.

    >>> item_rows(16, 4, False), item_rows(24, 5, False), item_rows(13, 4, False), item_rows(24, 16, True)
    (4, 4, 4, 3)
    """
    most = max(1, min(most, rows // ENOUGH_ITEMS if alone else rows))
    return max((n for n in range((most + 1) // 2, most + 1) if rows % n == 0), default=most)


def valid_share(kernel: Kernel, along: tuple[str, ...]) -> float:
    """Fraction of the taps along a row (over the loops `along`) that lie inside the image."""
    extent = extents(kernel)
    conds = [c for s in walk(kernel.body) if isinstance(s, If) for c in s.conds if set(c.vars) == set(along)]
    every = itertools.product(*(range(extent[var]) for var in along))
    taps = [all(c.evaluate(dict(zip(along, at, strict=True))) >= 0 for c in conds) for at in every]
    return sum(taps) / len(taps)


def _overhead(form: Convolution, tail: ConvTail, reduced: int) -> float:
    """Cycles of packing and of the epilogue, per step of the reduction over `reduced` channels and the taps."""
    extent = extents(form.kernel)
    kh, kw, width = extent[form.kh], extent[form.kw], extent[form.column]
    pieces = 1 if tail.samples & (tail.samples - 1) == 0 else 2
    packed = PACK_CYCLES * pieces * (width + kw - 1) * (tail.rows + kh - 1) / (tail.rows * kh * kw)
    return packed + EPILOGUE_CYCLES * pieces * extent[form.channel] * width / (reduced * kh * kw)


def tail_steps(form: Convolution, tail: ConvTail) -> tuple[Step, ...]:
    """Split, pack, separate the sum from its epilogue, run columns and samples together: see the nest above."""
    end, extent = _sum_end(form), extents(form.kernel)
    assert end is not None
    finished = loops(form.kernel)[form.column].body[end - 1]
    assert isinstance(finished, Load)
    s = tail.suffix
    kept = f"{finished.name}{s}.kept"
    row, channel, column = (f"{var}{s}" for var in (form.row, form.channel, form.column))
    vectors, over = divmod(extent[form.column] * tail.samples, tail.lanes)
    return (
        *((Cut(form.batch, tail.whole, s),) if tail.whole else ()),
        Reorder((*(f"{var}{s}" for var in tail.groups), row, channel, column, f"{form.batch}{s}")),
        Split(row, tail.rows, f"rows{s}", f"row{s}", "guard"),
        Pack(tail.image, f"row{s}", (1, 2, 3, 0), (3,)),
        Flatten(f"{tail.image}.pack", 2),
        Split(channel, tail.tile.rows, f"ct{s}", f"r{s}", "cut"),
        Fission(f"{form.batch}{s}", end, "n.out"),
        Fission(column, 1, f"{form.column}.out"),
        Fission(f"r{s}", 1, "r.out"),
        Place(kept, "scratch"),
        Flatten(kept, 1),
        Merge(column, f"{form.batch}{s}", f"p{s}"),
        Split(f"p{s}", tail.lanes, f"v{s}", f"lane{s}", "guard"),
        Split(f"v{s}", tail.tile.columns, f"wt{s}", f"t{s}", "cut"),
        *((Clip(f"{form.kh}{s}"),) if is_guarded(form.kernel, form.kh) else ()),
        *(Distribute(f"{var}{s}", ("*",)) for var in ("r", "t", "lane")),
        *((Peel(f"wt{s}", 0, 1),) if over and vectors >= tail.tile.columns else ()),
        *(Unroll(f"{var}{s}") for var in ("r", "t", form.kw)),
        Vector(f"lane{s}"),
        Vector("n.out"),
        Vector("pack.0"),
    )
