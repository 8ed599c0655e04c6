"""Runs: two loops over what lies in order in memory become one.

    each h in 0..8 { each w in 0..8 {            each p in 0..64 {
      y[n, c, h, w] = f(x[n, c, h, w])    ->       y[n, c, p] = f(x[n, c, p])
    } }                                          }

There are fewer loop ends, and along natural values more vectors that are full.
"""

from __future__ import annotations

from mochac.ir.index import Index
from mochac.ir.kernel import Kernel, access, walk
from mochac.ir.nest import extents
from mochac.ir.schedule import ScheduleError
from mochac.ir.schedule_builder import Handle, ScheduleBuilder, because
from mochac.ir.steps.flatten import Flatten
from mochac.ir.steps.merge import Merge


@because("what lies in order in memory is gone over by one loop")
def run_together(b: ScheduleBuilder, outer: str, inner: str) -> Handle | None:
    """Merge a loop and the only thing in it, another loop, if all that they index lies in order.

    Returns:
        The loop over both; None if they stay.
    """
    flat = [Flatten(name, axis) for name, axis in _neighbours(b.kernel, outer, inner)]
    kernel = b.kernel
    try:
        for step in (*flat, Merge(outer, inner, "merged")):
            kernel = step.apply(kernel)
    except ScheduleError:
        return None
    b.add(*flat)
    return b.merge(outer, inner)


def _neighbours(kernel: Kernel, outer: str, inner: str) -> list[tuple[str, int]]:
    """The axes of buffers along which the outer loop goes, where the inner one goes along all of the next axis."""
    found: dict[tuple[str, int], None] = {}
    pair, buffers = (Index.var(outer), Index.var(inner)), kernel.buffers()
    for name, index in filter(None, map(access, walk(kernel.body))):
        for axis in range(len(index) - 1):
            if index[axis : axis + 2] == pair and buffers[name].type.shape[axis + 1] == extents(kernel).get(inner):
                found[name, axis] = None
    return list(found)
