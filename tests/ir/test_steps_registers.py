"""The steps about registers and memory: innermost, transpose, prefetching. Text before and after, refusals, results."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest

from mochac.ir.applying import apply
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.schedule import Schedule, ScheduleError, parse_step

HEADER = "kernel @k(%x: f32[8,4], %w: f32[8,4]) -> (%y: f32[4,8]) {\n"

TURN = """
    each r in 0..8 {
      each c in 0..4 {
        %t = %x[r, c]
        %y[c, r] = %t
      }
    }
"""

UPDATE = """
    local %acc: f32[4] register
    each r in 0..8 {
      each lane in 0..4 {
        %acc[lane] = 0.0:f32
      }
      sum k in 0..4 {
        each lane in 0..4 {
          %a = %x[r, k]
          %acc[lane] = add(%a, %acc[lane])
        }
      }
      each lane in 0..4 {
        %b = %w[r, lane]
        %c = %acc[lane]
        %d = add(%b, %c)
        %y[lane, r] = %d
      }
    }
"""

PARTS = """
    local %acc: f32[4,8] scratch
    each c in 0..4 {
      each r in 0..8 {
        %t = %x[r, c]
        %acc[c, r] = %t
      }
      each r in 0..8 {
        %u = %acc[c, r]
        %y[c, r] = %u
      }
    }
"""


def parse(text: str) -> Kernel:
    return parse_kernel(HEADER + textwrap.dedent(text) + "}")


def steps(kernel: Kernel, *texts: str) -> Kernel:
    return apply(Schedule("test", tuple(parse_step(t) for t in texts)), kernel)


def same_results(before: Kernel, after: Kernel) -> None:
    rng = np.random.default_rng(3)
    inputs = {b.name: rng.standard_normal(b.type.shape).astype(np.float32) for b in before.inputs}
    np.testing.assert_array_equal(run_kernel(after, inputs)["y"], run_kernel(before, inputs)["y"])
    assert parse_kernel(str(after)) == after


def test_transpose_reads_rows_and_uses_columns() -> None:
    kernel = parse(TURN)
    turned = steps(kernel, "transpose(buffer=x, rows=r, columns=c)")
    text = str(turned)
    assert "local %x.tile: f32[8,4] register" in text
    assert text.index("each r.in in 0..8 unroll") < text.index("each c.in in 0..4 vector")
    assert text.index("each c in 0..4 unroll") < text.index("each r in 0..8 vector")
    same_results(kernel, turned)


def test_transpose_keeps_conditions() -> None:
    kernel = parse(
        TURN.replace("%t = %x[r, c]\n        %y[c, r] = %t", "if -r + 5 >= 0 {\n%t = %x[r, c]\n%y[c, r] = %t\n}")
    )
    assert str(steps(kernel, "transpose(buffer=x, rows=r, columns=c)")).count("if ") == 2


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("transpose(buffer=x, rows=c, columns=r)", "only thing inside"),
        ("transpose(buffer=nothing, rows=r, columns=c)", "no buffer 'nothing'"),
        ("transpose(buffer=w, rows=r, columns=c)", "does not load 'w'"),
    ],
)
def test_transpose_refuses(step: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        steps(parse(TURN), step)


def test_prefetch_epilogue_stands_before_the_reduction() -> None:
    kernel = parse(UPDATE)
    hinted = steps(kernel, "prefetch_epilogue(buffer=w, before=k, lane=lane)")
    text = str(hinted)
    assert text.index("prefetch write %w[r, 0]") < text.index("sum k")
    same_results(kernel, hinted)


def test_prefetch_epilogue_refuses_what_is_no_input() -> None:
    with pytest.raises(ScheduleError, match="no input 'acc'"):
        steps(parse(UPDATE), "prefetch_epilogue(buffer=acc, before=k, lane=lane)")


def test_innermost_moves_the_dimension_last() -> None:
    kernel = parse(PARTS)
    moved = steps(kernel, "innermost(local=acc, loop=c)")
    assert "local %acc: f32[8,4] scratch" in str(moved)
    assert "%acc[r, c]" in str(moved)
    same_results(kernel, moved)


def test_innermost_refuses_a_loop_that_is_no_index() -> None:
    with pytest.raises(ScheduleError, match="index one dimension"):
        steps(parse(UPDATE), "innermost(local=acc, loop=k)")
