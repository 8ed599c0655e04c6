"""Normalizations and GELU alone, forward and backward, compared with what memory and instructions allow.

Run `python benchmarks/norms.py`. Options: [NAME ...] [--batch 128] [--threads 1 2] [--seconds 0.5] [--record]. The
bound is the larger of two times: reading what is given and writing what is asked for once (x and dy, y and dx) at the
bandwidth that is measured for as many bytes, in turns with the kernels, and the predicted instructions at the measured
clock. "passes" is what the lines take that the passes of the kernels over their rows move, also those that come from
L2 again, at the measured rates one after the other. A cache that is shared with other machines' work holds less than
its size. Changes of layout are left out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from math import prod

import numpy as np
from contest import report

from mochac import (
    ActivationLayer,
    BatchNormLayer,
    GroupNormLayer,
    InputLayer,
    InstanceNormLayer,
    LayerNormLayer,
    Net,
    Neurons,
    RMSNormLayer,
)
from mochac.base.support.memory import aligned_empty
from mochac.base.support.times import Bandwidth, Level
from mochac.codegen.cpu.rate_loops import STREAMS
from mochac.codegen.machine import LINE
from mochac.codegen.prediction.prediction import Prediction, predicted
from mochac.ir import GraphBuilder
from mochac.ir.graph import Graph, Input, Node, Value, make_attrs
from mochac.ir.plan import Placement, Plan
from mochac.ir.pullback import gradients
from mochac.ir.types import TensorType
from mochac.lowering.pipeline import lower
from mochac.nets.layers import Layer
from mochac.nets.trace import trace
from mochac.runtime.cpu.backend import CpuBackend
from mochac.runtime.cpu.rates import BandwidthLoop, bandwidth, peak, with_rates

INTRO = """# Normalizations and GELU alone

