"""outline: the branches of a plan's steps, without a device and without memory, for explain.

Buffers get made-up addresses; everything else is as in executor.py.
"""

from __future__ import annotations

from mochac.ir.plan import Placement, Plan
from mochac.runtime.cuda.branches import Branches, Work, branched, spans_of, work_of
from mochac.runtime.cuda.driver import Span

FAR = 1 << 40
"""Distance between the addresses of separate allocations."""
BEGINS, ENDS = "(a step begins)", "(a step ends)"


def outline(plan: Plan, multiprocessors: int, streams: int) -> tuple[tuple[Work, ...], Branches]:
    """The launches of a step, begin and end included, and how they are captured."""
    homes: dict[tuple[str, str], int] = {}

    def span(placement: Placement) -> Span:
        home = homes.setdefault(
            (placement.place, placement.key if placement.place in ("state", "feed") else ""), FAR * len(homes)
        )
        return Span(home + placement.offset, placement.type.storage_bytes)

    placements = {placement.name: placement for placement in plan.placements}
    brought = tuple(span(placement) for placement in plan.placements if placement.place in ("feed", "hyper"))
    reported = tuple(span(placements[name]) for _, name in plan.scalars)
    counter = Span(FAR * (1 + len(plan.placements)), 8)
    works = [
        *([Work(BEGINS, (counter, *brought), brought)] if brought else []),
        *(
            work_of(launch, spans_of(launch, trip, lambda name: span(placements[name])), multiprocessors)
            for launch, trip in plan.runs()
        ),
        Work(ENDS, (counter, *reported), (counter,)),
    ]
    return tuple(works), branched(works, streams)
