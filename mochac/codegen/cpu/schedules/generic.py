"""The generic schedule: vector lanes where the data layout allows them, threads over independent loops.

    blocked results         lanes = batch, padded where only blocked storage is accessed, masked elsewhere
    sums over the batch     lanes = partial sums, one horizontal sum at the end; neighbouring results at once
    sums along the last axis of natural values      the same
    natural results         lanes = the last axis; threads share rows if there are enough, else vectors
    anything else           scalar code

Every kernel fits the last line, so everything compiles.

Keeping: what several loops over a row compute, such as exponentials in a softmax, is computed once, by the first.

    total = sum of exp(x - largest)           total = sum of kept, where kept = exp(x - largest)
    y = exp(x - largest) / total        ->    y = kept / total

This pays where storing and loading a value takes less time than computing it, and what is kept stays near.
"""

from __future__ import annotations

from math import prod

from mochac.codegen.analysis.contraction import contraction
from mochac.codegen.analysis.nests import (
    accesses,
    batch_vars,
    block_lanes,
    float_dtype,
    is_guarded,
    may_pad,
    mixed_lanes,
    picks_by,
)
from mochac.codegen.combinators.caches import share_items
from mochac.codegen.combinators.images import merge_axes
from mochac.codegen.combinators.sums import subtotals
from mochac.codegen.combinators.tiles import hold, lanes, partial_lanes
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.prediction.function_counts import instructions
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, If, Kernel, Let, Loop, walk
from mochac.ir.kernel_rules import name_dtypes, operand_dtype
from mochac.ir.nest import extents, loops
from mochac.ir.nests import Repeat, repeats
from mochac.ir.op import OPS
from mochac.ir.schedule import Schedule, ScheduleError
from mochac.ir.schedule_builder import ALL, Handle, ScheduleBuilder, because
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.inline import Keep
from mochac.ir.steps.merge import Distribute, Reorder
from mochac.ir.steps.run import Parallel, Unroll, Vector
from mochac.ir.types import DTYPES, FLOATS

LEAST_KEPT = 6
"""Minimum instructions of a value that is kept: more than a store, a load and their addresses take."""
SLOW = 4
"""A division or a root takes at least as long as this many other instructions."""
KEPT_SHARE = 1 / 2
"""Share of L2 that may be filled by what is kept."""


def keep_repeats(b: ScheduleBuilder, target: CpuTarget) -> None:
    """Keep what vector loops over a row would compute again, the most expensive values first."""
    while found := _costly(b.kernel, target):
        b.add(Keep(found.value, found.again))


def _costly(kernel: Kernel, target: CpuTarget) -> Repeat | None:
    """The repeat that saves the most instructions; None if no repeat pays."""
    dtypes = name_dtypes(kernel.body, kernel.buffers())
    found: list[tuple[int, Repeat]] = []
    for repeat in repeats(kernel):
        dtype, loops = dtypes[repeat.again], repeat.loops[0]
        size = DTYPES[dtype].itemsize * prod(loop.extent or 0 for loop in loops)
        if dtype in FLOATS and loops[-1].run == "vector" and size <= KEPT_SHARE * target.machine.l2.n_bytes:
            found.append((_instructions(repeat, dtypes), repeat))
    saved, repeat = max(found, key=lambda each: each[0], default=(0, None))
    return repeat if saved >= LEAST_KEPT else None


def _instructions(repeat: Repeat, dtypes: dict[str, str]) -> int:
    """Instructions of the value, and of what the later loop computes only for it."""
    lets = {s.name: s for s in walk((repeat.second,)) if isinstance(s, Let)}
    todo, seen, total = [repeat.again], set[str](), 0
    while todo:
        name = todo.pop()
        if name in lets and name not in seen:
            seen.add(name)
            counted = instructions(lets[name].fn, tuple(operand_dtype(a, dtypes) for a in lets[name].args))
            total += counted.products + counted.arithmetic + SLOW * counted.slow
            todo += [a for a in lets[name].args if isinstance(a, str)]
    return total


MAX_UNROLL = 9
MOST_STATEMENTS = 128
"""Beyond that, unrolled code takes longer to compile than it saves: the transform of LeNet's filters (8 x 8 products of
5 x 5 taps) compiles in 0.6 of the time, and takes as long."""
MOST_EDGES = 4
"""Maximum places at which a row is cut because conditions change."""
ENOUGH_ITEMS = 64
LONG = 4
"""Minimum vectors of a row for a thread to compute whole rows, with a separate last vector. Shorter rows are cut into
vectors with masks. Rounding 100 x 1000 numbers to bfloat16 takes 0.55 of the time (Zen 4, one thread, busy)."""
LONGEST = 16
"""Minimum vectors of a row that is not merged with the one before it: its last vector is a small part of it."""
LEAST = 0.25
"""Minimum results along the last axis, as a part of a vector, for lanes along this axis (Sapphire Rapids: with lanes,
max_pool to rows of 5 takes 0.3 of the time of scalar code, concat of rows of 10 takes 0.2). Products, whose factors may
lie apart, need a whole vector."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule:
    """A schedule for any kernel. Conditions of reductions become limits of their loops where possible."""
    return _scheduled(ScheduleBuilder(kernel), target)


def merged(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The generic schedule of a kernel whose neighbouring axes are one; None if it has no such axes. Not for parts of
    joined kernels: their axes may lie apart in the whole."""
    b = ScheduleBuilder(kernel)
    if batch_vars(kernel) or contraction(kernel) or not merge_axes(b, LONGEST * target.lanes(float_dtype(kernel))):
        return None
    return _scheduled(b, target)


