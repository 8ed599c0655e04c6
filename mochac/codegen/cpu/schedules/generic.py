"""The schedule for anything: vector lanes where the data lies that way, threads over what is independent.

    blocked results         lanes = batch, padded where only blocked storage is touched, masked elsewhere
    sums over the batch     lanes = partial sums, one horizontal sum at the end
    natural results         lanes = the last axis
    anything else           scalar code

Every kernel fits the last line, so everything compiles.
"""

from __future__ import annotations

from mochac.codegen.cpu.schedules.nests import band, batch_vars, block_lanes, float_dtype, loops, may_pad, mixed_lanes
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Accum, Kernel, Loop, walk
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.partial import Partial
from mochac.ir.steps.run import Threads, Unroll, Vector
from mochac.ir.steps.sink import Sink
from mochac.ir.steps.split import Split

MAX_UNROLL = 9
ENOUGH_ITEMS = 64


def rule(kernel: Kernel, target: CpuTarget) -> Schedule:
    """Always a schedule."""
    outer = band(kernel.body, "each")
    batch = batch_vars(kernel)
    if mixed_lanes(kernel):
        return Schedule("generic.scalar", _threads([loop.var for loop in outer], outer))
    if outer and batch and batch[0] in [loop.var for loop in outer]:
        return _batch_lanes(kernel, outer, batch[0])
    if batch and len(batch) == 1 and _sums_into_one_local(kernel, batch[0]):
        return _batch_partials(kernel, outer, batch[0])
    if outer and not batch and (outer[-1].extent or 0) >= target.lanes(float_dtype(kernel)):
        return _last_axis_lanes(kernel, outer, target.lanes(float_dtype(kernel)))
    return Schedule("generic.scalar", _threads([loop.var for loop in outer], outer))


def _batch_lanes(kernel: Kernel, outer: list[Loop], var: str) -> Schedule:
    tail = "pad" if may_pad(kernel, var) else "guard"
    lanes = block_lanes(kernel)
    if outer[0].var != var:
        return Schedule("generic.scalar", _threads([outer[0].var], outer))
    threads, items = ["q"], -(-(outer[0].extent or 1) // lanes)
    for loop in outer[1:]:
        if items >= ENOUGH_ITEMS:
            break
        threads.append(loop.var)
        items *= loop.extent or 1
    steps = (Split(var, lanes, "q", "lane", tail), Sink("lane", ("*",)), *_unroll_small(kernel, {var, *threads}))
    return Schedule(f"generic.batch-lanes.{tail}", (*steps, Vector("lane"), Threads(tuple(threads))))


def _batch_partials(kernel: Kernel, outer: list[Loop], var: str) -> Schedule:
    local = _accumulators(kernel, var)[0]
    lanes = block_lanes(kernel)
    steps = (Split(var, lanes, "q", "lane", "guard"), Partial(local, "lane"), Sink("lane", ("*",)), Vector("lane"))
    return Schedule("generic.batch-partials", (*steps, *_threads([loop.var for loop in outer], outer)))


def _last_axis_lanes(kernel: Kernel, outer: list[Loop], lanes: int) -> Schedule:
    last = outer[-1].var
    steps: list[Step] = [Split(last, lanes, "vec", "lane", "guard"), Sink("lane", ("*",))]
    steps += [*_unroll_small(kernel, {loop.var for loop in outer}), Vector("lane")]
    threads = [loop.var for loop in outer[:-1]] + ["vec"]
    return Schedule("generic.last-axis-lanes", (*steps, Threads(tuple(threads))))


def _threads(vars: list[str], outer: list[Loop]) -> tuple[Step, ...]:
    return (Threads(tuple(vars)),) if outer else ()


def _unroll_small(kernel: Kernel, kept: set[str]) -> list[Step]:
    """Unroll the innermost loops, but those `kept`, as long as the body grows at most MAX_UNROLL times."""
    unrolled: list[str] = []
    grown = 1
    for var, loop in reversed(list(loops(kernel).items())):
        inner = [s for s in walk(loop.body) if isinstance(s, Loop) and s.var not in unrolled]
        if inner or var in kept or loop.extent is None or grown * loop.extent > MAX_UNROLL:
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
    found = _accumulators(kernel, var)
    return loop.kind == "sum" and len(found) == 1 and found[0] in locals_
