"""interleave: text before and after; what it refuses."""

from __future__ import annotations

from step_kit import check, refuse

ROLLED = """
    local %p: f32[5] scratch
    each a in 0..5 {
      %u = %x[0, 0, a]
      %p[a] = %u
    }
    each b in 0..2 {
      %v = %p[2*b + 2]
      %y[b, 0] = %v
    }
"""


def test_interleave() -> None:
    check(
        "interleave(loop=b, producer=a, stride=2, reach=3)",
        ROLLED,
        """
        local %p: f32[5] scratch
        for b in 0..3 {
          each a in max(0, 2*b - 1)..min(5, 2*b + 1) {
            %u = %x[0, 0, a]
            %p[a] = %u
          }
          if b - 1 >= 0 {
            %v = %p[2*b]
            %y[b - 1, 0] = %v
          }
        }
        """,
    )


def test_interleave_refuses_what_is_not_there_in_time() -> None:
    refuse("interleave(loop=b, producer=a, stride=2, reach=2)", ROLLED, "the last iterations of 'a' would be left over")
    refuse("interleave(loop=b, producer=a, stride=4, reach=1)", ROLLED, "reads 'p' before it is stored")
    refuse("interleave(loop=a, producer=b, stride=1, reach=1)", ROLLED, "no loop 'a' comes right after a loop 'b'")
    refuse("interleave(loop=b, producer=a, stride=0, reach=1)", ROLLED, "at least 1")
    again = ROLLED.replace("%y[b, 0] = %v", "%p[b] = %v\n%y[b, 0] = %v")
    refuse("interleave(loop=b, producer=a, stride=2, reach=3)", again, "'b' writes p, which 'a' uses")
