"""skew: text before and after; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import DOT, check, refuse

SCATTERED = """
    local %acc: f32[] register
    each u in 0..4 {
      each p in 0..2 {
        %acc[] = 0.0:f32
        sum o in 0..5 {
          if p + 2*u - 2*o >= 0, -p - 2*u + 2*o + 2 >= 0 {
            %a = %w[p - 2*o + 2*u, o]
            %acc[] = add(%a, %acc[])
          }
        }
        %t = %acc[]
        %y[p + 2*u, 0] = %t
      }
    }
"""


def test_skew_leaves_the_taps_of_a_phase() -> None:
    check(
        "skew(loop=o, by=u, inner=j)",
        SCATTERED,
        """
        local %acc: f32[] register
        each u in 0..4 {
          each p in 0..2 {
            %acc[] = 0.0:f32
            sum j in 0..2 {
              if -j + u >= 0 {
                if -2*j - p + 2 >= 0 {
                  %a = %w[2*j + p, -j + u]
                  %acc[] = add(%a, %acc[])
                }
              }
            }
            %t = %acc[]
            %y[p + 2*u, 0] = %t
          }
        }
        """,
    )


def test_skew_finds_the_one_group() -> None:
    check(
        "skew(loop=g, by=group, inner=apart)",
        """
        local %acc: f32[] register
        each group in 0..2 {
          each c in 0..4 {
            %acc[] = 0.0:f32
            sum g in 0..2 {
              if c + 4*group - 4*g >= 0, -c - 4*group + 4*g + 3 >= 0 {
                %acc[] = add(g, %acc[])
              }
            }
            %y[c + 4*group, 0] = %acc[]
          }
        }
        """.replace("%y[c + 4*group, 0] = %acc[]", "%t = %acc[]\n%y[c + 4*group, 0] = %t"),
        """
        local %acc: f32[] register
        each group in 0..2 {
          each c in 0..4 {
            %acc[] = 0.0:f32
            %acc[] = add(group, %acc[])
            %t = %acc[]
            %y[c + 4*group, 0] = %t
          }
        }
        """,
    )


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("skew(loop=c, by=n, inner=j)", DOT, "is a 'each' loop, not a reduction"),
        ("skew(loop=k, by=n, inner=c)", DOT, "already has a loop 'c'"),
        ("skew(loop=k, by=m, inner=j)", DOT, "no loop 'm' is around loop 'k'"),
    ],
)
def test_skew_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)
