"""split_body: text before and after, what it computes, and what it refuses."""

from __future__ import annotations

import pytest
from step_kit import check, computed, refuse, whole

HALVES = """
    local %t: f32[3] scratch
    local %p: f32[8] scratch
    local %one: f32[2] scratch
    each c in 0..3 {
      each i in 0..3 {
        %a = %w[i, 0]
        %t[i] = %a
      }
      each r in 0..8 {
        %one[0] = 0.0:f32
        %b = %t[2]
        %one[1] = %b
        %d = %one[1]
        %e = %x[r, c, 0]
        %f = add(%d, %e)
        %p[r] = %f
      }
      each s in 0..8 {
        %g = %p[s]
        %y[s, c] = %g
      }
    }
"""
STEP = "split_body(loops=(r, s), around=c, parts=2, part=h)"


def test_divide() -> None:
    check(
        STEP,
        HALVES,
        """
        local %t: f32[3] scratch
        local %p: f32[4] scratch
        local %one: f32[2] scratch
        each c in 0..3 {
          each h in 0..2 {
            each i in 0..3 {
              %a = %w[i, 0]
              %t[i] = %a
            }
            each r in 0..4 {
              %one[0] = 0.0:f32
              %b = %t[2]
              %one[1] = %b
              %d = %one[1]
              %e = %x[4*h + r, c, 0]
              %f = add(%d, %e)
              %p[r] = %f
            }
            each s in 0..4 {
              %g = %p[s]
              %y[4*h + s, c] = %g
            }
          }
        }
        """,
    )
    computed(whole(HALVES), STEP)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("each r in 0..8", "each r in 0..7", "must be 'each' loops of 2 equal parts"),
        ("each s in 0..8", "sum s in 0..8", "must be 'each' loops of 2 equal parts"),
        (
            "each i in 0..3 {",
            "each s in 0..8 {\n%y[s, 0] = 0.0:f32\n}\neach i in 0..3 {\n%y[0, 0] = 0.0:f32",
            "'y' would",
        ),
        ("%a = %w[i, 0]", "%a = %p[i]", "'p' is also used where it is not divided"),
        (
            "each c in 0..3 {",
            "each k in 0..3 {\n%t[k] = 0.0:f32\n}\neach c in 0..3 {",
            "'t' is also used where it is not",
        ),
        ("%t[i] = %a", "%t[i] = add(%a, %t[i])", "'t' does not start fresh in every part"),
        ("%g = %p[s]", "%g = %p[-s + 7]", "r s must move 'p' along one axis"),
        ("%one[1] = %b\n        %d = %one[1]", "%d = %one[1]\n%one[1] = %b", "r s must move 'one' along one axis"),
        ("each c in 0..3 {", "each s in 0..8 {\n%y[s, 0] = 0.0:f32\n}\neach c in 0..3 {", "must be inside of 'c'"),
    ],
)
def test_divide_refuses(old: str, new: str, message: str) -> None:
    assert old in HALVES
    refuse(STEP, HALVES.replace(old, new, 1), message)
