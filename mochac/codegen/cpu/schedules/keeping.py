"""Keeping: what several loops over a row compute, such as exponentials in a softmax, is computed once, by the first.

    total = sum of exp(x - largest)           total = sum of kept, where kept = exp(x - largest)
    y = exp(x - largest) / total        ->    y = kept / total

This pays where storing and loading a value takes less time than computing it, and what is kept stays near.
"""

from __future__ import annotations

from math import prod

from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.prediction.function_counts import instructions
from mochac.ir.kernel import Kernel, Let, walk
from mochac.ir.kernel_rules import name_dtypes, operand_dtype
from mochac.ir.nests import Repeat, repeats
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.inline import Keep
from mochac.ir.types import DTYPES, FLOATS

LEAST = 6
"""Minimum instructions of a value that is kept: more than a store, a load and their addresses take."""
SLOW = 4
"""A division or a root takes at least as long as this many other instructions."""
KEPT_SHARE = 1 / 2
"""Share of L2 that may be filled by what is kept."""


def keep_repeats(b: ScheduleBuilder, target: CpuTarget) -> None:
    """Keep what vector loops over a row would compute again, the most expensive values first."""
    while found := _costly(b.kernel, target):
        b.add(Keep(found.value, found.again))


def _costly(kernel: Kernel, target: CpuTarget) -> Repeat | None:
    """The repeat that saves the most instructions; None if no repeat pays."""
    dtypes = name_dtypes(kernel.body, kernel.buffers())
    found: list[tuple[int, Repeat]] = []
    for repeat in repeats(kernel):
        dtype, loops = dtypes[repeat.again], repeat.loops[0]
        size = DTYPES[dtype].itemsize * prod(loop.extent or 0 for loop in loops)
        if dtype in FLOATS and loops[-1].run == "vector" and size <= KEPT_SHARE * target.machine.l2.n_bytes:
            found.append((_instructions(repeat, dtypes), repeat))
    saved, repeat = max(found, key=lambda each: each[0], default=(0, None))
    return repeat if saved >= LEAST else None


def _instructions(repeat: Repeat, dtypes: dict[str, str]) -> int:
    """Instructions of the value, and of what the later loop computes only for it."""
    made = {s.name: s for s in walk((repeat.second,)) if isinstance(s, Let)}
    todo, seen, total = [repeat.again], set[str](), 0
    while todo:
        name = todo.pop()
        if name in made and name not in seen:
            seen.add(name)
            counted = instructions(made[name].fn, tuple(operand_dtype(a, dtypes) for a in made[name].args))
            total += counted.products + counted.arithmetic + SLOW * counted.slow
            todo += [a for a in made[name].args if isinstance(a, str)]
    return total
