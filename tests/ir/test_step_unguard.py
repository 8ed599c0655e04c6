"""unguard: text before and after; what it refuses."""

from __future__ import annotations

from step_kit import check, refuse

LATE = """
    local %p: f32[3] scratch
    each lane in 0..12 {
      if -lane + 9 >= 0 {
        each c in 0..3 {
          %u = %blocked[lane, c]
          %p[c] = %u
        }
        %v = %p[0]
        %z[lane, 0] = %v
      }
    }
"""


def test_unguard() -> None:
    check(
        "unguard(loop=c)",
        LATE,
        """
        local %p: f32[3] scratch
        each lane in 0..12 {
          each c in 0..3 {
            %u = %blocked[lane, c]
            %p[c] = %u
          }
          if -lane + 9 >= 0 {
            %v = %p[0]
            %z[lane, 0] = %v
          }
        }
        """,
    )
    refuse("unguard(loop=lane)", LATE, "no condition guards a nest over 'lane'")
    refuse(
        "unguard(loop=c)",
        LATE.replace("%blocked[lane, c]", "%x[lane, c, 0]"),
        "'x' would be read outside its padding lanes",
    )
    refuse("unguard(loop=c)", LATE.replace("%p[c] = %u", "%p[c] = %u\n%z[lane, c] = %u"), "must store only to locals")
