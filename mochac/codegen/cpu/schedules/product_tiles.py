"""Products of pairs in tile registers (AMX): forward and both gradients of natural activations.

    for block of columns:                     a forward product copies what it reads of the weight, transposed
      for block of rows:
        2 x 2 tiles of sums, over the terms:  2 tiles of rows and 2 of columns are loaded, 4 products
        store the sums; epilogue in vectors

A tile has at most 16 rows of 16 pairs. Terms are cut into equal parts, since the eight registers have no room for four
tiles of another shape; where equal parts would be short, 2 x 1 tiles of sums leave room. Tiles at the ends of rows and
columns are smaller. Sums pass through scratch: there is no instruction that moves a row of a tile to a vector. A weight
gradient copies a block of the gradient, transposed, and its blocks of columns are inside of those of rows.
"""

from __future__ import annotations

from mochac.base.records import record
from mochac.codegen.analysis.nests import block_lanes
from mochac.codegen.combinators.caches import share_items
from mochac.codegen.cpu.schedules.product import Product, product
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel, multiply_adds
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import Handle, ScheduleBuilder
from mochac.ir.steps.merge import Distribute, Reorder
from mochac.ir.steps.run import Vector
from mochac.ir.steps.storage import Permute
from mochac.ir.steps.tile_registers import TileRegisters
from mochac.ir.steps.vectors import Transpose
from mochac.ir.tile_nests import COLUMNS, ROWS, TERMS

LEAST_TERMS = 8
"""Minimum pairs that an instruction sums: half of what it can."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule; None unless the kernel is such a product, and the CPU has tile registers."""
    if not target.tiles or block_lanes(kernel) or {s.fn for s in multiply_adds(kernel.body)} != {"dot2"}:
        return None
    p = product(kernel)
    if p is None or not (p.forward or p.data_gradient or p.weight_gradient):
        return None
    rows, _, terms = p.sizes()
    return None if terms < LEAST_TERMS else _scheduled(p, _block(rows, terms), target)


@record
class _Block:
    """What is summed together: tiles of rows and of columns, and the pairs that an instruction sums."""

    down: int
    across: int
    terms: int


def _block(rows: int, terms: int) -> _Block:
    """The block for a product of this size.

    >>> _block(100, 392), _block(100, 125), _block(8, 64)
    (_Block(down=2, across=2, terms=14), _Block(down=2, across=1, terms=16), _Block(down=1, across=3, terms=16))
    """
    equal, one = max(n for n in range(1, TERMS + 1) if terms % n == 0), rows <= ROWS
    if equal < LEAST_TERMS:
        return _Block(1, 2, TERMS) if one else _Block(2, 1, TERMS)
    return _Block(1, 3, equal) if one else _Block(2, 2, equal)


def _scheduled(p: Product, block: _Block, target: CpuTarget) -> Schedule:
    b = ScheduleBuilder(p.form.kernel)
    b.reason = "what a block reads stays near while all blocks along the other axis use it"
    blocks, inside = dict[str, Handle](), {p.row: Handle(p.row), p.column: Handle(p.column)}
    outer, inner = (p.row, p.column) if p.weight_gradient else (p.column, p.row)
    sizes = {p.row: block.down * ROWS, p.column: block.across * COLUMNS}
    b.add(Reorder((outer, inner)))
    blocks[outer], inside[outer] = b.split(outer, sizes[outer], "cut")
    b.add(Reorder((inner, inside[outer])))
    blocks[inner], inside[inner] = b.split(inner, sizes[inner], "cut")
    b.reason = "every tile that is loaded is used by several products"
    row_tile, row = b.split(inside[p.row], ROWS, "cut")
    column_tile, column = b.split(inside[p.column], COLUMNS, "cut")
    for loop in (row_tile, row, column_tile, column):
        b.add(Distribute(loop, ("*",)))
    copied = {p.forward: p.right, p.weight_gradient: p.left}.get(True, "")
    if copied:
        b.reason = "what a block reads is copied, so that tiles have terms along the axis that their instruction sums"
        copy = b.stage(copied, blocks[outer], "scratch")
        if p.weight_gradient:
            b.add(Permute(copy, (*range(1, len(b.kernel.buffers()[copy].type.shape)), 0)))
    b.reason = "an instruction sums a part of the terms"
    _, term = b.split(p.term, block.terms, "cut")
    if p.forward:
        b.add(Distribute(term, (column_tile, column)), Transpose(p.right, column, term))
    if p.weight_gradient:
        b.add(Distribute(term, (row_tile,)), Transpose(p.left, term, row))
    b.add(TileRegisters(p.form.accumulator, row, column, term), Vector(f"{column}.out"))
    share_items(b, *p.form.shared, blocks[outer], *(() if copied else (blocks[inner],)), least=target.team)
    return b.schedule("product.tiles")
