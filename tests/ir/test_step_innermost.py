"""innermost: text before and after; what it refuses."""

from __future__ import annotations

from step_kit import TILES, check, computed, refuse

from mochac.ir.kernel_text import parse_kernel

PARTS = """kernel @k(%x: f32[8,4]) -> (%y: f32[4,8]) {
  local %acc: f32[4,8] scratch
  each c in 0..4 {
    each r in 0..8 {
      %t = %x[r, c]
      %acc[c, r] = %t
    }
    each r in 0..8 {
      %u = %acc[c, r]
      %y[c, r] = %u
    }
  }
}"""


def test_innermost() -> None:
    check(
        "innermost(local=p, loop=n)",
        "local %p: f32[8,3] scratch\neach n in 0..8 {\neach c in 0..3 {\n%p[n, c] = 0.0:f32\n}\n}\n",
        """
        local %p: f32[3,8] scratch
        each n in 0..8 {
          each c in 0..3 {
            %p[c, n] = 0.0:f32
          }
        }
        """,
    )


def test_all_uses_follow() -> None:
    text = str(computed(parse_kernel(PARTS), "innermost(local=acc, loop=c)"))
    assert "local %acc: f32[8,4] scratch" in text
    assert text.count("%acc[r, c]") == 2


def test_innermost_refuses_a_loop_that_is_no_index() -> None:
    refuse("innermost(local=p, loop=k)", TILES, "must index one dimension of 'p' everywhere")
