"""flatten: text before and after; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import DOT, check, refuse


def test_flatten_joins_two_dimensions() -> None:
    check(
        "flatten(local=a, axis=0)",
        "local %a: f32[8,4] register\neach w in 0..8 {\neach n in 0..4 {\n%a[w, n] = 1.0:f32\n}\n}\n",
        """
        local %a: f32[32] register
        each w in 0..8 {
          each n in 0..4 {
            %a[n + 4*w] = 1.0:f32
          }
        }
        """,
    )


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("flatten(local=b, axis=0)", DOT, "has no buffer 'b'"),
        ("flatten(local=blocked, axis=0)", DOT, "dimension 0 of 'blocked' is stored in blocks"),
        ("flatten(local=acc, axis=0)", DOT, "'acc' has 0 dimensions"),
    ],
)
def test_flatten_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)
