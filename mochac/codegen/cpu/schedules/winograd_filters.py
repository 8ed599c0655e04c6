"""Gradients of filters from transformed sums (ops/_winograd.py), with the update of the filters.

    for filter, vector of channels:                                                               an item
      dw[channel][tap] = G' s, in scratch memory                                                  lanes = channels
      update of these filters, in the order in which they lie                                     lanes = neighbours

Taps of a channel are neighbours in memory: lanes over channels would gather and scatter all that an update reads and
stores. Zen 5, one thread: the gradients of 64 x 64 filters of 3 x 3, of 4 groups, with momentum, take 0.5 of the time.
"""

from __future__ import annotations

from functools import reduce

from mochac.codegen.analysis.nests import float_dtype
from mochac.codegen.combinators.tiles import lanes, whole_lanes
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.index import Index
from mochac.ir.kernel import Kernel, Load, accessed_buffers, loops_named, walk
from mochac.ir.nest import band
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.run import Parallel
from mochac.ir.steps.storage import Flatten, Permute

ROOT = "winograd_filter_dw"


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel computes such gradients."""
    b = ScheduleBuilder(kernel)
    outer, count = b.loops(), target.lanes(float_dtype(kernel))
    if kernel.root != ROOT or len(outer) != 2 or b.extent(outer[1]) < count:
        return None
    (filter, channel), channels = outer, b.extent(outer[1])
    *transform, update = band(kernel.body)[-1].body
    taps = [loop.var for loop in band((update,))]
    kept = accessed_buffers(tuple(transform)) & accessed_buffers((update,)) & {x.name for x in kernel.locals}
    if len(kept) != 1:
        return None
    (local,) = kept
    b.reason = "an item is a vector of channels"
    vectors, one = b.split(channel, count, "cut")
    last = b.detach((one,), len(transform), "second")
    order = (last(one), *map(last, taps))
    reads = (s for loop in loops_named(b.kernel.body, order[0]) for s in walk(loop.body))
    index = next(s.index for s in reads if isinstance(s, Load) and s.buffer == local)
    b.add(Permute(local, tuple(index.index(Index.var(loop)) for loop in order)))
    whole_lanes(b, one)
    shape = kernel.outputs[0].type.shape
    same_shape = [x.name for x in (*kernel.inputs, *kernel.outputs) if x.type.shape == shape]
    b.add(*(Flatten(name, axis) for name, axis in ((local, 0), *((name, 1) for name in same_shape)) for _ in taps))
    lanes(b, reduce(b.merge, order), count, "cut")
    b.add(Parallel((filter,) if channels % count else (filter, vectors)))
    return b.schedule(f"{ROOT}.lines")
