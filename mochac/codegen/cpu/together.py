"""together: whether a product and its gates are computed faster as one kernel than one after the other.

Both are scheduled, and compared by the model of the CPU. They are one kernel only if the product's own rule takes it
there, too: the order of its sums, and so the bits of all results, is then the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.schedules.gates import GATES
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.prediction.prediction import Prediction, predicted
from mochac.ir.applying import apply
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule

ALIKE = 1.005
"""Up to so many times as long, one kernel is better: it needs no memory for what the gates read, and no barrier."""
BARRIER = 1000
"""Cycles that two threads take to wait for each other between two kernels."""
THREADS = (1, 2)


def refuse(parts: Sequence[Kernel], joined: Kernel, target: CpuTarget) -> str:
    """Why a product, what reads it, and both as one kernel should stay two; "" if they should not."""
    (product, *_), whole = found = [choose(kernel, target) for kernel in parts], choose(joined, target)
    if whole.name != f"{GATES}.{product.name}":
        return f"{product.name} would no longer compute the product, but {whole.name.removeprefix(GATES + '.')}"
    apart = [_predicted(kernel, schedule, target) for kernel, schedule in zip(parts, found[0], strict=True)]
    one = _predicted(joined, whole, target)
    for threads in THREADS:
        two = sum(x.slowest(threads) for x in apart) + (BARRIER if threads > 1 else 0)
        if one.slowest(threads) > ALIKE * two:
            times, on = one.slowest(threads) / two, "1 thread" if threads == 1 else f"{threads} threads"
            return f"one kernel is predicted to take {times:.3f} of the time of two, on {on}"
    return ""


def _predicted(kernel: Kernel, schedule: Schedule, target: CpuTarget) -> Prediction:
    return predicted(apply(schedule, kernel), target.machine)
