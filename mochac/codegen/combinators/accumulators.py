"""Accumulators: a sum runs as several sums that need not wait for each other.

    acc = 0                              acc[0..4] = 0
    sum k in 0..64 { acc += x[k] }  ->   sum k_o in 0..16 { each k_i in 0..4 unroll { acc[k_i] += x[4*k_o + k_i] } }
                                         acc[0] + acc[1] + acc[2] + acc[3]

An addition takes several cycles, in which a core could begin others. The accumulators may be vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from mochac.codegen.machine import Machine
from mochac.codegen.prediction.function_counts import instructions
from mochac.ir.kernel import Accum, Kernel, Let, Load, walk
from mochac.ir.kernel_types import name_dtypes, operand_dtype
from mochac.ir.nest import loops
from mochac.ir.schedule_builder import ScheduleBuilder, because
from mochac.ir.steps.run import Unroll

MOST = 8
"""Maximum accumulators of a sum: they are unrolled."""


@because("a sum has several accumulators, so that an addition need not wait for the one before")
def accumulators(b: ScheduleBuilder, loop: str, sums: Sequence[str], machine: Machine) -> None:
    """Give the sums of a loop as many accumulators as it takes to keep the units busy, if it divides evenly.

    Args:
        sums: locals that the loop adds to.
    """
    if not sums:
        return
    enough = _begun(b.kernel, loop, machine)
    room = machine.registers // 2 // len(sums)
    even = [n for n in range(2, min(MOST, room) + 1) if not b.extent(loop) % n]
    count = next((n for n in even if n >= enough), max(even, default=1))
    if enough > 1 and count > 1:
        _, part = b.split(loop, count, "cut")
        joins = [b.partial(local, part)[0] for local in sums]
        b.add(*map(Unroll, (part, *joins)))


def _begun(kernel: Kernel, loop: str, machine: Machine) -> int:
    """How many iterations of a loop a core could begin until one addition is done."""
    body = loops(kernel)[loop].body
    dtypes = name_dtypes(kernel.body, kernel.buffers())
    computed = sum(isinstance(s, Accum) for s in walk(body))
    for s in walk(body):
        if isinstance(s, Let):
            counted = instructions(s.fn, tuple(operand_dtype(a, dtypes) for a in s.args))
            computed += counted.products + counted.arithmetic + counted.slow * machine.divide
    read = sum(isinstance(s, Load) for s in walk(body))
    return ceil(machine.latency / max(computed / machine.arithmetic, read / machine.loads))
