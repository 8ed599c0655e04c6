"""partial: text before and after; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import DOT, check, parse, refuse

from mochac.ir.schedule import parse_step


def test_partial_gives_each_lane_an_accumulator() -> None:
    check(
        "partial(local=acc, loop=lane)",
        """
        local %acc: f32[] register
        %b = %w[0, 0]
        %acc[] = %b
        sum q in 0..2 {
          sum lane in 0..4 {
            %a = %x[lane + 4*q, 0, 0]
            %acc[] = fma(%a, %a, %acc[])
          }
        }
        %t = %acc[]
        %y[0, 0] = %t
        """,
        """
        local %acc: f32[4] register
        local %acc.sum: f32[] register
        %b = %w[0, 0]
        each lane in 0..4 {
          %acc[lane] = 0.0:f32
        }
        sum q in 0..2 {
          each lane in 0..4 {
            %a = %x[lane + 4*q, 0, 0]
            %acc[lane] = fma(%a, %a, %acc[lane])
          }
        }
        %acc.sum[] = %b
        sum lane in 0..4 {
          %acc.part = %acc[lane]
          %acc.sum[] = add(%acc.part, %acc.sum[])
        }
        %t = %acc.sum[]
        %y[0, 0] = %t
        """,
    )


def test_partial_of_several_sums_shares_the_parts() -> None:
    check(
        "partial(local=a, loop=l)",
        """
        local %a: f32[] register
        each n in 0..8 {
          %a[] = 1.0:f32
          sum k in 0..2 {
            sum l in 0..4 {
              %a[] = add(k, %a[])
            }
          }
          sum l in 0..4 {
            %a[] = add(l, %a[])
          }
        }
        """,
        """
        local %a: f32[4] register
        local %a.sum: f32[] register
        each n in 0..8 {
          each l in 0..4 {
            %a[l] = 0.0:f32
          }
          sum k in 0..2 {
            each l in 0..4 {
              %a[l] = add(k, %a[l])
            }
          }
          each l in 0..4 {
            %a[l] = add(l, %a[l])
          }
          %a.sum[] = 1.0:f32
          sum l in 0..4 {
            %a.part = %a[l]
            %a.sum[] = add(%a.part, %a.sum[])
          }
        }
        """,
    )


def test_partial_maxima_start_at_minus_infinity() -> None:
    before = "local %m: f32[] register\n%m[] = 1.0:f32\nsum k in 0..5 {\n%a = %w[0, k]\n%m[] = max(%a, %m[])\n}\n"
    result = str(parse_step("partial(local=m, loop=k)").apply(parse(before)))
    assert "%m[k] = -inf:f32" in result and "%m.sum[] = max(%m.part, %m.sum[])" in result


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("partial(local=sum, loop=k)", DOT, "no local 'sum'"),
        ("partial(local=acc, loop=c)", DOT, "must contain 'sum' loop 'c'"),
        ("partial(local=acc, loop=k)", DOT.replace("%acc: f32[]", "%acc: f32[2]"), "already has dimensions"),
        (
            "partial(local=acc, loop=k)",
            DOT.replace("%a = %x[n, c, k]", "%a = %acc[]"),
            "'acc' must only be accumulated, and only inside loop 'k'",
        ),
        ("partial(local=acc, loop=k, join=n)", DOT, "already has a loop 'n'"),
    ],
)
def test_partial_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)
