"""Thread tile: a block of threads computes a tile of results, and each thread holds some of them in registers.

    each n in 0..1000 {            each n_o in 0..8 {                                             blocks
      acc[] = 0                      each n_i_o in 0..2 { each n_i_i in 0..64 {    registers, threads
      sum f in 0..800 { .. }   ->      acc[] = 0                                   n = 128*n_o + 64*n_i_o + n_i_i
      y[n] = acc[]                     sum f in 0..800 { .. }
    }                                  y[n] = acc[]
                                     } } }

Where a thread takes neighbours, because it reads them as a vector or because they share what is read, the loop over
these is innermost: n = 128*n_o + 2*n_i_o + n_i_i, and n_i_o are the threads.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mochac.ir.schedule_builder import Handle, ScheduleBuilder
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.run import Threads


@dataclass
class ThreadTile:
    """The loops of results, by blocks, threads and registers; `order` has those inside of a tile in the order of
    results in memory."""

    blocks: list[str] = field(default_factory=list)
    threads: list[str] = field(default_factory=list)
    registers: list[str] = field(default_factory=list)
    order: list[str] = field(default_factory=list)

    def cut(self, b: ScheduleBuilder, loop: str, threads: int, held: int, run: int = 1) -> None:
        """Cut a loop into tiles of `threads` x `held` results; threads hold `run` neighbours, `held` / `run` times."""
        if threads * held == 1:
            self.blocks.append(loop)
            return
        if threads == 1 and held == b.extent(loop):
            self._hold(Handle(loop))
            return
        tile, inside = b.split(loop, threads * held)
        self.blocks.append(tile)
        if threads == 1:
            self._hold(inside)
            return
        if held > run:
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

    def finish_apart(self, b: ScheduleBuilder, after: int, threads: int) -> None:
        """Assign what follows statement `after` to threads in the order of results in memory, whichever threads compute
        these.

        The step Exchange then lets the threads read each other's results.
        """
        second = b.detach((*self.threads, *self.registers), after, "second")
        order = tuple(second(loop) for loop in self.order)
        b.add(Reorder(order), Threads(order, threads))
