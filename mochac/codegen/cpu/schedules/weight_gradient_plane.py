"""Planes in a weight gradient: the kernel computes the gradient of the results itself, one image per sample and filter.

    for q, band:  th { plane_of { rh { pt { u { rw { P[plane_of, rh + 2*th, ..] = sum over dh, dw of .. } } } } } }
                  for channels, filters, kh:  acc += x * P

The gradient of a pooling, as large as the image, is never stored: the rows of a band are read from L1 for all channels
and taps as soon as they are computed. Where windows overlap or touch padding, an iteration of th computes rows that two
bands read, or the first and last iterations need code of their own. Whole planes are then computed one after another,
before the bands.
"""

from __future__ import annotations

from math import prod

from mochac.codegen.analysis.nests import edge_tiles
from mochac.codegen.analysis.weight_gradient import WeightGradient
from mochac.codegen.combinators.images import window_columns, window_loops
from mochac.codegen.combinators.tiles import hold
from mochac.codegen.cpu.schedules.windows import MOST_UNROLLED, column_tile
from mochac.ir.nest import band, extents, loops
from mochac.ir.schedule import ScheduleError
from mochac.ir.schedule_builder import Handle, ScheduleBuilder, because
from mochac.ir.steps.jam import Jam
from mochac.ir.steps.merge import Distribute, Reorder
from mochac.ir.steps.run import Unroll
from mochac.ir.steps.split import Peel
from mochac.ir.steps.storage import Innermost


def tile_plane(b: ScheduleBuilder, form: WeightGradient, registers: int, filter: str) -> bool:
    """Compute the plane a few columns of tiles at a time, and whole tiles if the code for at least two columns stays
    small.

    Args:
        filter: the loop over the planes of a block.

    Returns:
        Whether one loop still goes over all rows of the planes, which have some.
    """
    nest = loops(b.kernel)[form.plane]
    inner = [loop.var for loop in band(nest.body, kind="each") if loop.var != filter]
    *rows, column, cells = (form.plane, *inner)
    cell_rows = rows[-1:]
    down, across = window_loops(b, column)
    extent = extents(b.kernel)
    row = prod(extent[var] for var in (cells, *across))
    high = prod(extent[var] for var in (*cell_rows, *down))
    most = min(extent[column], registers // 4, MOST_UNROLLED // (row * high))
    whole = most >= min(2, extent[column])
    size = column_tile(extent[column], most if whole else min(registers // 4, MOST_UNROLLED // row))
    if not size:
        raise ScheduleError("windows are too wide to be unrolled")
    tops = edge_tiles(b.kernel, form.plane, 1) if whole and rows else (0, 0)
    if any(tops) or not rows:
        plane_by_plane(b, form, filter)
    window_columns(b, column, size, clipped=not whole)
    hold(b, cells)
    b.add(*map(Unroll, (*cell_rows, *down) if whole else ()))
    if any(tops):
        b.add(Peel(form.plane, *tops))
    return bool(rows) and not any(tops)


@because("planes are computed one after another, so that their operands are read from memory in order")
def plane_by_plane(b: ScheduleBuilder, form: WeightGradient, filter: str) -> None:
    """Compute the planes of a block one after another, not row by row."""
    b.add(Reorder((filter, form.plane)))


def plane_by_bands(b: ScheduleBuilder, form: WeightGradient, filter: str, bands: str, rows: int) -> None:
    """Compute the rows of the planes that a band reads just before the band, if whole iterations compute them; else
    compute whole planes."""
    if rows % form.plane_rows or form.plane_row(b.kernel).const < 0:
        plane_by_plane(b, form, filter)
        return
    block, row = b.split(form.plane, rows // form.plane_rows)
    if not b.fits(Jam(bands, block)):
        b.add(Reorder((filter, block, row)))


@because("the planes of a block's filters are computed before the bands of rows that read them")
def place_plane(b: ScheduleBuilder, form: WeightGradient, filter: str, outer: tuple[str, ...], lane: str) -> Handle:
    """Compute the planes of a block's filters before the bands of rows that read them.

    Returns:
        The loop over these planes.
    """
    b.add(Distribute(filter, (*outer, form.plane)))
    planes = b.rename(filter, form.plane)
    b.add(Innermost(form.gradient, lane))
    return planes
