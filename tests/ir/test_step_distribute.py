"""distribute: what is distributed, what stays outside, which locals grow; what it refuses."""

from __future__ import annotations

import textwrap

import pytest
from step_kit import DOT, check, computed, parse, refuse, whole

from mochac.ir.schedule import parse_step


def test_distribute_distributes_and_grows_the_accumulator() -> None:
    check(
        "distribute(loop=c, past=(k))",
        DOT,
        """
        local %acc: f32[3] register
        each n in 0..8 {
          each c in 0..3 {
            %acc[c] = 0.0:f32
          }
          sum k in 0..5 {
            each c in 0..3 {
              %a = %x[n, c, k]
              %b = %w[c, k]
              %acc[c] = fma(%a, %b, %acc[c])
            }
          }
          each c in 0..3 {
            %t = %acc[c]
            %y[n, c] = %t
          }
        }
        """,
    )


def test_distribute_leaves_invariant_loads_outside() -> None:
    check(
        "distribute(loop=n, past=(c, k))",
        DOT,
        """
        local %acc: f32[8] register
        each c in 0..3 {
          each n in 0..8 {
            %acc[n] = 0.0:f32
          }
          sum k in 0..5 {
            %b = %w[c, k]
            each n in 0..8 {
              %a = %x[n, c, k]
              %acc[n] = fma(%a, %b, %acc[n])
            }
          }
          each n in 0..8 {
            %t = %acc[n]
            %y[n, c] = %t
          }
        }
        """,
    )


def test_a_nest_that_does_not_depend_on_a_loop_stays_outside_it() -> None:
    check(
        "distribute(loop=r, past=(k))",
        """
        local %p: f32[5] scratch
        local %acc: f32[] register
        each r in 0..8 {
          %acc[] = 0.0:f32
          each c in 0..5 {
            %u = %x[0, 0, c]
            %p[c] = %u
          }
          sum k in 0..5 {
            %v = %p[k]
            %acc[] = add(%v, %acc[])
          }
          %t = %acc[]
          %y[r, 0] = %t
        }
        """,
        """
        local %p: f32[5] scratch
        local %acc: f32[8] register
        each c in 0..5 {
          %u = %x[0, 0, c]
          %p[c] = %u
        }
        each r in 0..8 {
          %acc[r] = 0.0:f32
        }
        sum k in 0..5 {
          each r in 0..8 {
            %v = %p[k]
            %acc[r] = add(%v, %acc[r])
          }
        }
        each r in 0..8 {
          %t = %acc[r]
          %y[r, 0] = %t
        }
        """,
    )


def test_sunk_loops_nest_as_named_and_dimensions_follow_the_nest() -> None:
    for order, shape, nest in [
        (
            ["distribute(loop=c, past=(k))", "distribute(loop=n, past=(k, c))"],
            (3, 8),
            "    each c in 0..3 {\n      %b = %w[c, k]\n      each n",
        ),
        (
            ["distribute(loop=c, past=(k))", "distribute(loop=n, past=(k))"],
            (8, 3),
            "    each n in 0..8 {\n      each c",
        ),
    ]:
        kernel = parse(DOT)
        for step in order:
            kernel = parse_step(step).apply(kernel)
        assert kernel.locals[0].type.shape == shape
        assert nest in str(kernel)


def test_distribute_pushes_conditions_that_name_the_loop() -> None:
    check(
        "distribute(loop=c, past=(k))",
        """
        each n in 0..8 {
          each c in 0..3 {
            if -c + 1 >= 0, n - 1 >= 0 {
              %b = %w[0, 0]
              sum k in 0..5 {
                %y[n, c] = add(%b, %y[n, c])
              }
            }
          }
        }
        """,
        """
        each n in 0..8 {
          if n - 1 >= 0 {
            %b = %w[0, 0]
            sum k in 0..5 {
              each c in 0..3 {
                if -c + 1 >= 0 {
                  %y[n, c] = add(%b, %y[n, c])
                }
              }
            }
          }
        }
        """,
    )


