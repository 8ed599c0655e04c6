"""stage: copies in and out, text before and after; what it refuses."""

from __future__ import annotations

import textwrap

import pytest
from step_kit import TILES, check, computed, parse, refuse, whole

from mochac.ir.schedule import parse_step


def test_stage_copies_in_and_out() -> None:
    check(
        "stage(buffer=p, loop=c)",
        TILES,
        """
        local %p: f32[3,8] scratch
        local %p.reg: f32[8] register
        each c in 0..3 {
          each n in 0..8 unroll {
            if -n + 6 >= 0 {
              %moved = %p[c, n]
              %p.reg[n] = %moved
            }
          }
          sum k in 0..5 {
            each n in 0..8 unroll {
              if -n + 6 >= 0 {
                %a = %x[n, c, k]
                %p.reg[n] = add(%a, %p.reg[n])
              }
            }
          }
          each n in 0..8 unroll {
            if -n + 6 >= 0 {
              %moved = %p.reg[n]
              %p[c, n] = %moved
            }
          }
        }
        """,
    )


def test_stage_adds_subtotals() -> None:
    check(
        "stage(buffer=p, loop=c, subtotal=True)",
        """
        local %p: f32[3,8] scratch
        sum a in 0..2 {
          each c in 0..3 {
            sum k in 0..5 {
              each n in 0..8 unroll {
                %p[c, n] = add(1.0:f32, %p[c, n])
              }
            }
          }
        }
        """,
        """
        local %p: f32[3,8] scratch
        local %p.reg: f32[8] register
        sum a in 0..2 {
          each c in 0..3 {
            each n in 0..8 unroll {
              %p.reg[n] = 0.0:f32
            }
            sum k in 0..5 {
              each n in 0..8 unroll {
                %p.reg[n] = add(1.0:f32, %p.reg[n])
              }
            }
            each n in 0..8 unroll {
              %moved = %p.reg[n]
              %p[c, n] = add(%moved, %p[c, n])
            }
          }
        }
        """,
    )
    read = TILES.replace("%a = %x[n, c, k]", "%a = %p[c, n]")
    refuse("stage(buffer=p, loop=c, subtotal=True)", read, "does more with 'p' than add to it")


def test_stage_of_a_parameter_is_only_read() -> None:
    check(
        "stage(buffer=w, loop=n, space=scratch)",
        """
        each n in 0..8 {
          each j in 0..4 {
            each c in 0..3 {
              each k in 1..5 {
                %b = %w[c, k]
                %x2[n, j, c, k] = %b
              }
            }
          }
        }
        """,
        """
        local %w.copy: f32[3,4] scratch
        each n in 0..8 {
          each c in 0..3 {
            each k in 1..5 {
              %moved = %w[c, k]
              %w.copy[c, k - 1] = %moved
            }
          }
          each j in 0..4 {
            each c in 0..3 {
              each k in 1..5 {
                %b = %w.copy[c, k - 1]
                %x2[n, j, c, k] = %b
              }
            }
          }
        }
        """,
    )


def test_stage_orders_the_reductions_around_it() -> None:
    before = "sum q in 0..2 {\n" + textwrap.dedent(TILES).split("scratch\n")[1] + "}\n"
    result = str(parse_step("stage(buffer=p, loop=c)").apply(parse("local %p: f32[3,8] scratch\n" + before)))
    assert "for q in 0..2" in result and "each c in 0..3" in result and "sum k in 0..5" in result


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("stage(buffer=q, loop=c)", TILES, "no buffer 'q'"),
        ("stage(buffer=p, loop=c, space=cloud)", TILES, "space must be one of register, scratch"),
        ("stage(buffer=x, loop=c)", TILES, "no loop 'c' uses an element of 'x' more than once"),
        (
            "stage(buffer=w, loop=n)",
            "each n in 0..2 {\nsum j in 0..2 {\n%a = %w[0, 1]\n}\nsum i in 0..2 {\n%c = %w[2, 0]\n}\n}\n",
            "'w' is used at several indices",
        ),
        (
            "stage(buffer=p, loop=c)",
            TILES.replace("%p[c, n]", "%p[0, n + k]")
            .replace("sum k", "each k")
            .replace("{\n      each k", "{\n      for u in 0..2 {\n      each k")
            + "}\n",
            "may reach an element twice",
        ),
    ],
)
def test_stage_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)


def test_stage_copies_in_what_a_body_does_not_set() -> None:
    """It sets two of the three elements that it adds to; the third one is carried from iteration to iteration."""
    kernel = whole("""
        local %p: f32[3] scratch
        each r in 0..3 {
          %p[r] = 1.0:f32
        }
        for i in 0..3 {
          each r in 0..2 {
            %p[r] = 0.0:f32
          }
          for k in 0..5 {
            each r in 0..3 {
              %a = %x[r, i, k]
              %p[r] = add(%a, %p[r])
            }
          }
        }
        each n in 0..8 {
          each c in 0..3 {
            %t = %p[c]
            %y[n, c] = %t
          }
        }
    """)
    computed(kernel, "stage(buffer=p, loop=i, space=scratch)")
