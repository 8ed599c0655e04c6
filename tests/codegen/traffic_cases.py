"""Kernels and CPUs on which the traffic of rules is held against the best blocking, and the search for that one.

`python tests/codegen/traffic_cases.py [REGEX]` searches again, and keeps what is better than the schedules under
tests/golden/traffic; half a minute a case.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from mochac.codegen.cpu.schedules import blockings, choose, variants
from mochac.codegen.cpu.schedules.picking import Picks, drawn, neighbours, replay
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.machine import Machine
from mochac.codegen.nesting import Nested
from mochac.codegen.prediction.issue import cycles
from mochac.codegen.prediction.prediction import Crossing, cycles_of, page_misses
from mochac.codegen.prediction.traffic import nest_of
from mochac.ir.applying import apply
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_verify import KernelVerifyError, verify_kernel
from mochac.ir.schedule import Schedule, ScheduleError, parse_schedule
from mochac.tools.testing import CacheTraffic, simulate_caches

try:
    from codegen.kernels import CONV, PADDED, kernel_of
except ImportError:  # as a script
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from codegen.kernels import CONV, PADDED, kernel_of

FOLDER = Path(__file__).parents[1] / "golden" / "traffic"
CPUS = {"cascadelake": 64, "znver5": 64, "znver3": 32}
"""L1 and L2 of 32 kB and 1 MB, 48 kB and 1 MB, 32 kB and 512 kB; bytes of a vector."""

IMAGES, MAPS = (32, 20, 12, 12), (32, 50, 8, 8)
WIDE = "f32[b16,32,16,16]"
STRIDED = {"stride": (2, 2), "pad": (1, 1), "group": 1}
CASES: dict[str, tuple[str, tuple[str, ...], dict[str, object]]] = {
    "forward": ("inner_product", ("f32[b100,512]", "f32[768,512]"), {}),
    "forward-few": ("inner_product", ("f32[b8,512]", "f32[768,512]"), {}),
    "data-gradient": ("inner_product_dx", ("f32[b100,768]", "f32[768,512]"), {}),
    "weight-gradient": ("inner_product_dw", ("f32[b100,512]", "f32[b100,768]"), {}),
    "blocked-forward": ("inner_product", ("f32[b64,800]", "f32[500,800]"), {}),
    "blocked-data-gradient": ("inner_product_dx", ("f32[b64,500]", "f32[500,800]"), {}),
    "blocked-weight-gradient": ("inner_product_dw", ("f32[b64,800]", "f32[b64,500]"), {}),
    "conv": ("conv", ("f32[b32,20,12,12]", "f32[50,20,5,5]"), CONV),
    "conv-dx": ("conv_dx", ("f32[b32,50,8,8]", "f32[50,20,5,5]"), {**CONV, "shape": IMAGES}),
    "conv-dw": ("conv_dw", ("f32[b32,20,12,12]", "f32[b32,50,8,8]"), {**CONV, "kernel": (5, 5)}),
    "padded": ("conv", (WIDE, "f32[32,32,3,3]"), PADDED),
    "padded-dx": ("conv_dx", (WIDE, "f32[32,32,3,3]"), {**PADDED, "shape": (16, 32, 16, 16)}),
    "padded-dw": ("conv_dw", (WIDE, WIDE), {**PADDED, "kernel": (3, 3)}),
    "one-tap": ("conv", ("f32[b16,64,14,14]", "f32[128,64,1,1]"), CONV),
    "one-tap-dx": ("conv_dx", ("f32[b16,128,14,14]", "f32[128,64,1,1]"), {**CONV, "shape": (16, 64, 14, 14)}),
    "one-tap-dw": ("conv_dw", ("f32[b16,64,14,14]", "f32[b16,128,14,14]"), {**CONV, "kernel": (1, 1)}),
    "one-channel": ("conv", ("f32[b16,1,28,28]", "f32[20,1,5,5]"), CONV),
    "one-channel-dw": ("conv_dw", ("f32[b16,1,28,28]", "f32[b16,20,24,24]"), {**CONV, "kernel": (5, 5)}),
    "strided": ("conv", ("f32[b16,3,32,32]", "f32[32,3,3,3]"), STRIDED),
}


def kernel_and_target(name: str, cpu: str) -> tuple[Kernel, CpuTarget]:
    """The kernel of one of CASES, laid out for a CPU."""
    op, types, attrs = CASES[name]
    target = CpuTarget.of(cpu, CPUS[cpu])
    return kernel_of(op, types, target.lanes("f32"), **attrs), target


@dataclass
class Cost:
    """Cycles that a machine needs to move what a schedule of a kernel moves; infinite if it cannot be printed, or if it
    is slower than the rule's schedule: lines can be saved by instructions, in the end by scalar code that reads each
    line once.

    Attributes:
        most: cycles that it may take, those of the rule's schedule.
    """

    kernel: Kernel
    machine: Machine
    most: float
    known: dict[Schedule, float] = field(default_factory=dict)

    @staticmethod
    def beside(rule: Schedule, kernel: Kernel, machine: Machine) -> Cost:
        """The cost of what is compared with a rule's schedule, which is known."""
        scheduled = apply(rule, kernel)
        verify_kernel(scheduled, printable=True)
        traffic = simulate_caches(scheduled, machine)
        most = time_of(scheduled, machine, traffic, cycles(scheduled, machine))
        return Cost(kernel, machine, most, {rule: traffic.cycles(machine)})

    def __call__(self, schedule: Schedule | None) -> float:
        if schedule is None:
            return float("inf")
        if schedule not in self.known:
            self.known[schedule] = self._cycles(schedule)
        return self.known[schedule]

    def _cycles(self, schedule: Schedule) -> float:
        try:
            scheduled = apply(schedule, self.kernel)
            verify_kernel(scheduled, printable=True)
        except (ScheduleError, KernelVerifyError):
            return float("inf")
        if (issued := cycles(scheduled, self.machine)) > self.most:
            return float("inf")
        traffic = simulate_caches(scheduled, self.machine)
        time = time_of(scheduled, self.machine, traffic, issued)
        return traffic.cycles(self.machine) if time <= self.most else float("inf")


