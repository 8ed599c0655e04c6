"""loosen: text before and after; what it refuses; results."""

from __future__ import annotations

import pytest
from step_kit import check, computed, refuse, whole

ROWS = """
    local %p: f32[8,3] scratch
    each n in 0..8 {
      each c in 0..3 {
        %s = %x[n, c, 1]
        %p[n, c] = %s
      }
    }
    each n in 0..8 {
      each c in 0..3 {
        %t = %p[-n + 7, c]
        %y[n, c] = %t
      }
    }
"""


def test_loosen() -> None:
    check("loosen(local=p, axis=1, by=2)", ROWS, ROWS.replace("f32[8,3]", "f32[8,5]"))


def test_results_stay() -> None:
    computed(whole(ROWS), "loosen(local=p, axis=1, by=1)", "loosen(local=p, axis=0, by=3)")


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("loosen(local=q, axis=0, by=1)", "has no local 'q'"),
        ("loosen(local=p, axis=2, by=1)", r"'p' has axes 0 \.\. 1"),
        ("loosen(local=p, axis=0, by=0)", "grows by 1 or more"),
    ],
)
def test_loosen_refuses(step: str, message: str) -> None:
    refuse(step, ROWS, message)
