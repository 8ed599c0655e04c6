"""Products alone, forward and both gradients, beside PyTorch's matrix multiplication.

Run `python benchmarks/products.py`. Options: [NAME ...] [--pass fwd dx dw] [--threads 1 2] [--seconds 0.5] [--record].
Both are timed in turns with the multiply-add peak; without PyTorch its columns are empty. mochac's operands lie as the
layout pass lays them out; PyTorch's are row by row, and its results are written to arrays that exist.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

import numpy as np
from contest import report
from layers import Run

from mochac import ir
from mochac.ir.graph import Graph
from mochac.runtime.cpu.backend import CpuBackend
from mochac.runtime.cpu.rates import PeakLoop

try:
    import torch
except ImportError:
    torch = None

INTRO = """# Products alone

Medians of rounds, in turns with PyTorch's `mm` (on a CPU usually MKL's sgemm); "ratio" is the median of how many times
as fast as PyTorch's mochac's product is. Written by `python benchmarks/products.py --record`.
"""
HEAD = ("product", "pass", "threads", "ms", "GFLOP/s", "of peak", "PyTorch, of peak", "ratio", "schedule")
LEAST = 5e-4
"""Seconds of a burst of either."""


@dataclass(frozen=True)
class Shape:
    """x: batch x inputs; w: outputs x inputs."""

    batch: int
    inputs: int
    outputs: int

    def graph(self, what: str) -> Graph:
        """The one operation "fwd", "dx" or "dw"."""
        x, w = f"f32[b{self.batch},{self.inputs}]", f"f32[{self.outputs},{self.inputs}]"
        y = f"f32[b{self.batch},{self.outputs}]"
        nodes = {
            "fwd": f"(%x: {x}, %w: {w} param) {{ %r: {y} = inner_product(%x, %w)",
            "dx": f"(%d: {y}, %w: {w} param) {{ %r: {x} = inner_product_dx(%d, %w)",
            "dw": f"(%x: {x}, %d: {y}) {{ %r: {w} = inner_product_dw(%x, %d)",
        }
        return ir.parse(f"graph @product{nodes[what]} return %r }}")

    def mm(self, what: str) -> Callable[[], object] | None:
        """PyTorch's product; None without PyTorch."""
        if torch is None:
            return None
        x, w = torch.randn(self.batch, self.inputs), torch.randn(self.outputs, self.inputs)
        y = torch.randn(self.batch, self.outputs)
        left, right, out = {"fwd": (x, w.t(), y), "dx": (y, w, x), "dw": (y.t(), x, w)}[what]
        mm, result = torch.mm, torch.empty_like(out)
        return lambda: mm(left, right, out=result)


SHAPES = {
    "mlp-1": Shape(100, 784, 1000),
    "mlp-2": Shape(100, 1000, 1000),
    "mlp-4": Shape(100, 1000, 10),
    "autoencoder-1": Shape(100, 784, 500),
    "autoencoder-2": Shape(100, 500, 250),
    "lenet-1": Shape(64, 800, 500),
    "lenet-2": Shape(64, 500, 10),
    "cifar": Shape(100, 1024, 10),
    "tabular": Shape(100, 300, 300),
    "gpt-in": Shape(768, 128, 384),
    "gpt-wide": Shape(768, 128, 512),
    "gpt-narrow": Shape(768, 512, 128),
    "few-2": Shape(2, 1000, 1000),
    "few-4": Shape(4, 1000, 1000),
    "few-8": Shape(8, 1000, 1000),
    "few-16": Shape(16, 1000, 1000),
}


def burst(once: Callable[[], float], seconds: float) -> float:
    """Seconds of one of several runs in sequence."""
    times = [once()]
    while sum(times) < seconds:
        times.append(once())
    return float(np.median(times))


def clocked(call: Callable[[], object]) -> Callable[[], float]:
    """Seconds of a call."""

    def once() -> float:
        start = time.perf_counter()
        call()
        return time.perf_counter() - start

    return once


def measure(name: str, what: str, threads: int, seconds: float, peak: PeakLoop) -> list[str]:
    """The row of one product."""
    run, peer = Run(SHAPES[name].graph(what), threads), SHAPES[name].mm(what)
    with closing(run.plan):
        rows: list[tuple[float, float, float]] = []
        end = time.perf_counter() + seconds
        while len(rows) < 5 or time.perf_counter() < end:
            best = peak.gflops(0.002, by_thread=True)
            theirs = burst(clocked(peer), LEAST) if peer else float("nan")
            rows.append((best, burst(run.seconds, LEAST), theirs))
    best, ours, theirs = np.array(rows[1:]).T
    rates = run.flops / ours / 1e9
    shares = [f"{np.median(100 * run.flops / t / 1e9 / best):.0f} %" for t in (ours, theirs)]
    cells = [f"{np.median(ours) * 1e3:.3f}", f"{np.median(rates):.0f}", shares[0]]
    cells += [shares[1], f"{np.median(theirs / ours):.2f}"] if peer else ["", ""]
    return [name, what, str(threads), *cells, run.schedule]


def main() -> None:
    parser = argparse.ArgumentParser(description="Products, beside PyTorch's matrix multiplication.")
    parser.add_argument("names", nargs="*", default=[], metavar="NAME", help=" ".join(SHAPES))
    parser.add_argument("--pass", dest="passes", nargs="+", default=["fwd", "dx", "dw"], choices=["fwd", "dx", "dw"])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=0.5, help="per row")
    parser.add_argument("--record", action="store_true", help="write results/products.md")
    options = parser.parse_args()
    rows: list[list[str]] = []
    for threads in options.threads:
        if torch is not None:
            torch.set_num_threads(threads)
        with closing(PeakLoop(threads, CpuBackend().cpu)) as peak:
            for name in options.names or SHAPES:
                for what in options.passes:
                    rows.append(measure(name, what, threads, options.seconds, peak))
                    print(" ".join(f"{cell:>13}" for cell in rows[-1]), flush=True)
    if options.record:
        report.record_measured("products", INTRO, report.table(HEAD, rows))


if __name__ == "__main__":
    main()
