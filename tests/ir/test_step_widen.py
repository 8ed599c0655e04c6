"""widen: text before and after; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import DOT, check, refuse


def test_widen_leaves_the_first_iterations_empty() -> None:
    check(
        "widen(loop=n, before=2)",
        "each n in 0..8 {\n%y[n, 0] = 1.0:f32\n}\n",
        """
        each n in -2..8 {
          if n >= 0 {
            %y[n, 0] = 1.0:f32
          }
        }
        """,
    )


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("widen(loop=m, before=1)", DOT, r"no loop 'm' \(loops: n c k\)"),
        ("widen(loop=n, before=0)", DOT, "before must be at least 1"),
    ],
)
def test_widen_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)
