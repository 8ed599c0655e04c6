"""Single convolutions, forward and both gradients, compared with what the machine can do.

Run `python benchmarks/layers.py`. Options: [NAME ...] [--pass fwd dx dw] [--batch 1 16 32] [--threads 1 2] [--seconds
0.3] [--record]. A row's bound is the smaller of the measured peak of multiply-adds and FLOP per byte times the measured
bandwidth of the level of memory that holds the operands; both are measured around every run.
"""

from __future__ import annotations

import argparse
import time
from contextlib import closing
from dataclasses import dataclass

import numpy as np
from contest import report

from mochac import ir
from mochac.base.support.memory import aligned_empty
from mochac.base.support.times import Bandwidth
from mochac.ir.graph import Graph
from mochac.lowering.pipeline import lower
from mochac.runtime.cpu.backend import CpuBackend
from mochac.runtime.cpu.rates import PeakLoop, bandwidth

INTRO = """# Convolutions alone

Medians. FLOP are nominal: multiplications by padding count although they are not executed, so that a padded layer may
exceed its bound. Written by `python benchmarks/layers.py --record`.
"""
HEAD = ("layer", "pass", "batch", "threads", "ms", "GFLOP/s", "bound", "set by", "of bound", "of peak")


@dataclass(frozen=True)
class Layer:
    """A square convolution: channels, filters, side of the image and of the filter, stride, padding, groups."""

    channels: int
    filters: int
    side: int
    kernel: int
    stride: int = 1
    pad: int = 0
    group: int = 1

    def graph(self, what: str, batch: int) -> Graph:
        """The one operation "fwd", "dx" or "dw"."""
        out = (self.side + 2 * self.pad - self.kernel) // self.stride + 1
        x = f"f32[b{batch},{self.channels},{self.side},{self.side}]"
        w = f"f32[{self.filters},{self.channels // self.group},{self.kernel},{self.kernel}]"
        y = f"f32[b{batch},{self.filters},{out},{out}]"
        size = f"kernel = [{self.kernel},{self.kernel}]"
        attrs = f"stride = [{self.stride},{self.stride}], pad = [{self.pad},{self.pad}], group = {self.group}"
        shape = f"{batch},{self.channels},{self.side},{self.side}"
        nodes = {
            "fwd": f"(%x: {x}, %w: {w} param) {{ %r: {y} = conv(%x, %w) {{{attrs}}}",
            "dx": f"(%d: {y}, %w: {w} param) {{ %r: {x} = conv_dx(%d, %w) {{{attrs}, shape = [{shape}]}}",
            "dw": f"(%x: {x}, %d: {y}) {{ %r: {w} = conv_dw(%x, %d) {{{attrs}, {size}}}",
        }
        return ir.parse(f"graph @layer{nodes[what]} return %r }}")


LAYERS = {
    "lenet-1": Layer(1, 20, 28, 5),
    "lenet-2": Layer(20, 50, 12, 5),
    "cifar-1": Layer(3, 32, 32, 5, pad=2),
    "cifar-2": Layer(32, 32, 16, 5, pad=2),
    "cifar-3": Layer(32, 64, 8, 5, pad=2),
    "alexnet-1": Layer(3, 96, 227, 11, stride=4),
    "alexnet-2": Layer(96, 256, 27, 5, pad=2, group=2),
    "alexnet-3": Layer(256, 384, 13, 3, pad=1),
    "alexnet-5": Layer(384, 256, 13, 3, pad=1, group=2),
    "vgg-224": Layer(64, 64, 224, 3, pad=1),
    "vgg-112": Layer(128, 128, 112, 3, pad=1),
    "vgg-56": Layer(256, 256, 56, 3, pad=1),
    "vgg-28": Layer(512, 512, 28, 3, pad=1),
    "vgg-14": Layer(512, 512, 14, 3, pad=1),
    "pointwise-14-down": Layer(256, 64, 14, 1),
    "pointwise-14-up": Layer(64, 256, 14, 1),
    "pointwise-56-down": Layer(256, 64, 56, 1),
    "pointwise-56-up": Layer(64, 256, 56, 1),
    "resnet-7x7": Layer(3, 64, 224, 7, stride=2, pad=3),
    "resnet-3x3-half": Layer(128, 128, 56, 3, stride=2, pad=1),
    "resnet-1x1-half": Layer(256, 512, 56, 1, stride=2),
    "depthwise-32": Layer(32, 32, 32, 3, pad=1, group=32),
    "depthwise-32-half": Layer(64, 64, 32, 3, stride=2, pad=1, group=64),
    "depthwise-8": Layer(256, 256, 8, 3, pad=1, group=256),
    "depthwise-4": Layer(512, 512, 4, 3, pad=1, group=512),
}