def _scheduled(b: ScheduleBuilder, target: CpuTarget) -> Schedule:
    batch = batch_vars(b.kernel)
    outer = b.loops() if batch else _ones_first(b)
    kernel = b.kernel
    count = target.lanes(float_dtype(kernel))
    form = contraction(kernel)
    least = 1 if form and form.rows and form.columns else LEAST
    along = bool(outer) and not batch and not mixed_lanes(kernel) and b.extent(outer[-1]) >= least * count
    along = along and not _limits(kernel, outer[-1]) and not picks_by(kernel, outer[-1])
    clipped = _clipped(b, outer[-1] if along else "")
    if mixed_lanes(kernel) or not _one_batch(kernel) or (batch and picks_by(kernel, batch[0])):
        how = "scalar"
    elif outer and batch and batch[0] == outer[0]:
        return _batch_lanes(b, outer, clipped, target)
    elif len(batch) == 1 and (local := _only_accumulator(kernel, batch[0])):
        partial_lanes(b, local, batch[0], block_lanes(kernel))
        if outer and _neighbours(kernel, outer[-1]):
            b.reason = "neighbouring results are summed together, so that lines of memory are read in order"
            size, extent = target.registers // 2, b.extent(outer[-1])
            tiles, results = b.split(outer[-1], size, "cut")
            hold(b, results)
            one = extent <= size or not extent % size  # the loop over tiles, not the second one, for the last tile
            outer = (*outer[:-1], tiles) if one or len(outer) == 1 else outer[:-1]
        how = "batch-partials"
    elif not batch and (term := _row_sum(kernel, count)):
        partial_lanes(b, _only_accumulator(kernel, term), term, count, peeled=True)
        how = "row-partials"
    elif along:
        *rows, last = outer
        long = form is None and b.extent(last) >= LONG * count
        many = prod(map(b.extent, rows)) >= ENOUGH_ITEMS
        edges = _edges(kernel, last) if form is None and many else []
        alone = bool(edges) or (long and many) or (bool(rows) and not target.masks)
        parts = [*(b.cut(last, at)(last) for at in reversed(edges)), last]
        vectors = [lanes(b, part, count, "cut" if alone else "guard")[0] for part in parts]
        _unroll_small(b, {*outer, *vectors, *clipped})
        outer = enough_items(b, tuple(rows)) if alone else (*rows, *vectors)
        how = "last-axis-lanes"
    elif not batch and form is None and (shared := b.attempt(lambda: _last_axes(b, outer, count))):
        outer = shared
        how = "last-axes-lanes"
    else:
        how = "scalar"
    if form is None:
        subtotals(b)
    if outer:
        share_items(b, *outer, least=target.team)
    return b.schedule(f"generic.{how}")


def _batch_lanes(b: ScheduleBuilder, outer: tuple[Handle, ...], clipped: list[Handle], target: CpuTarget) -> Schedule:
    batch, *inner = outer
    tail = "pad" if may_pad(b.kernel, batch) else "guard"
    block, _ = lanes(b, batch, block_lanes(b.kernel), tail)
    keep_repeats(b, target)
    if contraction(b.start) is None:
        subtotals(b)
    parallel = enough_items(b, (block, *inner))
    _unroll_small(b, {*parallel, *clipped})
    b.add(Parallel(parallel))
    return b.schedule(f"generic.batch-lanes.{tail}")


