"""Values of register locals behind guards and loops: printed kernels compute what the interpreter does.

Written cases stand for what went wrong or could; random nests of loops and guards look for the rest.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from mochac.codegen.cpu.module import print_kernel
from mochac.ir import kernel_interp
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import KernelVerifyError, verify_kernel
from mochac.ir.schedule import ScheduleError
from mochac.lowering.operands import any_operands
from mochac.lowering.verification import LoneKernel
from mochac.runtime.cpu.backend import CpuBackend

ROWS, WIDTH = 6, 8


def block(head: str, *body: str) -> str:
    return "\n".join([f"{head} {{", *body, "}"])


def lanes(*body: str) -> str:
    return block(f"each l in 0..{WIDTH} vector", *body)


def kernel(*body: str) -> Kernel:
    """A kernel that computes each row of y by itself, with a row of registers."""
    shape = f"f32[{ROWS},{WIDTH}]"
    head = f"kernel @k(%x: {shape}) -> (%y: {shape}) {{\nlocal %a: f32[{WIDTH}] register\nlocal %p: f32[] register"
    return parse_kernel("\n".join([head, block(f"each n in 0..{ROWS}", *body), "}\n"]))


@pytest.fixture(scope="module")
def backend():
    return CpuBackend()


def both(kernel: Kernel, backend: CpuBackend) -> tuple[np.ndarray, np.ndarray]:
    """The result by the interpreter, and by the printed code."""
    given = any_operands(kernel)
    code = print_kernel(kernel, backend.generator.target)
    launched = [(kernel, compiled) for compiled in backend.generator.launched(kernel, code)]
    (got,) = LoneKernel.placed(kernel, code, launched, backend.generator, {}).run(backend, given)
    return given.wanted[0], got


READ = ("%t = %x[n, l]", "%a[l] = %t")
SHOW = ("%u = %a[l]", "%y[n, l] = %u")


def picked(number: int) -> str:
    """Sums of numbers, each of which is a zero that another may take the place of, in some lanes."""
    pick = ("%p[] = 0.0:f32", block("if k - 1 >= 0", f"%p[] = %t{number}"))
    add = (f"%v{number} = %p[]", f"%a[l] = add(%v{number}, %a[l])")
    guarded = block("if -l - k + 6 >= 0", f"%t{number} = %x[k, l]", *pick, *add)
    return lanes("%a[l] = 0.0:f32") + "\n" + block("sum k in 0..3", lanes(guarded))


CASES = {
    "first-written-in-a-guard": (
        block("if -n + 3 >= 0", lanes(*READ)),
        lanes("%y[n, l] = 7.0:f32"),
        block("if -n + 2 >= 0", lanes(*SHOW)),
    ),
    "in-a-guard-in-a-guard": (
        lanes("%y[n, l] = 7.0:f32"),
        block("if -n + 4 >= 0", block("if n - 1 >= 0", lanes(*READ)), block("if n - 2 >= 0", lanes(*SHOW))),
        block("if -n + 3 >= 0, n - 2 >= 0", lanes(*SHOW)),
    ),
    "in-the-first-iteration": (
        block("for k in 0..5", block("if -k >= 0", lanes("%a[l] = 1.0:f32")), lanes(READ[0], "%a[l] = add(%t, %a[l])")),
        lanes(*SHOW),
    ),
    "in-the-last-iteration": (block("for k in 0..5", lanes("%t = %x[k, l]", "%a[l] = %t")), lanes(*SHOW)),
    "in-a-loop-that-may-not-run": (
        lanes("%a[l] = 3.0:f32"),
        block("for k in 2..n", lanes("%t = %x[k, l]", "%a[l] = %t")),
        lanes(*SHOW),
    ),
    "some-lanes-in-a-guard": (
        lanes("%a[l] = 2.0:f32"),
        block("if n - 1 >= 0", lanes(block("if -l + 4 >= 0", *READ))),
        lanes(*SHOW),
    ),
    "a-number-of-lanes-in-two-loops": (block("each m in 0..2", picked(0)), picked(1), lanes(*SHOW)),
    "a-number-that-gets-lanes-in-a-loop": (
        lanes("%p[] = 0.0:f32", "%w = %p[]", "%y[n, l] = %w"),
        picked(1),
        lanes(*SHOW),
    ),
    "picked-behind-a-guard": (
        lanes(*READ),
        block("if n - 2 >= 0", lanes("%a[l] = 5.0:f32")),
        block(f"each k in 0..{WIDTH} unroll", "%u = %a[k]", "%y[n, k] = %u"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_written_cases(name, backend):
    nest = kernel(*CASES[name])
    verify_kernel(nest, printable=True)
    wanted, got = both(nest, backend)
    assert np.isfinite(wanted).all()
    np.testing.assert_array_equal(got, wanted)


def test_a_read_of_a_register_that_nothing_has_written_is_an_error(backend):
    nest = kernel(block("each k in 0..2", lanes(*READ)), lanes(*SHOW))  # each iteration of k has registers of its own
    with pytest.raises(ScheduleError, match=r"local %a is read at \[lane\], where nothing was written before"):
        both(nest, backend)


class Random:
    """A random nest: loops and guards in each other, around statements that set, change and show the registers."""

    def __init__(self, seed: int) -> None:
        self.rng, self.n_loops = random.Random(seed), 0

    def body(self, depth: int, around: tuple[str, ...]) -> list[str]:
        return [self.statement(depth, around) for _ in range(self.rng.randint(1, 4))]

    def statement(self, depth: int, around: tuple[str, ...]) -> str:
        kind = self.rng.choice(["set", "set", "add", "show", "guard", "guard", "loop"][: 7 if depth else 4])
        if kind == "guard":
            return block(f"if {self.bound(around)} >= 0", *self.body(depth - 1, around))
        if kind == "loop":
            var, self.n_loops = f"k{self.n_loops}", self.n_loops + 1
            kind, run = self.rng.choice(["for", "for", "for", "sum", "each"]), self.rng.choice(["", "", " unroll"])
            lo, hi = self.rng.randint(0, 2), self.rng.choice(["1", "2", "3", "5", *around])
            if kind == "each":  # no schedule unrolls one that names no element, or has one of a single iteration
                run, lo, hi = "", 0, self.rng.choice(["2", "3", "5"])
            return block(f"{kind} {var} in {lo}..{hi}{run}", *self.body(depth - 1, (*around, var)))
        row = self.rng.choice(around) if self.rng.random() < 0.5 else "n"
        work = {
            "set": (f"%t = %x[{row}, l]", "%a[l] = %t") if self.rng.random() < 0.5 else ("%a[l] = 1.5:f32",),
            "add": (f"%t = %x[{row}, l]", "%a[l] = add(%t, %a[l])"),
            "show": SHOW,
        }[kind]
        if self.rng.random() < 0.3:
            return lanes(block(f"if {self.bound(('l',))} >= 0", *work))
        return lanes(*work)

    def bound(self, around: tuple[str, ...]) -> str:
        var, number = self.rng.choice(around), self.rng.randint(0, 4)
        return f"{var} - {number}" if self.rng.random() < 0.5 else f"-{var} + {number}"


def reads_garbage(nest: Kernel, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the interpreter reads a register that nothing has written: it finds NaN there."""
    found, load = [], kernel_interp._Run.load

    def watched(run, buffer, index):
        value = load(run, buffer, index)
        if buffer == "a":
            found.append(bool((np.isnan(value) & (True if run.mask is None else run.mask)).any()))
        return value

    with monkeypatch.context() as patch:
        patch.setattr(kernel_interp._Run, "load", watched)
        any_operands(nest)
    return any(found)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(300), pytest.param(range(300, 20_000), marks=pytest.mark.soak)], ids=str)
def test_random_nests(seeds, backend, monkeypatch):
    """The printer refuses a nest only if it reads a register that nothing has written, for which the interpreter has
    NaN."""
    compared = refused = 0
    for seed in seeds:
        print("seed", seed)
        drawn = Random(seed)
        nest = kernel(lanes("%y[n, l] = 9.0:f32"), *drawn.body(3, ("n",)), lanes(*SHOW))
        try:
            verify_kernel(nest, printable=True)
            any_operands(nest)
        except (KernelVerifyError, kernel_interp.KernelRunError):  # such as iterations that write the same element
            continue
        try:
            wanted, got = both(nest, backend)
        except ScheduleError:
            refused += 1
            assert reads_garbage(nest, monkeypatch), nest
            continue
        known = ~np.isnan(wanted)
        compared += 1
        assert np.array_equal(got[known], wanted[known]), nest
    print(compared, "compared,", refused, "refused")
    assert compared > len(seeds) // 4
