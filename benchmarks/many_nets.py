"""train_many(): 64 tiny MLPs at once against one after another.

Run `python benchmarks/many_nets.py [--nets 64] [--threads 2] [--rounds 3] [--steps 20000] [--record]`. Both train the
nets for the same number of steps, one round after the other, from the first call to the last parameter, so initializing
the nets counts (of 64 with batches of 4 and 6000 steps, a quarter of the time); a ratio compares the two calls of a
round. Compiled code is there already.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence

import numpy as np
from contest import report

import mochac
from mochac import SGD, InnerProductLayer, MemoryDataLayer, Net, Neurons, SoftmaxLossLayer, train_many

INTRO = """# Many nets at once

MLPs 20-32-32-10 (tanh, SGD with momentum), trained by one train_many() and one after another by train(), in turns:
medians over rounds, of whole calls; "fastest" compares the fastest call of each. "shuffled" nets have a shuffle of
their own each, so their batches differ. Written by `python benchmarks/many_nets.py --record`.
"""
HEAD = ("batch", "data", "steps of all nets a second", "one after another", "times as many", "least to most", "fastest")
RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(640, 20)).astype(np.float32), RNG.integers(0, 10, 640)


def main(argv: Sequence[str] | None = None) -> int:
    """Batches of 32 and 4."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nets", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--batches", type=int, nargs="*", default=[32, 4])
    parser.add_argument("--record", action="store_true", help="write results/many_nets.md")
    options = parser.parse_args(argv)
    rows = [row(batch, shuffle, options) for shuffle in (False, True) for batch in options.batches]
    note = f"{options.nets} nets, {options.steps} steps each, {options.threads} threads, {options.rounds} rounds."
    body = f"{report.circumstances()}.\n\n{report.table(HEAD, rows)}\n\n{note}"
    print(body)
    if options.record:
        print(f"written: {report.record('many_nets', INTRO, body)}")
    return 0


def net(batch: int, shuffle: bool) -> Net:
    """The tiny MLP."""
    layers = [
        MemoryDataLayer(data=[X, Y], batch_size=batch, shuffle=shuffle),
        InnerProductLayer(name="ip1", output_dim=32, neuron=Neurons.Tanh(), bottoms=["data"]),
        InnerProductLayer(name="ip2", output_dim=32, neuron=Neurons.Tanh(), bottoms=["ip1"]),
        InnerProductLayer(name="ip3", output_dim=10, bottoms=["ip2"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip3", "label"]),
    ]
    return Net("tiny", layers)


def row(batch: int, shuffle: bool, options: argparse.Namespace) -> list[str]:
    """A line of the table."""
    tiny, method, seeds = net(batch, shuffle), SGD(0.01, momentum=0.9), list(range(options.nets))

    def at_once(n: int) -> None:
        train_many(tiny, method, seeds=seeds, max_iter=n, threads=options.threads, backend="cpu", verbose=0)

    program = mochac.compile(tiny, threads=options.threads, backend="cpu")

    def in_turn(n: int) -> None:
        for _ in seeds:
            program.train(method, max_iter=n, verbose=0)

    found: dict[Callable[[int], None], list[float]] = {at_once: [], in_turn: []}
    for way in found:
        way(1)
    for _ in range(options.rounds):
        for way, rates in found.items():
            rates.append(options.nets * options.steps / seconds(way, options.steps))
    program.close()
    ratios = [a / b for a, b in zip(found[at_once], found[in_turn], strict=True)]
    medians = [f"{statistics.median(rates):,.0f}" for rates in found.values()]
    data = "shuffled" if shuffle else "shared"
    return [
        str(batch), data, *medians, f"{statistics.median(ratios):.2f}", f"{min(ratios):.2f} to {max(ratios):.2f}",
        f"{max(found[at_once]) / max(found[in_turn]):.2f}",
    ]  # fmt: skip


def seconds(way: Callable[[int], None], n: int) -> float:
    """Time of a training of n steps."""
    begin = time.perf_counter()
    way(n)
    return time.perf_counter() - begin


if __name__ == "__main__":
    raise SystemExit(main())
