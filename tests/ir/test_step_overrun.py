"""overrun: text before and after; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import check, refuse

PHASES = """
    local %acc: f32[] register
    local %kept: f32[4,3] scratch
    each n in 0..4 {
      each c in 0..3 {
        if 2*n - 1 >= 0, -c + 1 >= 0 {
          %acc[] = 0.0:f32
          sum k in 0..5 {
            %a = %x[k + n, c, k]
            %acc[] = add(%a, %acc[])
          }
          %s = %acc[]
          %kept[n, c] = %s
        }
      }
    }
    each m in 1..4 {
      each d in 0..2 {
        %t = %kept[m, d]
        %y[m, d] = %t
      }
    }
"""


def test_overrun() -> None:
    check("overrun(loop=n)", PHASES, PHASES.replace("if 2*n - 1 >= 0, -c", "if -c"))


def test_nests_of_one_loop_may_share_a_local_that_each_sets_first() -> None:
    nest, reader = PHASES[: PHASES.index("    each m")], PHASES[PHASES.index("    each m") :]
    second = nest[nest.index("    each n") :].replace("each c in 0..3", "each c in 3..4")
    both = nest.replace("f32[4,3] scratch", "f32[4,4] scratch").replace("%x[k + n, c, k]", "%x[k + n, 0, k]") + (
        second.replace("%x[k + n, c, k]", "%x[k + n, 0, k]").replace("-c + 1", "-c + 3") + reader
    )
    check("overrun(loop=n)", both, both.replace("if 2*n - 1 >= 0, -c", "if -c"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%x[k + n, c, k]", "%x[k + n + 1, c, k]"),  # not there where the condition does not hold
        ("%kept[n, c] = %s", "%kept[n, c] = %s\n%y[n, c] = %s"),  # a result
        ("%acc[] = 0.0:f32\n", "\n"),  # the sum goes on from iteration to iteration
        ("%kept[n, c]", "%kept[0, c]"),  # of all iterations, the last one's remains
    ],
)
def test_overrun_refuses_what_would_show(old: str, new: str) -> None:
    refuse("overrun(loop=n)", PHASES.replace(old, new, 1), "no condition on 'n' guards a nest that fills locals")
