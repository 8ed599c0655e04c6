"""split: text before and after for each kind of tail; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import DOT, check, parse, refuse

from mochac.ir.schedule import parse_step


def test_split_that_divides() -> None:
    check(
        "split(loop=n, factor=4, outer=q, inner=lane)",
        "each n in 0..8 {\n%y[n, 0] = n\n}\n",
        """
        each q in 0..2 {
          each lane in 0..4 {
            %y[lane + 4*q, 0] = lane + 4*q
          }
        }
        """,
    )


def test_split_with_a_guard() -> None:
    check(
        "split(loop=n, factor=4, outer=q, inner=lane, tail=guard)",
        "each n in 1..7 {\n%y[n, 0] = 1.0:f32\n}\n",
        """
        each q in 0..2 {
          each lane in 0..4 {
            if -lane - 4*q + 5 >= 0 {
              %y[lane + 4*q + 1, 0] = 1.0:f32
            }
          }
        }
        """,
    )


def test_split_with_a_cut() -> None:
    check(
        "split(loop=k, factor=2, outer=kq, inner=ki, tail=cut)",
        "sum k in 0..5 {\n%a[] = add(k, %a[])\n}\n",
        """
        sum kq in 0..2 {
          sum ki in 0..2 {
            %a[] = add(ki + 2*kq, %a[])
          }
        }
        sum kq in 2..3 {
          sum ki in 0..1 {
            %a[] = add(ki + 2*kq, %a[])
          }
        }
        """,
    )


def test_split_cuts_off_a_remainder_of_several() -> None:
    result = parse_step("split(loop=k, factor=4, outer=q, inner=i, tail=cut)").apply(
        parse("sum k in 0..11 {\n%a[] = add(k, %a[])\n}\n")
    )
    assert "sum i in 0..4 {" in str(result) and "sum q in 2..3 {\n    sum i in 0..3 {" in str(result)


def test_split_that_pads() -> None:
    before = "each n in 0..10 {\neach c in 0..3 {\n%t = %blocked[n, c]\n%z[n, c] = %t\n}\n}\n"
    result = parse_step("split(loop=n, factor=4, outer=q, inner=lane, tail=pad)").apply(parse(before))
    assert "if" not in str(result) and "each q in 0..3" in str(result)


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("split(loop=m, factor=4, outer=q, inner=r)", DOT, r"no loop 'm' \(loops: n c k\)"),
        ("split(loop=n, factor=0, outer=q, inner=r)", DOT, "factor must be at least 1"),
        (
            "split(loop=n, factor=4, outer=q, inner=r, tail=crop)",
            DOT,
            "tail must be one of guard, cut, pad, not 'crop'",
        ),
        ("split(loop=n, factor=4, outer=k, inner=r)", DOT, "already has a loop 'k'"),
        ("split(loop=n, factor=4, outer=q, inner=q)", DOT, "both called 'q'"),
        ("split(loop=n, factor=3, outer=q, inner=r, tail=pad)", DOT, "padding 'n' to 9 needs 'x' blocked"),
        ("split(loop=k, factor=3, outer=q, inner=r, tail=pad)", DOT, "only an 'each' loop from 0 may be padded"),
        ("split(loop=j, factor=2, outer=q, inner=r)", "each i in 0..3 {\neach j in 0..i {\n}\n}\n", "constant limits"),
        (
            "split(loop=n, factor=4, outer=q, inner=r, tail=pad)",
            "each n in 0..10 {\nif n - 2 >= 0 {\n%z[n, 0] = 1.0:f32\n}\n}\n",
            "would change a range or condition",
        ),
    ],
)
def test_split_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)
