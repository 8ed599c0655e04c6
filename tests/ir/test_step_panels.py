"""panels: the boxes of factors that are copied into shared memory; what it refuses."""

from __future__ import annotations

import pytest
from kernel_kit import SUM
from panel_kit import END, TILED, product
from step_kit import applied, computed

from mochac.ir.executed import executed_flops
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.schedule import ScheduleError


def shapes(kernel):
    return {b.name: b.type.shape for b in kernel.locals if b.space == "shared"}


def test_panels_in_shared_memory():
    odd = [step.replace("loop=f, factor=8", "loop=f, factor=7") for step in TILED]
    assert shapes(product(*odd, *END)) == {"x.panel": (8, 7), "w.panel": (4, 7)}  # an odd row needs no padding


def test_panels_copy_the_box_under_a_moving_window():
    text = """kernel @window(%x: f32[40], %w: f32[6,5]) -> (%y: f32[6,36]) {
  local %acc: f32[] register
  each o in 0..6 {
    each p in 0..36 {
      %acc[] = 0.0:f32
      sum c in 0..1 {
        sum k in 0..5 {
          if k + p - 1 >= 0, -k - p + 40 >= 0 {
            %t = %x[k + p - 1]
            %u = %w[o, k]
            %acc[] = fma(%t, %u, %acc[])
          }
        }
      }
      %v = %acc[]
      %y[o, p] = %v
    }
  }
}"""
    steps = (
        "split(loop=p, factor=32, outer=pb, inner=pi, tail=guard)",
        "reorder(loops=(pb, pi, o))",
        "distribute(loop=o, past=(c, k))",
        "distribute(loop=pi, past=(c))",
        "panels(loop=c, threads=32)",
        "threads(loops=(pi), count=32)",
        "unroll(loop=o)",
        "blocks(loops=(pb))",
    )
    done = computed(parse_kernel(text), *steps, tolerance=1e-5)
    assert shapes(done)["x.panel"] == (36,)  # 32 places and 4 more, not 32 times 5


FRAME = """kernel @frame(%x: f32[3,6], %w: f32[3,4,5]) -> (%y: f32[4,6]) {
  local %acc: f32[] register
  each o in 0..4 {
    each p in 0..6 {
      %acc[] = 0.0:f32
      sum c in 0..3 {
        sum k in 0..5 {
          if k + p - 2 >= 0, -k - p + 7 >= 0 {
            %t = %x[c, k + p - 2]
            %u = %w[c, o, k]
            %acc[] = fma(%t, %u, %acc[])
          }
        }
      }
      %v = %acc[]
      %y[o, p] = %v
    }
  }
}"""


@pytest.mark.parametrize(("exact", "width", "products"), [("", 12, 30), (", exact=(k)", 8, 24)])
def test_panels_keep_conditions_around_products(exact, width, products):
    """A panel then ends where the operand does, and nothing is multiplied that lies outside."""
    steps = (
        "distribute(loop=p, past=(c, k))",
        "distribute(loop=o, past=(c))",
        f"panels(loop=c, threads=32{exact})",
        "unroll(loop=k)",
        "unroll(loop=p)",
        "threads(loops=(o), count=32)",
    )
    done = computed(parse_kernel(FRAME), *steps, tolerance=1e-5)
    assert shapes(done)["x.panel"] == (width,)  # 10 or 6 places, padded to whole vectors
    assert executed_flops(done) == 2 * 3 * 4 * products


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("panels(loop=m, threads=32)", "has no loop 'm'"),
        ("panels(loop=a, threads=32)", "only an accumulation may have an effect"),
        ("panels(loop=k, threads=32)", "must be an fma of two values"),
    ],
)
def test_panels_refuse(step, message):
    with pytest.raises(ScheduleError, match=message):
        applied(parse_kernel(SUM), step)
