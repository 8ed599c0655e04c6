"""prefetch_epilogue: where the hints stand, and how many; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import applied, computed

from mochac.ir.kernel import Kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.schedule import ScheduleError

UPDATE = parse_kernel("""kernel @k(%x: f32[8,4], %w: f32[8,4]) -> (%y: f32[4,8]) {
  local %acc: f32[4] register
  each r in 0..8 {
    each lane in 0..4 unroll {
      %acc[lane] = 0.0:f32
    }
    sum k in 0..4 {
      each lane in 0..4 unroll {
        %a = %x[r, k]
        %acc[lane] = add(%a, %acc[lane])
      }
    }
    each lane in 0..4 unroll {
      %b = %w[r, lane]
      %c = %acc[lane]
      %d = add(%b, %c)
      %y[lane, r] = %d
    }
  }
}""")


def tile(opened: str = "", closed: str = "") -> Kernel:
    """A sum of eight rows, then an epilogue, each row of it inside of what is opened and closed."""
    return parse_kernel(f"""kernel @k(%x: f32[8,4], %w: f32[8,4]) -> (%y: f32[4,8]) {{
  local %acc: f32[8,4] register
  each r in 0..8 unroll {{
    each lane in 0..4 unroll {{
      %acc[r, lane] = 0.0:f32
    }}
  }}
  sum k in 0..4 {{
    each r in 0..8 unroll {{
      each lane in 0..4 unroll {{
        %a = %x[r, k]
        %acc[r, lane] = add(%a, %acc[r, lane])
      }}
    }}
  }}
  each r in 0..8 unroll {{
    {opened}
    each lane in 0..4 unroll {{
      %b = %w[r, lane]
      %c = %acc[r, lane]
      %d = add(%b, %c)
      %y[lane, r] = %d
    }}
    {closed}
  }}
}}""")


TILE, CLIPPED = tile(), tile("if -r + 6 >= 0 {", "}")


def test_each_term_prefetches_rows_until_none_is_left() -> None:
    text = str(computed(UPDATE, "prefetch_epilogue(buffer=w, inside=k, lane=lane)"))
    assert text.index("sum k") < text.index("if -k >= 0 {") < text.index("prefetch %w[r, 0]") < text.index("%a =")


def test_a_short_sum_prefetches_several_rows_with_a_term() -> None:
    text = str(computed(TILE, "prefetch_epilogue(buffer=w, inside=k, lane=lane)"))
    assert "prefetch %w[2*k, 0]" in text and "prefetch %w[2*k + 1, 0]" in text and " if " not in text


def test_results_are_prefetched_to_be_written() -> None:
    text = str(computed(TILE, "prefetch_epilogue(buffer=y, inside=k, lane=lane)"))
    assert "prefetch write %y[0, 2*k]" in text and "prefetch write %y[0, 2*k + 1]" in text


def test_what_conditions_skip_is_not_prefetched() -> None:
    text = str(applied(CLIPPED, "prefetch_epilogue(buffer=w, inside=k, lane=lane)"))
    assert "prefetch %w[2*k, 0]" in text and "if -2*k + 5 >= 0 {" in text
    assert text.index("if -2*k + 5 >= 0 {") < text.index("prefetch %w[2*k + 1, 0]") < text.index("%a =")


def test_prefetch_epilogue_refuses_what_nothing_behind_the_loop_accesses() -> None:
    with pytest.raises(ScheduleError, match="behind loop 'k' accesses 'x'"):
        applied(TILE, "prefetch_epilogue(buffer=x, inside=k, lane=lane)")


def test_prefetch_epilogue_refuses_a_local() -> None:
    with pytest.raises(ScheduleError, match="no input or output 'acc'"):
        applied(UPDATE, "prefetch_epilogue(buffer=acc, inside=k, lane=lane)")
