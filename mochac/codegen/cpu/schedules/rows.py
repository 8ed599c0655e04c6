"""Rows: sums that keep the same axes, and the maps that read them, row by row.

    rows of blocked samples       lanes = samples; each lane has a row of its own
    channels of blocked images    lanes = samples, in every pass over the channel: partial sums, padded maps
    natural rows                  lanes along the last axis, in every pass
    natural rows side by side     lanes = rows

Row operations such as softmax go over the rows of their own nest in the same way if a row fills a vector: if lanes were
rows, they would load elements that lie a row apart. A row that fits into a near cache comes from memory once, however
often the kernel goes over it (passes/fuse.py sees to that). Rows run in parallel.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from mochac.base.records import record
from mochac.codegen.analysis.nests import accesses, batch_vars, block_lanes, float_dtype, may_pad, mixed_lanes
from mochac.codegen.combinators.images import merge_axes
from mochac.codegen.combinators.sums import subtotals
from mochac.codegen.combinators.tiles import lanes
from mochac.codegen.cpu.schedules.generic import LEAST, LONG, enough_items, keep_repeats
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Accum, Body, Kernel, Loop, Store, walk
from mochac.ir.nest import extents
from mochac.ir.op import OPS
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ALL, Handle, ScheduleBuilder, because
from mochac.ir.steps.merge import Distribute
from mochac.ir.steps.run import Parallel, Vector
from mochac.ir.steps.split import Peel


@record
class RowPass:
    """A nest of loops that goes over a row once: their variables, outer first, and the accumulators of its sums."""

    loops: tuple[str, ...]
    sums: tuple[str, ...]


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None if the kernel does not go over rows more than once."""
    return _scheduled(ScheduleBuilder(kernel), target)


def merged(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule of natural rows whose neighbouring axes are one, as those of an image; None if they have none. Not
    for parts of joined kernels: their axes may lie apart in the whole."""
    b = ScheduleBuilder(kernel)
    if batch_vars(kernel) or len(row_passes(kernel)) < 2 or not merge_axes(b, inf):
        return None
    return _scheduled(b, target)


def _scheduled(b: ScheduleBuilder, target: CpuTarget) -> Schedule | None:
    kernel = b.kernel
    rows, found = b.loops(), row_passes(kernel)
    kind, ends = OPS[kernel.root].kind if kernel.root in OPS else "", list[Handle]()
    batch, own = batch_vars(kernel), kind == "row"
    if kind != "reduce" and (not own or batch):
        return None
    if not rows or (len(found) < 2 and sum(len(p.sums) for p in found) < 2):
        return None
    if mixed_lanes(kernel) or any(len(p.loops) != len(set(p.loops)) for p in found):
        return None
    if batch == [rows[0]]:
        outer, _ = lanes(b, rows[0], block_lanes(kernel), "pad" if may_pad(kernel, rows[0]) else "guard")
        rows, how = (outer, *rows[1:]), "samples"
    elif batch:
        for p, var in _over_batch(found, batch):
            _in_lanes(b, p, var, block_lanes(kernel))
        how = "channels"
    else:
        count = target.lanes(float_dtype(kernel))
        if own and not _along(b, found, count):
            return None
        rows, how, ends = _natural(b, found, rows, count)
    keep_repeats(b, target)
    subtotals(b)
    _peel(b, ends)
    b.add(Parallel(enough_items(b, rows)))
    return b.schedule(f"rows.{how}")


@because("only the last vector of a row is not full; the others run without masks")
def _peel(b: ScheduleBuilder, ends: Sequence[str]) -> None:
    for loop in ends:
        if loop in extents(b.kernel) and b.extent(loop) >= LONG:
            b.fits(Peel(loop, 0, 1))


def row_passes(kernel: Kernel) -> list[RowPass]:
    """The passes over a row, in order, and those that start sums over rows."""
    body = kernel.body
    while len(body) == 1 and isinstance(loop := body[0], Loop) and loop.kind == "each":
        body = loop.body
    return _passes(body, {b.name for b in kernel.locals})


def _passes(body: Body, registers: set[str]) -> list[RowPass]:
    found: list[RowPass] = []
    for s in body:
        if isinstance(s, Loop) and s.kind == "sum" and any(isinstance(t, Store) for t in walk(s.body)):
            found += _passes(s.body, registers)  # a loop over rows, for sums over rows of what is in it
        elif isinstance(s, Loop):
            inside = [s, *(t for t in walk(s.body) if isinstance(t, Loop))]
            sums = dict.fromkeys(t.buffer for t in walk((s,)) if isinstance(t, Accum) and t.buffer in registers)
            found.append(RowPass(tuple(t.var for t in inside), tuple(sums)))
    return found


def _over_batch(found: list[RowPass], batch: list[str]) -> list[tuple[RowPass, str]]:
    """Passes that go over samples, with their loop over them."""
    return [(p, var) for p in found for var in p.loops if var in batch]


@because("each pass over a row runs in vectors; the lanes of its sums are added up at its end")
def _in_lanes(b: ScheduleBuilder, p: RowPass, var: str, count: int) -> Handle:
    """Run a loop of a pass in vectors: sums have a part in every lane, added up at the end.

    Returns:
        The loop over vectors.
    """
    tail = "pad" if not p.sums and may_pad(b.kernel, var) else "guard"
    vectors, lane = b.split(var, count, tail)
    joins = [b.partial(local, lane)[0] for local in p.sums]
    b.add(Distribute(lane, ALL), Vector(lane), *map(Vector, joins))
    return vectors


def _natural(
    b: ScheduleBuilder, found: list[RowPass], rows: tuple[Handle, ...], count: int
) -> tuple[tuple[Handle, ...], str, list[Handle]]:
    """Lanes along the last axis, which lies either in the rows or across them.

    Returns:
        The loops over rows, the name of the way, and the loops over vectors of which the last is not full.
    """
    if _along(b, found, LEAST * count):
        ends = [b.extent(p.loops[-1]) % count > 0 for p in found]
        vectors = [_in_lanes(b, p, p.loops[-1], count) for p in found]
        return rows, "natural", [v for v, end in zip(vectors, ends, strict=True) if end]
    if _is_last(b.kernel, rows[-1]) and b.extent(rows[-1]) >= LEAST * count:
        outer, _ = lanes(b, rows[-1], count, "guard")
        return (*rows[:-1], outer), "beside", []
    return rows, "scalar", []


def _along(b: ScheduleBuilder, found: list[RowPass], least: float) -> bool:
    """Whether all passes go along the last axis, over at least `least` elements."""
    return all(_is_last(b.kernel, p.loops[-1]) and b.extent(p.loops[-1]) >= least for p in found)


def _is_last(kernel: Kernel, var: str) -> bool:
    """Whether a loop runs over the last axis of everything that it indexes."""
    touched = [index for _, index, _ in accesses(kernel) if any(i.coefficient(var) for i in index)]
    return bool(touched) and all(
        i[-1].coefficient(var) == 1 and not any(k.coefficient(var) for k in i[:-1]) for i in touched
    )
