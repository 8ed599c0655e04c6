"""A race detector over captured graphs: launches that touch the same bytes, one of them writing, must be ordered.

Tests run it on what NullDriver captured. What a kernel writes is taken from its CUDA C, where pointers to what it only
reads are const, and not from the plan, so that the plan's word is checked too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations
from typing import Any

from mochac.runtime.cuda.driver import Span
from mochac.runtime.cuda.null import NullDriver, NullGraph, NullNode

FUNCTION = re.compile(r'extern "C" __global__ void[^{]*?(\w+)\(([^)]*)\)', re.DOTALL)


def outputs(source: str) -> dict[str, tuple[bool, ...]]:
    """For each function of a module, which of its parameters it may write through."""
    plain = re.sub(r"//[^\n]*", "", re.sub(r"__launch_bounds__\([^)]*\)", "", source))
    return {
        name: tuple(not part.strip().startswith("const ") for part in parameters.split(","))
        for name, parameters in FUNCTION.findall(plain)
    }


class Watching(NullDriver):
    """A NullDriver that keeps the text of its modules."""

    source = ""

    def load(self, image: bytes) -> Any:
        self.source += image.decode()
        return super().load(image)


def written(driver: Watching) -> Callable[[NullNode], tuple[Span, ...]]:
    """What a node writes; a library's call: its result and its workspace, the last two."""
    known = outputs(driver.source)

    def spans(node: NullNode) -> tuple[Span, ...]:
        if not node.grid:
            return node.args[-2:]
        return tuple(span for span, out in zip(node.args, known[node.function], strict=True) if out)

    return spans


def races(graph: NullGraph, writes: Callable[[NullNode], tuple[Span, ...]]) -> list[tuple[int, int]]:
    """Pairs of nodes that no path orders though one writes what the other touches."""
    before = graph.before()
    wrote = [writes(node) for node in graph.nodes]
    return [
        (a, b)
        for a, b in combinations(range(len(graph.nodes)), 2)
        if not before[b] >> a & 1 and (_meet(wrote[a], graph.nodes[b].args) or _meet(wrote[b], graph.nodes[a].args))
    ]


def _meet(some: tuple[Span, ...], others: tuple[Span, ...]) -> bool:
    return any(a.address < b.address + b.n_bytes and b.address < a.address + a.n_bytes for a in some for b in others)
