"""A model of one multiprocessor: how many cycles it takes for its blocks of a contraction.

For each panel it counts the largest of products, issued instructions, shared memory and bytes from L2, plus what is not
hidden: waits for memory, for shared memory and at barriers. None of the constants has been compared with a device yet.
Products and convolutions take 0.8 to 1.25 times as long by the issue model of their machine code
(tests/codegen/cuda/issue_model.py).
"""

from __future__ import annotations

import math

from mochac.codegen.cuda.schedules.block_tile import BlockTile
from mochac.codegen.cuda.schedules.sides import VECTOR
from mochac.codegen.cuda.target import CudaTarget
from mochac.codegen.machine import Multiprocessor

TOGETHER = 8
"""Contiguous results of one memory access, 32 bytes."""
BROADCAST = 2
"""Least rounds of the banks of a load of 16 bytes, even if all lanes read the same ones."""
ROUND, COPY = 40, 3
"""Instructions of a thread for each panel besides products, loads and copies; and for each copy, with its address."""
STALLS, WAITED = 1.1, 1.3
"""Cycles of a scheduler for each product or load; and of waiting for each round of the banks."""
EDGE = 500
"""Cycles from the start of a block to its first load, plus those from its last product to its end."""


def cycles(tile: BlockTile, target: CudaTarget) -> float:
    """Estimated cycles of the multiprocessor with the most work."""
    m = target.machine
    panel, (twice, resident) = tile.panel, _buffered(tile, target, m)
    waves = -(-tile.blocks // target.multiprocessors) / resident
    fetch = m.l2_latency if panel.count > panel.starts else 0
    one = max(fetch, panel_cycles(tile, target, twice, resident))
    join = 2 * tile.results * tile.groups / m.banks + 2 * m.barrier + 4 * m.shared_latency if tile.exchanged else 0
    scattered = 1 if tile.exchanged else max(1, TOGETHER / tile.columns.threads)
    stored = resident * tile.results / tile.of.columns.cells * scattered * tile.of.size / m.l2_bytes_per_cycle
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
    copied = 0 if twice == 2 and target.copies_async else tile.copied / tile.threads
    registers = 40 + (a * b + copied) * tile.of.size / 4 + 2 * (a + b)
    return max(1, min(
        -(-tile.blocks // target.multiprocessors),
        m.threads // tile.threads,
        m.shared_bytes // (tile.shared_bytes(twice) + 1024),
        int(m.registers // (registers * tile.threads)),
    ))  # fmt: skip


def panel_cycles(tile: BlockTile, target: CudaTarget, twice: int, resident: int) -> float:
    """Cycles of a panel of the resident blocks. While a warp waits for its loads, only others of its scheduler
    multiply; and nothing hides what a single block waits for."""
    m, words = target.machine, tile.of.size // 4
    results, warps = tile.rows.registers * tile.columns.registers, resident * tile.threads / m.warp
    together = math.ceil(warps / m.schedulers)  # warps of the scheduler with the most: a warp stays with it
    terms = tile.share(target.multiprocessors) * tile.panel.terms / tile.groups
    across = min(m.warp, tile.columns.threads)
    (rows, wide), (columns, wide_too) = map(tile.loads, tile.sides)
    banks = rows * _banks(wide, max(1, m.warp // across)) + columns * _banks(wide_too, across)
    loads, copies = warps * terms * banks * words, resident * (3 - twice) * tile.copied * words / m.banks
    products = m.schedulers * together * terms * results * m.warp / m.products(tile.of.size)
    others = together * (ROUND + COPY * tile.copies)
    issued = together * terms * STALLS * (results + rows + columns)
    from_l2 = resident * tile.copied * tile.of.size / m.l2_bytes_per_cycle
    shared = loads + copies + others / 2
    busy = max(products + WAITED * loads / together + others, issued + others, shared, from_l2)
    stored = copies / 2 if twice == 1 else 0  # between barriers, while no warp of the block multiplies
    return busy + stored + ((3 - twice) * m.barrier + 2 * m.shared_latency) / resident


def _banks(width: int, distinct: int) -> float:
    """Rounds of the banks of a load of so many elements, by a warp that reads so many different rows."""
    return max(BROADCAST, distinct / 8) if width == VECTOR else 1
