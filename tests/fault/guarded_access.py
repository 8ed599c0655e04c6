"""Random kernels of masked loads and stores in vector loops, run with every buffer at a guard page: SEED COUNT.

Rows, runs, every second element, repeated and scattered ones, under guards known before the kernel runs, or not.
Buffers have just the elements that the guards let through: a lane too many ends the process, a lane too few leaves
another result than the interpreter's. test_guarded_kernels.py runs it; the seed of a fault is the last line.
"""

from __future__ import annotations

import faulthandler
import random
import sys

import numpy as np
from guarded_kernels import placed

from mochac.base.options import Options
from mochac.codegen.cpu.module import print_kernel
from mochac.ir.index import Index
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import KernelVerifyError, verify_kernel
from mochac.lowering import verification
from mochac.lowering.operands import any_operands
from mochac.runtime.cpu import executor
from mochac.runtime.cpu.backend import CpuBackend

ROWS = 3


class Drawn:
    """The text of one kernel."""

    def __init__(self, seed: int) -> None:
        rng = self.rng = random.Random(seed)
        self.dtype = rng.choice(("f32", "f64"))
        self.steps, self.outer, self.lanes = rng.randint(1, 3), rng.choice((1, 1, 2, 3, 4)), rng.choice((2, 4, 8, 16))
        self.guards = [self.guard() for _ in range(rng.choice((0, 1, 1, 1, 2)))]
        every = [(q, b, v) for q in range(self.steps) for b in range(self.outer) for v in range(self.lanes)]
        self.open = [place for place in every if all(self.at(guard, place) >= 0 for guard in self.guards)]
        ways = ((1, self.lanes), (1, self.lanes), (2, 2 * self.lanes), (self.outer, 1), (1, self.lanes + 1))
        fast, slow = rng.choice(ways)
        self.target = self.shifted((self.outer * max(fast, slow) * self.lanes, slow, fast))
        lane = rng.choice((0, 1, 1, 1, 2, 2, 3))
        far = rng.choice((0, 1, lane * self.lanes, lane * self.lanes + 3, 5))
        self.source = self.shifted((rng.choice((0, 1, self.lanes, 7)), far, lane))

    def guard(self) -> tuple[int, ...]:
        """A condition on step, outer loop and lane, as coefficients and a constant."""
        rng, sign = self.rng, self.rng.choice((-1, -1, 1))
        by = (rng.choice((0, self.lanes)), rng.choice((0, self.lanes, 1)), rng.choice((1, 1, 1, 2, 0)))
        most = sum(c * (n - 1) for c, n in zip(by, (self.steps, self.outer, self.lanes), strict=True))
        limit = rng.randint(0, max(0, most))
        return (*(sign * c for c in by), limit if sign < 0 else -limit)

    @staticmethod
    def at(index: tuple[int, ...], place: tuple[int, ...]) -> int:
        return index[3] + sum(c * i for c, i in zip(index, place, strict=False))

    def shifted(self, by: tuple[int, int, int]) -> tuple[int, ...]:
        """An index of which the first element that is accessed is 0."""
        return (*by, -min((self.at((*by, 0), place) for place in self.open), default=0))

    def extent(self, index: tuple[int, ...]) -> int:
        return 1 + max((self.at(index, place) for place in self.open), default=0)

    def text(self) -> str:
        def written(index: tuple[int, ...]) -> str:
            terms = (Index.var(v) * c for c, v in zip(index, "qbl", strict=False))
            return str(sum(terms, Index.of(index[3])))

        wide, room = self.extent(self.source), self.extent(self.target)
        conds = ", ".join(f"{written(guard)} >= 0" for guard in self.guards)
        access = f"%t = %x[n, {written(self.source)}]\n%y[n, {written(self.target)}] = %t\n"
        guarded = f"if {conds} {{\n{access}}}\n" if conds else access
        loops = (f"each q in 0..{self.steps}", f"each b in 0..{self.outer} vector", f"each l in 0..{self.lanes} vector")
        for loop in reversed(loops):
            guarded = f"{loop} {{\n{guarded}}}\n"
        first = f"each j in 0..{room} {{\n%y[n, j] = 7.0:{self.dtype}\n}}\n"
        head = f"kernel @k(%x: {self.dtype}[{ROWS},{wide}]) -> (%y: {self.dtype}[{ROWS},{room}]) {{\n"
        return f"{head}each n in 0..{ROWS} {{\n{first}{guarded}}}\n}}\n"


def check(seed: int, backend: CpuBackend) -> bool:
    """Whether the kernel is well-formed; it then computes what the interpreter does."""
    drawn = Drawn(seed)
    if not drawn.open:
        return False
    kernel = parse_kernel(drawn.text())
    try:
        verify_kernel(kernel, printable=True)
    except KernelVerifyError:
        return False
    given = any_operands(kernel)
    code = print_kernel(kernel, backend.generator.target)
    launched = [(kernel, compiled) for compiled in backend.generator.launched(kernel, code)]
    alone = verification.LoneKernel.placed(kernel, code, launched, backend.generator, {})
    for at_end in (True, False):
        verification._garbage = placed(at_end)
        (got,) = alone.run(backend, given)
        np.testing.assert_array_equal(got, given.wanted[0], err_msg=f"seed {seed}\n{drawn.text()}")
    return True


if __name__ == "__main__":
    faulthandler.enable()
    executor.is_aligned = lambda array: True
    first, count = map(int, sys.argv[1:])
    machines, run = [CpuBackend(Options(cache=False, cpu=cpu)) for cpu in ("", "haswell")], 0
    for number in range(first, first + count):
        print(f"seed {number}", flush=True)
        run += check(number, machines[number % 2])
    print(f"{run} of {count} kernels are well-formed")
    print("done")
