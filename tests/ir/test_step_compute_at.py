"""compute_at: text before and after; what it refuses; results."""

from __future__ import annotations

import numpy as np
import pytest
from step_kit import check, computed, refuse, whole

from mochac.ir.applying import outline
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.schedule import ScheduleError, parse_step

ROWS = """
    local %p: f32[3,5] scratch
    local %acc: f32[] register
    each c in 0..3 {
      each k in 0..5 {
        %t = %w[c, k]
        %t1 = exp(%t)
        %p[c, k] = %t1
      }
    }
    each n in 0..8 {
      each c in 0..3 {
        %acc[] = 0.0:f32
        sum j in 0..4 {
          %t2 = %p[c, j]
          %t3 = %p[c, j + 1]
          %acc[] = fma(%t2, %t3, %acc[])
        }
        %t4 = %acc[]
        %y[n, c] = %t4
      }
    }
"""


def test_points_are_dropped_and_whole_axes_kept() -> None:
    check(
        "compute_at(value=p, loop=c)",
        ROWS,
        """
        local %p: f32[5] scratch
        local %acc: f32[] register
        each n in 0..8 {
          each c in 0..3 {
            each k in 0..5 {
              %t = %w[c, k]
              %t1 = exp(%t)
              %p[k] = %t1
            }
            %acc[] = 0.0:f32
            sum j in 0..4 {
              %t2 = %p[j]
              %t3 = %p[j + 1]
              %acc[] = fma(%t2, %t3, %acc[])
            }
            %t4 = %acc[]
            %y[n, c] = %t4
          }
        }
        """,
    )
    computed(whole(ROWS), "compute_at(value=p, loop=c)", "place(local=p, space=scratch)")


def test_a_loop_that_fixes_no_axis_keeps_the_whole_value_and_renames_loops() -> None:
    check(
        "compute_at(value=p, loop=n)",
        ROWS,
        """
        local %p: f32[3,5] scratch
        local %acc: f32[] register
        each n in 0..8 {
          each c in 0..3 {
            each k in 0..5 {
              %t = %w[c, k]
              %t1 = exp(%t)
              %p[c, k] = %t1
            }
          }
          each c1 in 0..3 {
            %acc[] = 0.0:f32
            sum j in 0..4 {
              %t2 = %p[c1, j]
              %t3 = %p[c1, j + 1]
              %acc[] = fma(%t2, %t3, %acc[])
            }
            %t4 = %acc[]
            %y[n, c1] = %t4
          }
        }
        """,
    )
    computed(whole(ROWS), "compute_at(value=p, loop=n)")


STORED = """
    each n in 0..8 {
      each c in 0..3 {
        each k in 0..5 {
          %t = %x[n, k]
          %t1 = mul(%t, 2.0:f32)
          %q[n, c, k] = %t1
        }
      }
    }
    each m in 0..8 {
      each b in 0..3 {
        %t2 = %q[m, b, 0]
        %t3 = %q[m, b, 4]
        %t4 = add(%t2, %t3)
        %y[m, b] = %t4
      }
    }
"""


def test_an_output_stays_and_is_read_back() -> None:
    kernel = parse_kernel(
        "kernel @k(%x: f32[8,5]) -> (%q: f32[8,3,5], %y: f32[8,3]) root add ops (add) {" + STORED + "}"
    )
    found = parse_step("compute_at(value=q, loop=b)").apply(kernel)
    verify_kernel(found)
    assert outline(found) == (
        "each m in 0..8 {\n  each b in 0..3 {\n    each k in 0..5 {\n      (3 statements)\n    }\n"
        "    (4 statements)\n  }\n}"
    )
    x = np.random.default_rng(0).normal(size=(8, 5)).astype(np.float32)
    for name, value in run_kernel(kernel, {"x": x}).items():
        np.testing.assert_array_equal(run_kernel(found, {"x": x})[name], value)


