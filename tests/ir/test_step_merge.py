"""merge: text before and after; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import DOT, check, refuse


def test_merge_counts_row_by_row_and_turns_conditions_of_the_outer_loop() -> None:
    check(
        "merge(outer=w, inner=n, name=p)",
        """
        local %a: f32[40] register
        each w in 1..8 {
          each n in 2..6 {
            if w - 2 >= 0, -w + 6 >= 0, -n - 4*w + 20 >= 0 {
              %a[n + 4*w - 6] = 1.0:f32
            }
          }
        }
        """,
        """
        local %a: f32[40] register
        each p in 0..28 {
          if p - 4 >= 0, -p + 23 >= 0, -p + 14 >= 0 {
            %a[p] = 1.0:f32
          }
        }
        """,
    )


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("merge(outer=n, inner=c, name=k)", DOT, "already has a loop 'k'"),
        ("merge(outer=n, inner=c, name=p)", DOT, r"n is not affine in 'p' = 3\*n \+ c"),
        ("merge(outer=c, inner=k, name=p)", DOT, "'k' must be the only thing inside 'c'"),
        (
            "merge(outer=n, inner=c, name=p)",
            "each n in 0..8 {\neach c in 0..3 {\nsum k in 0..n {\n}\n}\n}\n",
            "the range of 'k' depends on the loops to be merged",
        ),
    ],
)
def test_merge_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)
