"""blocks and threads: text, results, what they refuse, and the verifier's rules about what they make."""

from __future__ import annotations

import pytest
from kernel_kit import SUM
from step_kit import computed

from mochac.base.errors import InternalError
from mochac.codegen.cpu.module import print_kernel as print_cpu_kernel
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import kernel_problems
from mochac.ir.schedule import ScheduleError

SUMS = parse_kernel(SUM)


def test_a_block_for_each_sum():
    done = computed(SUMS, "blocks(loops=(a))", "threads(loops=(k), count=64)", tolerance=1e-5)
    assert "each a in 0..4 blocks {" in str(done)
    assert "sum k in 0..100 threads {" in str(done)
    assert done.threads == (64,)


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (("blocks(loops=(k))",), "'k' is not the next outermost"),
        (("threads(loops=(k), count=2000)",), "a block has 1 to 1024 threads, not 2000"),
        (("threads(loops=(k), count=32)", "threads(loops=(k), count=64)"), "have 32 threads already, not 64"),
        (("threads(loops=(m), count=32)",), "has no loop 'm'"),
        (("threads(loops=(a, k), count=32)",), "'k' is not the next perfectly nested 'each' loop"),
    ],
)
def test_refusals(steps, message):
    with pytest.raises(ScheduleError, match=message):
        computed(SUMS, *steps)


HEAD = """kernel @k(%x: f32[64]) -> (%y: f32[64]){} {{
  local %r: f32[64] register
  local %a: f32[] register
  local %s: f32[64] shared
"""
LOOP = "each {0} in 0..64 {1} {{ \n {2} \n}}"
ZERO_IN_BLOCKS = LOOP.format("m", "blocks", "%y[m] = 0.0:f32")
NEST_IN_LOOP = "for k in 0..1 {\n" + LOOP.format("m", "threads", "%s[m] = 0.0:f32") + "\n}\n%y[n] = 0.0:f32"
COPY = "%t = %x[n]\n%s[n] = %t"
THREAD = "each n in 0..64 threads {{\neach v in 0..1 async {{\n{}\n}}\n}}"
WIDE = "each n in 0..21 threads {\neach v in 0..3 async {\n%t = %x[3*n + v]\n%s[3*n + v] = %t\n}\n}"
ZERO = "\n" + LOOP.format("m", "threads", "%y[m] = 0.0:f32")
SET_R = LOOP.format("n", "threads", "%r[n] = 0.0:f32") + "\n"


@pytest.mark.parametrize(
    ("rule", "threads", "body", "message"),
    [
        ("blocks-outermost", 32, "each n in 0..1 {\n" + ZERO_IN_BLOCKS + "\n}", "not perfectly"),
        ("blocks-outermost", 0, LOOP.format("n", "blocks", "%y[n] = 0.0:f32"), "need a number of threads"),
        ("blocks-outermost", 32, "%a[] = 0.0:f32\n" + LOOP.format("n", "blocks", "%y[n] = 0.0:f32"), "in every block"),
        ("threads-nest", 0, LOOP.format("n", "threads", "%y[n] = 0.0:f32"), "without a number of threads"),
        (
            "threads-nest",
            33,
            LOOP.format("n", "", "%a[] = 0.0:f32\nsum k in 0..64 threads {\n%t = %x[k]\n%a[] = add(%t, %a[])\n}\n"
            "%u = %a[]\n%y[n] = %u"),
            "whole warps of 32, not 33",
        ),
        (
            "threads-nest",
            64,
            LOOP.format("n", "threads", NEST_IN_LOOP),
            "not perfectly nested",
        ),
        (
            "threads-private",
            32,
            SET_R + LOOP.format("n", "threads", "%t = %r[n]\n%y[n] = %t"),
            "several iterations of a thread",
        ),
        (
            "threads-private",
            64,
            SET_R + LOOP.format("n", "threads", "%t = %r[-n + 63]\n%y[n] = %t"),
            "not private to each thread",
        ),
        (
            "threads-shared",
            64,
            LOOP.format("n", "threads", "%s[n] = 0.0:f32\n%t = %s[-n + 63]\n%y[n] = %t"),
            "read and written inside threads loop 'n'",
        ),
        ("async-copies", 64, LOOP.format("n", "async", COPY) + ZERO, "async loop 'n' is not one copy of a thread"),
        ("async-copies", 64, THREAD.format(COPY + "\n%y[n] = 0.0:f32"), "loop 'v' is not one copy of a thread"),
        ("async-copies", 64, THREAD.format(COPY.replace("%s[", "%r[")) + ZERO, "copies no input into shared memory"),
        ("async-copies", 64, WIDE + ZERO, "does not copy 4, 8 or 16 bytes"),
    ],
)  # fmt: skip
def test_rules(rule, threads, body, message):
    kernel = parse_kernel(HEAD.format(f" threads {threads}" if threads else "") + body + "\n}")
    found = next(kernel_problems(kernel, printable=True), None)
    assert found is not None
    assert found.rule == rule
    assert message in found.text


def test_the_cpu_printer_refuses():
    done = computed(SUMS, "blocks(loops=(a))", "threads(loops=(k), count=64)", tolerance=1e-5)
    with pytest.raises(InternalError, match="kernel @sum is scheduled for a GPU"):
        print_cpu_kernel(done, CpuTarget())
