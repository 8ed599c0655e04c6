"""detach: text before and after; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import DOT, check, refuse


def test_detach_gives_the_end_a_band_of_its_own() -> None:
    check(
        "detach(loops=(n, c), after=2, part=second, mark=.j)",
        DOT,
        """
        local %acc: f32[8,3] register
        each n in 0..8 {
          each c in 0..3 {
            %acc[n, c] = 0.0:f32
            sum k in 0..5 {
              %a = %x[n, c, k]
              %b = %w[c, k]
              %acc[n, c] = fma(%a, %b, %acc[n, c])
            }
          }
        }
        each n.j in 0..8 {
          each c.j in 0..3 {
            %t = %acc[n.j, c.j]
            %y[n.j, c.j] = %t
          }
        }
        """,
    )


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("detach(loops=(n, c), after=2, part=third, mark=.j)", DOT, "part must be first or second"),
        ("detach(loops=(n, c), after=9, part=second, mark=.j)", DOT, "cannot cut after 9"),
    ],
)
def test_detach_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)
