"""Convolution forward and data gradient: batch lanes, a register tile of channels x columns.

    for q, oh, co-tile, ow-tile:  acc[r][t] over ci, kh, (kw unrolled), epilogue

Rows that touch padding shorten the kh loop; columns that do get tiles of their own. What the epilogue reads is
prefetched before the sum. Requires blocked operands.
"""

from __future__ import annotations

from mochac.codegen.analysis.convolution import Convolution
from mochac.codegen.cpu.schedules.conv_tail import plain_rows, tail_of, tail_steps
from mochac.codegen.cpu.schedules.nests import block_lanes, edge_tiles, float_dtype, may_pad
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.schedules.tiles import RegisterTile, best_tile
from mochac.codegen.cpu.schedules.windows import clips
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.nest import extents
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.peel import Peel
from mochac.ir.steps.prefetch_epilogue import PrefetchEpilogue
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Parallel, Unroll, Vector
from mochac.ir.steps.split import Split
from mochac.ir.types import DTYPES

SLACK = 2
"""Registers for columns of a window that LLVM loads ahead of their use (counted in assembly)."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is a blocked convolution, alone or with an epilogue."""
    form = plain_rows(kernel)
    if form is None or form.gradient or not may_pad(kernel, form.batch):
        return None
    extent = extents(form.kernel)
    room = target.registers - (SLACK if extent.get(form.kw, 1) > 1 else 0)
    tile = best_tile(extent[form.channel], extent[form.column], room, cells=form.reached[1])
    parallel = ("q", *form.groups, form.row)
    tail = pick(tail_of(form, target, tile), None)
    if tail is None:
        steps = (*tiled(form, block_lanes(kernel), tile, target), Parallel(parallel))
    else:
        full = tiled(form, tail.lanes, tile, target) if tail.whole else ()
        steps = (*tail_steps(form, tail), *full, Parallel(tuple(dict.fromkeys((*parallel, *tail.items)))))
    return Schedule(f"{kernel.root}.blocked", (*form.steps, *steps))


def tiled(form: Convolution, lanes: int, tile: RegisterTile, target: CpuTarget) -> tuple[Step, ...]:
    """Split, clip, distribute, unroll: see the nest above."""
    edges = edge_tiles(form.kernel, form.column, tile.columns)
    row_phase, column_phase = ((phase,) if phase else () for phase in form.phases)
    inner = (form.column, form.channel) if columns_first(form, tile, target) else (form.channel, form.column)
    outer = (form.batch, *form.groups, form.row)
    distributed = ("r", *column_phase, "t")
    return (
        Reorder((*outer, *row_phase, *inner)),
        Split(form.batch, lanes, "q", "lane", "pad"),
        Split(form.channel, tile.rows, "ct", "r", "cut"),
        Split(form.column, tile.columns, "wt", "t", "cut"),
        *_row_limits(form),
        *(Distribute(var, ("*",)) for var in (*distributed, "lane")),
        *(PrefetchEpilogue(name, form.depth, "lane") for name in form.epilogue),
        *((Peel("wt", *edges),) if any(edges) else ()),
        *(Unroll(var) for var in distributed),
        *_taps_of_a_row(form),
        Vector("lane"),
    )


def _row_limits(form: Convolution) -> list[Step]:
    """Restrict rows of taps, and row phases, to those that exist; phases that no tap reaches get code of their own."""
    phase = form.phases[0]
    if phase and form.reached[0] < extents(form.kernel)[phase]:
        return [Peel(phase, form.reached[0]), *clips(form.kernel, (form.kh,))]
    return clips(form.kernel, (phase, form.kh))


def _taps_of_a_row(form: Convolution) -> list[Step]:
    """All taps of a row; those that read the same columns of a strided input follow each other."""
    if not form.kw or form.stride == 1:
        return [Unroll(form.kw)] if form.kw else []
    return [Split(form.kw, form.stride, "kq", "kp", "guard"), Reorder(("kp", "kq")), Unroll("kp"), Unroll("kq")]


def columns_first(form: Convolution, tile: RegisterTile, target: CpuTarget) -> bool:
    """Whether all channels of a tile of columns are computed before the next tile of columns.

    If so, the input's rows are read once and the filters once per tile of columns; otherwise the reverse. What does not
    fit in L2 should be read less often. Filters are read in many streams, so they count four times.
    """
    extent = extents(form.kernel)
    reduced, kh, kw = extent[form.depth], extent.get(form.kh, 1), extent.get(form.kw, 1)
    if kh * kw == 1:
        return True
    size = DTYPES[float_dtype(form.kernel)].itemsize
    rows = reduced * kh * (extent[form.column] * form.stride + kw) * block_lanes(form.kernel) * size
    filters = reduced * extent[form.channel] * kh * kw * size
    again = [
        n_bytes * times if n_bytes > target.near_bytes // 2 else 0
        for n_bytes, times in (
            (rows, -(-extent[form.channel] // tile.rows) - 1),
            (4 * filters, -(-extent[form.column] // tile.columns) - 1),
        )
    ]
    return again[1] < again[0]
