"""Lines of tiles between the passes of a transform (ops/_winograd.py): in registers, or in scratch memory if too many.

    each line unroll { .. tile[0, line] = .. }      ->      each line { .. tile[0, line] = .. }
    each column unroll { .. = tile[column, 0] .. }          each column { .. = tile[column, 0] .. }

Of 8 x 8 values, 32 registers would spill half. Loops take as long as unrolled code that spills them, 0.93 to 1.01 of
the time on Zen 5 for LeNet and CIFAR-10 and 0.96 to 1.02 with AVX2, and LLVM compiles a weight gradient in half the
time. With 6 x 6 values, they take up to 1.09 times as long.
"""

from __future__ import annotations

from math import prod

from mochac.ir.kernel import Accum, Load, Store, walk
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.run import Place, Unroll

MOST = 2
"""Tiles of so many values per register, or more, lie in memory."""


def in_memory(values: int, registers: int) -> bool:
    """Whether a tile with so many values, each a vector, lies in scratch memory.

    >>> in_memory(8 * 8, 32), in_memory(6 * 6, 32)
    (True, False)
    """
    return values >= MOST * registers


def tile_lines(b: ScheduleBuilder, lines: tuple[str, ...], tiles: tuple[str, ...], registers: int) -> None:
    """Keep tiles in registers and unroll the loops over their lines, but for tiles with too many values. Loops that add
    to an image are unrolled in any case: as loops, an adjoint takes 1.15 times as long.

    Args:
        lines: the loops over lines of tiles.
        tiles: locals with the lines of a tile. Their last axis is that of the lanes.
    """
    buffers = b.kernel.buffers()
    large = {name for name in tiles if in_memory(prod(buffers[name].type.shape[:-1]), registers)}
    accesses = [s for s in walk(b.kernel.body) if isinstance(s, (Load, Store, Accum))]
    small = {*tiles} - large
    fixed = {v for s in accesses if isinstance(s, Accum) or s.buffer in small for i in s.index for v in i.vars}
    b.reason = "a line of a tile stays in registers"
    b.add(*(Unroll(line) for line in lines if line in fixed))
    b.add(*(Place(name, "register") for name in tiles if name not in large))
