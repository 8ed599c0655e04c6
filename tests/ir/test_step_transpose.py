"""transpose: rows in, columns out; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import applied, computed

from mochac.ir.kernel_text import parse_kernel
from mochac.ir.schedule import ScheduleError

TURN = """kernel @k(%x: f32[8,4], %w: f32[8,4]) -> (%y: f32[4,8]) {
  each r in 0..8 {
    each c in 0..4 {
      %t = %x[r, c]
      %y[c, r] = %t
    }
  }
}"""


def test_transpose_reads_rows_and_uses_columns() -> None:
    text = str(computed(parse_kernel(TURN), "transpose(buffer=x, rows=r, columns=c)"))
    assert "local %x.tile: f32[8,4] register" in text
    assert text.index("each r.in in 0..8 unroll") < text.index("each c.in in 0..4 vector")
    assert text.index("each c in 0..4 unroll") < text.index("each r in 0..8 vector")


def test_transpose_keeps_conditions() -> None:
    guarded = TURN.replace("%t = ", "if -r + 5 >= 0 {\n%t = ").replace("= %t\n", "= %t\n}\n")
    assert str(applied(parse_kernel(guarded), "transpose(buffer=x, rows=r, columns=c)")).count("if ") == 2


FRAMED = """kernel @k(%x: f32[8,4], %w: f32[8,4]) -> (%y: f32[5,9]) {
  local %p: f32[5,9] scratch
  each r in 0..9 {
    each c in 4..5 {
      %p[c, r] = 0.0:f32
    }
  }
  each r in 8..9 {
    each c in 0..4 {
      %p[c, r] = 0.0:f32
    }
  }
  each r in 0..8 {
    each c in 0..4 {
      %t = %x[r, c]
      %p[c, r] = %t
    }
  }
  each i in 0..5 {
    each k in 0..9 {
      %u = %p[i, k]
      %y[i, k] = %u
    }
  }
}"""


def test_zeros_around_are_stored_in_vectors() -> None:
    """A vector begins with the first row."""
    text = str(computed(parse_kernel(FRAMED), "transpose(buffer=x, rows=r, columns=c)"))
    assert text.count("vector {") == 3
    assert "each r in 0..9 vector" in text and "each r in 8..9 vector" not in text


def test_a_row_of_one_column_is_copied_as_it_is() -> None:
    single = "each r in 0..8 {\n%t = %x[r, 0]\n%y[0, r] = %t\n}\n"
    turned = TURN.replace("  each r in", f"  {single}  each r in", 1).replace("%t = %x[r, c]", "%u = %x[r, c]")
    turned = turned.replace("%y[c, r] = %t", "%y[c, r] = %u")
    text = str(applied(parse_kernel(turned), "transpose(buffer=x, rows=r, columns=c)"))
    assert text.count("%x.tile: ") == 1 and "%t = %x[r, 0]" in text


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("transpose(buffer=x, rows=c, columns=r)", "only thing inside"),
        ("transpose(buffer=nothing, rows=r, columns=c)", "no buffer 'nothing'"),
        ("transpose(buffer=w, rows=r, columns=c)", "does not load 'w'"),
    ],
)
def test_transpose_refuses(step: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        applied(parse_kernel(TURN), step)
