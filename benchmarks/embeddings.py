"""Training steps of embeddings: the rows that were read beside the whole table, and PyTorch's sparse gradients.

Run `python benchmarks/embeddings.py [--rounds 5] [--threads 2] [--record]`. Plain SGD trains a table and a product from
the mean of its rows; all contenders take turns.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec

import numpy as np
from contest import report

import mochac
from mochac import SGD, EmbeddingLayer, InnerProductLayer, MemoryDataLayer, Net, SoftmaxLossLayer

INTRO = """# Embeddings

A training step (plain SGD) of a table and a product of its rows, batches of 32 with 8 ids each. "rows": mochac changes
the rows that were read; "table": it goes over the whole table, as with momentum or clipping. Medians of whole calls
that take turns, in microseconds a step; "times" compares the fastest of PyTorch with "rows", in the same rounds.
Written by `python benchmarks/embeddings.py --record`.
"""
HEAD = ("table", "threads", "rows us", "table us", "torch sparse us", "torch dense us", "times")
TABLES = ((64, 64), (1000, 64), (10_000, 64), (100_000, 64), (100_000, 256))
BATCH, TIME, CLASSES = 32, 8, 10
BURST_S = 0.5


def main(argv: Sequence[str] | None = None) -> int:
    """A row for each table."""
    parser = argparse.ArgumentParser(description="Training steps of embeddings.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--record", action="store_true", help="write results/embeddings.md")
    options = parser.parse_args(argv)
    rows = [row(*shape, options.threads, options.rounds) for shape in TABLES]
    body = f"{report.circumstances()}.\n\n{report.table(HEAD, rows)}"
    print(body)
    if options.record:
        print(f"written: {report.record('embeddings', INTRO, body)}")
    return 0


def row(vocabulary: int, width: int, threads: int, rounds: int) -> list[str]:
    """The line of a table."""
    rng = np.random.default_rng(0)
    ids, label = rng.integers(0, vocabulary, (20 * BATCH, TIME)), rng.integers(0, CLASSES, 20 * BATCH)
    ways = {
        "rows": ours(vocabulary, width, ids, label, threads, clip_norm=None),
        "table": ours(vocabulary, width, ids, label, threads, clip_norm=1e9),
    }
    if find_spec("torch") is not None:
        for sparse in (True, False):
            ways[f"torch {sparse}"] = theirs(vocabulary, width, ids, label, threads, sparse)
    steps = {way: settled(run) for way, run in ways.items()}
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, run in ways.items():
            seconds[way].append(timed(run, steps[way]))
    shown = {way: f"{1e6 * statistics.median(times):.0f}" for way, times in seconds.items()}
    peers = [times for way, times in seconds.items() if way.startswith("torch")]
    fastest = [min(times) / own for own, *times in zip(seconds["rows"], *peers, strict=True) if times]
    times = f"{statistics.median(fastest):.1f}" if fastest else ""
    columns = (shown.get(way, "") for way in ("rows", "table", "torch True", "torch False"))
    return [f"{vocabulary:,} x {width}", str(threads), *columns, times]


def timed(run: Callable[[int], None], n: int) -> float:
    """Seconds of a step."""
    begin = time.perf_counter()
    run(n)
    return (time.perf_counter() - begin) / n


def settled(run: Callable[[int], None]) -> int:
    """How many steps take BURST_S."""
    timed(run, 5)
    return max(5, round(BURST_S / timed(run, 10)))


def ours(
    vocabulary: int, width: int, ids: np.ndarray, label: np.ndarray, threads: int, clip_norm: float | None
) -> Callable[[int], None]:
    """Steps of mochac."""
    layers = [
        MemoryDataLayer(data=[ids, label], tops=["ids", "label"], batch_size=BATCH),
        EmbeddingLayer(name="table", vocabulary=vocabulary, output_dim=width, bottoms=["ids"]),
        InnerProductLayer(name="ip", output_dim=CLASSES, bottoms=["table"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
    ]
    program = mochac.compile(Net("table", layers), backend="cpu", threads=threads)
    return lambda n: program.train(SGD(0.01), max_iter=n, regu_coef=0, clip_norm=clip_norm, verbose=0) and None


def theirs(
    vocabulary: int, width: int, ids: np.ndarray, label: np.ndarray, threads: int, sparse: bool
) -> Callable[[int], None]:
    """Steps of PyTorch."""
    import torch

    torch.set_num_threads(threads)
    table, product = torch.nn.Embedding(vocabulary, width, sparse=sparse), torch.nn.Linear(TIME * width, CLASSES)
    optimizer = torch.optim.SGD([*table.parameters(), *product.parameters()], lr=0.01)
    x, y = torch.from_numpy(ids).split(BATCH), torch.from_numpy(label).split(BATCH)

    def run(n: int) -> None:
        for k in range(n):
            optimizer.zero_grad()
            vectors = table(x[k % len(x)]).flatten(1)
            torch.nn.functional.cross_entropy(product(vectors), y[k % len(y)]).backward()
            optimizer.step()

    return run


if __name__ == "__main__":
    raise SystemExit(main())
