"""jam: text before and after; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import check, refuse

PAIR = """
    local %p: f32[8,3] scratch
    each c in 0..3 {
      each a in 0..4 {
        each i in 0..2 {
          %s = %x[i + 2*a, c, 1]
          %p[i + 2*a, c] = %s
        }
      }
      each b in 0..4 {
        each j in 0..2 {
          %t = %p[-j + 2*b + 1, c]
          %y[j + 2*b, c] = %t
        }
      }
    }
"""


def test_jam() -> None:
    check(
        "jam(loop=b, producer=a)",
        PAIR,
        """
        local %p: f32[2,3] scratch
        each c in 0..3 {
          each b in 0..4 {
            each i in 0..2 {
              %s = %x[2*b + i, c, 1]
              %p[i, c] = %s
            }
            each j in 0..2 {
              %t = %p[-j + 1, c]
              %y[2*b + j, c] = %t
            }
          }
        }
        """,
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("%p[-j + 2*b + 1, c]", "%p[-j + 2*b + 2, c]", "uses 'p' beyond what it stores itself"),
        ("%p[-j + 2*b + 1, c]", "%p[j + b, c]", "uses 'p' beyond what it stores itself"),
        ("%p[-j + 2*b + 1, c]", "%p[j, c]", "uses 'p' beyond what it stores itself"),
        ("each b in 0..4", "each b in 0..3", "must run over the same range"),
        ("%p[i + 2*a, c] = %s", "%p[i + 2*a, c] = %s\n%y[i + 2*a, c] = %s", "must store only to locals"),
        ("%y[j + 2*b, c] = %t", "%p[j + 2*b, c] = %t", "which 'b' only reads"),
        ("each b in 0..4", "%u = %p[0, c]\n%y[0, c] = %u\neach b in 0..4", "no loop 'b' comes right after a loop 'a'"),
        ("each c in 0..3", "%u = %p[0, 0]\n%y[0, 0] = %u\neach c in 0..3", "'p' is also used outside of both loops"),
    ],
)
def test_jam_refuses(old: str, new: str, message: str) -> None:
    refuse("jam(loop=b, producer=a)", PAIR.replace(old, new, 1), message)
