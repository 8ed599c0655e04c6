"""Joined kernels: all their parts for one strip of one item, then for the next one.

    attention       items: samples and heads; strips: queries
    forward         scores, softmax rows and their product with the values
    backward        the same rows again, their gradients, and what these add to the gradients of keys and values

Each part is scheduled by the other rules, as a kernel for a strip of an item that one thread computes. A strip has few
enough rows that what the parts pass to each other stays near, but enough rows that what is packed for them is used many
times. Items run in parallel.
"""

from __future__ import annotations

from collections.abc import Callable

from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.items import ItemFrame, item_frame
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule, Step
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.items import ByItems, item_views
from mochac.ir.steps.run import Parallel
from mochac.ir.strip_ends import Above, above_diagonal

PartChooser = Callable[[Kernel, CpuTarget], Schedule]
SIZES = (64, 48, 32, 16)
"""Rows of a strip."""
PASSED_SHARE = 1 / 2
"""Share of L2 that may be filled by what the parts pass to each other."""


def rule(kernel: Kernel, target: CpuTarget, choose: PartChooser) -> Schedule | None:
    """The schedule of a joined kernel, None for others.

    Args:
        choose: gives the schedule of a part, for an item or for a strip.
    """
    frame = item_frame(kernel) if kernel.members else None
    if frame is None:
        return None
    b = ScheduleBuilder(kernel)
    size = _size(kernel, frame, target)
    above = above_diagonal(kernel, frame) if size < frame.length else None

    def step(above: Above | None) -> ByItems:
        parts = [view.kernel for found in item_views(kernel, frame, size, above) for view in found]
        chosen = (choose(part, target) for part in parts)
        return ByItems(size, tuple(map(_alone, chosen)), below=above is not None)

    if above is None or not b.fits(step(above)):
        b.add(step(None))
    b.add(Parallel(b.loops()[: len(frame.extents)]))
    return b.schedule("items")


def _alone(schedule: Schedule) -> tuple[Step, ...]:
    """The steps of a part that one thread computes."""
    return tuple(step for step in schedule.steps if not isinstance(step, Parallel))


def _size(kernel: Kernel, frame: ItemFrame, target: CpuTarget) -> int:
    """Rows of a strip: as many as stay near, and a divisor of all rows, if there is one of about this size."""
    most = PASSED_SHARE * target.machine.l2.n_bytes
    fits = [n for n in SIZES if frame.strip_bytes(kernel, n) <= most] or [SIZES[-1]]
    size = min(fits[0], frame.length)
    return next((n for n in range(size, size // 2, -1) if frame.length % n == 0), size)
