"""make_panels: values of other parts are made where the last part reads them, with the same bits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mochac.ir.applying import apply
from mochac.ir.bfloat16 import pair
from mochac.ir.kernel import Load, Loop, Prefetch, Store, walk
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.schedule import Schedule, ScheduleError, parse_schedule, parse_step
from mochac.ir.steps.make_panels import MakePanels, panels_of, reader_of

PRODUCT = """\
kernel @k(%w: f32[10,12], %x: bf16x2[4,6]) -> (%y: f32[4,10]) root inner_product members pairs 1, inner_product 1 {
  local %p: bf16x2[10,6] scratch
  local %acc: f32[] register
  each a0 in 0..10 {
    each a1 in 0..6 {
      %t = %w[a0, 2*a1]
      %t1 = %w[a0, 2*a1 + 1]
      %t2 = pair(%t, %t1)
      %p[a0, a1] = %t2
    }
  }
  each n in 0..4 {
    each o in 0..10 {
      %acc[] = 0.0:f32
      sum f in 0..6 {
        %a = %x[n, f]
        %b = %p[o, f]
        %acc[] = dot2(%a, %b, %acc[])
      }
      %s = %acc[]
      %y[n, o] = %s
    }
  }
}
"""
TILES = """schedule tiles
  reorder(loops=(o, n))
  split(loop=o, factor=4, outer=o_o, inner=o_i, tail=cut)
  parallel(loops=(o_o))
"""


def product():
    return parse_kernel(PRODUCT)


def inputs():
    rng = np.random.default_rng(7)
    w, x = (rng.standard_normal(shape).astype(np.float32) for shape in ((10, 12), (4, 12)))
    return {"w": w, "x": pair(x[:, ::2], x[:, 1::2])}


def panels(most, steps=TILES, lanes=4):
    return MakePanels(most, lanes, parse_schedule(steps).steps)


def test_each_tile_makes_its_panel():
    """4 x 6 pairs are 96 bytes; the last tile has a panel of 2 x 6. A row is a vector of 4 and one of 2."""
    kernel = apply(Schedule("test", (panels(96),)), product())
    verify_kernel(kernel, printable=True)
    assert parse_kernel(str(kernel)) == kernel and not kernel.members
    assert sorted(b.type.shape for b in kernel.locals if b.name in panels_of("p", kernel)) == [(2, 6), (4, 6)]
    assert {s.var for s in kernel.body if isinstance(s, Loop)} == {"o_o"}
    assert {s.hi.const for s in walk(kernel.body) if isinstance(s, Loop) and s.run == "vector"} == {4, 2}
    assert all(s.buffer != "p" for s in walk(kernel.body) if isinstance(s, (Load, Store)))
    np.testing.assert_array_equal(run_kernel(kernel, inputs())["y"], run_kernel(product(), inputs())["y"])


@pytest.mark.parametrize("most", [24, 48, 96, 240])
@pytest.mark.parametrize("lanes", [1, 4, 16])
def test_bits_do_not_depend_on_the_size_of_panels(most, lanes):
    kernel = apply(Schedule("test", (panels(most, lanes=lanes),)), product())
    verify_kernel(kernel)
    np.testing.assert_array_equal(run_kernel(kernel, inputs())["y"], run_kernel(product(), inputs())["y"])


def test_panels_lie_inside_of_parallel_loops():
    """The whole factor fits, but each thread has memory of its own."""
    both = TILES.replace("(o_o))", "(o_o, o_i))").replace("factor=4", "factor=5")
    kernel = apply(Schedule("test", (panels(240, both),)), product())
    verify_kernel(kernel, printable=True)
    assert [b.type.shape for b in kernel.locals if b.name in panels_of("p", kernel)] == [(1, 6)]


def test_prefetches_are_of_what_the_panel_is_made_from():
    steps = TILES + "  prefetch_tile(buffer=p, inside=f, line=o_i, turns=n, next=o_o)\n"
    kernel = apply(Schedule("test", (panels(96, steps),)), product())
    verify_kernel(kernel)
    assert {s.buffer for s in walk(kernel.body) if isinstance(s, Prefetch)} == {"w"}


def test_text():
    step = panels(96)
    assert parse_step(str(step)) == step
    assert MakePanels.purpose


def test_the_reader_is_a_kernel_of_its_own():
    reader, made = reader_of(product())
    verify_kernel(reader)
    assert list(made) == ["p"] and [b.name for b in reader.inputs] == ["p", "x"] and not reader.members


@pytest.mark.parametrize(
    ("kernel", "step", "why"),
    [
        (product(), panels(3), "no panel of 'p' has at most 3 bytes"),
        (product().with_(members=()), panels(96), "the kernel has no parts"),
        (parse_kernel(PRODUCT.replace("%p[a0, a1] = %t2", "if a1 - 1 >= 0 {\n%p[a0, a1] = %t2\n}")), panels(96),
         "p must be one value, computed element by element"),
    ],
)  # fmt: skip
def test_refusals(kernel, step, why):
    with pytest.raises(ScheduleError, match=why):
        step.apply(kernel)


def test_what_conditions_leave_out_is_not_made():
    """The last terms are guarded: 6 terms in runs of 4."""
    steps = TILES + "  split(loop=f, factor=4, outer=f_o, inner=f_i, tail=guard)\n"
    kernel = apply(Schedule("test", (panels(96, steps),)), product())
    verify_kernel(kernel)
    assert {b.type.shape for b in kernel.locals if b.name in panels_of("p", kernel)} == {(2, 6), (4, 6)}
    np.testing.assert_array_equal(run_kernel(kernel, inputs())["y"], run_kernel(product(), inputs())["y"])


def test_a_tile_that_leaves_the_value_has_no_panel():
    grown = replace(panels(96), steps=parse_schedule(TILES.replace("tail=cut", "tail=guard")).steps)
    with pytest.raises(ScheduleError, match="no panel of 'p' has at most 96 bytes"):
        grown.apply(product())
