"""permute: text before and after; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import DOT, check, refuse


def test_permute_turns_dimensions() -> None:
    check(
        "permute(local=a, order=(1, 2, 0))",
        "local %a: f32[8,4,2] register\neach w in 0..8 {\neach n in 0..4 {\n%a[w, n, 1] = 1.0:f32\n}\n}\n",
        """
        local %a: f32[4,2,8] register
        each w in 0..8 {
          each n in 0..4 {
            %a[n, 1, w] = 1.0:f32
          }
        }
        """,
    )


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("permute(local=b, order=(0))", DOT, "has no local 'b'"),
        ("permute(local=acc, order=(0))", DOT, "order must name each of the 0 dimensions of 'acc' once"),
    ],
)
def test_permute_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)
