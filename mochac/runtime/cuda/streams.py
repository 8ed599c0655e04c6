"""streams: explain's section on a device's step: which kernels follow each other, and which run concurrently."""

from __future__ import annotations

from collections.abc import Iterator

from mochac.ir.program import Plan
from mochac.runtime.cuda.outline import outline
from mochac.runtime.support.columns import columns


def streams(plan: Plan, multiprocessors: int, n_streams: int) -> tuple[str, str]:
    """Title and body of explain's section: every launch with its stream, and the launches it waits for."""
    works, branches = outline(plan, multiprocessors, n_streams)

    def rows() -> Iterator[list[str]]:
        for k, (work, stream) in enumerate(zip(works, branches.stream, strict=True)):
            after = ", ".join(works[j].name for j in sorted(branches.waits[k]))
            yield [work.name if not stream else f"  {work.name}", f"stream {stream}", f"after {after}" if after else ""]

    path, others = len(branches.path), len(works) - len(branches.path)
    title = f"Graph of a step: {len(works)} launches, {path} one after the other, {others} concurrently"
    return title, columns([], list(rows()))
