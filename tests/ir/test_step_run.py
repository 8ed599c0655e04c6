"""threads, vector, unroll: text before and after; what they refuse."""

from __future__ import annotations

import pytest
from step_kit import BAND, DOT, check, refuse


def test_runs() -> None:
    check(
        "parallel(loops=(n, c))",
        BAND.replace("each a", "each n").replace("each b", "each c").replace("[a, b]", "[n, c]"),
        """
        each n in 0..4 parallel {
          each c in 0..3 parallel {
            %y[n, c] = 0.0:f32
          }
        }
        """,
    )
    check(
        "vector(loop=n)",
        "each n in 0..8 {\n%y[n, 0] = 0.0:f32\n}\n",
        "each n in 0..8 vector {\n  %y[n, 0] = 0.0:f32\n}\n",
    )
    check(
        "unroll(loop=n)",
        "for n in 0..8 {\n%y[n, 0] = 0.0:f32\n}\n",
        "for n in 0..8 unroll {\n  %y[n, 0] = 0.0:f32\n}\n",
    )


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("vector(loop=n)", DOT, "must be innermost, 'c' is inside it"),
        ("vector(loop=n)", "for n in 0..8 {\n%y[n, 0] = 0.0:f32\n}\n", "runs strictly in order"),
        ("unroll(loop=b)", BAND.replace("0..3", "0..a"), "constant limits"),
        ("parallel(loops=(b))", BAND, "'b' is not the next outermost"),
        ("parallel(loops=())", BAND, "name at least one loop"),
        (
            "parallel(loops=(a))",
            BAND + "%y[0, 0] = 1.0:f32\n",
            "a statement outside the loops a would run on every thread",
        ),
    ],
)
def test_runs_refuse(step: str, before: str, message: str) -> None:
    refuse(step, before, message)
