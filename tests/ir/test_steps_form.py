"""Steps that bring convolutions into form: skew, widen, detach; and what flatten, stage and transpose learnt."""

from __future__ import annotations

import kernel_kit as kit
import pytest
from test_steps import DOT, check, refuse

from mochac.ir.steps.detach import Detach
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.flatten import Flatten
from mochac.ir.steps.merge import Merge
from mochac.ir.steps.partial import Partial
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.split import Split
from mochac.ir.steps.stage import Stage
from mochac.ir.steps.transpose import Transpose


def test_widen_leaves_the_first_iterations_empty() -> None:
    check(
        "widen(loop=n, before=2)",
        "each n in 0..8 {\n%y[n, 0] = 1.0:f32\n}\n",
        """
        each n in -2..8 {
          if n >= 0 {
            %y[n, 0] = 1.0:f32
          }
        }
        """,
    )


SCATTERED = """
    local %acc: f32[] register
    each u in 0..4 {
      each p in 0..2 {
        %acc[] = 0.0:f32
        sum o in 0..5 {
          if p + 2*u - 2*o >= 0, -p - 2*u + 2*o + 2 >= 0 {
            %a = %w[p - 2*o + 2*u, o]
            %acc[] = add(%a, %acc[])
          }
        }
        %t = %acc[]
        %y[p + 2*u, 0] = %t
      }
    }
"""


def test_skew_leaves_the_taps_of_a_phase() -> None:
    check(
        "skew(loop=o, by=u, inner=j)",
        SCATTERED,
        """
        local %acc: f32[] register
        each u in 0..4 {
          each p in 0..2 {
            %acc[] = 0.0:f32
            sum j in 0..2 {
              if -j + u >= 0 {
                if -2*j - p + 2 >= 0 {
                  %a = %w[2*j + p, -j + u]
                  %acc[] = add(%a, %acc[])
                }
              }
            }
            %t = %acc[]
            %y[p + 2*u, 0] = %t
          }
        }
        """,
    )


def test_skew_finds_the_one_group() -> None:
    check(
        "skew(loop=g, by=group, inner=apart)",
        """
        local %acc: f32[] register
        each group in 0..2 {
          each c in 0..4 {
            %acc[] = 0.0:f32
            sum g in 0..2 {
              if c + 4*group - 4*g >= 0, -c - 4*group + 4*g + 3 >= 0 {
                %acc[] = add(g, %acc[])
              }
            }
            %y[c + 4*group, 0] = %acc[]
          }
        }
        """.replace("%y[c + 4*group, 0] = %acc[]", "%t = %acc[]\n%y[c + 4*group, 0] = %t"),
        """
        local %acc: f32[] register
        each group in 0..2 {
          each c in 0..4 {
            %acc[] = 0.0:f32
            %acc[] = add(group, %acc[])
            %t = %acc[]
            %y[c + 4*group, 0] = %t
          }
        }
        """,
    )


def test_detach_gives_the_end_a_band_of_its_own() -> None:
    check(
        "detach(loops=(n, c), after=2, part=second, mark=.j)",
        DOT,
        """
        local %acc: f32[8,3] register
        each n in 0..8 {
          each c in 0..3 {
            %acc[n, c] = 0.0:f32
            sum k in 0..5 {
              %a = %x[n, c, k]
              %b = %w[c, k]
              %acc[n, c] = fma(%a, %b, %acc[n, c])
            }
          }
        }
        each n.j in 0..8 {
          each c.j in 0..3 {
            %t = %acc[n.j, c.j]
            %y[n.j, c.j] = %t
          }
        }
        """,
    )


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("widen(loop=m, before=1)", DOT, r"no loop 'm' \(loops: n c k\)"),
        ("widen(loop=n, before=0)", DOT, "before must be at least 1"),
        ("skew(loop=c, by=n, inner=j)", DOT, "is a 'each' loop, not a reduction"),
        ("skew(loop=k, by=n, inner=c)", DOT, "already has a loop 'c'"),
        ("skew(loop=k, by=m, inner=j)", DOT, "no loop 'm' is around loop 'k'"),
        ("detach(loops=(n, c), after=2, part=third, mark=.j)", DOT, "part must be first or second"),
        ("detach(loops=(n, c), after=9, part=second, mark=.j)", DOT, "cannot cut after 9"),
    ],
)
def test_refusals(step: str, before: str, message: str) -> None:
    refuse(step, before, message)


def test_lanes_are_joined_for_several_weights_at_once() -> None:
    naive = kit.conv_dw(batch=8, channels=2, size=4, filters=3, lanes=4)
    band = ("co", "ci", "kh", "kw")
    joined = kit.scheduled(
        naive,
        Split("n", 4, "q", "lane", "guard"),
        Partial("acc", "lane"),
        Distribute("lane", ("*",)),
        Detach(band, 2, "second", ".j"),
        Reorder(band),
        Stage("acc", "kh"),
        *(Flatten(name, 1) for name in ("w", "w", "w.new", "w.new", "acc", "acc")),
        Merge("kh.j", "kw.j", "tap"),
        Merge("ci.j", "tap", "at"),
        Split("at", 4, "vec", "fl", "cut"),
        Distribute("fl", ("*",)),
        Transpose("acc", "fl", "lane.j"),
    )
    assert "each fl.in in 0..4 unroll" in str(joined) and "%acc.tile[fl, lane.j]" in str(joined)
