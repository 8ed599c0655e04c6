"""Two ranks of one thread beside one process of one and of two threads, and beside PyTorch's DDP on the same two ranks.

Run `mpiexec -n 2 python benchmarks/ranks.py [cifar resnet lenet mlp autoencoder] [--rounds 5] [--record]`. All
take turns: while rank 0 measures a single process, the other ranks sleep. DDP (gloo) is measured where PyTorch is
installed.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from contest import report
from contest.task import Data, Task, task
from contest.with_mochac import net
from mpi4py import MPI

import mochac
from mochac.runtime.ranks.ranks import Ranks
from mochac.training.loop.coffee import CoffeeBreak

NETS = ("cifar", "resnet", "lenet", "mlp", "autoencoder")
HEAD = (
    "net", "batch", "exchanged", "1 rank", "2 ranks", "in 4 parts", "as MPI adds", "1 process, 2 threads",
    "DDP", "2 ranks of DDP / ours", "hidden",
)  # fmt: skip
BURST_S = 0.3
INTRO = """# Several ranks

Training steps (SGD with momentum) of two ranks of one thread each, which share every batch: times as fast as one
process of one thread, which computes the same batch without parts. "2 ranks" add sums in a fixed order, of the parts
that train(comm=) chooses (2 of batches of 64 and 100, 4 of 128), so that one and two ranks give the same bits; "in 4
parts" is `compile(net, parts=4)`, with which four do, too; "as MPI adds" is `ordered=False`. "DDP": two ranks of
PyTorch's DistributedDataParallel with gloo, beside one process of PyTorch; then how much longer its step takes than
ours. "hidden": the part of exchanges that no step waited for. The quickest of several rounds, in which all take
turns, since other work only slows steps down; "1 process, 2 threads" says how much a second CPU adds on this machine.
Written by `mpiexec -n 2 python benchmarks/ranks.py --record`.
"""
COMM = MPI.COMM_WORLD
RANKS = Ranks(COMM, ordered=False)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table on rank 0; with --record, write it."""
    parser = argparse.ArgumentParser(description="The gain of ranks.")
    parser.add_argument("nets", nargs="*", default=[], metavar="NET", help=" ".join(NETS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--record", action="store_true", help="write results/ranks.md")
    options = parser.parse_args(argv)
    rows = [row(name, options.rounds) for name in options.nets or NETS]
    if COMM.rank == 0:
        body = f"{report.circumstances()}, {options.rounds} rounds.\n\n{report.table(HEAD, rows)}"
        print(body)
        if options.record:
            print(f"written: {report.record('ranks', INTRO, body)}")
    return 0


def row(name: str, rounds: int) -> list[str]:
    """The line of a net."""
    one = task(name)
    data = one.data()
    ours = Ours(one, data)
    ways: dict[str, Callable[[int], float | None]] = {
        "one": ours.alone(1),
        "two threads": ours.alone(2),
        "ranks": ours.together(),
        "four parts": ours.together(parts=4),
        "unordered": ours.together(ordered=False),
    }
    if find_spec("torch") is not None:
        theirs = Theirs(one, data)
        ways |= {"torch": theirs.alone, "ddp": theirs.together}
    steps = {way: settled(run) for way, run in ways.items()}
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    order = list(ways)
    for _ in range(rounds):
        for way in order:
            seconds[way].append(RANKS.led(ways[way](steps[way])))
        order = [*order[1:], order[0]]  # what ran before leaves its marks
    found = {way: min(times) for way, times in seconds.items()}
    times = {way: f"{found['one'] / found[way]:.2f}" for way in ("ranks", "four parts", "unordered", "two threads")}
    ddp = ["", ""]
    if "ddp" in found:
        ddp = [f"{found['torch'] / found['ddp']:.2f}", f"{found['ddp'] / found['ranks']:.2f}"]
    exchanged = f"{sum(w.size for w in data.weights.values()) * 4 / 1e6:.2f} MB"
    return [name, str(data.batch_size), exchanged, f"{1e3 * found['one']:.2f} ms", *times.values(), *ddp, ours.hidden()]


def settled(run: Callable[[int], float | None]) -> int:
    """How many steps of a way take BURST_S, after it has compiled."""
    run(2)
    return max(2, round(BURST_S / RANKS.led(run(3))))


class Ours:
    """Programs of mochac."""

    def __init__(self, one: Task, data: Data) -> None:
        self.net = net(one, data)
        self.exchanged: list[Any] = []

    def alone(self, threads: int) -> Callable[[int], float | None]:
        """Steps of rank 0 alone; returns the seconds of one."""
        program = mochac.compile(self.net, backend="cpu", threads=threads) if COMM.rank == 0 else None

        def run(n: int) -> float | None:
            if program is None:
                return None
            return _seconds(program, n)[0]

        return run

    def together(self, ordered: bool = True, parts: int | None = None) -> Callable[[int], float | None]:
        """Steps of all ranks."""
        program = mochac.compile(self.net, backend="cpu", threads=1, parts=parts)

        def run(n: int) -> float:
            seconds, lounge = _seconds(program, n, comm=COMM, ordered=ordered)
            if ordered and parts is None:
                self.exchanged.append(lounge.exchanged)
            return seconds

        return run

    def hidden(self) -> str:
        """The share of exchanges for which no step waited."""
        worked, waited = (sum(getattr(e, name) for e in self.exchanged) for name in ("worked_s", "waited_s"))
        return f"{max(0.0, 1 - waited / worked):.0%}" if worked else ""


class Marks(CoffeeBreak):
    """Notes how long the training has taken."""

    every_rank = True

    def __init__(self) -> None:
        self.trained_s: list[float] = []

    def enjoy(self, lounge: mochac.CoffeeLounge, program: Any, state: Any) -> None:
        self.trained_s.append(lounge.trained_s)


def _seconds(program: Any, n: int, **how: Any) -> tuple[float, mochac.CoffeeLounge]:
    """Train 2 n steps; the seconds of one of the last n: the first ones meet memory that is new to the process."""
    marks, solver = Marks(), mochac.Solver(mochac.SGD(0.001, momentum=0.9), max_iter=2 * n)
    solver.add_coffee_break(marks, every_n_iter=n)
    lounge = program.train(solver, verbose=0, **how)
    return (marks.trained_s[-1] - marks.trained_s[-2]) / n, lounge


class Theirs:
    """PyTorch, alone and with DDP."""

    def __init__(self, one: Task, data: Data) -> None:
        import torch
        from contest.with_torch import ChannelsLast, Eager

        torch.set_num_threads(1)
        if not torch.distributed.is_initialized():
            os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29533"}
            torch.distributed.init_process_group("gloo", rank=COMM.rank, world_size=COMM.size)
        kind = ChannelsLast if one.images else Eager
        self.whole = kind(one, data, 1) if COMM.rank == 0 else None
        self.share = kind(one, data, 1, warm_up=0)
        self.share.loss = torch.nn.parallel.DistributedDataParallel(self.share.loss)
        n = data.batch_size // COMM.size
        own = slice(COMM.rank * n, (COMM.rank + 1) * n)
        self.share.batches = [(x[own].contiguous(memory_format=self.share.layout) if one.images else x[own],
                               None if y is None else y[own]) for x, y in self.share.batches]  # fmt: skip

    def alone(self, n: int) -> float | None:
        """Steps of rank 0 alone."""
        return None if self.whole is None else timed(self.whole.steps, n)

    def together(self, n: int) -> float:
        """Steps of all ranks."""
        return timed(self.share.steps, n)


def timed(steps: Callable[[int], None], n: int) -> float:
    """Seconds of a step."""
    begin = time.perf_counter()
    steps(n)
    return (time.perf_counter() - begin) / n


if __name__ == "__main__":
    sys.exit(main())
