"""Few results of long sums of products, as in weight gradients of convolutions.

    for tile of results (block):  threads share the terms, each adds products to a tile in registers;  tiles are joined

Tiles as for large products would leave most of the device idle, because there are fewer results than threads.
"""

from __future__ import annotations

import itertools
import math

from mochac.codegen.cuda.schedules import contraction
from mochac.codegen.cuda.schedules.contraction_form import Contraction
from mochac.codegen.cuda.schedules.contraction_form import contraction as analysed
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.kernel import Accum, Kernel, walk
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.block_reduce import BlockReduce
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.grid import Blocks, Threads
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Unroll
from mochac.ir.steps.split import Split

MIN_TERMS = 1024
THREADS = 256
MAX_TILE = 30
"""Maximum results of a block; each takes two registers of a thread."""
LATENCY, JOIN = 60, 200
"""Minimum cycles of one round of terms, and cycles to join one result."""


def rule(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """The schedule, or None if the sums are short or tiles of results are faster."""
    form = analysed(kernel)
    if form is None:
        return None
    tiled, own = contraction.cycles(kernel, form, target), cycles(kernel, form, target)
    if own == math.inf or (tiled is not None and own > tiled.cycles):
        return None
    held = _registers(form, math.prod(n for _, n in form.terms), target)
    return Schedule("contraction.long-sum", (*form.before, *_steps(form, held, accumulator(kernel))))


def cycles(kernel: Kernel, form: Contraction, target: CudaTarget) -> float:
    """Estimated cycles; infinitely many if the rule is not for the kernel."""
    if not form.rows or not form.columns or form.window or not contraction.worthwhile(kernel, form, MIN_TERMS):
        return math.inf
    terms = math.prod(n for _, n in form.terms)
    return _cost(form, terms, _registers(form, terms, target), target)


def _registers(form: Contraction, terms: int, target: CudaTarget) -> dict[str, int]:
    """How many results along the last row and the last column variable a thread holds."""
    (row, rows), (column, columns) = form.rows[-1], form.columns[-1]
    sizes = [
        {row: a, column: b}
        for a, b in itertools.product(range(1, min(rows, 8) + 1), range(1, min(columns, 8) + 1))
        if a * b <= MAX_TILE
    ]
    return min(sizes, key=lambda held: _cost(form, terms, held, target))


def _cost(form: Contraction, terms: int, held: dict[str, int], target: CudaTarget) -> float:
    """Cycles: products and loads of the blocks that one multiprocessor runs, and their joins."""
    dims = (*form.rows, *form.columns, *form.both)
    blocks = math.prod(-(-extent // held.get(var, 1)) for var, extent in dims)
    results = math.prod(held.values())
    work = terms * (results / 128 + sum(held.values()) / 21)
    rounds = math.ceil(blocks / target.multiprocessors)
    return max(rounds * work, terms / THREADS * LATENCY) + rounds * results * JOIN / 4


def accumulator(kernel: Kernel) -> str:
    """The local that the sum adds to."""
    return next(s.buffer for s in walk(kernel.body) if isinstance(s, Accum))


def _steps(form: Contraction, held: dict[str, int], local: str) -> tuple[Step, ...]:
    splits: list[Step] = []
    blocks, registers = [var for var, _ in form.both], list[str]()
    for var, extent in (*form.rows, *form.columns):
        size = held.get(var, 1)
        if size == 1:
            blocks.append(var)
        elif size == extent:
            registers.append(var)
        else:
            splits.append(Split(var, size, f"{var}_b", f"{var}_i"))
            blocks.append(f"{var}_b")
            registers.append(f"{var}_i")
    sums = tuple(var for var, _ in form.terms)
    return (
        *splits,
        Reorder((*blocks, *registers)),
        *(Distribute(var, sums) for var in reversed(registers)),
        *(Unroll(var) for var in registers),
        Threads(sums, THREADS),
        *((BlockReduce(local),) if registers else ()),
        *((Blocks(tuple(blocks)),) if blocks else ()),
    )