def _last_axes(b: ScheduleBuilder, outer: tuple[Handle, ...], count: int) -> tuple[Handle, ...]:
    """Run the last axis, which is short, and as many neighbours along the axis before it as fill a vector, as lanes.

    Returns:
        The loops around them.
    """
    if len(outer) < 2 or not 1 < b.extent(outer[-1]) <= count // 2:
        return ()
    *rows, before, last = outer
    vectors, some = b.split(before, count // b.extent(last), "cut")
    if not b.fits(Vector(last), Vector(some)):  # sums are inside
        b.add(Distribute(some, ALL), Distribute(last, ALL), Vector(last), Vector(some))
    return enough_items(b, (*rows, vectors))


def enough_items(b: ScheduleBuilder, loops: tuple[Handle, ...]) -> tuple[Handle, ...]:
    """As many of these nested loops, outermost first, as give the threads ENOUGH_ITEMS; all if there are too few."""
    enough = (n for n in range(1, len(loops)) if prod(map(b.extent, loops[:n])) >= ENOUGH_ITEMS)
    return loops[: next(enough, len(loops))]


@because("a loop of one iteration has no lanes")
def _ones_first(b: ScheduleBuilder) -> tuple[Handle, ...]:
    """The loops over results; those of one iteration come first, if the last one is such a loop."""
    outer = b.loops()
    ordered = tuple(sorted(outer, key=lambda loop: b.extent(loop) > 1))
    if ordered == outer or b.extent(outer[-1]) > 1 or not b.fits(Reorder(ordered)):
        return outer
    return ordered


def _edges(kernel: Kernel, var: str) -> list[int]:
    """Where conditions on a loop alone begin or cease to hold, in order: between them, its lanes need no masks. None if
    there are many."""
    extent, found = loops(kernel)[var].extent or 0, set[int]()
    for cond in (c for s in walk(kernel.body) if isinstance(s, If) for c in s.conds):
        step = cond.coefficient(var)
        if abs(step) == 1 and cond.vars == (var,):
            found.add(-cond.const if step == 1 else cond.const + 1)
    edges = sorted(at for at in found if 0 < at < extent)
    return edges if len(edges) <= MOST_EDGES else []


def _limits(kernel: Kernel, var: str) -> bool:
    """Whether the limits of other loops depend on a loop: its lanes would have different ones."""
    return any(var in (*s.lo.vars, *s.hi.vars) for s in walk(kernel.body) if isinstance(s, Loop))


def _one_batch(kernel: Kernel) -> bool:
    """Whether blocked buffers are read sample by sample, not in runs of samples: lanes of a run may lie in two
    blocks."""
    return all([c for _, c in i[0].terms] in ([], [1]) for b, i, _ in accesses(kernel) if b.type.lanes)


def _row_sum(kernel: Kernel, lanes: int) -> str:
    """The innermost loop of a reduction that goes over whole vectors of consecutive elements; "" if there is none."""
    if kernel.root not in OPS or OPS[kernel.root].kind != "reduce" or not loops(kernel):
        return ""
    var, loop = list(loops(kernel).items())[-1]
    if loop.kind != "sum" or (loop.extent or 0) < lanes or is_guarded(kernel, var):
        return ""
    touching = [index for _, index, _ in accesses(kernel) if any(i.coefficient(var) for i in index)]
    rows = all(i[-1] == Index.var(var) and not any(k.coefficient(var) for k in i[:-1]) for i in touching)
    return var if rows and touching and _only_accumulator(kernel, var) else ""


def _neighbours(kernel: Kernel, result: str) -> bool:
    """Whether neighbouring results add up neighbouring elements, while the terms of one result lie apart. Several
    results together read runs of lines; a single one would touch a page for each term (gradients of LayerNorm's scale
    and shift)."""
    read = [index for b, index, _ in accesses(kernel) if b.type.lanes]
    return bool(read) and all(len(index) > 1 and index[-1] == Index.var(result) for index in read)


def _clipped(b: ScheduleBuilder, lane: str) -> list[Handle]:
    """Turn conditions of reductions into limits of loops, outer loops first, except where lanes would have different
    limits."""
    clipped: list[Handle] = []
    for name in b.all_loops():
        loop = loops(b.kernel)[name]
        if loop.kind == "sum" and is_guarded(b.kernel, name):
            try:
                limits = loops(Clip(name).apply(b.kernel))[name]
            except ScheduleError:  # the condition does not guard the whole loop, or depends on a loop inside
                continue
            if lane not in (*limits.lo.vars, *limits.hi.vars):
                b.add(Clip(name))
                clipped.append(name)
    return clipped


def _unroll_small(b: ScheduleBuilder, exceptions: set[Handle]) -> None:
    """Unroll the innermost loops, except lanes and those in `exceptions`, as long as the body grows at most MAX_UNROLL
    times and to at most MOST_STATEMENTS."""
    unrolled: set[str] = set()
    grown, most = 1, pick(MAX_UNROLL, 1, 4 * MAX_UNROLL)
    for name, extent in reversed(extents(b.kernel).items()):
        loop = loops(b.kernel)[name]
        inner = {s.var for s in walk(loop.body) if isinstance(s, Loop) and s.run != "vector"}
        size = grown * extent * sum(not isinstance(s, (Loop, If)) for s in walk(loop.body))
        small = grown * extent <= most and size <= MOST_STATEMENTS
        if not inner - unrolled and name not in exceptions and loop.run != "vector" and small:
            grown *= extent
            unrolled.add(name)
            b.add(Unroll(name))


def _only_accumulator(kernel: Kernel, var: str) -> str:
    """The local, of one element, that the `sum` loop `var` sums into; "" if there is no such loop, or if it sums into
    several."""
    loop = loops(kernel)[var]
    sums = {s.buffer for s in walk(loop.body) if isinstance(s, Accum)}
    local = sums & {b.name for b in kernel.locals if not b.type.shape}
    return local.pop() if loop.kind == "sum" and len(sums) == len(local) == 1 else ""
