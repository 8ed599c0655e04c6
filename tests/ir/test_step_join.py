"""The step join, and two loops as one register: text before and after, refusals, results."""

from __future__ import annotations

import pytest
from step_kit import applied, computed

from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.schedule import ScheduleError

PARTS = parse_kernel("""\
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
""")
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


def test_results_are_lanes_where_parts_were() -> None:
    text = str(computed(PARTS, JOIN, "unroll(loop=r)", "vector(loop=k)", "vector(loop=n)"))
    assert JOINED in text
    assert "each n.out in 0..2 vector {\n    each r.out in 0..4 vector {\n      %c = %b[r.out]" in text
    assert text.count("each n in 0..2 vector {\n") == 2


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (("join(parts=z, lanes=(n, r))",), "join: kernel 'k' has no loop 'z'"),
        (("join(parts=n, lanes=(r))",), "join: loop 'n' is not a 'sum' loop"),
        (("join(parts=k, lanes=(n, f))",), "join: loop 'f' must be an 'each' loop with constant limits"),
        (
            (JOIN, "vector(loop=k)", "vector(loop=r)"),
            "vector: loop 'r' must be innermost, 'n' is inside it; distribute it first",
        ),
    ],
)
def test_refusals(texts: tuple[str, ...], message: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        applied(PARTS, *texts)
    assert message in str(caught.value)


def test_a_nest_of_three_is_no_register() -> None:
    text = str(applied(PARTS, JOIN, "unroll(loop=r)", "vector(loop=k)", "vector(loop=n)"))
    three = parse_kernel(text.replace("each r in 0..4 unroll", "each r in 0..4 vector"))
    with pytest.raises(Exception, match="is inside vector loop 'r'"):
        verify_kernel(three, printable=True)
