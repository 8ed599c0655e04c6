"""Factors: a product that rounds a factor itself, panel by panel, where no other kernel reads the rounded numbers.

    each o, f { w.pairs[o, f] = pair(w[o, 2*f], w[o, 2*f + 1]) }        a weight is read from memory once, and its
    each n, o { sum f { .. x.pairs[n, f] * w.pairs[o, f] .. } }         pairs are neither stored nor read again

Another rule schedules the product, as if its factors were rounded already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from functools import lru_cache

from mochac.codegen.analysis.nests import float_dtype
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply
from mochac.ir.executed import Env, Executed
from mochac.ir.kernel import Body, If, Kernel, Loop, Store
from mochac.ir.schedule import Schedule, ScheduleError
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.make_panels import MakePanels, panels_of, reader_of

PANEL_SHARE = 3 / 4
"""Maximum share of L1 that a panel may fill."""
MOST_TIMES = 1.5
"""How many times a product may round a number; a kernel of its own rounds once, but stores what the product then reads
again."""
FACTORS = "factors"
"""The names of these schedules begin with this; the name of the product's schedule follows."""


@lru_cache(maxsize=256)
def rule(
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
    _, made = reader_of(kernel)
    scheduled = apply(schedule, kernel)
    sizes = {b.name: b.type.elems for b in kernel.locals}
    return tuple(_stored(scheduled, panels_of(name, scheduled)) <= MOST_TIMES * sizes[name] for name in made)


def _stored(kernel: Kernel, buffers: Set[str]) -> float:
    """How many elements of some buffers a kernel stores."""

    def stores(count: Executed, body: Body, env: Env) -> float:
        own = sum(isinstance(s, Store) and s.buffer in buffers for s in body)
        return own + sum(count.inside(stmt, env) for stmt in body if isinstance(stmt, (If, Loop)))

    return Executed(stores).count(kernel.body, {})
