"""clip: conditions become limits, exact ones."""

from __future__ import annotations

import pytest
from step_kit import DOT, check, parse, refuse

from mochac.ir.schedule import parse_step


def test_clip_turns_conditions_into_limits() -> None:
    check(
        "clip(loop=k)",
        """
        each n in 0..8 {
          sum k in 0..5 {
            each c in 0..3 {
              %t = %w[c, k]
              if 2*k + n - 3 >= 0, -3*k - n + 9 >= 0, c - k >= 0 {
                %y[n, c] = add(%t, %y[n, c])
              }
            }
          }
        }
        """,
        """
        each n in 0..8 {
          sum k in max(0, ceil((-n + 3) / 2))..min(5, ceil((-n + 10) / 3)) {
            each c in 0..3 {
              %t = %w[c, k]
              if c - k >= 0 {
                %y[n, c] = add(%t, %y[n, c])
              }
            }
          }
        }
        """,
    )
    refuse("clip(loop=k)", DOT, "no condition on 'k' guards the whole body")


@pytest.mark.parametrize("n", range(8))
def test_clipped_limits_are_exact(n: int) -> None:
    guard = "if 2*k + n - 3 >= 0, -3*k - n + 9 >= 0 {\n%y[n, 0] = add(1.0:f32, %y[n, 0])\n}\n"
    clipped = parse_step("clip(loop=k)").apply(parse("each n in 0..8 {\nsum k in 0..5 {\n" + guard + "}\n}\n"))
    loop = clipped.body[0].body[0]  # type: ignore[union-attr]
    want = [k for k in range(5) if 2 * k + n - 3 >= 0 and -3 * k - n + 9 >= 0]
    assert list(range(max(loop.lo.values({"n": n})), min(loop.hi.values({"n": n})))) == want  # type: ignore[union-attr]


def test_constant_limits_are_one() -> None:
    check(
        "clip(loop=k)",
        """
        each n in 0..8 {
          each k in 0..3 {
            if -k >= 0 {
              %y[n, 0] = 0.0:f32
            }
          }
        }
        """,
        """
        each n in 0..8 {
          each k in 0..1 {
            %y[n, 0] = 0.0:f32
          }
        }
        """,
    )
