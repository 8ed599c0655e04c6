"""The step join, and two loops as one register: text before and after, refusals, results."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest

from mochac.ir.applying import apply
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.schedule import Schedule, ScheduleError, parse_step

PARTS = """
    kernel @k(%x: f32[4,2,8], %b: f32[4]) -> (%y: f32[2,4]) {
      local %acc: f32[4,2,2] register
      local %s: f32[4,2] register
      each r in 0..4 {
        each n in 0..2 {
          each k in 0..2 {
            %acc[r, n, k] = 0.0:f32
          }
        }
      }
      sum f in 0..4 {
        each r in 0..4 {
          each n in 0..2 {
            each k in 0..2 {
              %t = %x[r, n, k + 2*f]
              %acc[r, n, k] = add(%t, %acc[r, n, k])
            }
          }
        }
      }
      each r in 0..4 {
        %c = %b[r]
        each n in 0..2 {
          %s[r, n] = %c
        }
      }
      sum k in 0..2 {
        each r in 0..4 {
          each n in 0..2 {
            %p = %acc[r, n, k]
            %s[r, n] = add(%p, %s[r, n])
          }
        }
      }
      each r in 0..4 {
        each n in 0..2 {
          %u = %s[r, n]
          %y[n, r] = %u
        }
      }
    }
"""
JOINED = """\
  sum k.out in 0..2 unroll {
    each n.out in 0..2 vector {
      each r.out in 0..4 vector {
        %p = %acc[r.out, n.out, k.out]
        %s[r.out, n.out] = add(%p, %s[r.out, n.out])
      }
    }
  }
"""
JOIN = "join(parts=k, lanes=(n, r))"


def parse(text: str) -> Kernel:
    return parse_kernel(textwrap.dedent(text))


def steps(kernel: Kernel, *texts: str) -> Kernel:
    return apply(Schedule("test", tuple(parse_step(t) for t in texts)), kernel)


def test_results_are_lanes_where_parts_were() -> None:
    kernel = parse(PARTS)
    joined = steps(kernel, JOIN, "unroll(loop=r)", "vector(loop=k)", "vector(loop=n)")
    verify_kernel(joined, printable=True)
    text = str(joined)
    assert JOINED in text
    assert "each n.out in 0..2 vector {\n    each r.out in 0..4 vector {\n      %c = %b[r.out]" in text
    assert text.count("each n in 0..2 vector {\n") == 2
    inputs = {b.name: np.random.default_rng(5).standard_normal(b.type.shape).astype("f4") for b in kernel.inputs}
    np.testing.assert_array_equal(run_kernel(joined, inputs)["y"], run_kernel(kernel, inputs)["y"])
    assert parse_kernel(text) == joined


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (("join(parts=z, lanes=(n, r))",), "join: kernel 'k' has no loop 'z'"),
        (("join(parts=n, lanes=(r))",), "join: loop 'n' adds nothing up"),
        (("join(parts=k, lanes=(n, f))",), "join: loop 'f' must be an 'each' loop with constant limits"),
        (
            (JOIN, "vector(loop=k)", "vector(loop=r)"),
            "vector: loop 'r' must be innermost, 'n' is inside it; distribute it first",
        ),
    ],
)
def test_refusals(texts: tuple[str, ...], message: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        steps(parse(PARTS), *texts)
    assert message in str(caught.value)


def test_a_nest_of_three_is_no_register() -> None:
    text = str(steps(parse(PARTS), JOIN, "unroll(loop=r)", "vector(loop=k)", "vector(loop=n)"))
    three = parse_kernel(text.replace("each r in 0..4 unroll", "each r in 0..4 vector"))
    with pytest.raises(Exception, match="is inside vector loop 'r'"):
        verify_kernel(three, printable=True)