class Run:
    """The graph of one operation, compiled and bound to random operands."""

    def __init__(self, graph: Graph, threads: int) -> None:
        backend = CpuBackend()
        lowered = lower(graph, backend.generator, scalars={}, named={})
        rng = np.random.default_rng(0)
        values = {i.name: aligned_empty(i.type.shape) for i in graph.inputs}
        for value in values.values():
            value[...] = rng.standard_normal(value.shape, dtype=np.float32)
        states = {i.name: values[i.name] for i in graph.inputs if i.role == "param"}
        self.feeds = [{name: value for name, value in values.items() if name not in states}]
        self.plan = backend.bind(lowered.plan, backend.objects(lowered.text), states, threads)
        launches = lowered.plan.launches
        self.at = max(range(len(launches)), key=lambda k: launches[k].flops)
        self.flops = launches[self.at].flops
        self.schedule = lowered.kernels[self.at].schedule.name
        ends = (*(i.type for i in graph.inputs), graph.types()[graph.outputs[0]])
        self.read_bytes = sum(t.elems * 4 for t in ends[:-1])
        self.written_bytes = ends[-1].elems * 4

    def seconds(self) -> float:
        """Of the layer's kernel, on the slowest thread."""
        return float(self.plan.profile(1, self.feeds, {}).launches[self.at])


def measure(run: Run, peak: PeakLoop, memory: Bandwidth, seconds: float) -> tuple[float, float, float, str]:
    """(seconds, GFLOP/s of the peak, of the bound, what sets it)."""
    run.seconds()
    times, peaks, end = [], [], time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < end:
        peaks.append(peak.gflops(0.004, by_thread=True))
        times.append(run.seconds())
    level = memory.holding(run.read_bytes + run.written_bytes)
    moved = run.flops / level.seconds(run.read_bytes, run.written_bytes) / 1e9
    best = float(np.median(peaks))
    return float(np.median(times)), best, min(best, moved), "FMA" if best <= moved else level.name


def main() -> None:
    parser = argparse.ArgumentParser(description="Single convolutions, compared with what the machine can do.")
    parser.add_argument("names", nargs="*", default=[], metavar="NAME", help=" ".join(LAYERS))
    parser.add_argument("--pass", dest="passes", nargs="+", default=["fwd", "dx", "dw"], choices=["fwd", "dx", "dw"])
    parser.add_argument("--batch", type=int, nargs="+", default=[1, 16, 32])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=0.3, help="per row")
    parser.add_argument("--record", action="store_true", help="write results/layers.md")
    options = parser.parse_args()
    rows: list[list[str]] = []
    for threads in options.threads:
        memory = bandwidth(threads)
        with closing(PeakLoop(threads, CpuBackend().cpu)) as peak:
            for name in options.names or LAYERS:
                for batch in options.batch:
                    for what in options.passes:
                        run = Run(LAYERS[name].graph(what, batch), threads)
                        with closing(run.plan):
                            s, best, bound, by = measure(run, peak, memory, options.seconds)
                        rate = run.flops / s / 1e9
                        shares = (f"{100 * rate / bound:.0f} %", f"{100 * rate / best:.0f} %")
                        row = [
                            name,
                            what,
                            str(batch),
                            str(threads),
                            f"{s * 1e3:.3f}",
                            f"{rate:.0f}",
                            f"{bound:.0f}",
                            by,
                        ]
                        rows.append([*row, *shares])
                        print(" ".join(f"{cell:>10}" for cell in rows[-1]), flush=True)
    if options.record:
        report.record_measured("layers", INTRO, report.table(HEAD, rows))


if __name__ == "__main__":
    main()
