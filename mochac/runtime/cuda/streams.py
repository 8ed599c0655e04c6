"""streams: explain's section on a device's step: which kernels follow each other, and which run concurrently."""

from __future__ import annotations

from collections.abc import Iterator

from mochac.base.support.array_like import columns
from mochac.ir.plan import Plan
from mochac.runtime.cuda.outline import outline


def streams(plan: Plan, multiprocessors: int, n_streams: int) -> tuple[str, str]:
    """Title and body of explain's section: every launch with its stream, and the launches it waits for; those of a loop
    over time in its first repetition."""
    works, branches = outline(plan, multiprocessors, n_streams)
    runs = list(plan.runs())
    begins = len(works) - len(runs) - 1

    def rows() -> Iterator[list[str]]:
        for k, (work, stream) in enumerate(zip(works, branches.stream, strict=True)):
            launch, trip = runs[k - begins] if 0 <= k - begins < len(runs) else (None, 0)
            if trip:
                continue
            after = ", ".join(works[j].name for j in sorted(branches.waits[k]))
            name = work.name if not stream else f"  {work.name}"
            times = f"{launch.trips} times" if launch and launch.loop else ""
            yield [name, f"stream {stream}", times, f"after {after}" if after else ""]

    path, others = len(branches.path), len(works) - len(branches.path)
    title = f"Graph of a step: {len(works)} launches, {path} one after the other, {others} concurrently"
    return title, columns([], list(rows()))
