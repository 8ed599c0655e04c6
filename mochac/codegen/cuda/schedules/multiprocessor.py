"""A model of one multiprocessor: how many cycles it takes for its blocks of a contraction.

For each panel it counts the largest of products, issued instructions, shared memory and bytes from L2, plus what is not
hidden: waits for memory, for shared memory and at barriers. None of the constants has been compared with a device yet.
Products without windows take 0.8 to 1.25 times as long by the issue model of their machine code
(tests/codegen/cuda/issue_model.py).
"""

from __future__ import annotations

import math

from mochac.base.records import record
from mochac.codegen.cuda.schedules.block_tile import BlockTile
from mochac.codegen.cuda.schedules.sides import VECTOR, Side
from mochac.codegen.cuda.target import CudaTarget
from mochac.codegen.machine import Multiprocessor

TOGETHER = 8
"""Contiguous results of one memory access, 32 bytes."""
BROADCAST = 2
"""Least rounds of the banks of a load of 16 bytes, even if all lanes read the same ones."""
ROUND = 40
"""Instructions of a thread for each panel besides products, loads and copies."""
EDGE = 500
"""Cycles from the start of a block to its first load, plus those from its last product to its end."""


def cycles(tile: BlockTile, target: CudaTarget) -> float:
    """Estimated cycles of the multiprocessor with the most work."""
    m = target.machine
    panel, (twice, resident) = tile.panel, _buffered(tile, target, m)
    waves = -(-tile.blocks // target.multiprocessors) / resident
    fetch = m.l2_latency if panel.count > panel.starts else 0
    waits = (3 - twice) * m.barrier + 2 * m.shared_latency
    work = _work(tile, target, m, resident)
    one = max(fetch, _of_windows(work, waits) if tile.of.windows else _of_vectors(work, waits, resident))
    join = 2 * tile.results * tile.groups / m.banks + 2 * m.barrier + 4 * m.shared_latency if tile.exchanged else 0
    apart = 1 if tile.exchanged else max(1, TOGETHER / tile.columns.threads)
    stored = resident * tile.results / tile.of.columns.cells * apart * tile.of.size / m.l2_bytes_per_cycle
    wave = panel.count * one + join + stored + m.l2_latency * (panel.starts - 1)
    return EDGE + m.l2_latency + waves * wave


def halves(tile: BlockTile, target: CudaTarget) -> int:
    """2 for double buffering, so that one panel is filled while the other is read; 1 if there is no room for it, or if
    fewer blocks would run concurrently."""
    return _buffered(tile, target, target.machine)[0]


def _buffered(tile: BlockTile, target: CudaTarget, m: Multiprocessor) -> tuple[int, int]:
    """What `halves` says, and how many blocks a multiprocessor then runs concurrently."""
    single = _resident(tile, target, m, 1)
    if tile.panel.count > tile.panel.starts and tile.shared_bytes(2) <= target.room:
        double = _resident(tile, target, m, 2)
        if double >= single:
            return 2, double
    return 1, single


def _resident(tile: BlockTile, target: CudaTarget, m: Multiprocessor, twice: int) -> int:
    """Blocks that a multiprocessor runs concurrently: as many as there are and as fit; `twice`: as in `halves`."""
    a, b = tile.rows.registers, tile.columns.registers
    held = 0 if twice == 2 and target.copies_async else tile.copied / tile.threads
    registers = 40 + (a * b + held) * tile.of.size / 4 + 2 * (a + b)
    return max(1, min(
        -(-tile.blocks // target.multiprocessors),
        m.threads // tile.threads,
        m.shared_bytes // (tile.shared_bytes(twice) + 1024),
        int(m.registers // (registers * tile.threads)),
    ))  # fmt: skip


@record
class _Work:
    """What resident blocks do for a panel, in cycles.

    Attributes:
        products: of the scheduler with the most warps: each has its own units, and a warp stays with it.
        issued: its instructions.
        loads, copies: rounds of the banks of shared memory.
        from_l2: bytes from L2.
        alone: of a warp that no other disturbs.
        together: warps of that scheduler.
        copying: instructions of a thread to copy.
    """

    products: float
    issued: float
    loads: float
    copies: float
    from_l2: float
    alone: float
    together: int
    copying: float


def _work(tile: BlockTile, target: CudaTarget, m: Multiprocessor, resident: int) -> _Work:
    results, warps, words = tile.rows.registers * tile.columns.registers, tile.threads / m.warp, tile.of.size // 4
    together = math.ceil(resident * warps / m.schedulers)
    terms = tile.share(target.multiprocessors) * tile.panel.terms / tile.groups
    across = min(m.warp, tile.columns.threads)
    reads = (_read(tile, tile.rows, max(1, m.warp // across)), _read(tile, tile.columns, across))
    products = results * m.warp / m.products(tile.of.size)
    issued = results + sum(n for n, _ in reads)
    return _Work(
        products=m.schedulers * together * terms * products,
        issued=together * terms * issued,
        loads=resident * warps * terms * sum(r for _, r in reads) * words,
        copies=resident * 2 * tile.copied * words / m.banks,
        from_l2=resident * tile.copied * tile.of.size / m.l2_bytes_per_cycle,
        alone=terms * max(issued, products * min(warps, m.schedulers)),
        together=together,
        copying=tile.copied / tile.threads,
    )


def _of_windows(work: _Work, waits: float) -> float:
    """A panel whose elements are read one by one, between products, and copied one by one."""
    busy = max(work.products, work.issued, work.loads + work.copies, work.from_l2)
    return max(busy, work.alone + 4 * work.copying + waits)


def _of_vectors(work: _Work, waits: float, resident: int) -> float:
    """A panel that is read in vectors of several terms: while a warp waits for them, only others of its scheduler
    multiply; and nothing hides what a single block waits for."""
    others = work.together * (ROUND + work.copying)
    busy = max(work.products + work.loads / work.together + others, work.issued + others, work.loads + work.copies / 2)
    return max(busy, work.from_l2) + waits / resident


def _read(tile: BlockTile, side: Side, distinct: int) -> tuple[float, float]:
    """Loads from shared memory per term of a warp: instructions, and bank accesses; `distinct` rows."""
    if (side.of.vector and tile.panel.aligned(tile.groups)) or side.vector:
        rounds = max(1 if tile.of.windows else BROADCAST, distinct / 8)
        return side.registers / VECTOR, side.registers * rounds / VECTOR
    loads = side.registers * (side.neighbours + side.of.taps - 1) / (side.neighbours * side.of.taps)
    return loads, loads
