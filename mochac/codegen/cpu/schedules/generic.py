"""The generic schedule: vector lanes where the data layout allows them, threads over independent loops.

    blocked results         lanes = batch, padded where only blocked storage is accessed, masked elsewhere
    sums over the batch     lanes = partial sums, one horizontal sum at the end
    sums along the last axis of natural values      the same
    natural results         lanes = the last axis
    anything else           scalar code

Every kernel fits the last line, so everything compiles.
"""

from __future__ import annotations

from mochac.codegen.analysis.nests import (
    accesses,
    batch_vars,
    block_lanes,
    float_dtype,
    is_guarded,
    may_pad,
    mixed_lanes,
)
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Kernel, Loop, walk
from mochac.ir.nest import band, loops
from mochac.ir.schedule import Schedule, ScheduleError, Step
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.partial import Partial
from mochac.ir.steps.run import Parallel, Unroll, Vector
from mochac.ir.steps.split import Split

MAX_UNROLL = 9
ENOUGH_ITEMS = 64


def rule(kernel: Kernel, target: CpuTarget) -> Schedule:
    """A schedule for any kernel. Conditions of reductions become limits of their loops where possible."""
    outer = band(kernel.body, kind="each")
    clipped = _clippable(kernel, outer[-1].var if _suits_last_axis(kernel, target, outer) else "")
    name, steps = _chosen(kernel, target, outer, set(clipped))
    return Schedule(name, (*(Clip(var) for var in clipped), *steps))


def _chosen(kernel: Kernel, target: CpuTarget, outer: list[Loop], clipped: set[str]) -> tuple[str, tuple[Step, ...]]:
    batch = batch_vars(kernel)
    lanes = target.lanes(float_dtype(kernel))
    if not mixed_lanes(kernel) and _one_batch(kernel):
        if outer and batch and batch[0] == outer[0].var:
            return _batch_lanes(kernel, outer, clipped)
        if len(batch) == 1 and _sums_into_one_local(kernel, batch[0]):
            return _batch_partials(kernel, outer, batch[0])
        if not batch and (var := _row_sum(kernel, lanes)):
            return _row_partials(kernel, outer, var, lanes)
        if _suits_last_axis(kernel, target, outer):
            return _last_axis_lanes(kernel, outer, lanes, clipped)
    return "generic.scalar", _parallel(outer)


def _one_batch(kernel: Kernel) -> bool:
    """Whether blocked buffers are read sample by sample, not in runs, whose lanes would not lie in one block."""
    return all([c for _, c in i[0].terms] in ([], [1]) for b, i, _ in accesses(kernel) if b.type.lanes)


def _suits_last_axis(kernel: Kernel, target: CpuTarget, outer: list[Loop]) -> bool:
    if not outer or batch_vars(kernel) or mixed_lanes(kernel):
        return False
    return (outer[-1].extent or 0) >= target.lanes(float_dtype(kernel))