def test_distribute_keeps_loads_under_the_condition_that_protects_them() -> None:
    check(
        "distribute(loop=c, past=(k))",
        """
        each n in 0..9 {
          each c in 0..3 {
            if -n - c + 7 >= 0 {
              %b = %x[n, 0, 0]
              sum k in 0..5 {
                %y[n, c] = add(%b, %y[n, c])
              }
            }
          }
        }
        """,
        """
        each n in 0..9 {
          sum k in 0..5 {
            each c in 0..3 {
              if -c - n + 7 >= 0 {
                %b = %x[n, 0, 0]
                %y[n, c] = add(%b, %y[n, c])
              }
            }
          }
        }
        """,
    )


def test_distribute_recomputes_values_from_parameters_and_keeps_others() -> None:
    check(
        "distribute(loop=c, past=(k))",
        """
        local %s: f32[] register
        each c in 0..3 {
          %b = %w[c, 0]
          %e = exp(%b)
          %s[] = %e
          %old = %s[]
          sum k in 0..5 {
            %s[] = fma(%e, %old, %s[])
          }
          %y[0, c] = %old
        }
        """,
        """
        local %s: f32[3] register
        local %old.kept: f32[3] register
        each c in 0..3 {
          %b = %w[c, 0]
          %e = exp(%b)
          %s[c] = %e
          %old = %s[c]
          %old.kept[c] = %old
        }
        sum k in 0..5 {
          each c in 0..3 {
            %b = %w[c, 0]
            %e = exp(%b)
            %old = %old.kept[c]
            %s[c] = fma(%e, %old, %s[c])
          }
        }
        each c in 0..3 {
          %old = %old.kept[c]
          %y[0, c] = %old
        }
        """,
    )


def test_each_of_two_values_of_a_name_is_kept_for_what_follows_it() -> None:
    part = """
          each r in {first}..{last} {{
            %s[] = 0.0:f32
            sum k in 0..5 {{
              %a = %x[r, c, k]
              %s[] = add(%a, %s[])
            }}
            %t = %s[]
            each d in 0..2 {{
              %b = %w[c, d]
              %p = mul(%t, %b)
              %y[r + 4*d, c] = %p
            }}
          }}
    """
    body = part.format(first=0, last=2) + part.format(first=2, last=4)
    twice = whole(f"local %s: f32[] register\neach c in 0..3 {{\n{body}\n}}")
    assert str(computed(twice, "distribute(loop=c, past=(r, k, d))", "unroll(loop=c)")).count("%t.kept[c] = %t") == 2


def test_distribute_past_everything_and_reduction_loops_of_the_name_stay() -> None:
    kernel = parse(DOT)
    for step in ("partial(local=acc, loop=k)", "distribute(loop=k, past=(*))"):
        kernel = parse_step(step).apply(kernel)
    assert "sum k in 0..5" in str(kernel)


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("distribute(loop=k, past=(*))", DOT, "only 'each' loops may be distributed"),
        ("distribute(loop=n, past=(k))", DOT, "must enter 'c' on its way to"),
        ("distribute(loop=n, past=(c, zz))", DOT, "has no loop 'zz'"),
        (
            "distribute(loop=c, past=(k))",
            DOT.replace("sum k in 0..5", "sum k in 0..c + 1"),
            "the range of 'k' depends on 'c', which cannot go inside it",
        ),
        (
            "distribute(loop=c, past=(k))",
            DOT.replace("each c in 0..3", "each c in 0..min(3, n + 1)"),
            "'acc' crosses segments of loop 'c', whose limits must then be constant",
        ),
        (
            "distribute(loop=c, past=(k))",
            DOT + "%acc[] = 1.0:f32\n",
            "local 'acc' crosses parts of loop 'c' and is used outside it",
        ),
    ],
)
def test_distribute_refuses(step: str, before: str, message: str) -> None:
    refuse(step, textwrap.dedent(before), message)
