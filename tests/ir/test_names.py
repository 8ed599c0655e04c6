"""Values defined once where they are visible."""

from mochac.ir.kernel_text import parse_kernel
from mochac.ir.names import defined_once

TEXT = """\
kernel @k(%x: f32[4]) -> (%y: f32[4]) {
  %t = %x[0]
  %u = exp(%t)
  %y[0] = %u
  %old = %y[0]
  each i in 1..2 {
    %t = %x[0]
    %u = exp(%t)
    %y[i] = %u
  }
  %old = %y[0]
  %t = %x[1]
  %u = exp(%t)
  %v = add(%u, %old)
  %y[2] = %v
}
"""


def test_repeats_vanish_and_namesakes_are_renamed() -> None:
    kernel = parse_kernel(TEXT)
    body = str(kernel.with_(body=defined_once(kernel.body))).split("  each")[1]
    assert (
        body
        == """ i in 1..2 {
    %y[i] = %u
  }
  %old.1 = %y[0]
  %t.1 = %x[1]
  %u.1 = exp(%t.1)
  %v = add(%u.1, %old.1)
  %y[2] = %v
}
"""
    )


def test_what_is_in_order_is_left_alone() -> None:
    body = defined_once(parse_kernel(TEXT).body)
    assert defined_once(body) is body
