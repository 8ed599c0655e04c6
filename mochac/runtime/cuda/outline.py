"""outline: the branches that a plan's steps will have, without a device and without memory.

explain prints what it says. Buffers get made-up addresses, everything else is as in plan.py; it runs nothing.
"""

from __future__ import annotations

from mochac.ir.program import Plan, Slot
from mochac.runtime.cuda.branches import Branches, Work, branched, work_of
from mochac.runtime.cuda.driver import Span

FAR = 1 << 40
"""Between the addresses of things that are allocated by themselves."""
BEGINS, ENDS = "(a step begins)", "(a step ends)"


def outline(plan: Plan, multiprocessors: int, streams: int) -> tuple[tuple[Work, ...], Branches]:
    """The launches of a step, begin and end included, and how they are captured."""
    homes: dict[tuple[str, str], int] = {}

    def span(slot: Slot) -> Span:
        home = homes.setdefault((slot.place, slot.key if slot.place in ("state", "feed") else ""), FAR * len(homes))
        return Span(home + slot.offset, slot.type.storage_bytes)

    slots = {slot.name: slot for slot in plan.slots}
    brought = tuple(span(slot) for slot in plan.slots if slot.place in ("feed", "hyper"))
    reported = tuple(span(slots[name]) for _, name in plan.scalars)
    counter = Span(FAR * (1 + len(plan.slots)), 8)
    works = [
        *([Work(BEGINS, (counter, *brought), brought)] if brought else []),
        *(work_of(c, tuple(span(slots[name]) for name in c.buffers), multiprocessors) for c in plan.launches),
        Work(ENDS, (counter, *reported), (counter,)),
    ]
    return tuple(works), branched(works, streams)