def test_sums_beside_are_stored_once() -> None:
    kernel = parse_kernel("""kernel @k(%x: f32[8,5]) -> (%s: f32[8], %y: f32[3,5]) root add ops (add) {
    local %q: f32[8,5] scratch
    local %acc: f32[] register
    local %sum: f32[] register
    each a in 0..8 {
      each k in 0..5 {
        %t = %x[a, k]
        %t1 = exp(%t)
        %q[a, k] = %t1
      }
    }
    each c in 0..3 {
      each j in 0..5 {
        %acc[] = 0.0:f32
        sum n in 0..8 {
          sum m in 0..5 {
            %t2 = %q[n, m]
            %acc[] = fma(%t2, 2.0:f32, %acc[])
          }
        }
        %t3 = %acc[]
        %y[c, j] = %t3
      }
    }
    each b in 0..8 {
      %sum[] = 0.0:f32
      sum i in 0..5 {
        %t4 = %q[b, i]
        %sum[] = add(%t4, %sum[])
      }
      %t5 = %sum[]
      %s[b] = %t5
    }
}""")
    beside = parse_step("compute_at(value=q, loop=b)").apply(kernel)
    found = parse_step("compute_at(value=q, loop=n)").apply(beside)
    for form in (beside, found):
        verify_kernel(form)
    assert [line.strip() for line in str(found).splitlines() if " if " in line] == ["if -c >= 0, -j >= 0 {"]
    x = np.random.default_rng(0).normal(size=(8, 5)).astype(np.float32)
    for name, value in run_kernel(kernel, {"x": x}).items():
        np.testing.assert_allclose(run_kernel(found, {"x": x})[name], value, rtol=1e-6)


def test_an_output_is_stored_once() -> None:
    kernel = parse_kernel("""kernel @k(%x: f32[3,5]) -> (%q: f32[3,5], %y: f32[8,3]) root add ops (add) {
    each a in 0..3 {
      each k in 0..5 {
        %t = %x[a, k]
        %q[a, k] = %t
      }
    }
    each n in 0..8 {
      each c in 0..3 {
        %u = %q[c, 0]
        %y[n, c] = %u
      }
    }
}""")
    with pytest.raises(ScheduleError, match="'q' would be stored several times"):
        parse_step("compute_at(value=q, loop=c)").apply(kernel)


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("compute_at(value=p, loop=q)", ROWS, "'p' is also read outside of a loop 'q'"),
        ("compute_at(value=y, loop=n)", ROWS, "0 nests read 'y', not one"),
        ("compute_at(value=p, loop=c)", ROWS.replace("%p[c, k] =", "%p[-c + 2, k] ="), "has no loop for axis 0"),
        (
            "compute_at(value=p, loop=c)",
            ROWS.replace("%t1 = exp(%t)", "%p[c, k] = %t\n%t5 = %p[c, k]\n%t1 = exp(%t5)"),
            "the nest of 'p' reads what it stores",
        ),
    ],
)
def test_compute_at_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)


GATES = """
    local %p: f32[8,6] scratch
    each n in 0..8 {
      each o in 0..6 {
        %t = %x[n, 0, 0]
        %t1 = to_f32(o)
        %t2 = add(%t, %t1)
        %p[n, o] = %t2
      }
    }
    each i in 0..8 {
      each u in 0..3 {
        %t3 = %p[i, u + 3]
        %t4 = %p[i, u]
        %t5 = mul(%t3, %t4)
        %y[i, u] = %t5
      }
    }
"""


def test_points_at_equal_distances_get_numbers() -> None:
    check(
        "compute_at(value=p, loop=u)",
        GATES,
        """
        local %p: f32[2] scratch
        each i in 0..8 {
          each u in 0..3 {
            each o in 0..2 {
              %t = %x[i, 0, 0]
              %t1 = to_f32(3*o + u)
              %t2 = add(%t, %t1)
              %p[o] = %t2
            }
            %t3 = %p[1]
            %t4 = %p[0]
            %t5 = mul(%t3, %t4)
            %y[i, u] = %t5
          }
        }
        """,
    )
    computed(whole(GATES), "compute_at(value=p, loop=u)", "place(local=p, space=scratch)")


@pytest.mark.parametrize("change", [("u + 3", "u + 2"), ("u + 3", "2*u")], ids=["another distance", "another step"])
def test_other_points_are_a_whole_axis(change: tuple[str, str]) -> None:
    after = computed(whole(GATES.replace(*change)), "compute_at(value=p, loop=u)", "place(local=p, space=scratch)")
    assert "local %p: f32[6] scratch" in str(after)
