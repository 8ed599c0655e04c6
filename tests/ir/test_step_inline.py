"""inline: text before and after; what it refuses; results."""

from __future__ import annotations

import pytest
from step_kit import check, computed, refuse, whole

WINDOWS = """
    local %p: f32[8,3] scratch
    each n in 0..8 {
      each c in 0..3 {
        %t = %x[n, c, 0]
        %t1 = exp(%t)
        %p[n, c] = %t1
      }
    }
    each n in 0..8 {
      each c in 0..3 {
        %t2 = %p[n, c]
        %t3 = %p[-n + 7, 0]
        %t4 = %p[n, c]
        %t5 = add(%t2, %t3)
        %t6 = mul(%t5, %t4)
        %y[n, c] = %t6
      }
    }
"""
"""Reads a value at its own index, twice, and at another one."""

SUMMED = """
    local %p: f32[8,3] scratch
    local %acc: f32[] register
    local %acc1: f32[] register
    each n in 0..8 {
      each c in 0..3 {
        %acc[] = 0.0:f32
        sum k in 0..5 {
          %t = %x[n, c, k]
          %acc[] = add(%t, %acc[])
        }
        %t1 = %acc[]
        %p[n, c] = %t1
      }
    }
    each n in 0..4 {
      each c in 0..3 {
        %acc1[] = 0.0:f32
        sum k in 0..2 {
          if -k + 1 >= 0 {
            %t2 = %p[k + 2*n, c]
            %acc1[] = add(%t2, %acc1[])
          }
        }
        %t3 = %acc1[]
        %y[n, c] = %t3
      }
    }
"""


def test_every_read_computes_the_value_once_per_scope() -> None:
    check(
        "inline(values=(p))",
        WINDOWS,
        """
        each n in 0..8 {
          each c in 0..3 {
            %t = %x[n, c, 0]
            %t1 = exp(%t)
            %t2 = %x[-n + 7, 0, 0]
            %t3 = exp(%t2)
            %t4 = add(%t1, %t3)
            %t5 = mul(%t4, %t1)
            %y[n, c] = %t5
          }
        }
        """,
    )
    computed(whole(WINDOWS), "inline(values=(p))")


def test_loops_and_locals_of_the_producer_get_names_of_their_own() -> None:
    check(
        "inline(values=(p))",
        SUMMED,
        """
        local %acc1: f32[] register
        local %acc: f32[] register
        each n in 0..4 {
          each c in 0..3 {
            %acc1[] = 0.0:f32
            sum k in 0..2 {
              if -k + 1 >= 0 {
                %acc[] = 0.0:f32
                sum k1 in 0..5 {
                  %t = %x[k + 2*n, c, k1]
                  %acc[] = add(%t, %acc[])
                }
                %t1 = %acc[]
                %acc1[] = add(%t1, %acc1[])
              }
            }
            %t2 = %acc1[]
            %y[n, c] = %t2
          }
        }
        """,
    )


def test_an_output_is_still_stored_by_its_nest() -> None:
    check(
        "inline(values=(y))",
        """
        each n in 0..8 {
          each c in 0..3 {
            %t = %x[n, c, 0]
            %y[n, c] = %t
          }
        }
        each n in 0..10 {
          each c in 0..3 {
            %t1 = %y[0, c]
            %z[n, c] = %t1
          }
        }
        """,
        """
        each n in 0..8 {
          each c in 0..3 {
            %t = %x[n, c, 0]
            %y[n, c] = %t
          }
        }
        each n in 0..10 {
          each c in 0..3 {
            %t1 = %x[0, c, 0]
            %z[n, c] = %t1
          }
        }
        """,
    )


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("inline(values=())", WINDOWS, "name at least one value"),
        ("inline(values=(q))", WINDOWS, r"no nest computes a value 'q' for others \(values: p y\)"),
        (
            "inline(values=(p))",
            WINDOWS.replace("%p[n, c] = %t1", "%p[-n + 7, c] = %t1"),
            "the nest of 'p' does not compute it element by element",
        ),
    ],
)
def test_inline_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)
