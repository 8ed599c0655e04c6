"""tile_nests: nests that run on whole tile registers, as those of AMX.

    each r in 0..16 tile { each c in 0..16 tile { %acc[.., r, c] = 0.0:f32 } }

    each r in 0..16 tile { each c in 0..16 tile { sum k in 0..14 tile {
      %a = %x[.. r .., .. k ..]
      %b = %w[.. k .., .. c ..]
      %acc[.., r, c] = dot2(%a, %b, %acc[.., r, c])
    } } }

    each r in 0..16 tile { each c in 0..16 tile { %v = %acc[.., r, c];  %y[.. r .., .. c ..] = %v } }

A local in space "tile" holds sums, a tile register for each of its first indices. Its last two axes are the rows of the
register, and the float32 numbers of a row. One instruction each clears such a register, loads a factor, adds products,
and stores results. What `sum k tile` adds, and in which order, says ir/bfloat16.py.
"""

from __future__ import annotations

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Buffer, Const, Load, Loop, Store

ROWS = COLUMNS = TERMS = 16
"""The most rows of a tile register; the most numbers, or pairs, of a row; the most pairs that one instruction sums."""
REGISTERS = 8
SPACE = "tile"


Access = Load | Store | Accum


@record
class TileOperand:
    """A tile in memory or in a register: the statement that accesses it, and the loops over its rows and over the
    elements of a row."""

    stmt: Access
    row: Loop
    column: Loop

    @property
    def buffer(self) -> str:
        return self.stmt.buffer

    @property
    def index(self) -> tuple[Index, ...]:
        return self.stmt.index

    @property
    def shape(self) -> tuple[int, int]:
        """Rows, and elements of a row, of four bytes each."""
        return self.row.extent or 0, self.column.extent or 0

    def fits(self, buffer: Buffer) -> bool:
        """Whether elements of a row are neighbours, and rows move along other axes."""
        *outer, last = self.index
        moves = [i.coefficient(self.row.var) for i in outer]
        independent = not any(i.coefficient(self.column.var) for i in outer) and not last.coefficient(self.row.var)
        return not buffer.type.lanes and last.coefficient(self.column.var) == 1 and sum(moves) > 0 and independent


@record
class TileNest:
    """A nest of tile loops.

    Attributes:
        sums: the register.
        moved: of a product its two factors, of a store the place that is stored to; of a nest that clears, nothing.
    """

    sums: TileOperand
    moved: tuple[TileOperand, ...] = ()

    @property
    def is_product(self) -> bool:
        return isinstance(self.sums.stmt, Accum)

    @property
    def operands(self) -> tuple[TileOperand, ...]:
        """What lies in registers while the nest runs."""
        return (self.sums, *self.moved) if self.is_product else (self.sums,)


def tile_nest(loop: Loop) -> TileNest | None:
    """The nest that begins with a tile loop; None if it is none of the three."""
    row, column = loop, loop.body[0] if len(loop.body) == 1 else None
    if not isinstance(column, Loop) or not _is_tile(row, "each") or not _is_tile(column, "each"):
        return None
    match column.body:
        case (Store(_, _, Const(0.0, "f32")) as stmt,):
            return TileNest(TileOperand(stmt, row, column))
        case (Load() as load, Store() as stmt) if stmt.value == load.name:
            return TileNest(TileOperand(load, row, column), (TileOperand(stmt, row, column),))
        case (Loop() as term,) if _is_tile(term, "sum"):
            return _product(row, column, term)
        case _:
            return None


def _product(row: Loop, column: Loop, term: Loop) -> TileNest | None:
    match term.body:
        case (Load() as one, Load() as other, Accum(_, _, "dot2", args) as stmt):
            loads = {one.name: one, other.name: other}
            first, second = (loads.get(a) if isinstance(a, str) else None for a in args)
            if first is None or second is None or first is second:
                return None
            return TileNest(
                TileOperand(stmt, row, column), (TileOperand(first, row, term), TileOperand(second, term, column))
            )
        case _:
            return None


def _is_tile(loop: Loop, kind: str) -> bool:
    return loop.run == "tile" and loop.kind == kind and loop.lo.const == 0 and 0 < (loop.extent or 0) <= ROWS
