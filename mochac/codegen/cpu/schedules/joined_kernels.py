"""Joined kernels: rules that schedule the parts of a kernel by the other rules.

by_items: all parts for one strip of one item, then for the next one.

    attention       items: samples and heads; strips: queries
    forward         scores, softmax rows and their product with the values
    backward        the same rows again, their gradients, and what these add to the gradients of keys and values

Each part is scheduled by the other rules, as a kernel for a strip of an item that one thread computes. A strip has few
enough rows that what the parts pass to each other stays near, but enough rows that what is packed for them is used many
times. Items run in parallel.

by_factors: a product that rounds a factor itself, panel by panel, where no other kernel reads the rounded numbers.

    each o, f { w.pairs[o, f] = pair(w[o, 2*f], w[o, 2*f + 1]) }        a weight is read from memory once, and its
    each n, o { sum f { .. x.pairs[n, f] * w.pairs[o, f] .. } }         pairs are neither stored nor read again

Another rule schedules the product, as if its factors were rounded already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from functools import lru_cache

from mochac.codegen.analysis.nests import float_dtype
from mochac.codegen.combinators.caches import share_items
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply
from mochac.ir.executed import Env, Executed
from mochac.ir.items import ItemFrame, item_frame
from mochac.ir.kernel import Body, If, Kernel, Loop, Store
from mochac.ir.nest import loops
from mochac.ir.schedule import Schedule, ScheduleError, Step
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.items import ByItems, item_views
from mochac.ir.steps.make_panels import MakePanels, panels_of, reader_of
from mochac.ir.steps.run import Parallel
from mochac.ir.strip_ends import Above, above_diagonal

PartChooser = Callable[[Kernel, CpuTarget], Schedule]
SIZES = (64, 48, 32, 16)
"""Rows of a strip."""
PASSED_SHARE = 1 / 2
"""Share of L2 that may be filled by what the parts pass to each other."""


def by_items(kernel: Kernel, target: CpuTarget, choose: PartChooser) -> Schedule | None:
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
    items = b.loops()[: len(frame.extents)]
    first = loops(b.kernel)[items[-1]].body[0]
    strips = (first.var,) if isinstance(first, Loop) and first.kind == "each" else ()
    share_items(b, *items, *strips, least=target.team)
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


PANEL_SHARE = 3 / 4
"""Maximum share of L1 that a panel may fill."""
MOST_TIMES = 1.5
"""How many times a product may round a number; a kernel of its own rounds once, but stores what the product then reads
again."""
FACTORS = "factors"
"""The names of these schedules begin with this; the name of the product's schedule follows."""


@lru_cache(maxsize=256)
def by_factors(
    kernel: Kernel, target: CpuTarget, offered: Callable[[Kernel, CpuTarget], Iterable[Schedule]]
) -> Schedule | None:
    """The schedule; None for kernels without parts that round, or if no panel of a factor is small enough.

    Args:
        offered: gives schedules of a product, the quickest first.
    """
    if not kernel.members or {root for root, _ in kernel.members[:-1]} != {"pairs"}:
        return None
    b, lanes = ScheduleBuilder(kernel), target.lanes(float_dtype(kernel))
    try:
        reader, _ = reader_of(kernel)
    except ScheduleError:
        return None
    most = int(PANEL_SHARE * target.machine.l1.n_bytes)
    fitting = (product for product in offered(reader, target) if b.fits(MakePanels(most, lanes, product.steps)))
    product = next(fitting, None)
    return product and b.schedule(f"{FACTORS}.{product.name}")


def rounds_rarely(kernel: Kernel, schedule: Schedule) -> tuple[bool, ...]:
    """For each factor of a joined kernel, whether the product rounds its numbers about once."""
    _, definitions = reader_of(kernel)
    scheduled = apply(schedule, kernel)
    sizes = {b.name: b.type.elems for b in kernel.locals}
    return tuple(_stored(scheduled, panels_of(name, scheduled)) <= MOST_TIMES * sizes[name] for name in definitions)


def _stored(kernel: Kernel, buffers: Set[str]) -> float:
    """How many elements of some buffers a kernel stores."""

    def stores(count: Executed, body: Body, env: Env) -> float:
        own = sum(isinstance(s, Store) and s.buffer in buffers for s in body)
        return own + sum(count.inside(stmt, env) for stmt in body if isinstance(stmt, (If, Loop)))

    return Executed(stores).count(kernel.body, {})
