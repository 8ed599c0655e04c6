"""cut: text before and after; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import DOT, check, refuse


def test_cut_gives_the_rest_names_of_its_own() -> None:
    check(
        "cut(loop=n, at=7, suffix=.tail)",
        """
        local %a: f32[] register
        each n in 0..8 {
          %a[] = 1.0:f32
          each c in 0..3 {
            %t = %a[]
            %y[n, c] = %t
          }
        }
        """,
        """
        local %a: f32[] register
        local %a.tail: f32[] register
        each n in 0..7 {
          %a[] = 1.0:f32
          each c in 0..3 {
            %t = %a[]
            %y[n, c] = %t
          }
        }
        each n.tail in 0..1 {
          %a.tail[] = 1.0:f32
          each c.tail in 0..3 {
            %t.tail = %a.tail[]
            %y[n.tail + 7, c.tail] = %t.tail
          }
        }
        """,
    )


def test_cut_of_a_sum_keeps_its_accumulator() -> None:
    check(
        "cut(loop=k, at=4, suffix=.tail)",
        "local %a: f32[] register\neach n in 0..8 {\n%a[] = 1.0:f32\nsum k in 0..5 {\n%a[] = add(k, %a[])\n}\n}\n",
        """
        local %a: f32[] register
        each n in 0..8 {
          %a[] = 1.0:f32
          sum k in 0..4 {
            %a[] = add(k, %a[])
          }
          sum k.tail in 0..1 {
            %a[] = add(k.tail + 4, %a[])
          }
        }
        """,
    )


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("cut(loop=n, at=8, suffix=.b)", DOT, r"runs over 0\.\.8, cannot be cut at 8"),
        ("cut(loop=i, at=1, suffix=.b)", "each n in 0..8 {\neach i in 0..n {\n}\n}\n", "constant limits"),
        ("cut(loop=n, at=1, suffix=.b)", "each n in 0..8 {\n}\neach n.b in 0..1 {\n}\n", "already has n.b"),
        ("cut(loop=n, at=1, suffix=.b)", "each n in 0..8 {\n}\neach n in 0..8 {\n}\n", "has 2 loops 'n'"),
    ],
)
def test_cut_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)
