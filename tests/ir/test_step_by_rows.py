"""by_rows: text before and after; what it refuses; results."""

from __future__ import annotations

import pytest
from step_kit import check, computed, refuse

from mochac.ir.kernel_text import parse_kernel
from mochac.ir.schedule import ScheduleError, parse_step

SUM = """
    each n in 0..8 {
      each c in 0..3 {
        %{acc}[] = 0.0:f32
        sum k in 0..5 {
          %{t} = %x[n, c, k]
          {term}
          %{acc}[] = add(%{u}, %{acc}[])
        }
        %{r} = %{acc}[]
        %{out}[n, c] = %{r}
      }
    }
"""


def sum_of(out: str, k: str, term: str) -> str:
    """A sum over the rows of x."""
    names = {"acc": f"acc{k}", "t": f"t{k}", "u": f"u{k}", "r": f"r{k}", "out": out}
    text = SUM.replace("{term}", term)
    for key, value in names.items():
        text = text.replace("{" + key + "}", value)
    return text


LOCALS = """
    local %m: f32[8,3] scratch
    local %q: f32[8,3] scratch
    local %acc0: f32[] register
    local %acc1: f32[] register
"""
ADDED = """
    each n in 0..8 {
      each c in 0..3 {
        %v = %m[n, c]
        %w = %q[n, c]
        %s = add(%v, %w)
        %y[n, c] = %s
      }
    }
"""
SIBLINGS = LOCALS + sum_of("m", "0", "%u0 = neg(%t0)") + sum_of("q", "1", "%u1 = exp(%t1)") + ADDED
WAITING = LOCALS + sum_of("m", "0", "%u0 = neg(%t0)") + sum_of("y", "1", "%s = %m[n, c]\n          %u1 = sub(%t1, %s)")


def test_sums_share_their_loops_and_what_they_load() -> None:
    check(
        "by_rows(values=((m, q), (y)), axes=(0, 1))",
        SIBLINGS,
        """
        local %acc0: f32[] register
        local %acc1: f32[] register
        each n in 0..8 {
          each c in 0..3 {
            %acc0[] = 0.0:f32
            %acc1[] = 0.0:f32
            sum k in 0..5 {
              %t = %x[n, c, k]
              %t1 = neg(%t)
              %acc0[] = add(%t1, %acc0[])
              %t2 = exp(%t)
              %acc1[] = add(%t2, %acc1[])
            }
            %t3 = %acc0[]
            %t4 = %acc1[]
            %t5 = add(%t3, %t4)
            %y[n, c] = %t5
          }
        }
        """,
    )


def test_a_sum_reads_the_number_of_another_from_a_register() -> None:
    check(
        "by_rows(values=((m), (y)), axes=(0, 1))",
        WAITING,
        """
        local %acc0: f32[] register
        local %acc1: f32[] register
        each n in 0..8 {
          each c in 0..3 {
            %acc0[] = 0.0:f32
            sum k in 0..5 {
              %t = %x[n, c, k]
              %t1 = neg(%t)
              %acc0[] = add(%t1, %acc0[])
            }
            %t2 = %acc0[]
            %acc1[] = 0.0:f32
            sum k1 in 0..5 {
              %t3 = %x[n, c, k1]
              %t4 = sub(%t3, %t2)
              %acc1[] = add(%t4, %acc1[])
            }
            %t5 = %acc1[]
            %y[n, c] = %t5
          }
        }
        """,
    )


ROWS = """
kernel @k(%x: f32[4,6,3]) -> (%m: f32[6], %y: f32[4,6,3]) {
  local %acc: f32[] register
  each c in 0..6 {
    %acc[] = 0.0:f32
    sum n in 0..4 {
      sum w in 0..3 {
        %t = %x[n, c, w]
        %acc[] = add(%t, %acc[])
      }
    }
    %s = %acc[]
    %m[c] = %s
  }
  each n in 0..4 {
    each c in 0..6 {
      each w in 0..3 {
        %u = %x[n, c, w]
        %v = %m[c]
        %d = sub(%u, %v)
        %y[n, c, w] = %d
      }
    }
  }
}
"""


