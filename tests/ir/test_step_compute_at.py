"""compute_at: text before and after; what it refuses; results."""

from __future__ import annotations

import pytest
from step_kit import check, computed, refuse, whole

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
