"""reorder: text before and after; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import BAND, check, refuse


def test_reorder_moves_conditions_innermost() -> None:
    check(
        "reorder(loops=(b, c, a))",
        """
        each a in 0..4 {
          if a - 1 >= 0 {
            each b in 0..3 {
              sum c in 0..5 {
                %y[a, b] = add(1.0:f32, %y[a, b])
              }
            }
          }
        }
        """,
        """
        each b in 0..3 {
          sum c in 0..5 {
            each a in 0..4 {
              if a - 1 >= 0 {
                %y[a, b] = add(1.0:f32, %y[a, b])
              }
            }
          }
        }
        """,
    )


def test_sums_that_set_locals_of_their_own_may_be_exchanged() -> None:
    before = """
        local %p: f32[2] scratch
        sum a in 0..4 {
          sum b in 0..3 {
            each i in 0..2 {
              %p[i] = 1.0:f32
            }
            each j in 0..2 {
              %t = %p[j]
              %y[j, 0] = add(%t, %y[j, 0])
            }
          }
        }
        """
    swapped = before.replace("sum a in 0..4", "sum ?").replace("sum b in 0..3", "sum a in 0..4")
    check("reorder(loops=(b, a))", before, swapped.replace("sum ?", "sum b in 0..3"))
    carried = before.replace("each i in 0..2", "each i in 0..1")
    refuse("reorder(loops=(b, a))", carried, "cannot be exchanged around statements that do not accumulate")


@pytest.mark.parametrize(
    ("before", "message"),
    [
        (BAND.replace("each b", "for b"), r"loops \('b', 'a'\) are not perfectly nested"),
        (BAND.replace("{\neach", "{\n%y[a, 0] = 1.0:f32\neach"), "not perfectly nested"),
        (BAND.replace("0..3", "0..a"), "the range of 'b' depends on a loop that would move inside it"),
        (BAND.replace("each", "sum"), "cannot be exchanged around statements that do not accumulate"),
    ],
)
def test_reorder_refuses(before: str, message: str) -> None:
    refuse("reorder(loops=(b, a))", before, message)