def _batch_lanes(kernel: Kernel, outer: list[Loop], clipped: set[str]) -> tuple[str, tuple[Step, ...]]:
    var, lanes = outer[0].var, block_lanes(kernel)
    tail = "pad" if may_pad(kernel, var) else "guard"
    parallel, items = ["q"], -(-(outer[0].extent or 1) // lanes)
    for loop in outer[1:]:
        if items >= ENOUGH_ITEMS:
            break
        parallel.append(loop.var)
        items *= loop.extent or 1
    unrolled = _unroll_small(kernel, {var, *parallel, *clipped})
    steps = (Split(var, lanes, "q", "lane", tail), Distribute("lane", ("*",)), *unrolled)
    return f"generic.batch-lanes.{tail}", (*steps, Vector("lane"), Parallel(tuple(parallel)))


def _batch_partials(kernel: Kernel, outer: list[Loop], var: str) -> tuple[str, tuple[Step, ...]]:
    local = _accumulators(kernel, var)[0]
    split = Split(var, block_lanes(kernel), "q", "lane", "guard")
    steps = (split, Partial(local, "lane"), Distribute("lane", ("*",)), Vector("lane"))
    return "generic.batch-partials", (*steps, *_parallel(outer))


def _row_sum(kernel: Kernel, lanes: int) -> str:
    """The innermost loop of a reduce_sum that adds up whole vectors of consecutive elements, "" if there is none."""
    if kernel.root != "reduce_sum" or not loops(kernel):
        return ""
    var, loop = list(loops(kernel).items())[-1]
    if loop.kind != "sum" or (loop.extent or 0) < lanes or is_guarded(kernel, var):
        return ""
    touching = [index for _, index, _ in accesses(kernel) if any(i.coefficient(var) for i in index)]
    rows = all(i[-1] == Index.var(var) and not any(k.coefficient(var) for k in i[:-1]) for i in touching)
    return var if rows and touching and _sums_into_one_local(kernel, var) else ""


def _row_partials(kernel: Kernel, outer: list[Loop], var: str, lanes: int) -> tuple[str, tuple[Step, ...]]:
    split = Split(var, lanes, "vec", "lane", "guard")
    steps = (split, Partial(_accumulators(kernel, var)[0], "lane"), Distribute("lane", ("*",)), Vector("lane"))
    return "generic.row-partials", (*steps, *_parallel(outer))


def _last_axis_lanes(kernel: Kernel, outer: list[Loop], lanes: int, clipped: set[str]) -> tuple[str, tuple[Step, ...]]:
    steps = (Split(outer[-1].var, lanes, "vec", "lane", "guard"), Distribute("lane", ("*",)))
    unrolled = _unroll_small(kernel, {loop.var for loop in outer} | clipped)
    parallel = Parallel((*(loop.var for loop in outer[:-1]), "vec"))
    return "generic.last-axis-lanes", (*steps, *unrolled, Vector("lane"), parallel)


def _clippable(kernel: Kernel, lane: str) -> list[str]:
    """Reduction loops whose conditions Clip can turn into limits, outer first; lanes of loop `lane` share a range."""
    clippable = []
    for var, loop in loops(kernel).items():
        if loop.kind == "sum" and is_guarded(kernel, var):
            try:
                cut = Clip(var).apply(kernel)
            except ScheduleError:  # the condition does not guard the whole loop, or depends on a loop inside
                continue
            limits = loops(cut)[var]
            if lane not in (*limits.lo.vars, *limits.hi.vars):
                kernel = cut
                clippable.append(var)
    return clippable


def _parallel(outer: list[Loop]) -> tuple[Step, ...]:
    return (Parallel(tuple(loop.var for loop in outer)),) if outer else ()


def _unroll_small(kernel: Kernel, kept: set[str]) -> list[Step]:
    """Unroll the innermost loops, except those `kept`, as long as the body grows at most MAX_UNROLL times."""
    unrolled: list[str] = []
    grown, most = 1, pick(MAX_UNROLL, 1, 4 * MAX_UNROLL)
    for var, loop in reversed(list(loops(kernel).items())):
        inner = [s for s in walk(loop.body) if isinstance(s, Loop) and s.var not in unrolled]
        if inner or var in kept or loop.extent is None or grown * loop.extent > most:
            continue
        grown *= loop.extent
        unrolled.append(var)
    return [Unroll(var) for var in unrolled]


def _accumulators(kernel: Kernel, var: str) -> list[str]:
    inside = loops(kernel)[var].body
    return list(dict.fromkeys(s.buffer for s in walk(inside) if isinstance(s, Accum)))


def _sums_into_one_local(kernel: Kernel, var: str) -> bool:
    loop = loops(kernel)[var]
    locals_ = {b.name for b in kernel.locals}
    accumulators = _accumulators(kernel, var)
    return loop.kind == "sum" and len(accumulators) == 1 and accumulators[0] in locals_