Forward and backward together, without changes of layout. Written by `python benchmarks/norms.py --record`. Tables
without the columns "passes" are of 2026-11-23: kernels ran between changes of layout, which pushed blobs out of the
caches, and sequences lay in blocks, as they do not behind products. Tables up to 2026-11-26 are of medians, and their
bounds count x twice: five blobs, at the bandwidth of a set as large; "GB/s" is of five blobs, too.
"""
HEAD = (
    "layer",
    "shape",
    "threads",
    "kernels",
    "us",
    "MB",
    "of one blob",
    "GB/s",
    "bound us",
    "set by",
    "of bound",
    "passes us",
    "of passes",
)

SEQUENCES = (LayerNormLayer, RMSNormLayer)
"""Layers that lie between products of positions, if samples have several."""
RUNS = 4
"""Runs that follow each other,"""
GROUPS = 4
"""and how often, of which the best counts: an L3 that has held something else (Zen 4) takes about 8 runs until it holds
17 MB."""
LEAST_BYTES = 4 << 20
"""Bytes that a thread moves at least in the loops of the bound: threads that move less may not do so at once."""

Case = tuple[Callable[[], Layer], tuple[int, ...]]
CASES: dict[str, Case] = {
    "batch-norm-32": (lambda: BatchNormLayer(name="n", bottoms=["x"]), (16, 32, 32)),
    "batch-norm-16": (lambda: BatchNormLayer(name="n", bottoms=["x"]), (32, 16, 16)),
    "batch-norm-8": (lambda: BatchNormLayer(name="n", bottoms=["x"]), (64, 8, 8)),
    "batch-norm-relu-32": (lambda: BatchNormLayer(name="n", neuron=Neurons.ReLU(), bottoms=["x"]), (16, 32, 32)),
    "layer-norm-512": (lambda: LayerNormLayer(name="n", bottoms=["x"]), (512,)),
    "layer-norm-64x256": (lambda: LayerNormLayer(name="n", bottoms=["x"]), (64, 256)),
    "rms-norm-64x256": (lambda: RMSNormLayer(name="n", bottoms=["x"]), (64, 256)),
    "instance-norm-16": (lambda: InstanceNormLayer(name="n", bottoms=["x"]), (32, 16, 16)),
    "group-norm-16": (lambda: GroupNormLayer(name="n", groups=4, bottoms=["x"]), (32, 16, 16)),
    "gelu-64x256": (lambda: ActivationLayer(name="n", neuron=Neurons.GELU(), bottoms=["x"], tops=["y"]), (64, 256)),
}


def both_ways(layer: Layer, shape: tuple[int, ...]) -> Graph:
    """The layer on a blob x, and the gradients of x and the parameters for a given gradient of its top."""
    traced = trace(Net("norms", [InputLayer(name="x", shape=shape), layer]))
    b = GraphBuilder.extending(traced.graph)
    y = b.values[traced.blobs[layer.tops[0]]]
    given = b.input("dy", y.type, "data")
    loss = b.op("reduce_sum", b.op("mul", y, given), axes=tuple(range(len(shape))))
    wrt = [b.values[i.name] for i in traced.graph.inputs if i.role in ("data", "param")]
    found = gradients(b, loss, wrt)
    graph = b.finish([y, *(found[v.name] for v in wrt)])
    return as_rows(graph) if isinstance(layer, SEQUENCES) else graph


def as_rows(graph: Graph) -> Graph:
    """The graph for sequences as products of positions make and read them: as rows, in natural layout."""
    inputs: list[Input] = []
    views: list[Node] = []
    for i in graph.inputs:
        batch, *rest = i.type.shape
        if i.type.batch and len(rest) > 1:
            rows = i.type.with_(shape=(batch * rest[0], *rest[1:]), batch=False)
            attrs = make_attrs({"shape": i.type.shape, "batch": True})
            views.append(Node("reshape", (f"{i.name}.rows",), (Value(i.name, i.type),), attrs))
            inputs.append(replace(i, name=f"{i.name}.rows", type=rows))
        else:
            inputs.append(i)
    return graph.with_(inputs=tuple(inputs), nodes=(*views, *graph.nodes))


class Run:
    """The kernels of a graph alone, compiled and bound to random operands: with the changes of layout, which are not
    of the layer, goes what they would bring into the caches and push out of them."""

    def __init__(self, graph: Graph, threads: int) -> None:
        backend = CpuBackend()
        lowered = lower(graph, backend.generator, scalars={}, named={})
        found = {k.naive.name: k for k in lowered.kernels}
        launches = [n for n in lowered.plan.launches if found[n.kernel].naive.root not in ("relayout", "copy")]
        phases = sorted({n.phase for n in launches})
        launches = [replace(n, phase=phases.index(n.phase)) for n in launches]
        self.kernels = [found[n.kernel] for n in launches]
        buffers = {
            name: b
            for n, k in zip(launches, self.kernels, strict=True)
            for name, b in zip(n.buffers, (*k.naive.inputs, *k.naive.outputs), strict=True)
        }
        rng = np.random.default_rng(0)
        self.feeds = {name: aligned_empty(b.type.storage_elems) for name, b in buffers.items()}
        for value in self.feeds.values():
            value[...] = rng.random(value.shape, dtype=np.float32)
        placements = (Placement(n, TensorType("f32", (v.size,)), "feed", n) for n, v in self.feeds.items())
        plan = Plan("norms", tuple(placements), tuple(launches), (), (), 0, 0)
        self.plan = backend.bind(plan, backend.objects(lowered.text), {}, threads)

    def seconds(self) -> float:
        """Of all kernels, on the slowest thread, in the middle half of runs that follow each other."""
        return float(sum(self.plan.profile(RUNS, [self.feeds]).launches))

    def bytes_moved(self) -> int:
        """Bytes that the kernels read and write, each of their operands and results once."""
        buffers = (b for k in self.kernels for b in (*k.naive.inputs, *k.naive.outputs))
        return sum(b.type.storage_bytes for b in buffers)

    def bytes_needed(self) -> tuple[int, int]:
        """Bytes that must be read and written: what one kernel makes for another might stay in a near cache."""
        read = {b.name: b.type.storage_bytes for k in self.kernels for b in k.naive.inputs}
        made = {b.name: b.type.storage_bytes for k in self.kernels for b in k.naive.outputs}
        return (
            sum(n_bytes for name, n_bytes in read.items() if name not in made),
            sum(n_bytes for name, n_bytes in made.items() if name not in read),
        )


def measure(run: Run, loop: BandwidthLoop, n_bytes: int, seconds: float) -> tuple[float, Level]:
    """Median seconds, and what the threads reach together on so many bytes, in turns: how much of a shared cache there
    is to have changes from moment to moment. Each runs again and again, so that the caches hold what they can."""
    unit = 2 * STREAMS * 64
    each = max(unit, min(n_bytes, loop.memory.size) // loop.threads // unit * unit)
    runs = max(RUNS, LEAST_BYTES // each)
    times, end = [], time.perf_counter() + seconds
    moved: dict[str, list[float]] = {"mochac_read": [], "mochac_copy": []}
    while len(times) < 5 or time.perf_counter() < end:
        times.append(min(run.seconds() for _ in range(GROUPS)))
        for symbol, rates in moved.items():
            spent = [loop.run(symbol, runs, each) for _ in range(GROUPS)]
            rates.append(runs * each * loop.threads / min(spent) / 1e9)
    read, copied = (float(np.median(rates)) for rates in moved.values())
    return float(np.median(times)), Level(f"{n_bytes / 1e6:.0f} MB", n_bytes, read, copied)


def row(name: str, batch: int, loop: BandwidthLoop, memory: Bandwidth, seconds: float) -> list[str]:
    """One line of the table."""
    (make, shape), threads = CASES[name], loop.threads
    run = Run(both_ways(make(), (batch, *shape)), threads)
    with closing(run.plan):
        one = 4 * batch * prod(shape)
        read, written = run.bytes_needed()
        spent, level = measure(run, loop, read + written, seconds)
    moved = run.bytes_moved()
    by_memory = level.seconds(read, written)
    backend = CpuBackend()
    machine = with_rates(backend.generator.target.machine, peak(threads, backend.cpu), memory)
    found = [predicted(k.scheduled, machine) for k in run.kernels]
    by_instructions = sum(p.instructions for p in found) / threads / machine.hz if machine.hz else 0.0
    bound = max(by_memory, by_instructions)
    passes = max(by_instructions, by_passes(found, level, memory))
    by = level.name if bound == by_memory else "instructions"
    cells = [name, f"{batch}x{'x'.join(map(str, shape))}", threads, len(run.kernels), f"{spent * 1e6:.0f}"]
    cells += [f"{moved / 1e6:.1f}", f"{moved / one:.1f}", f"{(read + written) / spent / 1e9:.1f}"]
    cells += [f"{bound * 1e6:.0f}", by, f"{100 * bound / spent:.0f} %"]
    return list(map(str, [*cells, f"{passes * 1e6:.0f}", f"{100 * passes / spent:.0f} %"]))


def by_passes(kernels: Sequence[Prediction], far: Level, memory: Bandwidth) -> float:
    """Seconds to move the lines that the kernels move: what comes from L2 at its rate, what comes from beyond it at the
    rate of as many bytes as the layer has, one after the other."""
    near = next(level for level in memory.levels if level.name == "L2")
    l1, l2 = ([p.crossings[k] for p in kernels] for k in (0, 1))
    beyond = [LINE * sum(amounts) for amounts in ((c.read for c in l2), (c.written for c in l2))]
    all_read, all_written = LINE * sum(c.read for c in l1), LINE * sum(c.written for c in l1)
    return far.seconds(*beyond) + near.seconds(max(0.0, all_read - beyond[0]), max(0.0, all_written - beyond[1]))


def main() -> None:
    parser = argparse.ArgumentParser(description="Normalizations alone, compared with what the machine can do.")
    parser.add_argument("names", nargs="*", default=[], metavar="NAME", help=" ".join(CASES))
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=0.5, help="per row")
    parser.add_argument("--record", action="store_true", help="write results/norms.md")
    options = parser.parse_args()
    rows: list[list[str]] = []
    for threads in options.threads:
        memory = bandwidth(threads)
        print(memory)
        with closing(BandwidthLoop(threads)) as loop:
            for name in options.names or CASES:
                rows.append(row(name, options.batch, loop, memory, options.seconds))
                print(" ".join(f"{cell:>11}" for cell in rows[-1]), flush=True)
    if options.record:
        report.record_measured("norms", INTRO, report.table(HEAD, rows))


if __name__ == "__main__":
    main()
