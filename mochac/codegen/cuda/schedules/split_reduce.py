"""Sums of few results in parts, as split_sum.py has it for products: the statistics of a batch normalization.

    for part (blocks):  for each result (blocks):  sum over a range of the terms
    for results (threads of the block that ends last):  sum of the parts in order;  epilogue

A block for each result would leave most of the device idle, however many threads it has: what a multiprocessor loads in
a given time is limited. The parts are stored and loaded once.
"""

from __future__ import annotations

from math import prod

from mochac.codegen.cuda.rates import BYTES_PER_S, CLOCK_HZ
from mochac.codegen.cuda.schedules import generic
from mochac.codegen.cuda.schedules import reduce as reductions
from mochac.codegen.cuda.schedules.fitting import fitted_rule
from mochac.codegen.cuda.schedules.sectors import accesses
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.applying import apply
from mochac.ir.grids import grids
from mochac.ir.kernel import Accum, Kernel, Loop, walk
from mochac.ir.nest import band, loops
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.split_sum import LastBlock, SplitSum
from mochac.ir.types import DTYPES

BLOCKS = 2
"""Blocks per multiprocessor that keep it busy."""
GAIN = 1.2
"""How much faster parts must be by the model, whose rates are rough."""
WAITS = 3
"""Times that the last block waits for L2: for the fence, for its turn at the counter, and for the parts."""


def rule(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """The schedule, or None if the kernel is not a sum that threads of blocks share, or one grid is faster."""
    outer = band(kernel.body, kind="each")
    sums = [s for s in (outer[-1].body if outer else kernel.body) if isinstance(s, Loop)]
    whole = reductions.rule(kernel, target) if len(sums) == 1 and sums[0].kind == "sum" else None
    if whole is None:
        return None
    blocks = prod(loop.extent or 0 for loop in band(apply(whole, kernel).body, run="blocks"))
    parts = min(sums[0].extent or 0, -(-BLOCKS * target.multiprocessors // blocks))
    if parts < 2 or not _pays(kernel, blocks, parts, target):
        return None
    return in_parts(kernel, sums[0].var, -(-(sums[0].extent or 0) // parts), target)


def _pays(kernel: Kernel, blocks: int, parts: int, target: CudaTarget) -> bool:
    """Whether the sums are so much faster in parts that it outweighs what the last block adds up."""
    results = tuple(loop.var for loop in band(kernel.body, kind="each"))
    moved = sum(r.size * r.times for r in accesses(kernel, results) if set(r.index.vars) - set(results))
    count = prod(loops(kernel)[v].extent or 0 for v in results)
    seconds, size = moved * count / BYTES_PER_S, DTYPES[kernel.outputs[0].type.dtype].itemsize
    fill, filled = (min(1.0, n / target.multiprocessors) for n in (blocks, blocks * parts))
    cycles = WAITS * target.machine.l2_latency + size * count * parts / target.machine.l2_bytes_per_cycle
    return seconds / fill > GAIN * (seconds / filled + cycles / CLOCK_HZ)


def in_parts(kernel: Kernel, first: str, terms: int, target: CudaTarget) -> Schedule:
    """The schedule with `terms` iterations of the sum's outermost loop, `first`, in a part."""
    b = ScheduleBuilder(kernel)
    b.reason = "there are too few results to fill the device: each block sums a part of the terms"
    nest = [v for v, loop in loops(kernel).items() if loop.kind == "sum"]
    part, inside = b.split(first, terms)
    locals = dict.fromkeys(s.buffer for s in walk(loops(b.kernel)[part].body) if isinstance(s, Accum))
    b.add(Reorder((part, inside, *(v for v in nest if v != first))), SplitSum(tuple(locals), part))
    sums, ends = grids(b.kernel)
    b.take_over(fitted_rule((reductions.rule,), sums, target)[1])
    b.take_over(generic.rule(ends, target))
    b.add(LastBlock())
    return b.schedule("reduce.split-sum")
