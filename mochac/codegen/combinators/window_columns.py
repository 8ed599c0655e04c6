"""Window columns: neighbouring windows are computed side by side in registers, and share what they load.

    each column in 0..16 {                      each column_o in 0..2 {
      best[] = -inf                               each column_i in 0..8 { best[column_i] = -inf }
      for i in 0..3 { for j in 0..3 {             for i in max(0, ..)..min(3, ..) { for j in 0..3 {
        if .. { best[] = max(x[..], best[]) }  ->   each column_i in 0..8 { if .. { best[column_i] = max(x[..], ..) } }
      } }                                         } }
      y[column] = best[]                          each column_i in 0..8 { y[8*column_o + column_i] = best[column_i] }
    }                                           }                                        and the tile at the border

Only rows inside of the image are visited, and only the tiles at the borders have conditions on columns.
"""

from __future__ import annotations

from mochac.codegen.analysis.nests import edge_tiles, used_with
from mochac.codegen.combinators.lanes import lanes
from mochac.codegen.combinators.register_tile import register_tile
from mochac.ir.kernel import Loop, loops_named, walk
from mochac.ir.schedule_builder import Handle, ScheduleBuilder, because
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.run import Unroll
from mochac.ir.steps.split import Peel


@because("neighbouring windows share what they read; their results stay in registers")
def window_columns(b: ScheduleBuilder, column: str, size: int, vector: bool = False, clipped: bool = True) -> None:
    """Cut a loop over windows into tiles held in registers.

    Args:
        vector: whether tiles are lanes instead.
        clipped: whether rows outside of the image are skipped.
    """
    rows, columns = window_loops(b, column)
    edges = edge_tiles(b.kernel, column, size)
    for row in rows if clipped else ():
        b.fits(Clip(row))
    if vector:
        tiles, _ = lanes(b, column, size, "guard")
    else:
        ((tiles, _),) = register_tile(b, (column, size))
    if any(edges):
        b.add(Peel(tiles, *edges))
    b.add(*(Unroll(loop) for loop in columns))


def window_loops(b: ScheduleBuilder, column: str) -> tuple[list[Handle], list[Handle]]:
    """The loops over the rows of a window and those over its columns, which move together with `column`."""
    (nest, *_) = loops_named(b.kernel.body, column)
    along = used_with((nest,), column)
    inner = [Handle(s.var) for s in walk(nest.body) if isinstance(s, Loop) and s.kind != "each"]
    return [v for v in inner if v not in along], [v for v in inner if v in along]
