"""Contractions in users' own operations, compared with conv and inner_product on the same shapes.

Run `python benchmarks/user_ops.py`. Options: [NAME ...] [--threads 1 2] [--seconds 1] [--record]. Both are timed in
turns; the operations are those of tests/codegen/user_ops.py, which bring no schedule.
"""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np
from contest import report
from layers import Run

from mochac import ir

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "codegen"))
import user_ops  # noqa: F401  # registers the operations

INTRO = """# Users' own contractions

Operations that a user wrote without a schedule, and mochac's own on the same shape, timed in turns; medians of the
ratio of their rates (1: as fast). Written by `python benchmarks/user_ops.py --record`.
"""
HEAD = ("operation", "compared with", "threads", "GFLOP/s", "ratio", "schedule")

PAIRS = {
    "conv1d": (
        "(%x: f32[b64,32,256], %w: f32[64,32,5] param) { %r: f32[b64,64,256] = conv1d(%x, %w) {stride = 1, pad = 2}",
        "(%x: f32[b64,32,1,256], %w: f32[64,32,1,5] param) "
        "{ %r: f32[b64,64,1,256] = conv(%x, %w) {stride = [1,1], pad = [0,2], group = 1}",
    ),
    "bilinear": (
        "(%x: f32[b64,24], %z: f32[b64,32], %w: f32[500,24,32] param) { %r: f32[b64,500] = bilinear(%x, %z, %w)",
        "(%x: f32[b64,768], %w: f32[500,768] param) { %r: f32[b64,500] = inner_product(%x, %w)",
    ),
    "batched_product": (
        "(%x: f32[b64,64,64], %z: f32[b64,64,64]) { %r: f32[b64,64,64] = batched_product(%x, %z)",
        "(%x: f32[b4096,64], %w: f32[64,64] param) { %r: f32[b4096,64] = inner_product(%x, %w)",
    ),
}
"""A user's operation, and ours that does as many multiply-adds."""


def rate(run: Run) -> float:
    """GFLOP/s of one run."""
    return run.flops / run.seconds() / 1e9


def compared(name: str, threads: int, seconds: float) -> list[str]:
    """The row of one operation."""
    users, ours = (Run(ir.parse(f"graph @op{text} return %r }}"), threads) for text in PAIRS[name])
    with closing(users.plan), closing(ours.plan):
        rates: list[tuple[float, float]] = []
        end = time.perf_counter() + seconds
        while len(rates) < 5 or time.perf_counter() < end:
            rates.append((rate(users), rate(ours)))
    ratio = np.median([mine / theirs for mine, theirs in rates])
    against = PAIRS[name][1].partition("= ")[2].partition("(")[0]
    return [name, against, str(threads), f"{np.median([r for r, _ in rates]):.0f}", f"{ratio:.2f}", users.schedule]


def main() -> None:
    parser = argparse.ArgumentParser(description="Users' own contractions, compared with mochac's.")
    parser.add_argument("names", nargs="*", default=[], metavar="NAME", help=" ".join(PAIRS))
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=1.0, help="per row")
    parser.add_argument("--record", action="store_true", help="write results/user_ops.md")
    options = parser.parse_args()
    rows: list[list[str]] = []
    for threads in options.threads:
        for name in options.names or PAIRS:
            rows.append(compared(name, threads, options.seconds))
            print(" ".join(f"{cell:>16}" for cell in rows[-1]), flush=True)
    if options.record:
        report.record_measured("user_ops", INTRO, report.table(HEAD, rows))


if __name__ == "__main__":
    main()
