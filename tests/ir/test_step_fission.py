"""fission: text before and after; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import applied, check, parse, refuse

from mochac.ir.kernel import Loop

WINDOW = """
    local %acc: f32[] register
    local %best: f32[] register
    %best[] = -inf:f32
    for i in 0..3 {
      if -i + 2 >= 0 {
        %acc[] = 0.0:f32
        sum k in 0..5 {
          %a = %x[0, i, k]
          %acc[] = add(%a, %acc[])
        }
        %t = %acc[]
        %best[] = max(%t, %best[])
      }
    }
"""


def test_fission_frees_the_first_part_of_an_ordered_loop() -> None:
    check(
        "fission(loop=i, after=2)",
        WINDOW,
        """
        local %acc: f32[3] register
        local %best: f32[] register
        %best[] = -inf:f32
        each i in 0..3 {
          if -i + 2 >= 0 {
            %acc[i] = 0.0:f32
            sum k in 0..5 {
              %a = %x[0, i, k]
              %acc[i] = add(%a, %acc[i])
            }
          }
        }
        for i in 0..3 {
          if -i + 2 >= 0 {
            %t = %acc[i]
            %best[] = max(%t, %best[])
          }
        }
        """,
    )


def test_fission_frees_the_first_part_of_a_sum() -> None:
    check(
        "fission(loop=i, after=2)",
        WINDOW.replace("for i", "sum i").replace("max", "add"),
        """
        local %acc: f32[3] register
        local %best: f32[] register
        %best[] = -inf:f32
        each i in 0..3 {
          if -i + 2 >= 0 {
            %acc[i] = 0.0:f32
            sum k in 0..5 {
              %a = %x[0, i, k]
              %acc[i] = add(%a, %acc[i])
            }
          }
        }
        sum i in 0..3 {
          if -i + 2 >= 0 {
            %t = %acc[i]
            %best[] = add(%t, %best[])
          }
        }
        """,
    )


CARRYING = """
    local %p: f32[3] register
    each r in 0..3 {
      %p[r] = 0.0:f32
    }
    for i in 0..3 {
      each r in 0..2 {
        %p[r] = 0.0:f32
      }
      each r in 0..3 {
        %a = %x[0, i, r]
        %p[r] = add(%a, %p[r])
      }
      %y[i, 0] = 1.0:f32
    }
    each r in 0..3 {
      %t = %p[r]
      %y[r, 1] = %t
    }
"""


def test_fission_keeps_the_order_of_a_loop_that_sets_only_a_part_of_what_it_reads() -> None:
    assert [s.kind for s in applied(parse(CARRYING), "fission(loop=i, after=2)").body if isinstance(s, Loop)] == [
        "each",
        "for",
        "for",
        "each",
    ]


def test_fission_names_the_second_loop() -> None:
    check(
        "fission(loop=n, after=1, second=m)",
        "each n in 0..8 {\n%y[n, 0] = 1.0:f32\n%y[n, 1] = n\n}\n",
        """
        each n in 0..8 {
          %y[n, 0] = 1.0:f32
        }
        each m in 0..8 {
          %y[m, 1] = m
        }
        """,
    )


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("fission(loop=i, after=4)", WINDOW, "has 4 statements, cannot cut after 4"),
        ("fission(loop=i, after=2)", WINDOW.replace("%acc[] = 0.0:f32", "%best[] = 0.0:f32"), "writes best"),
        ("fission(loop=i, after=1)", WINDOW.replace("%acc[] = 0.0:f32", "%acc[] = add(1.0:f32, %acc[])"), "writes acc"),
        (
            "fission(loop=i, after=1)",
            "local %a: f32[] register\nfor i in 0..3 {\n%a[] = add(i, %a[])\n%t = %a[]\n%y[i, 0] = %t\n}\n",
            "'a' carries a value from one iteration",
        ),
        (
            "fission(loop=n, after=1, second=c)",
            "each n in 0..8 {\n%y[n, 0] = 1.0:f32\neach c in 0..3 {\n%y[n, c] = n\n}\n}\n",
            "'c'",
        ),
    ],
)
def test_fission_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)
