"""saved_maps: what is stored for the backward pass, where one value of two is enough."""

import pytest
from test_fuse_rows import fused

from mochac.ir.graph import Graph
from mochac.ir.passes.groups import grouped
from mochac.ir.text import parse

STEP = """
graph @g(%i: f32[b8,16], %t: f32[b8,16], %v: f32[16,16] param, %w: f32[16,16] param) {
  %x: f32[b8,16] = inner_product(%i, %v)
FORWARD
  %z: f32[b8,16] = inner_product(%y, %w)
  %dz: f32[b8,16] = sub(%z, %t)
  %dy: f32[b8,16] = inner_product_dx(%dz, %w)
BACKWARD
  %dv: f32[16,16] = inner_product_dw(%i, %dx)
  %dw: f32[16,16] = inner_product_dw(%y, %dz)
  return %dv, %dw
}
"""
GELU = "  %y: f32[b8,16] = gelu(%x)", "  %s: f32[b8,16] = gelu_slope(%x)\n  %dx: f32[b8,16] = mul(%dy, %s)"
SILU = (
    "  %y: f32[b8,16] = gated(%x, %x)",
    """  %h: f32[b8,16] = sigmoid(%x)
  %u: f32[b8,16] = mul(%y, %h)
  %d: f32[b8,16] = sub(%y, %u)
  %s: f32[b8,16] = add(%h, %d)
  %dx: f32[b8,16] = mul(%dy, %s)""",
)


def stored(forward: str, backward: str) -> list[tuple[str, ...]]:
    """What each kernel stores."""
    return [group.outputs for group in grouped(step(forward, backward))]


def step(forward: str, backward: str) -> Graph:
    return fused(parse(STEP.replace("FORWARD", forward).replace("BACKWARD", backward)))


@pytest.mark.parametrize(("forward", "backward"), [GELU, SILU], ids=["one node", "several nodes"])
def test_a_slope_is_stored_instead_of_its_operand(forward, backward):
    assert stored(forward, backward)[0] == ("y", "s")


def test_dropout_may_follow():
    forward = "  %g: f32[b8,16] = gelu(%x)\n  %y: f32[b8,16] = mul(%g, %t)"
    backward = (
        GELU[1].replace("(%x)\n", "(%x)\n  %dg: f32[b8,16] = mul(%dy, %t)\n").replace("mul(%dy, %s)", "mul(%dg, %s)")
    )
    assert stored(forward, backward)[0] == ("y", "s")


@pytest.mark.parametrize(
    ("forward", "backward"),
    [
        (GELU[0], GELU[1].replace("gelu_slope", "square")),  # a single instruction
        (GELU[0], GELU[1].replace("mul(%dy, %s)", "fma(%dy, %s, %x)")),  # the operand is needed, too
        (
            GELU[0],
            GELU[1].replace("mul(%dy, %s)", "fma(%dy, %s, %e)").replace("  %dx", "  %e: f32[b8,16] = exp(%x)\n  %dx"),
        ),
    ],
    ids=["cheap", "operand", "two"],
)
def test_else_the_operand_is_stored(forward, backward):
    assert stored(forward, backward)[0] == ("x", "y")


def test_nothing_changes_without_a_later_reader():
    """The share of a gate is used at once: its kernel computes both."""
    graph = parse("""
graph @g(%i: f32[b8,16], %v: f32[16,16] param, %w: f32[16,16] param) {
  %x: f32[b8,16] = inner_product(%i, %v)
  %z: f32[b8,16] = inner_product(%i, %w)
  %s: f32[b8,16] = sigmoid(%x)
  %y: f32[b8,16] = mul(%z, %s)
  return %y
}
""")
    assert [group.outputs for group in grouped(fused(graph))] == [("x",), ("y",)]


INTEGERS = """
graph @g(%x: i8[b2,16], %w: i8[16,8], %v: i8[16,8], %m: i32[b2,8], %s: i32[b2,8]) {
  %p: i32[b2,8] = integer_conv(%x, %w) {pad = (), stride = ()}
  %pr: i32[b2,8] = requantize(%p, %m, %s)
  %pq: i8[b2,8] = narrow_i8(%pr)
  %pw: i32[b2,8] = to_i32(%pq)
  %q: i32[b2,8] = integer_conv(%x, %v) {pad = (), stride = ()}
  %qr: i32[b2,8] = requantize(%q, %m, %s)
  %qq: i8[b2,8] = narrow_i8(%qr)
  %qw: i32[b2,8] = to_i32(%qq)
  %sum: i32[b2,8] = add(%pw, %qw)
  %y: i8[b2,8] = narrow_i8(%sum)
  return %y
}
"""


def test_of_a_sum_that_waits_for_another_its_narrow_integers_are_stored():
    assert [group.outputs for group in grouped(fused(parse(INTEGERS)))] == [("pq",), ("y",)]


def test_a_value_of_which_more_is_needed_is_stored_itself():
    text = INTEGERS.replace("add(%pw, %qw)", "fma(%pw, %qw, %p)")
    assert next(group.outputs for group in grouped(fused(parse(text)))) == ("p",)
