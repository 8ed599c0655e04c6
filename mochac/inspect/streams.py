"""Which kernels of a step run beside others on a device: a section of explain's text.

report.py asks for it. It reads a plan and runs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from mochac.ir.program import Plan
from mochac.runtime.support.columns import columns


def beside(plan: Plan, multiprocessors: int, streams: int) -> tuple[str, str]:
    """Title and body: kernels that follow each other, each with those that start behind it on other streams."""
    from mochac.runtime.cuda.outline import outline

    works, how = outline(plan, multiprocessors, streams)

    def rows() -> Iterator[list[str]]:
        for k, (work, home) in enumerate(zip(works, how.stream, strict=True)):
            after = ", ".join(works[j].name for j in sorted(how.waits[k]))
            yield [work.name if not home else f"  {work.name}", f"stream {home}", f"after {after}" if after else ""]

    path, others = len(how.path), len(works) - len(how.path)
    title = f"Graph of a step: {len(works)} launches, {path} one after the other, {others} beside them"
    return title, columns([], list(rows()))
