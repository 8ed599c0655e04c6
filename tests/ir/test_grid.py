"""Blocks, threads and shared memory: the steps that make them, their verifier rules, their text, their meaning."""

from __future__ import annotations

import numpy as np
import pytest
from kernel_kit import SUM

from mochac.codegen.cpu.module import print_kernel as print_cpu_kernel
from mochac.codegen.cpu.target import CpuTarget
from mochac.errors import InternalError
from mochac.ir.applying import apply
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import kernel_problems, verify_kernel
from mochac.ir.schedule import Schedule, ScheduleError, parse_step

PRODUCT = """kernel @product(%x: f32[20,30], %w: f32[9,30]) -> (%y: f32[20,9]) flops 10800 {
  local %acc: f32[] register
  each n in 0..20 {
    each o in 0..9 {
      %acc[] = 0.0:f32
      sum f in 0..30 {
        %t = %x[n, f]
        %u = %w[o, f]
        %acc[] = fma(%t, %u, %acc[])
      }
      %v = %acc[]
      %y[n, o] = %v
    }
  }
}"""

TILED = (
    "split(loop=n, factor=8, outer=nb, inner=ni, tail=guard)",
    "split(loop=o, factor=4, outer=ob, inner=oi, tail=guard)",
    "split(loop=f, factor=7, outer=fb, inner=fi, tail=guard)",
    "reorder(loops=(nb, ob, ni, oi))",
    "distribute(loop=oi, past=(fb))",
    "distribute(loop=ni, past=(fb))",
    "panels(loop=fb, threads=32)",
    "threads(loops=(ni, oi), count=32)",
    "blocks(loops=(nb, ob))",
)


def scheduled(text: str, *steps: str):
    kernel = parse_kernel(text)
    done = apply(Schedule("test", tuple(map(parse_step, steps))), kernel)
    verify_kernel(done, printable=True)
    assert parse_kernel(str(done)) == done
    rng = np.random.default_rng(5)
    inputs = {b.name: rng.standard_normal(b.type.shape).astype(np.float32) for b in kernel.inputs}
    got, want = run_kernel(done, inputs), run_kernel(kernel, inputs)
    np.testing.assert_allclose(got["y"], want["y"], rtol=1e-5, atol=1e-5)
    return done


def test_a_block_for_each_sum():
    done = scheduled(SUM, "blocks(loops=(a))", "threads(loops=(k), count=64)")
    assert "each a in 0..4 blocks {" in str(done)
    assert "sum k in 0..100 threads {" in str(done)
    assert done.threads == 64


def test_panels_in_shared_memory():
    done = scheduled(PRODUCT, *TILED)
    shapes = {b.name: b.type.shape for b in done.locals if b.space == "shared"}
    assert shapes == {"x.panel": (8, 7), "w.panel": (4, 7)}  # an odd number of terms needs no padding


def test_panels_copy_the_box_under_a_moving_window():
    text = """kernel @window(%x: f32[40], %w: f32[6,5]) -> (%y: f32[6,36]) {
  local %acc: f32[] register
  each o in 0..6 {
    each p in 0..36 {
      %acc[] = 0.0:f32
      sum c in 0..1 {
        sum k in 0..5 {
          if k + p - 1 >= 0, -k - p + 40 >= 0 {
            %t = %x[k + p - 1]
            %u = %w[o, k]
            %acc[] = fma(%t, %u, %acc[])
          }
        }
      }
      %v = %acc[]
      %y[o, p] = %v
    }
  }
}"""
    steps = (
        "split(loop=p, factor=32, outer=pb, inner=pi, tail=guard)",
        "reorder(loops=(pb, pi, o))",
        "distribute(loop=o, past=(c, k))",
        "distribute(loop=pi, past=(c))",
        "panels(loop=c, threads=32)",
        "threads(loops=(pi), count=32)",
        "unroll(loop=o)",
        "blocks(loops=(pb))",
    )
    shapes = {b.name: b.type.shape for b in scheduled(text, *steps).locals if b.space == "shared"}
    assert shapes["x.panel"] == (36,)  # 32 places and 4 more, not 32 times 5


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (("blocks(loops=(k))",), "'k' is not the next outermost"),
        (("threads(loops=(k), count=2000)",), "a block has 1 to 1024 threads, not 2000"),
        (("threads(loops=(k), count=32)", "threads(loops=(k), count=64)"), "have 32 threads already, not 64"),
        (("threads(loops=(m), count=32)",), "has no loop 'm'"),
        (("threads(loops=(a, k), count=32)",), "'k' is not the next perfectly nested 'each' loop"),
        (("panels(loop=m, threads=32)",), "has no loop 'm'"),
        (("panels(loop=a, threads=32)",), "only an accumulation may have an effect"),
        (("panels(loop=k, threads=32)",), "must be an fma of two values"),
    ],
)
def test_refusals(steps, message):
    with pytest.raises(ScheduleError, match=message):
        scheduled(SUM, *steps)


HEAD = """kernel @k(%x: f32[64]) -> (%y: f32[64]){} {{
  local %r: f32[64] register
  local %a: f32[] register
  local %s: f32[64] shared
"""
LOOP = "each {0} in 0..64 {1} {{ \n {2} \n}}"
ZERO_IN_BLOCKS = LOOP.format("m", "blocks", "%y[m] = 0.0:f32")
NEST_IN_LOOP = "for k in 0..1 {\n" + LOOP.format("m", "threads", "%s[m] = 0.0:f32") + "\n}\n%y[n] = 0.0:f32"
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
            "more than one iteration of a thread",
        ),
        (
            "threads-private",
            64,
            SET_R + LOOP.format("n", "threads", "%t = %r[-n + 63]\n%y[n] = %t"),
            "not each thread's own",
        ),
        (
            "threads-shared",
            64,
            LOOP.format("n", "threads", "%s[n] = 0.0:f32\n%t = %s[-n + 63]\n%y[n] = %t"),
            "read and written inside threads loop 'n'",
        ),
    ],
)  # fmt: skip
def test_rules(rule, threads, body, message):
    kernel = parse_kernel(HEAD.format(f" threads {threads}" if threads else "") + body + "\n}")
    found = next(kernel_problems(kernel, printable=True), None)
    assert found is not None
    assert found.rule == rule
    assert message in found.text


def test_the_cpu_printer_refuses():
    done = scheduled(SUM, "blocks(loops=(a))", "threads(loops=(k), count=64)")
    with pytest.raises(InternalError, match="kernel @sum has threads of a GPU"):
        print_cpu_kernel(done, CpuTarget())
