"""advance: text before and after; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import DOT, check, refuse


def test_advance_lets_a_loop_run_first() -> None:
    check(
        "advance(loop=c)",
        """
        local %a: f32[3] register
        local %b: f32[] register
        each n in 0..8 {
          %b[] = 1.0:f32
          each c in 0..3 {
            %a[c] = 2.0:f32
          }
          for j in 0..3 {
            %t = %a[j]
            %b[] = add(%t, %b[])
          }
        }
        """,
        """
        local %a: f32[3] register
        local %b: f32[] register
        each n in 0..8 {
          each c in 0..3 {
            %a[c] = 2.0:f32
          }
          %b[] = 1.0:f32
          for j in 0..3 {
            %t = %a[j]
            %b[] = add(%t, %b[])
          }
        }
        """,
    )


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("advance(loop=k)", DOT, "'k' shares acc with statements it would pass"),
        ("advance(loop=c)", "each n in 0..8 {\n%t = %x[n, 0, 0]\neach c in 0..3 {\n%y[n, c] = %t\n}\n}\n", "shares t"),
    ],
)
def test_advance_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)
