"""The step ahead: where its hints stand and what they ask for; refusals; results."""

from __future__ import annotations

import pytest
from step_kit import applied, computed

from mochac.ir.kernel import Kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.schedule import ScheduleError

TILES = parse_kernel("""\
kernel @k(%x: f32[6], %w: f32[14,6]) -> (%y: f32[2,14]) {
  local %acc: f32[2] register
  each t in 0..7 {
    each g in 0..2 {
      each r in 0..2 unroll {
        %acc[r] = 0.0:f32
      }
      sum k in 0..6 {
        each r in 0..2 unroll {
          %a = %x[k]
          %b = %w[2*t + r, k]
          %acc[r] = fma(%a, %b, %acc[r])
        }
      }
      each r in 0..2 unroll {
        %c = %acc[r]
        %y[g, 2*t + r] = %c
      }
    }
  }
}
""")


def hints(kernel: Kernel) -> list[str]:
    return [line.strip() for line in str(kernel).splitlines() if "prefetch" in line]


def test_turns_deal_out_the_lines_of_the_next_tile() -> None:
    after = computed(TILES, "prefetch_tile(buffer=w, inside=k, line=r, turns=g, next=t)")
    assert hints(after) == ["prefetch %w[g + 2*t + 2, k]"]
    assert str(after).index("sum k") < str(after).index("prefetch")


def test_several_lines_a_turn() -> None:
    after = applied(TILES, "prefetch_tile(buffer=w, inside=k, line=r, turns=none, next=t, per=2, write=True)")
    assert hints(after) == ["prefetch write %w[2*t + 2, k]", "prefetch write %w[2*t + 3, k]"]


def test_results_are_prefetched_where_they_will_be_stored() -> None:
    after = computed(TILES, "prefetch_tile(buffer=y, inside=k, line=r, per=2, write=True)")
    assert hints(after) == ["prefetch write %y[g, 2*t]", "prefetch write %y[g, 2*t + 1]"]


def test_a_turn_asks_for_no_more_lines_than_there_are() -> None:
    after = applied(TILES, "prefetch_tile(buffer=w, inside=k, line=r, turns=none, next=t, per=3)")
    assert hints(after) == ["prefetch %w[2*t + 2, k]", "prefetch %w[2*t + 3, k]"]


def test_terms_are_where_they_reach_furthest_in_the_next_row() -> None:
    window = parse_kernel("""kernel @k(%x: f32[10,3]) -> (%y: f32[8]) {
  local %acc: f32[] register
  each row in 0..8 {
    %acc[] = 0.0:f32
    sum c in 0..3 {
      sum k in 0..3 {
        %a = %x[k + row, c]
        %acc[] = add(%a, %acc[])
      }
    }
    %t = %acc[]
    %y[row] = %t
  }
}
""")
    assert hints(computed(window, "prefetch_tile(buffer=x, inside=c, line=none, next=row)")) == [
        "prefetch %x[row + 3, c]"
    ]


def test_without_next_it_is_the_current_tile() -> None:
    assert hints(applied(TILES, "prefetch_tile(buffer=w, inside=k, line=r, turns=g)")) == ["prefetch %w[g + 2*t, k]"]


def test_the_last_panel_asks_for_the_first_of_the_next_tile() -> None:
    after = applied(
        TILES, "split(loop=k, factor=4, outer=kp, inner=ki, tail=cut)",
        "prefetch_tile(buffer=w, inside=ki, line=r, turns=g, next=kp, wraps=t)",
    )  # fmt: skip
    assert hints(after) == ["prefetch %w[g + 2*t, ki + 4]", "prefetch %w[g + 2*t + 2, ki]"]


def test_the_last_tile_asks_for_the_first_of_the_next_panel() -> None:
    after = computed(
        TILES, "split(loop=k, factor=3, outer=kp, inner=ki, tail=cut)", "distribute(loop=g, past=(kp))",
        "distribute(loop=t, past=(kp))", "place(local=acc, space=scratch)",
        "prefetch_tile(buffer=w, inside=ki, line=r, turns=g, next=t, wraps=kp)",
    )  # fmt: skip
    assert hints(after) == ["prefetch %w[g + 2*t + 2, ki + 3*kp]", "prefetch %w[g, ki + 3*kp + 3]"]
    text = str(after)
    assert text.index("if -t + 5 >= 0") < text.index("if t - 6 >= 0")


def test_only_the_last_turns_prefetch() -> None:
    after = computed(TILES, "prefetch_tile(buffer=w, inside=k, line=r, turns=g, next=t, per=2, late=True)")
    assert hints(after) == ["prefetch %w[2*g + 2*t, k]", "prefetch %w[2*g + 2*t + 1, k]"]
    text = str(after)
    assert text.index("if g - 1 >= 0") < text.index("prefetch")
    late = "prefetch_tile(buffer=w, inside=k, line=r, turns=g, next=t, per=2, late=True)"
    alone = applied(TILES, "peel(loop=g, first=0, last=1)", late)
    assert "if" not in str(alone)


def test_another_loop_is_taken_along_a_second_one() -> None:
    after = computed(
        TILES, "split(loop=k, factor=2, outer=ko, inner=ki, tail=cut)",
        "prefetch_tile(buffer=w, inside=ko, line=r, turns=none, next=t, also=ki, by=g)",
        "prefetch_tile(buffer=x, inside=ko, line=r, also=ki, by=ko, pace=2)",
    )  # fmt: skip
    assert hints(after) == ["prefetch %x[4*ko]", "prefetch %w[2*t + 2, g + 2*ko]"]


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (
            "prefetch_tile(buffer=acc, inside=k, line=r, turns=g)",
            "prefetch_tile: kernel 'k' has no input or output 'acc'",
        ),
        (
            "prefetch_tile(buffer=w, inside=z, line=r, turns=g)",
            "prefetch_tile: kernel 'k' has no loop 'z' (loops: t g r k)",
        ),
        (
            "prefetch_tile(buffer=w, inside=g, line=r, turns=g)",
            "prefetch_tile: nothing around a 'sum' loop 'g' loads 'w'",
        ),
        ("prefetch_tile(buffer=w, inside=k, line=r, turns=g, per=0)", "prefetch_tile: per must be at least 1, not 0"),
    ],
)
def test_refusals(step: str, message: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        applied(TILES, step)
    assert message in str(caught.value)
