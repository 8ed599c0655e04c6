"""Tiles of results in registers or among threads, lanes of vectors, and unrolled loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mochac.codegen.analysis.nests import block_lanes
from mochac.ir.kernel import Kernel
from mochac.ir.nest import extents
from mochac.ir.schedule_builder import ALL, Handle, ScheduleBuilder, because
from mochac.ir.steps.merge import Distribute, Reorder
from mochac.ir.steps.run import Threads, Unroll, Vector
from mochac.ir.steps.split import Peel


@because("the results of a tile stay in registers while their sum runs, so that what is loaded is used several times")
def register_tile(
    b: ScheduleBuilder, *sizes: tuple[str, int], past: Sequence[str] = ALL
) -> list[tuple[Handle, Handle]]:
    """Cut each loop into tiles of a size, and hold their results in registers.

    each o in 0..500 { each q in 0..4 {             each o_o in 0..83 { each q_o in 0..1 {
      acc[] = 0                                       each o_i in 0..6 { each q_i in 0..4 { acc[o_i, q_i] = 0 } }
      sum f in 0..800 {                               sum f in 0..800 {
        acc[] = fma(w[o, f], x[q, f], acc[])   ->       each o_i in 0..6 { each q_i in 0..4 {
      }                                                   acc[o_i, q_i] = fma(w[6*o_o + o_i, f], x[..], acc[o_i, q_i])
      y[o, q] = acc[]                                 } } }
    } }                                               each o_i in 0..6 { each q_i in 0..4 { y[..] = acc[o_i, q_i] } }
                                                    } }                                          and the remaining rows

    Each of the 24 accumulators stays in a register, since the loops of a tile are unrolled. Every w that is loaded is
    used 4 times, every x 6 times.

    Args:
        sizes: the loops with the sizes of their tiles, outermost first.
        past: the loops that tiles move into, if not all.

    Returns:
        For each loop, the loop over tiles and the loop inside a tile.
    """
    tiles = [b.split(loop, size, "cut") for loop, size in sizes]
    hold(b, *(inner for _, inner in tiles), past=past)
    return tiles


@because("these results stay in registers while their sum runs")
def hold(b: ScheduleBuilder, *loops: str, past: Sequence[str] = ALL) -> None:
    """Hold the results of whole loops in registers."""
    for loop in loops:
        b.add(Distribute(loop, tuple(past)))
    b.add(*(Unroll(loop) for loop in loops))


@because("one instruction works on a whole vector of neighbours")
def lanes(b: ScheduleBuilder, loop: str, count: int, tail: str) -> tuple[Handle, Handle]:
    """Run a loop in vectors.

    each n in 0..100 { each c in 0..30 {       each n_o in 0..7 { each c in 0..30 {
      y[n, c] = f(x[n, c])                ->     each n_i in 0..16 vector { y[16*n_o + n_i, c] = f(x[16*n_o + n_i, c]) }
    } }                                        } }

    Over the batch of blocked values no lane shuffles are ever needed, whatever the kernel; over the last axis of
    natural values a vector is one load.

    Args:
        count: lanes of a vector.
        tail: what is done with the last vector, as in Split: "pad", "guard" or "cut".

    Returns:
        The loop over vectors, and the loop over lanes.
    """
    outer, lane = b.split(loop, count, tail)
    whole_lanes(b, lane)
    return outer, lane


@because("one instruction works on a whole vector of neighbours")
def whole_lanes(b: ScheduleBuilder, loop: str) -> None:
    """Run a short loop as one vector."""
    b.add(Distribute(loop, ALL), Vector(loop))


def columns_together(kernel: Kernel, samples: int, count: int) -> int:
    """Neighbouring columns whose samples fill a vector of `count` lanes, if these lie side by side in memory; else
    1."""
    return count // samples if block_lanes(kernel) == samples else 1


@because("neighbouring columns, each with all samples, fill a vector that samples alone do not fill")
def lanes_together(b: ScheduleBuilder, column: str, samples: str, columns: int) -> None:
    """Run the samples, whose loop is the innermost, as lanes, those of several columns together."""
    some = b.split(column, columns, "cut")[1] if columns > 1 else ""
    b.add(Vector(samples))
    if some:
        b.fits(Vector(some))


@because("a long sum runs in vectors, as many short sums that are added up at its end")
def partial_lanes(
    b: ScheduleBuilder, accumulator: str, term: str, count: int, peeled: bool = False
) -> tuple[Handle, Handle]:
    """Sum in vectors along the loop `term`.

    acc[] = 0                                    each k_i in 0..16 vector { acc[k_i] = 0 }
    sum k in 0..800 {                            sum k_o in 0..50 {
      acc[] = fma(x[k], w[k], acc[])               each k_i in 0..16 vector { acc[k_i] = fma(x[..], w[..], acc[k_i]) }
    }                                     ->     }
    y = acc[]                                    sum k_i_s in 0..16 vector { acc.sum[] = add(acc[k_i_s], acc.sum[]) }
                                                 y = acc.sum[]

    For sums along contiguous elements, and over the batch of blocked values. The number of lanes fixes the order of
    addition.

    Args:
        peeled: the last vector, if it is not full, gets code of its own, so that the others need no masks.

    Returns:
        The loop over vectors, and the local that has the sum of all lanes.
    """
    rest = peeled and b.extent(term) % count > 0
    outer, lane = b.split(term, count, "guard")
    join, joined = sum_in_lanes(b, accumulator, lane)
    b.add(Vector(join))
    if rest:
        b.add(Peel(outer, 0, 1))
    return outer, joined


@because("a sum runs in vectors; its lanes are added up at the end, always in the same order")
def sum_in_lanes(b: ScheduleBuilder, accumulator: str, lane: str) -> tuple[Handle, Handle]:
    """Make the loop `lane` of a sum, or of several that follow each other, the lanes of the accumulator.

    Returns:
        The loop of the short sum that adds the lanes, which is left to the caller, and the local that it sums into.
    """
    joined = b.partial(accumulator, lane)
    b.add(Distribute(lane, ALL), Vector(lane))
    return joined


@dataclass
class ThreadTile:
    """The loops of results, by blocks, threads and registers; `order` has those inside of a tile in the order of
    results in memory.

        each n in 0..1000 {            each n_o in 0..8 {                                             blocks
          acc[] = 0                      each n_i_o in 0..2 { each n_i_i in 0..64 {    registers, threads
          sum f in 0..800 { .. }   ->      acc[] = 0                                   n = 128*n_o + 64*n_i_o + n_i_i
          y[n] = acc[]                     sum f in 0..800 { .. }
        }                                  y[n] = acc[]
                                         } } }

    Where a thread takes neighbours, because it reads them as a vector or because they share what is read, the loop over
    these is innermost: n = 128*n_o + 2*n_i_o + n_i_i, and n_i_o are the threads.
    """

    blocks: list[str] = field(default_factory=list)
    threads: list[str] = field(default_factory=list)
    registers: list[str] = field(default_factory=list)
    order: list[str] = field(default_factory=list)

    def cut(self, b: ScheduleBuilder, loop: str, threads: int, per_thread: int, run: int = 1) -> None:
        """Cut a loop into tiles of `threads` x `per_thread` results; a thread has runs of `run` neighbours."""
        if threads * per_thread == 1:
            self.blocks.append(loop)
            return
        if threads == 1 and per_thread == b.extent(loop):
            self._hold(Handle(loop))
            return
        tile, inside = b.split(loop, threads * per_thread)
        self.blocks.append(tile)
        if threads == 1:
            self._hold(inside)
            return
        if per_thread > run:
            turn, inside = b.split(inside, threads * run)
            self._hold(turn)
        self.order.append(inside)
        self.threads.append(inside)
        if run > 1:
            thread, neighbour = b.split(inside, run)
            self.threads[-1] = self.order[-1] = thread
            self._hold(neighbour)

    def _hold(self, loop: Handle) -> None:
        self.registers.append(loop)
        self.order.append(loop)

    def nest(self, b: ScheduleBuilder) -> None:
        """Nest the loops: blocks outermost, then threads, then registers."""
        b.add(Reorder((*self.blocks, *self.threads, *self.registers)))

    def finish_in_memory_order(self, b: ScheduleBuilder, after: int, threads: int) -> None:
        """Assign what follows statement `after` to threads in the order of results in memory, whichever threads compute
        these.

        The step Exchange then lets the threads read each other's results.
        """
        second = b.detach((*self.threads, *self.registers), after, "second")
        order = tuple(second(loop) for loop in self.order)
        b.add(Reorder(order), Threads(order, threads))


@because("a longer body has fewer loop ends, and more instructions that do not wait for each other")
def unroll_inner(b: ScheduleBuilder, loops: Sequence[str], most: int, copies: int = 1) -> None:
    """Unroll loops, given outer first, up to `most` copies of the body; there are `copies` of it already.

    sum c in 0..20 { sum kh in 0..3 { sum kw in 0..3 { A } } }  ->  sum c in 0..20 { 9 x A }      at most 9 copies
    """
    extent = extents(b.kernel)
    for loop in reversed(loops):
        copies *= extent.get(loop, most + 1)
        if copies > most:
            break
        b.add(Unroll(loop))