def time_of(scheduled: Kernel, machine: Machine, traffic: CacheTraffic, issued: float) -> float:
    """Cycles that the model predicts for a scheduled kernel with the lines of the exact simulation; L3 holds all.
    `issued`: what `cycles` says."""
    levels = [sum(level.fetched.values()) for level in traffic.levels]
    moved = [Crossing(f"L{k}", n, x.written) for k, (n, x) in enumerate(zip(levels, traffic.levels, strict=True), 1)]
    crossings = (*moved, *[Crossing("L3", 0, 0)] * (len(machine.caches) - len(moved)))
    return cycles_of(issued, crossings, page_misses(nest_of(scheduled), machine), machine)


def cheapest(cost: Cost, target: CpuTarget, most: int, seed: int = 0) -> Schedule:
    """The schedule that moves least of what rules offer and of about `most` blockings: some at random, then changes of
    one pick at a time from the best of them."""
    rng, nested = random.Random(seed), Nested.of(cost.kernel)

    def blocking() -> Schedule | None:
        try:
            return nested.schedule(blockings.rule, target)
        except ScheduleError:
            return None

    for variant in variants(cost.kernel, target):
        cost(variant.schedule)
    starts: dict[Picks, float] = {(): cost(replay(blocking)[0])}
    for picks in drawn(most // 3, seed):
        starts[picks] = cost(replay(blocking, picks)[0])
    for picks in sorted(starts, key=starts.__getitem__)[:3]:
        end = len(cost.known) + most // 4
        while picks is not None:
            picks = _better(cost, blocking, picks, rng, end)
    return min(cost.known, key=cost.known.__getitem__)


def _better(
    cost: Cost, blocking: Callable[[], Schedule | None], picks: Picks, rng: random.Random, end: int
) -> Picks | None:
    """Picks that differ in one and cost less; None if there are none, or if `end` schedules are known."""
    now = cost(replay(blocking, picks)[0])
    near = list(islice(neighbours(blocking, picks), 400))
    rng.shuffle(near)
    return next((p for p, s in near if len(cost.known) < end and cost(s) < 0.999 * now), None)


def recorded(name: str, cpu: str) -> Iterator[Schedule]:
    """The best schedules that were found for a case on CPUs with vectors as wide."""
    for other, width in CPUS.items():
        path = FOLDER / f"{name}.{other}"
        if width == CPUS[cpu] and path.exists():
            yield parse_schedule(path.read_text())


def main(pattern: str) -> None:
    """Search for better schedules of all cases whose name and CPU have the pattern, and record them."""
    FOLDER.mkdir(exist_ok=True)
    for name, cpu in ((n, c) for n in CASES for c in CPUS if re.search(pattern, f"{n}.{c}")):
        kernel, target = kernel_and_target(name, cpu)
        rule = choose(kernel, target)
        cost = Cost.beside(rule, kernel, target.machine)
        own = cost(rule)
        before = min(own, *map(cost, recorded(name, cpu)))
        best = cheapest(cost, target, 60)
        print(
            f"{name:24s} {cpu:12s} rule {own / cost(best):5.2f}, recorded {before / cost(best):5.2f} of the best",
            flush=True,
        )
        if cost(best) < before:
            (FOLDER / f"{name}.{cpu}").write_text(str(best))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
