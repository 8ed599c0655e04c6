"""peel: text before and after; what it refuses."""

from __future__ import annotations

from step_kit import DOT, check, parse, refuse

from mochac.ir.schedule import parse_step


def test_peel_keeps_the_name() -> None:
    check(
        "peel(loop=n, first=2, last=1)",
        "each n in 0..5 {\n%y[n, 0] = 0.0:f32\n}\n",
        """
        each n in 0..1 {
          %y[n, 0] = 0.0:f32
        }
        each n in 1..2 {
          %y[n, 0] = 0.0:f32
        }
        each n in 2..4 {
          %y[n, 0] = 0.0:f32
        }
        each n in 4..5 {
          %y[n, 0] = 0.0:f32
        }
        """,
    )
    refuse("peel(loop=n, first=-1, last=0)", DOT, "must not be negative")


def test_peel_decides_limits() -> None:
    check(
        "peel(loop=p, last=1)",
        """
        each p in 0..3 {
          sum n in 0..min(4, -4*p + 10) {
            %y[p, 0] = add(1.0:f32, %y[p, 0])
          }
        }
        """,
        """
        each p in 0..2 {
          sum n in 0..4 {
            %y[p, 0] = add(1.0:f32, %y[p, 0])
          }
        }
        each p in 2..3 {
          sum n in 0..2 {
            %y[p, 0] = add(1.0:f32, %y[p, 0])
          }
        }
        """,
    )


def test_peel_more_than_there_is() -> None:
    kernel = parse_step("peel(loop=n, first=2, last=2)").apply(parse("each n in 0..3 {\n%y[n, 0] = 0.0:f32\n}\n"))
    assert [(s.lo.const, s.hi.const) for s in kernel.body] == [(0, 1), (1, 2), (2, 3)]  # type: ignore[union-attr]
