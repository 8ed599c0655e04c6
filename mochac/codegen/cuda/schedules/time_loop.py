"""Loops over time in one launch: a block of threads computes all steps of a sample.

    for each sample (block):
        for each step:  threads take results of a product;  barrier;  threads take elements of the gates;  barrier

Samples are independent, so blocks never wait for each other (passes/join_launches.py). Each thread holds the weights of
its results in registers during all steps, which is where a multiprocessor has most room; threads share the terms of a
sum if there are few results. What steps pass on is in shared memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from mochac.base.records import record
from mochac.codegen.combinators.sums import block_reduction
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.grids import WARP
from mochac.ir.kernel import If, Kernel, Let, Load, Loop, multiply_adds, walk
from mochac.ir.nest import band
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.merge import Distribute
from mochac.ir.steps.run import Blocks, Place, Threads, Unroll
from mochac.ir.steps.threads import Exchange
from mochac.ir.types import DTYPES

MIN_TERMS = 16
"""Minimum terms of a sum for a thread."""
MOST_THREADS = 512
"""Maximum threads among which the terms of sums are divided; sums with more results have more threads."""
REGISTERS = 65536
"""Registers of a block, on every device."""
WORKING = 40
"""Registers of a thread for all but its weights."""
MAX_WEIGHTS = 160
"""Maximum registers of a thread for its weights; it has 255 in all."""
MOST_ROUNDS = 16
"""Maximum blocks that a multiprocessor runs one after the other: with more samples, launches that compute a step of all
of them are faster."""

ADD = 4
"""Cycles from one addition to a sum to the next."""
CALL = 12
"""Cycles of a scalar function, about: some take an instruction, some a hundred."""
VECTOR = 4
"""Elements that a thread loads from shared memory at once."""


@record
class RegisterProduct:
    """A sum of products with weights, which are the same in all steps.

    Attributes:
        results, terms: its loops.
        weight: the buffer of the weights.
        threads: how many compute the results; if they are more than the results, they share the terms.
        held: weights of a thread.
        registers: what these take.
    """

    results: tuple[str, ...]
    terms: str
    accumulator: str
    weight: str
    threads: int
    n_weights: int
    registers: int


@record
class BlockLoop:
    """A kernel that contains a loop over time, and its products."""

    kernel: Kernel
    products: tuple[RegisterProduct, ...]

    @classmethod
    def of(cls, kernel: Kernel) -> BlockLoop | None:
        """The loop, unless it has products of several kinds of factors."""
        found = [_product(kernel, nest) for nest in nests(kernel) if multiply_adds((nest,))]
        return None if None in found else cls(kernel, tuple(p for p in found if p is not None))

    @property
    def threads(self) -> int:
        """Threads of a block: one for every part of a result, or for every element of a long nest."""
        sizes = [prod(loop.extent or 0 for loop in band((nest,), kind="each")) for nest in nests(self.kernel)]
        most = max(WARP, min(max(sizes), MOST_THREADS), *(p.threads for p in self.products))
        return -(-most // WARP) * WARP

    @property
    def registers(self) -> int:
        """Registers of a block."""
        return self.threads * (WORKING + sum(p.registers for p in self.products))

    def rounds(self, target: CudaTarget) -> int:
        """Blocks that a multiprocessor runs one after the other."""
        machine, (item,) = target.machine, self.kernel.body
        assert isinstance(item, Loop)
        together = max(1, min(machine.registers // self.registers, machine.threads // self.threads))
        return -(-(item.extent or 0) // (together * target.multiprocessors))

    def cycles(self, target: CudaTarget) -> float:
        """Cycles of all blocks, simulated: a thread's instructions follow each other, and so do the nests of a step."""
        (item,), machine = self.kernel.body, target.machine
        assert isinstance(item, Loop)
        (time,) = (s for s in item.body if isinstance(s, Loop) and s.kind == "for")
        inputs = {b.name for b in self.kernel.inputs} - {p.weight for p in self.products}
        step = 0.0
        for nest in (s for s in time.body if isinstance(s, Loop)):
            step += machine.barrier + machine.shared_latency + CALL * sum(isinstance(s, Let) for s in walk((nest,)))
            step += machine.l2_latency * any(isinstance(s, Load) and s.buffer in inputs for s in walk((nest,)))
        for product in self.products:
            warps = -(-product.threads // machine.warp)
            issued = product.n_weights * (1 + 1 / VECTOR) * warps / machine.schedulers
            step += max(ADD * product.n_weights, issued) + 2 * (machine.barrier + machine.shared_latency)
        return self.rounds(target) * (time.extent or 0) * step


def refuse(kernel: Kernel, target: CudaTarget) -> str:
    """Why a block should not compute all steps of a sample; "" if it should."""
    loop = BlockLoop.of(kernel)
    if loop is None:
        return "a block does not hold what its products read"
    if loop.registers > REGISTERS or any(p.registers > MAX_WEIGHTS for p in loop.products):
        return "the registers of a block do not hold its weights"
    if loop.threads > target.max_threads:
        return "a block has too few threads"
    return "so many samples are faster together" if loop.rounds(target) > MOST_ROUNDS else ""


def rule(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is a loop over time whose weights fit in registers."""
    loop = BlockLoop.of(kernel) if kernel.root == "scan" and not refuse(kernel, target) else None
    if loop is None:
        return None
    b = ScheduleBuilder(kernel)
    (item, *_), threads = b.loops(), loop.threads
    divided = [(product, _divide(b, product, item)) for product in loop.products]
    b.reason = "what a step passes on is near the threads that read it"
    b.add(*(Place(local.name, "shared") for local in kernel.locals if local.space == "scratch"))
    for product, part in divided:
        b.add(Threads((*part, *product.results), threads))
        if part:
            b.add(Threads(product.results, threads), Exchange(product.accumulator))
    for nest in nests(b.kernel):
        if nest.run == "serial":
            block_reduction(b, [x.var for x in band((nest,), kind=nest.kind)], threads)
    b.add(Blocks((item,)))
    return b.schedule("time_loop")


def _divide(b: ScheduleBuilder, product: RegisterProduct, item: str) -> tuple[str, ...]:
    """Divide a sum among threads, which hold its weights; return the loop over the threads of a result, if any."""
    terms, part = product.terms, tuple[str, ...]()
    if product.n_weights < b.extent(terms):
        b.reason = "threads share the terms of a result, since there are few results"
        group, terms = b.split(terms, product.n_weights)
        join, _ = b.partial(product.accumulator, group)
        b.add(*(Distribute(loop, (group,)) for loop in reversed(product.results)), Unroll(join))
        part = (group,)
    b.reason = "registers hold the weights during all steps"
    b.stage(product.weight, item)
    b.add(Unroll(terms))
    return part


# -- the loops of a kernel


def nests(kernel: Kernel) -> Iterator[Loop]:
    """The nests of a step, and those before the first one."""
    (item,) = kernel.body
    assert isinstance(item, Loop)
    for loop in (s for s in item.body if isinstance(s, Loop)):
        yield from (s for s in loop.body if isinstance(s, Loop)) if loop.kind == "for" else (loop,)


def _product(kernel: Kernel, nest: Loop) -> RegisterProduct | None:
    results = band((nest,), kind="each")
    sums = [s for s in results[-1].body if isinstance(s, Loop)] if results else []
    if len(sums) != 1 or sums[0].kind != "sum" or any(isinstance(s, (Loop, If)) for s in sums[0].body):
        return None
    accumulator = multiply_adds(sums[0].body)[0].buffer
    own, inputs = {loop.var for loop in (*results, sums[0])}, {b.name: b.type for b in kernel.inputs}
    loads = [s for s in sums[0].body if isinstance(s, Load) and s.buffer in inputs]
    weights = [s.buffer for s in loads if own == {v for i in s.index for v in i.vars}]
    if len(weights) != 1 or sum(isinstance(s, Load) and s.buffer == weights[0] for s in walk(kernel.body)) != 1:
        return None
    n_results, n_terms = prod(loop.extent or 0 for loop in results), sums[0].extent or 0
    parts = _parts(n_results, n_terms)
    n_weights = n_terms // parts
    words = max(1, DTYPES[inputs[weights[0]].dtype].itemsize // 4)
    names = tuple(loop.var for loop in results)
    return RegisterProduct(names, sums[0].var, accumulator, weights[0], n_results * parts, n_weights, n_weights * words)


def _parts(results: int, terms: int) -> int:
    """Among how many threads the terms of a result are divided.

    >>> [_parts(*sizes) for sizes in ((192, 64), (64, 192), (384, 128), (128, 384), (64, 61))]
    [2, 8, 1, 3, 1]
    """
    counts = [n for n in range(1, terms // MIN_TERMS + 1) if not terms % n and results * n <= MOST_THREADS]
    return max((n for n in counts if results * n * (terms // n + WORKING) <= REGISTERS), default=1)
