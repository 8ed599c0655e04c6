"""Few results of long sums of products, as in weight gradients of convolutions.

    for tile of results (block):  threads share the terms, each adds products to a tile in registers;  tiles are joined

Tiles as for large products would leave most of the device idle, because there are fewer results than threads.
"""

from __future__ import annotations

import itertools
import math

from mochac.codegen.analysis.contraction import Contraction
from mochac.codegen.combinators.sums import block_reduction
from mochac.codegen.combinators.tiles import ThreadTile, hold
from mochac.codegen.cuda.schedules.block_tile import sizes
from mochac.codegen.cuda.schedules.contraction import large
from mochac.codegen.cuda.schedules.tiles import best_tile
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.kernel import If, Kernel, walk
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.run import Blocks

MIN_TERMS = 1024
THREADS = 256
MAX_TILE = 30
"""Maximum results of a block; each takes two registers of a thread."""
LATENCY, JOIN = 180, 200
"""Minimum cycles of one round of terms, which wait for L1 or L2, and cycles to join one result."""
APART = 2.5
"""How much longer loads under conditions take, some of which wait for each other."""


def rule(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """The schedule, or None if the sums are short or tiles of results are faster."""
    form = large(kernel)
    if form is None:
        return None
    cycles, held = best_held(form, target)
    if not held or cycles > best_tile(sizes(form), target)[0]:
        return None
    b = ScheduleBuilder(kernel, form.steps, form.kernel)
    b.reason = "a block of threads computes a few results, and its threads share their sums"
    results = ThreadTile([*form.shared])
    for loop in (*form.rows, *form.columns):
        results.cut(b, loop, 1, held.get(loop, 1))
    results.nest(b)
    hold(b, *reversed(results.registers), past=form.terms)
    block_reduction(b, form.terms, THREADS, form.accumulator if results.registers else "")
    b.add(Blocks(tuple(results.blocks)))
    return b.schedule("contraction.long-sum")


def best_held(form: Contraction, target: CudaTarget) -> tuple[float, dict[str, int]]:
    """How many results along the last loop of rows and of columns a thread holds, after the cycles that it takes; none
    and infinitely many if the rule is not for the kernel."""
    if form.window or form.size(form.terms) < MIN_TERMS:
        return math.inf, {}
    row, column = form.rows[-1], form.columns[-1]
    sides = (range(1, min(form.extent[loop], 8) + 1) for loop in (row, column))
    tiles = ({row: a, column: b} for a, b in itertools.product(*sides) if a * b <= MAX_TILE)
    return min(((_cycles(form, held, target), held) for held in tiles), key=lambda found: found[0])


def _cycles(form: Contraction, held: dict[str, int], target: CudaTarget) -> float:
    """Products and loads of the blocks that one multiprocessor runs, and their joins; by the issue model of their code
    (tests/codegen/cuda/issue_model.py), most of the time of few blocks goes by in waiting."""
    terms, results = form.size(form.terms), math.prod(held.values())
    dims = form.dims((*form.rows, *form.columns, *form.shared))
    blocks = math.prod(-(-extent // held.get(loop, 1)) for loop, extent in dims)
    rounds = math.ceil(blocks / target.multiprocessors)
    loads = sum(held.values())
    work = terms * (results / 128 + loads / 21)
    turns = APART if any(isinstance(s, If) for s in walk(form.kernel.body)) else 1
    return max(rounds * work, terms / THREADS * LATENCY * turns) + rounds * results * JOIN / 4
