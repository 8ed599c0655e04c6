"""Cache block: a long sum runs in blocks of terms, each block for many tiles, so that what the tiles share stays near.

    each o_o { each n_o {                              each o_o {
      acc[..] = 0                                        each n_o { acc[n_o, ..] = 0 }
      sum f in 0..800 { acc[..] += x[n, f] * w[o, f] }   for f_o in 0..4 {
      y[..] = acc[..]                               ->     w.tile[..] = w[o, 256*f_o + ..]                  (packed)
    } }                                                    each n_o {
                                                             acc.reg[..] = acc[n_o, ..]
                                                             sum f_i in 0..256 { acc.reg[..] += x[..] * w.tile[..] }
                                                             acc[n_o, ..] = acc.reg[..]
                                                         } }
                                                         each n_o { y[..] = acc[n_o, ..] }
                                                       }

Between blocks, accumulators wait in scratch memory; inside, they are in registers. The part of an operand that all
tiles of a block read may be packed: it is copied to scratch memory in the order in which it is read, so that it takes
few cache lines.
"""

from __future__ import annotations

from mochac.ir.schedule_builder import Handle, ScheduleBuilder, because
from mochac.ir.steps.merge import Distribute
from mochac.ir.steps.run import Place


@because("a block of terms is read once into the near cache, and used by all tiles before the next one")
def cache_block(b: ScheduleBuilder, term: str, size: int, *tiles: str) -> tuple[Handle, Handle]:
    """Cut the loop of a sum into blocks of terms, and move loops over tiles into it, the last innermost.

    Returns:
        The loop over blocks and the loop inside a block.
    """
    block, inner = b.split(term, size, "cut")
    for tile in reversed(tiles):
        b.add(Distribute(tile, (block,)))
    return block, inner


@because("sums wait in near memory from block to block, and are in registers while they grow")
def keep_near(b: ScheduleBuilder, accumulators: str, tile: str) -> None:
    """Keep the accumulators of a tile in registers inside of the loop `tile`, and in scratch memory outside."""
    b.stage(accumulators, tile)
    b.add(Place(accumulators, "scratch"))
