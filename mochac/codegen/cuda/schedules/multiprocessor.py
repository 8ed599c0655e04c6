"""A model of one multiprocessor: how many cycles it takes for its blocks of a contraction.

For each panel it counts the largest of products, issued instructions, shared memory and bytes from L2, plus what is not
hidden: waits for memory, for shared memory and at barriers. None of the constants has been compared with a device yet.
"""

from __future__ import annotations

import math

from mochac.codegen.cuda.schedules.block_tile import BlockTile
from mochac.codegen.cuda.schedules.sides import VECTOR, Side
from mochac.codegen.cuda.target import CudaTarget

TOGETHER = 8
"""Contiguous results of one memory access, 32 bytes."""
EDGE = 500
"""Cycles from the start of a block to its first load, plus those from its last product to its end."""


def cycles(tile: BlockTile, target: CudaTarget) -> float:
    """Estimated cycles of the multiprocessor with the most work."""
    m = target.machine
    panel, twice = tile.panel, halves(tile, target)
    resident = _resident(tile, target, twice)
    waves = -(-tile.blocks // target.multiprocessors) / resident
    busy, alone = _round(tile, target, resident)
    fetch = m.l2_latency if panel.count > panel.starts else 0
    one = max(fetch, alone + (3 - twice) * m.barrier + 2 * m.shared_latency, busy)
    join = 2 * tile.results * tile.groups / m.banks + 2 * m.barrier + 4 * m.shared_latency if tile.exchanged else 0
    apart = 1 if tile.exchanged else max(1, TOGETHER / tile.columns.threads)
    stored = resident * tile.results / tile.of.columns.cells * apart * tile.of.size / m.l2_bytes_per_cycle
    wave = panel.count * one + join + stored + m.l2_latency * (panel.starts - 1)
    return EDGE + m.l2_latency + waves * wave


def halves(tile: BlockTile, target: CudaTarget) -> int:
    """2 for double buffering, so that one panel is filled while the other is read; 1 if there is no room for it, or if
    fewer blocks would run concurrently."""
    fits = tile.panel.count > tile.panel.starts and tile.shared_bytes(2) <= target.shared_bytes
    return 2 if fits and _resident(tile, target, 2) == _resident(tile, target, 1) else 1


def _resident(tile: BlockTile, target: CudaTarget, twice: int) -> int:
    """Blocks that a multiprocessor runs concurrently: as many as there are and as fit; `twice`: as in `halves`."""
    a, b = tile.rows.registers, tile.columns.registers
    registers = 40 + (a * b + tile.copied / tile.threads) * tile.of.size / 4 + 2 * (a + b)
    return max(1, min(
        -(-tile.blocks // target.multiprocessors),
        target.machine.threads // tile.threads,
        target.machine.shared_bytes // (tile.shared_bytes(twice) + 1024),
        int(target.machine.registers // (registers * tile.threads)),
    ))  # fmt: skip


def _round(tile: BlockTile, target: CudaTarget, resident: int) -> tuple[float, float]:
    """Cycles of a panel's products and copies: with all warps of so many blocks, and of a single warp alone.

    A warp stays with one of the schedulers, each of which has its own units: the one with the most warps decides.
    """
    m = target.machine
    results, warps, words = tile.rows.registers * tile.columns.registers, tile.threads / m.warp, tile.of.size // 4
    issuing = m.schedulers * math.ceil(resident * warps / m.schedulers)
    terms = tile.panel.terms / tile.groups
    across = min(m.warp, tile.columns.threads)
    reads = (_read(tile, tile.rows, max(1, m.warp // across)), _read(tile, tile.columns, across))
    products = results * m.warp / m.products(tile.of.size)
    issued = results + sum(n for n, _ in reads)
    rounds, copies = warps * terms * sum(r for _, r in reads) * words, 2 * tile.copied * words / m.banks
    from_l2 = tile.copied * tile.of.size / m.l2_bytes_per_cycle
    share = tile.share(target.multiprocessors)
    busy = max(
        share * issuing * terms * products,
        share * issuing * terms * issued / m.schedulers,
        resident * (share * rounds + copies),
        resident * from_l2,
    )
    alone = share * terms * max(issued, products * min(warps, m.schedulers)) + 4 * tile.copied / tile.threads
    return busy, alone


def _read(tile: BlockTile, side: Side, distinct: int) -> tuple[float, float]:
    """Loads from shared memory per term of a warp: instructions, and bank accesses; `distinct` rows."""
    if (side.of.vector and tile.panel.aligned(tile.groups)) or side.vector:
        return side.registers / VECTOR, side.registers * max(1, distinct / 8) / VECTOR
    loads = side.registers * (side.neighbours + side.of.taps - 1) / (side.neighbours * side.of.taps)
    return loads, loads
