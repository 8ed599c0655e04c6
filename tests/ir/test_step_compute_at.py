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
