"""Planes in a weight gradient: the kernel computes the gradient itself, one image for each sample and filter.

    for q:  th { plane_of { rh { pt { u { rw { P[plane_of, rh + 2*th, ..] = sum over dh, dw of .. } } } } } }
            for the bands, channels, filters, kh:  acc += x * P

The gradient of a pooling, as large as the image, is never stored: each plane is read from cache for all channels and
taps.
"""

from __future__ import annotations

from math import prod

from mochac.codegen.combinators.register_tile import hold
from mochac.codegen.cpu.schedules.conv_dw_form import WeightGradient
from mochac.codegen.cpu.schedules.nests import edge_tiles, used_with
from mochac.codegen.cpu.schedules.windows import column_tile
from mochac.ir.kernel import Loop, walk
from mochac.ir.nest import band, extents, loops
from mochac.ir.schedule import ScheduleError
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.innermost import Innermost
from mochac.ir.steps.peel import Peel
from mochac.ir.steps.run import Unroll
from mochac.ir.steps.unguard import Unguard

MOST_UNROLLED = 72


def tile_plane(b: ScheduleBuilder, form: WeightGradient, registers: int) -> list[Peel]:
    """Compute columns of tiles of the plane at a time; whole tiles if the code of at least two columns stays small.

    Returns:
        What is to be peeled in the end, if there is a plane at all.
    """
    if not form.plane:
        return []
    b.fits(Unguard(form.plane))
    nest = loops(b.kernel)[form.plane]
    *_, cell_rows, column, cells = (loop.var for loop in (nest, *band(nest.body, kind="each")))
    sums = [s.var for s in walk(nest.body) if isinstance(s, Loop) and s.kind == "sum"]
    across = [var for var in sums if column in used_with(b.kernel, var)]
    down = [var for var in sums if var not in across]
    extent = extents(b.kernel)
    row = prod(extent[var] for var in (cells, *across))
    most = min(extent[column], registers // 4, MOST_UNROLLED // (row * prod(extent[var] for var in (cell_rows, *down))))
    whole = most >= min(2, extent[column])
    size = column_tile(extent[column], most if whole else min(registers // 4, MOST_UNROLLED // row))
    if not size:
        raise ScheduleError("windows are too wide to be unrolled")
    borders, tops = edge_tiles(b.kernel, column, size), edge_tiles(b.kernel, form.plane, 1) if whole else (0, 0)
    tiles, tile = b.split(column, size, "cut")
    if not whole:
        for var in down:
            b.fits(Clip(var))
    hold(b, tile, cells)
    b.add(*map(Unroll, (*across, *((cell_rows, *down) if whole else ()))))
    return [Peel(loop, *ends) for loop, ends in ((tiles, borders), (form.plane, tops)) if any(ends)]


def place_plane(b: ScheduleBuilder, form: WeightGradient, filter: str, outer: tuple[str, ...], lane: str) -> None:
    """Compute the planes of a block's filters before the bands of rows that read them."""
    if form.plane:
        b.add(Distribute(filter, (*outer, form.plane)))
        b.rename(filter, form.plane)
        b.add(Innermost(form.gradient, lane))
