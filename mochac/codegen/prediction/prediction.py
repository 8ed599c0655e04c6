"""The time that a scheduled kernel takes, for any number of threads.

predicted: the lines that a scheduled kernel moves between levels of memory on a machine, its cycles and its time.

    cycles = instructions  +  near  +  pages  +  far

    instructions  issue.py: the busiest resource of each body, and a restart for each loop that ends
    near          lines from L2: what a core does not hide behind multiply-adds that wait for them
    pages         first-level TLB misses, counted like lines
    far           lines from L3 and memory, and written back there, at the rate of their level; latency where they come
                  one by one

A kernel streams if most lines that it reads come from far, one after another. It then reads while it computes, and the
longer of the two counts. No kernel takes less time than its lines do at the rates of their levels. The constants say
what remains of a cost after out-of-order execution and prefetching. They were fitted to the kernels of
benchmarks/model.py on one CPU; `Machine.waits` says how other CPUs differ. Rates and sizes are those of the machine.
The tables of benchmarks/results/model.md show how far predictions are from measurements.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

from mochac.base.records import record
from mochac.codegen.machine import LINE, PAGE, Machine
from mochac.codegen.prediction.issue import cycles
from mochac.codegen.prediction.traffic import Moved, NestPart, Room, Traffic, nest_of
from mochac.ir.kernel import Kernel, Prefetch, walk
from mochac.ir.nest import band


def makespan(items: Sequence[float], threads: int) -> float:
    """The time at which the last thread is done, if each takes the next item as soon as it is free.

    >>> makespan([4.0, 4.0, 4.0, 3.0, 1.0], 2)
    8.0
    """
    done = [0.0] * threads
    for item in items:
        heapq.heapreplace(done, done[0] + item)
    return max(done)


NEAR, FAR, WRITTEN = 0.3, 0.7, 0.5
"""Parts of the time of a line, at the rate of its level, that a core with other work waits for: from L2, from farther
away, and written back there (Intel, AVX-512, 2 MB L2, 2026-11-22)."""
WRITE = 1.4
"""Time to write a line back, in times to read one (same CPU: copying against reading, L3)."""
PAGE_MISS = 2.1
"""Cycles of a first-level TLB miss: the second level takes about 7, and three misses overlap (same CPU)."""
IN_FLIGHT = 6
"""Lines that a core waits for at the same time where no prefetch precedes them (same CPU)."""
ALL_FAR = 0.75
"""A kernel streams if more than this part of the lines that it reads come from farther away than L2."""
LAUNCH = 100
"""Cycles to start a kernel and to end it (same CPU)."""
MANY = 32
"""Items for each thread, from which on their sizes do not matter."""
NOT_OVERLAPPED = 0.3
"""Part of the shorter of computing and streaming that does not overlap with the longer (same CPU)."""


@record
class Crossing:
    """Lines that cross the far side of a level of cache: read, and written back.

    Attributes:
        level: name of the nearer level: "L1", "L2", "L3".
    """

    level: str
    read: float
    written: float

    @property
    def n_bytes(self) -> float:
        return (self.read + self.written) * LINE


@record
class Prediction:
    """The cost of a kernel if one thread runs all its items.

    Attributes:
        cycles: all of them.
        instructions: cycles of its instructions alone.
        crossings: the lines that it moves, nearest level first.
        pages: TLB misses.
        items: those that threads may share, by nest: how many, and what part of the work they are together.
    """

    cycles: float
    instructions: float
    crossings: tuple[Crossing, ...]
    pages: float
    items: tuple[tuple[int, float], ...] = ((1, 1.0),)
    hz: float = 0.0

    def slowest(self, threads: int) -> float:
        """Cycles of the thread that is done last."""
        if sum(n for n, _ in self.items) > MANY * threads:
            return self.cycles / threads
        items = sorted((part / n for n, part in self.items for _ in range(n)), reverse=True)
        return self.cycles * makespan(items, threads)

    def seconds(self, threads: int = 1) -> float | None:
        """Time of that thread; None where the clock rate is not known."""
        return self.slowest(threads) / self.hz if self.hz else None


def predicted(
    kernel: Kernel,
    machine: Machine,
    distances: Mapping[str, float] | None = None,
    storage: Mapping[str, str] | None = None,
    instructions: float | None = None,
) -> Prediction:
    """The cost of a scheduled kernel on a machine.

    Args:
        distances: bytes accessed since the last access to a buffer; a cache of that size still holds it. For buffers
            that are not given, the bytes of all buffers, as if the kernel ran again and again.
        storage: another name for buffers that share their memory with others.
        instructions: cycles of its instructions alone, if an equal kernel's have been counted.
    """
    start = _Start(kernel, distances or {}, storage or {})
    nest = nest_of(kernel, start.storage)
    sets = [machine.l1.sets, *(1 for _ in machine.sizes[1:])]
    levels = [nest.moved(Room(size / LINE, LINE, n)) for size, n in zip(machine.sizes, sets, strict=True)]
    kept = [start.without_first_reads(t, nest.footprint(LINE), n) for t, n in zip(levels, machine.sizes, strict=True)]
    pages = page_misses(nest, machine)
    crossings = tuple(_crossing(f"L{k}", t) for k, t in enumerate(kept, 1))
    instructions = cycles(kernel, machine) if instructions is None else instructions
    alone = _waits(kernel, levels[0], kept[1], machine, start.storage)
    total = cycles_of(instructions, crossings, pages, machine, alone)
    return Prediction(total, instructions, crossings, pages, _items(kernel, machine), machine.hz)


def cycles_of(
    instructions: float, crossings: Sequence[Crossing], pages: float, machine: Machine, alone: float = 0.0
) -> float:
    """Cycles of a kernel, by the cycles of its instructions, the lines that it moves and its TLB misses.

    Args:
        crossings: of all caches, nearest first.
        alone: cycles of waiting for far lines that are not prefetched.
    """
    near = crossings[0].read * LINE / machine.l2.bytes_per_cycle
    total = LAUNCH + instructions + machine.waits * (NEAR * near + PAGE_MISS * pages)
    rates = [*(LINE / level.bytes_per_cycle for level in machine.caches[2:]), LINE / machine.memory_bytes_per_cycle]
    moved = sum(rate * (c.read + WRITE * c.written) for rate, c in zip(rates, crossings[1:], strict=True))
    if crossings[1].read > ALL_FAR * crossings[0].read:
        return max(total, moved) + NOT_OVERLAPPED * min(total, moved)
    far = sum(rate * (FAR * c.read + WRITTEN * c.written) for rate, c in zip(rates, crossings[1:], strict=True))
    return max(total + machine.waits * (far + alone), near, moved)


def page_misses(nest: NestPart, machine: Machine) -> float:
    """First-level TLB misses of a kernel."""
    return sum(m.read for m in nest.moved(Room(machine.pages, PAGE)).values())


def _items(kernel: Kernel, machine: Machine) -> tuple[tuple[int, float], ...]:
    """The items of each nest, and their part of the cycles of all instructions: the ends of loops are small items."""
    nests = [band((stmt,), run="parallel") for stmt in kernel.body]
    counts = [prod(loop.extent or 0 for loop in nest) for nest in nests]
    if not nests or not all(counts) or not all(nests):
        return ((1, 1.0),)
    if len(nests) == 1:
        return ((counts[0], 1.0),)
    spent = [cycles(replace(kernel, body=(stmt,)), machine) for stmt in kernel.body]
    return tuple((n, part / sum(spent)) for n, part in zip(counts, spent, strict=True))


def _waits(kernel: Kernel, near: Traffic, far: Traffic, machine: Machine, storage: Mapping[str, str]) -> float:
    """Cycles of waiting for far lines that come one by one, after neither a neighbour nor a prefetch."""
    hinted = {storage.get(s.buffer, s.buffer) for s in walk(kernel.body) if isinstance(s, Prefetch)}
    alone = [m.read * near[name].runs / near[name].read for name, m in far.items() if m.read and name not in hinted]
    return sum(alone) * machine.caches[2].latency / IN_FLIGHT


class _Start:
    """Where a kernel finds its buffers."""

    def __init__(self, kernel: Kernel, distances: Mapping[str, float], storage: Mapping[str, str]) -> None:
        self.storage = storage
        buffers = [b for b in kernel.buffers().values() if b.space != "register"]
        usual = sum(b.type.storage_bytes for b in buffers)
        self.distances: dict[str, float] = {}
        for b in buffers:
            name, distance = storage.get(b.name, b.name), distances.get(b.name, usual)
            self.distances[name] = min(distance, self.distances.get(name, distance))

    def without_first_reads(self, moved: Traffic, footprint: Traffic, n_bytes: int) -> Traffic:
        """The traffic without the first access to each line that the cache holds when the kernel starts."""
        found: Traffic = {}
        for name, m in moved.items():
            once = footprint[name] if self.distances[name] <= n_bytes else Moved()
            found[name] = Moved(max(0.0, m.read - once.read), m.runs, max(0.0, m.written - once.written))
        return found


def _crossing(level: str, traffic: Traffic) -> Crossing:
    return Crossing(level, sum(m.read for m in traffic.values()), sum(m.written for m in traffic.values()))