def test_rows_may_lie_along_any_axes() -> None:
    got = computed(parse_kernel(ROWS), "by_rows(values=((m), (y)), axes=(1))")
    assert len(got.body) == 1
    assert "sub(%t2, %t1)" in str(got)
    assert "= %m[" not in str(got)


TOTALS = """
kernel @k(%x: f32[4,6,3]) -> (%m: f32[4,6], %y: f32[4,3]) {
  local %acc: f32[] register
  local %acc1: f32[] register
  each n in 0..4 {
    each c in 0..6 {
      %acc[] = 0.0:f32
      sum w in 0..3 {
        %t = %x[n, c, w]
        %acc[] = add(%t, %acc[])
      }
      %u = %acc[]
      %m[n, c] = %u
    }
  }
  each n1 in 0..4 {
    each w1 in 0..3 {
      %acc1[] = 0.0:f32
      sum c1 in 0..6 {
        %v = %x[n1, c1, w1]
        %f = %m[n1, c1]
        %acc1[] = fma(%v, %f, %acc1[])
      }
      %r = %acc1[]
      %y[n1, w1] = %r
    }
  }
}
"""


def test_sums_over_rows_are_added_up_beside_them() -> None:
    got = computed(parse_kernel(TOTALS), "by_rows(values=((m), (y)), axes=(0, 1), across=(y))")
    (samples,) = got.body
    start, rows = samples.body
    assert (start.kind, rows.kind, rows.extent) == ("each", "sum", 6)
    assert "%y[n, w1] = 0.0:f32" in str(got)
    assert "%y[n, w2] = fma(" in str(got)
    assert "= %m[" not in str(got)  # a row's number comes from a register


def test_sums_over_rows_may_compute_what_they_add_up() -> None:
    """As the gradients of differences of pairs do: no load has an index for each axis."""
    text = TOTALS.replace("%v = %x[n1, c1, w1]", "%v = %x[n1, c1, 0]")
    got = computed(parse_kernel(text), "by_rows(values=((m), (y)), axes=(0, 1), across=(y))")
    assert len(got.body) == 1


def test_sums_over_rows_that_do_not_fit_are_refused() -> None:
    refuse_totals(TOTALS, "m", "m does not add up rows, element by element")
    refuse_totals(TOTALS.replace("sum c1 in 0..6", "sum c1 in 0..5"), "y", "the nests have other numbers of rows")


def refuse_totals(text: str, across: str, message: str) -> None:
    step = parse_step(f"by_rows(values=((m), (y)), axes=(0, 1), across=({across}))")
    with pytest.raises(ScheduleError, match=message):
        step.apply(parse_kernel(text))


def test_refused() -> None:
    refuse("by_rows(values=((m, y)), axes=(0, 1))", WAITING, "'m' is read at another index than it is stored at|before")
    refuse("by_rows(values=((y), (m)), axes=(0, 1))", WAITING, "'m' is read before it is there, or in another row")
    refuse("by_rows(values=((m)), axes=(0, 1))", WAITING, "name one value of every nest, once")
    refuse("by_rows(values=((m), (m)), axes=(0, 1))", WAITING, "name one value of every nest, once")
    other_row = WAITING.replace("%s = %m[n, c]", "%s = %m[n, 0]")
    refuse("by_rows(values=((m), (y)), axes=(0, 1))", other_row, "in another row")
    longer = SIBLINGS.replace("sum k in 0..5", "sum k in 0..4", 1)
    refuse("by_rows(values=((m, q), (y)), axes=(0, 1))", longer, "loops k k differ in kind or range")
    fewer = SIBLINGS.replace("each c in 0..3", "each c in 0..2", 1)
    refuse("by_rows(values=((m), (q), (y)), axes=(0, 1))", fewer, "the nests have other numbers of rows")
