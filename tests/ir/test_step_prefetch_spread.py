"""prefetch_spread: what each iteration asks for, and where it stops; refusals; results."""

from __future__ import annotations

import pytest
from step_kit import applied, computed

from mochac.ir.kernel import Kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.schedule import ScheduleError

TILES = """\
kernel @k(%x: f32[2,4,40]) -> (%y: f32[2,8,12]) {
  local %v: f32[4] scratch
  local %acc: f32[] register
  each n in 0..2 {
    each t in 0..8 {
      each c in 0..4 {
        %acc[] = 0.0:f32
        sum h in 0..5 {
          %a = %x[n, c, h + 5*t]
          %acc[] = add(%a, %acc[])
        }
        %s = %acc[]
        %v[c] = %s
      }
      each q in 0..6 {
        each f in 0..2 {
          %acc[] = 0.0:f32
          sum d in 0..4 {
            %b = %v[d]
            %acc[] = fma(%b, %b, %acc[])
          }
          %u = %acc[]
          %y[n, t, f + 2*q] = %u
        }
      }
    }
  }
}
"""


def tiles() -> Kernel:
    return parse_kernel(TILES)


def hints(kernel: Kernel) -> list[str]:
    """Prefetches and conditions."""
    return [s for line in str(kernel).splitlines() if (s := line.strip()).startswith(("prefetch", "if"))]


def test_loops_of_another_nest_ask_for_what_the_next_iteration_reads() -> None:
    step = "prefetch_spread(buffer=x, inside=f, next=t, loops=(c, h), by=(q, f), per=(1, 2))"
    assert hints(computed(tiles(), step)) == [
        "if -t + 6 >= 0, -q + 3 >= 0 {",
        "prefetch l2 %x[n, q, 2*f + 5*t + 5]",
        "prefetch l2 %x[n, q, 2*f + 5*t + 6]",
    ]


def test_all_lines_that_are_read_one_by_one_are_prefetched() -> None:
    text = TILES.replace(
        "%a = %x[n, c, h + 5*t]", "%e = %x[n, c, h + 5*t]\n%g = %x[n, c, h + 5*t + 20]\n%a = add(%e, %g)"
    )
    short = text.replace("t in 0..8", "t in 0..4")
    step = "prefetch_spread(buffer=x, inside=f, next=t, loops=(c), by=(q), per=(1))"
    assert hints(computed(parse_kernel(short), step)) == [
        "if -t + 2 >= 0, -q + 3 >= 0 {",
        "prefetch l2 %x[n, q, 5*t + 5]",
        "prefetch l2 %x[n, q, 5*t + 25]",
    ]


def test_the_last_iteration_asks_for_the_first_one_of_the_next_round() -> None:
    step = "prefetch_spread(buffer=x, inside=f, next=t, loops=(c), by=(q), per=(1), first=(1), start=(2), wraps=n)"
    assert hints(computed(tiles(), step)) == [
        "if -t + 6 >= 0, q - 2 >= 0, -q + 4 >= 0 {",
        "prefetch l2 %x[n, q - 1, 5*t + 5]",
        "if t - 7 >= 0, -n >= 0, q - 2 >= 0, -q + 4 >= 0 {",
        "prefetch l2 %x[n + 1, q - 1, 0]",
    ]


def test_results_are_prefetched_and_a_loop_without_another_as_a_whole() -> None:
    step = "prefetch_spread(buffer=y, inside=f, next=t, loops=(q), by=(*), per=(3))"
    assert hints(computed(tiles(), step)) == [
        "if -t + 6 >= 0 {",
        *[f"prefetch l2 %y[n, t + 1, {place}]" for place in ("f", "f + 2", "f + 4")],
    ]


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("prefetch_spread(buffer=v, inside=f, next=t, loops=(c), by=(q), per=(1))", "has no input or output 'v'"),
        ("prefetch_spread(buffer=x, inside=f, next=q, loops=(c), by=(q), per=(1))", "no loop 'f' is beside an access"),
        ("prefetch_spread(buffer=x, inside=f, next=t, loops=(c), by=(q), per=(1, 1))", "1 loops need as many"),
    ],
)
def test_prefetch_spread_refuses(step: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        applied(tiles(), step)
