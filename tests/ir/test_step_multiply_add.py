"""multiply_add: text before and after; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import DOT, check, refuse

SUM = """
local %acc: f32[] register
local %n: i32[] register
each n in 0..8 {
  %acc[] = 0.0:f32
  %n[] = 0:i32
  sum k in 0..5 {
    %a = %x[n, 0, k]
    %b = %w[0, k]
    %t = mul(%a, %b)
    %acc[] = add(%t, %acc[])
    %s = square(%a)
    %acc[] = add(%s, %acc[])
    %n[] = add(k, %n[])
  }
  %r = %acc[]
  %y[n, 0] = %r
}
"""


def test_products_that_are_only_added_are_fused() -> None:
    check(
        "multiply_add(local=acc)",
        SUM,
        """
        local %acc: f32[] register
        local %n: i32[] register
        each n in 0..8 {
          %acc[] = 0.0:f32
          %n[] = 0:i32
          sum k in 0..5 {
            %a = %x[n, 0, k]
            %b = %w[0, k]
            %acc[] = fma(%a, %b, %acc[])
            %acc[] = fma(%a, %a, %acc[])
            %n[] = add(k, %n[])
          }
          %r = %acc[]
          %y[n, 0] = %r
        }
        """,
    )


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("multiply_add(local=sum)", DOT, "no local 'sum'"),
        ("multiply_add(local=acc)", DOT, "no product is added to 'acc' that nothing else reads"),
        ("multiply_add(local=n)", SUM, "'n' holds i32"),
        (
            "multiply_add(local=acc)",
            SUM.replace("%s = square(%a)", "%s = sub(%t, %a)"),
            "no product is added to 'acc' that nothing else reads",
        ),
    ],
)
def test_multiply_add_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)
