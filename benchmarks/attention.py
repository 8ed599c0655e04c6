"""Attention alone, forward and backward: joined kernels beside a kernel for each product, in turns.

Run `python benchmarks/attention.py`. Options: [NAME ...] [--threads 1 2] [--rounds 7] [--record]. Both compute the same
graph of a MultiHeadAttentionLayer and the gradients of its bottom and parameters, from the same operands. "apart" has
kernels of its own for scores, softmax, products and their gradients (ir/passes/join_items.py left out).
"""

from __future__ import annotations

import argparse
import statistics
from contextlib import closing
from unittest.mock import patch

import numpy as np
from contest import report
from norms import both_ways

from mochac import MultiHeadAttentionLayer
from mochac.base.support.memory import aligned_empty
from mochac.ir.graph import Graph
from mochac.lowering import pipeline
from mochac.runtime.cpu.backend import CpuBackend

INTRO = """# Attention alone

Forward and backward of a MultiHeadAttentionLayer, with its linear maps: medians of rounds in turns. "apart" has kernels
of its own for each product. Written by `python benchmarks/attention.py --record`.
"""
HEAD = (
    *("case", "samples x positions x width", "heads", "threads", "joined ms", "apart ms", "apart / joined"),
    *("arena, joined", "arena, apart", "compiled, joined", "compiled, apart"),
)
CASES: dict[str, tuple[tuple[int, int, int], int, bool]] = {
    "gpt-64": ((12, 64, 128), 4, True),
    "causal-256": ((8, 256, 128), 4, True),
    "whole-256": ((8, 256, 128), 4, False),
    "causal-1024": ((4, 1024, 128), 4, True),
    "whole-1024": ((4, 1024, 128), 4, False),
}


class Run:
    """A graph, compiled without a cache and bound to random operands."""

    def __init__(self, graph: Graph, threads: int) -> None:
        backend = CpuBackend()
        self.lowered = pipeline.lower(graph, backend.generator, scalars={}, named={})
        rng = np.random.default_rng(0)
        values = {i.name: aligned_empty(i.type.shape) for i in graph.inputs}
        for value in values.values():
            value[...] = rng.standard_normal(value.shape, dtype=np.float32)
        states = {i.name: values[i.name] for i in graph.inputs if i.role == "param"}
        self.feeds = [{name: value for name, value in values.items() if name not in states}]
        self.plan = backend.bind(self.lowered.plan, backend.objects(self.lowered.text), states, threads)

    def seconds(self) -> float:
        """Of all kernels, on the slowest thread."""
        return float(sum(self.plan.profile(1, self.feeds, {}).launches))

    @property
    def facts(self) -> tuple[str, str]:
        """Size of the arena, and the seconds it took to make the code's text."""
        return f"{self.lowered.plan.arena_bytes / 1e6:.1f} MB", f"{sum(self.lowered.seconds.values()):.2f} s"


def row(name: str, threads: int, rounds: int) -> list[str]:
    """One line of the table."""
    shape, heads, causal = CASES[name]
    layer = MultiHeadAttentionLayer(name="n", heads=heads, causal=causal, bottoms=["x"])
    graph = both_ways(layer, shape)
    joined = Run(graph, threads)
    with patch.object(pipeline, "join_items", lambda staged, *refuse, **how: staged):
        apart = Run(graph, threads)
    with closing(joined.plan), closing(apart.plan):
        times = [(joined.seconds(), apart.seconds()) for _ in range(rounds + 1)][1:]
    ours, theirs = (statistics.median(column) for column in zip(*times, strict=True))
    ratio = statistics.median(b / a for a, b in times)
    (arena, made), (arena_apart, made_apart) = joined.facts, apart.facts
    cells = [name, "x".join(map(str, shape)), heads, threads, f"{ours * 1e3:.2f}", f"{theirs * 1e3:.2f}"]
    return list(map(str, [*cells, f"{ratio:.2f}", arena, arena_apart, made, made_apart]))


def main() -> None:
    parser = argparse.ArgumentParser(description="Attention alone: joined kernels, and one for each product.")
    parser.add_argument("names", nargs="*", default=[], metavar="NAME", help=" ".join(CASES))
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--record", action="store_true", help="write results/attention.md")
    options = parser.parse_args()
    rows: list[list[str]] = []
    for threads in options.threads:
        for name in options.names or CASES:
            rows.append(row(name, threads, options.rounds))
            print(" ".join(f"{cell:>11}" for cell in rows[-1]), flush=True)
    if options.record:
        report.record_measured("attention", INTRO, report.table(HEAD, rows))


if __name__ == "__main__":
    main()
