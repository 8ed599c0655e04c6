"""together: whether a product and its gates are faster as one kernel than as two.

Both ways are scheduled, and compared by the model of the CPU. One kernel is taken only if the product's own rule also
takes the product there: the order of its sums, and so the bits of all results, are then the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import geometric_mean

from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.schedules.gates import GATES
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.prediction.prediction import Prediction, predicted
from mochac.ir.applying import apply
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule

THREADS = (1, 2, 4)
MAX_MEAN = 1.005
"""One kernel is better if it takes at most this many times as long, on average over these numbers of threads: what the
gates read needs no memory then."""
MOST = 1.1
"""It may take at most this many times as long on any of these numbers of threads, since the model is not more exact
(Zen 4, steps of a GRU of 64 units, batch 16, on one thread: predicted 1.08, measured 1.00)."""
BARRIER = 1000
"""Cycles that threads take to wait for each other between two kernels."""


def refuse(parts: Sequence[Kernel], joined: Kernel, target: CpuTarget) -> str:
    """Why a product, what reads it, and both as one kernel should stay two; "" if they should not."""
    (product, *_), whole = found = [choose(kernel, target) for kernel in parts], choose(joined, target)
    if not whole.name.startswith(GATES):
        return "no rule of products takes a part of it"
    if whole.name != f"{GATES}.{product.name}":
        return f"{product.name} would no longer compute the product, but {whole.name.removeprefix(GATES + '.')}"
    separate = [_predicted(kernel, schedule, target) for kernel, schedule in zip(parts, found[0], strict=True)]
    one = _predicted(joined, whole, target)
    times = [one.slowest(n) / (sum(x.slowest(n) for x in separate) + BARRIER * (n > 1)) for n in THREADS]
    if max(times) <= MOST and geometric_mean(times) <= MAX_MEAN:
        return ""
    *some, last = (f"{x:.2f}" for x in times)
    *few, many = map(str, THREADS)
    return (
        f"one kernel is predicted to take {', '.join(some)} and {last} of the time of two on "
        f"{', '.join(few)} and {many} threads"
    )


def _predicted(kernel: Kernel, schedule: Schedule, target: CpuTarget) -> Prediction:
    return predicted(apply(schedule, kernel), target.machine)
