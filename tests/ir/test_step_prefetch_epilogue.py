"""prefetch_epilogue: where the hints stand; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import applied, computed

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


def test_prefetch_epilogue_stands_before_the_reduction() -> None:
    text = str(computed(UPDATE, "prefetch_epilogue(buffer=w, inside=k, lane=lane)"))
    assert text.index("prefetch write %w[r, 0]") < text.index("sum k")


def test_prefetch_epilogue_refuses_what_is_no_input() -> None:
    with pytest.raises(ScheduleError, match="no input 'acc'"):
        applied(UPDATE, "prefetch_epilogue(buffer=acc, inside=k, lane=lane)")
