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
