"""train_many(): many small nets trained at once, in one compiled step.

Blocks of nets take turns: every thread takes the block that is least advanced, runs some steps of it, and puts it back.
No thread waits for another in between. A few blocks are in memory at a time; when one is done, the next one begins.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from mochac.base.hints.calls import checked_call
from mochac.base.options import CompileOptions, Options
from mochac.base.rules import switch
from mochac.base.support.interrupts import Interrupts, listening
from mochac.base.support.log import LOG, ensure_handler
from mochac.lowering.backends import open_backend
from mochac.nets.net import Net
from mochac.nets.solvers.solver import Solver
from mochac.nets.solvers.update import Methods
from mochac.runtime.data.params import Params
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.many.block import ManyPlans, NetBlock
from mochac.training.many.request import NetRequest, blocks, grouped, requests_of


@checked_call
def train_many(
    nets: Net | Sequence[Net],
    methods: Methods | Solver | Sequence[Methods | Solver],
    seeds: int | Sequence[int] | None = None,
    data: Any = None,
    *,
    max_iter: int | None = None,
    batch_size: int | None = None,
    backend: str = "auto",
    threads: int | None = None,
    dtype: str = "float32",
    device: int | None = None,
    convolutions: str | None = None,
    precision: str = "float32",
    verbose: int = 1,
    **solver_parameters: Any,
) -> list[tuple[Params, CoffeeLounge]]:
    """Train many nets at once, each as mochac.compile(net, seed=seed).train(method, max_iter=...) would.

    Nets of one shape share a compiled step, in which they are the lanes of vectors; blocks of as many nets as a vector
    has lanes run on different threads. The smaller the nets and their batches, the faster they are trained than one
    after another. Every net's result has the bits of the same call with that net alone, whatever the number of nets and
    threads. (Sums are in another order than in train(), so the last bits differ from those of train().)

    Args:
        nets: a net, or a list of them. Nets may differ in anything; those that differ in more than seeds, data and the
            numbers of their methods do not share a step.
        methods: a method or solver, or a list of them. Learning rates, momentum, decay and regu_coef may differ within
            a step.
        seeds: of initial parameters, shuffling and dropout, 0 <= seed < 2**64; None: 0.
        data: arrays instead of those of the nets' data layer: [X, y] or {"data": X, "label": y} for all nets, or a
            list of such, one for each net; None: the data layers' own.
        max_iter: stop at this iteration, >= 0.
        batch_size: samples per step, instead of the data layers'.
        backend, threads, dtype, device, convolutions, precision: see compile().
        verbose: 0: silent; 1: a line at the end.
        solver_parameters: of Solver, such as regu_coef=, clip_norm=; where methods are not Solvers.

    Lists have one entry for each net; any other argument is for all of them.

    Returns:
        For each net its parameters, for compile(net, params=params), and its lounge, with "obj_val", "learning_rate"
        and "iter" by iteration. A net whose loss is no longer finite does not stop the others: `lounge.stopped` says in
        which iteration it was lost, its statistics end there, and its parameters mean nothing.

    Raises:
        OptionError: lists of different lengths, no max_iter, an argument out of range. UnsupportedError: coffee breaks,
        accumulate, output layers. DataError: data cannot be read.

    >>> import numpy as np
    >>> from mochac import *
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> data = MemoryDataLayer(data=[X, (X[:, 0] > X[:, 1]).astype(int)], batch_size=20)
    >>> ip = InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])
    >>> net = Net("line", [data, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])
    >>> trained = train_many(net, [SGD(0.1), SGD(1.0)], max_iter=100, verbose=0)
    >>> [lounge.statistics["obj_val"][100] < 0.5 for params, lounge in trained]
    [True, True]
    """
    shown: bool = switch().check("verbose", verbose, "train_many()")
    parameters = solver_parameters if max_iter is None else {"max_iter": max_iter, **solver_parameters}
    requests = requests_of(nets, methods, seeds, data, batch_size, parameters)
    begin = time.perf_counter()
    options = CompileOptions(
        backend=backend, threads=threads, dtype=dtype, device=device, convolutions=convolutions, precision=precision
    )
    results = _trained(requests, options)
    _tell([lounge for _, lounge in results], time.perf_counter() - begin, shown)
    return results


def _trained(requests: Sequence[NetRequest], options: CompileOptions) -> list[tuple[Params, CoffeeLounge]]:
    """The nets in blocks, trained; results in the order of the requests."""
    backend = open_backend(options, Options.from_env(), run=True)
    plans = ManyPlans(backend, options.dtype, backend.convolutions(options.convolutions))
    parts = [part for group in grouped(requests, options.dtype) for part in blocks(group, plans.places)]
    turns, inside = _threads(backend.threads(options.threads), len(parts), backend.in_host_memory)
    with listening() as interrupts:
        done = run_blocks([partial(NetBlock, part, plans, inside) for part in parts], turns, interrupts)
    results = {member.place: result for block in done for member, result in block.results()}
    return [results[place] for place in range(len(requests))]


def _threads(threads: int, n_blocks: int, host: bool) -> tuple[int, int]:
    """Threads that take turns with blocks, and threads that share the steps of one."""
    if not host:
        return 1, 1
    return min(threads, n_blocks), max(1, threads // n_blocks)


def _tell(lounges: Sequence[CoffeeLounge], seconds: float, shown: bool) -> None:
    """One line about the training, and one about nets that were lost."""
    ensure_handler()
    lost = [place for place, lounge in enumerate(lounges) if lounge.stopped]
    if lost:
        named = ", ".join(map(str, lost[:5])) + (", ..." if len(lost) > 5 else "")
        why = lounges[lost[0]].stopped
        LOG.warning("%d of %d nets were lost, their loss is not finite: %s (%s)", len(lost), len(lounges), named, why)
    if shown:
        LOG.info("trained %d nets in %.1f s", len(lounges), seconds)


AHEAD = 2
"""Blocks in memory for each thread, so that all threads have work until the end."""

Begin = Callable[[], NetBlock]
"""Makes a block, when its turn comes."""


def run_blocks(begins: Sequence[Begin], threads: int, interrupts: Interrupts) -> list[NetBlock]:
    """Train all blocks; returns them in order, finished. After a signal, every block ends where it is.

    Args:
        threads: number of threads that take turns, this one included.

    Raises:
        The first error of a block; the others are closed.
    """
    turns = _Turns(begins, AHEAD * threads, interrupts)
    helpers = [threading.Thread(target=turns.work, name="mochac-many", daemon=True) for _ in range(threads - 1)]
    for helper in helpers:
        helper.start()
    turns.work()
    for helper in helpers:
        helper.join()
    return turns.result()


class _Turns:
    """The blocks in memory, and those to come. `_lock` guards everything but the blocks that threads have taken."""

    def __init__(self, begins: Sequence[Begin], most: int, interrupts: Interrupts) -> None:
        self._begins, self._most, self._interrupts = begins, most, interrupts
        self._blocks: list[NetBlock | None] = [None] * len(begins)
        self._idle: list[int] = []
        self._next = self._running = 0
        self._error: BaseException | None = None
        self._lock = threading.Condition()

    def work(self) -> None:
        """Take turns until all blocks are done, or one fails."""
        while (number := self._take()) is not None:
            try:
                done = self._turn(number)
            except BaseException as error:
                with self._lock:
                    self._error = self._error or error
                    self._running -= 1
                    self._lock.notify_all()
                return
            with self._lock:
                self._running -= 1
                if not done:
                    self._idle.append(number)
                self._lock.notify_all()

    def result(self) -> list[NetBlock]:
        """All blocks, finished.

        Raises:
            The first error.
        """
        if self._error is not None:
            for block in filter(None, self._blocks):
                block.close()
            raise self._error
        return [block for block in self._blocks if block is not None]

    def _take(self) -> int | None:
        """The number of the block whose turn it is; None if there is nothing left to do."""
        with self._lock:
            while self._error is None:
                in_memory = len(self._idle) + self._running
                if self._next < len(self._begins) and in_memory < self._most:
                    self._next += 1
                    self._running += 1
                    return self._next - 1
                if self._idle:
                    number = min(self._idle, key=self._progress)
                    self._idle.remove(number)
                    self._running += 1
                    return number
                if not self._running:
                    return None
                self._lock.wait()
        return None

    def _progress(self, number: int) -> int:
        block = self._blocks[number]
        assert block is not None
        return block.iteration - block.max_iter

    def _turn(self, number: int) -> bool:
        """Begin a block, or run some steps of it; whether it is done."""
        block = self._blocks[number]
        if block is None:
            block = self._blocks[number] = self._begins[number]()
        interrupted = self._interrupts.signal is not None
        if not block.done and not interrupted:
            block.advance()
        if block.done or interrupted:
            block.finish(interrupted=not block.done)
            return True
        return False
