"""Products and convolutions of drawn shapes: how much a search for schedules gains over the one that is chosen.

Run `python benchmarks/drawn_shapes.py [--shapes 300] [--seed 1] [--seconds 10] [--threads 1] [--record]`. Nobody tuned
anything for these shapes: channels 3 to 200, batches 1 to 130, kernels 1 to 11, products of 1 to 3000 on each axis,
each drawn by its logarithm. The search is that of `tune="full"`, for at most so many seconds a kernel.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from contest import report
from layers import Layer
from products import Shape

from mochac.ir.graph import Graph
from mochac.lowering.plan_graphs import PlanGraph
from mochac.lowering.tuning.schedules import LEVELS
from mochac.lowering.tuning.search import PlanSearch
from mochac.runtime.cpu.backend import CpuBackend

PASSES = ("fwd", "dx", "dw")
MOST_WORK = 1 << 26
"""Maximum multiply-adds of a kernel: the interpreter computes it, too."""
MAIN = 0.5
"""Minimum share of the time of a kernel that counts: changes of layout around it do not."""
WITHIN = 1.1
HEAD = ["kind", "pass", "shapes", f"within {WITHIN}", "median", "95 % within", "most gained"]
INTRO = """# Drawn shapes: what a search gains over the schedules that are chosen

"95 % within": how many times as fast the best schedule of the search is, for all but 5 % of the shapes. Fast
convolution algorithms are left out. Written by `python benchmarks/drawn_shapes.py --record`.
"""


@dataclass(frozen=True)
class Drawn:
    """A kernel of a drawn shape."""

    kind: str
    what: str
    graph: Graph


def drawn(number: int, seed: int) -> Iterator[Drawn]:
    """The kernels, products and convolutions in turns."""
    random = Random(seed)

    def size(least: int, most: int) -> int:
        return round(least * (most / least) ** random.random())

    while number:
        what = random.choice(PASSES)
        if number % 2:
            shape = Shape(size(1, 130), size(1, 3000), size(1, 3000))
            work, kind, graph = shape.batch * shape.inputs * shape.outputs, "product", shape.graph(what)
        else:
            kernel, batch = size(1, 11), size(1, 130)
            side, pad = size(kernel, 64), random.choice((0, kernel // 2))
            layer = Layer(size(3, 200), size(3, 200), side, kernel, random.choice((1, 1, 2)), pad)
            out = (side + 2 * pad - kernel) // layer.stride + 1
            work = batch * layer.channels * layer.filters * (kernel * out) ** 2
            kind, graph = "convolution", layer.graph(what, batch)
        if work <= MOST_WORK:
            number -= 1
            yield Drawn(kind, what, graph)


def gained(one: Drawn, backend: CpuBackend, seconds: float, threads: int) -> float:
    """How many times as fast as the chosen schedule the best one of a search is."""
    source = PlanGraph(one.graph, {}, {"r": "r"}, convolutions="direct")
    level = replace(LEVELS["full"], total_s=seconds, least_share=MAIN)
    found = PlanSearch(source, backend, "f32", level, threads).run().by_kernel.values()
    return max((tuned.ratio for tuned in found), default=1.0)


def row(kind: str, what: str, ratios: Sequence[float]) -> list[str]:
    """A row of the table."""
    ordered = sorted(ratios)
    within = sum(ratio <= WITHIN for ratio in ordered) / len(ordered)
    at = (len(ordered) // 2, int(0.95 * (len(ordered) - 1)), -1)
    return [kind, what, str(len(ordered)), f"{within:.0%}", *(f"{ordered[k]:.2f}" for k in at)]


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; with --record, write it."""
    parser = argparse.ArgumentParser(description="What a search gains for drawn shapes.")
    parser.add_argument("--shapes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10.0, help="per kernel")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--record", action="store_true", help="write results/drawn_shapes.md")
    options = parser.parse_args(argv)
    backend = CpuBackend()
    backend.cache = None
    ratios: dict[tuple[str, str], list[float]] = {}
    for one in drawn(options.shapes, options.seed):
        ratio = gained(one, backend, options.seconds, options.threads)
        ratios.setdefault((one.kind, one.what), []).append(ratio)
        print(f"{one.kind} {one.what} {', '.join(str(i.type) for i in one.graph.inputs)}: {ratio:.2f}", flush=True)
    rows = [row(*key, found) for key, found in sorted(ratios.items())]
    rows.append(row("all", "", [ratio for found in ratios.values() for ratio in found]))
    how = (
        f"{options.shapes} shapes, seed {options.seed}, {options.seconds:.0f} s a kernel, {options.threads} thread(s)."
    )
    text = f"{how}\n\n{report.table(HEAD, rows)}"
    print(text)
    if options.record:
        report.record_measured("drawn_shapes", INTRO, text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
