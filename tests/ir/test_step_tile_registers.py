"""tile_registers: products of pairs in tile registers; the order of their sums, and what the verifier asks of them."""

from fractions import Fraction

import numpy as np
import pytest
from ir.test_bfloat16 import nearest

from mochac.ir import bfloat16
from mochac.ir.applying import apply
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import KernelVerifyError, verify_kernel
from mochac.ir.schedule import ScheduleError, parse_schedule

PRODUCT = """\
kernel @k(%x: bf16x2[5,6], %w: bf16x2[6,8], %b: f32[8]) -> (%y: f32[5,8]) root inner_product {
  local %acc: f32[] register
  each n in 0..5 {
    each o in 0..8 {
      BEGIN
      %acc[] = FIRST
      sum f in 0..6 {
        %a = %x[n, f]
        %c = %w[f, o]
        %acc[] = dot2(%a, %c, %acc[])
      }
      %s = %acc[]
      %y[n, o] = %s
    }
  }
}
"""
STEPS = """schedule tiles
  split(loop=o, factor=4, outer=o_o, inner=o_i, tail=cut)
  distribute(loop=n, past=(*))
  distribute(loop=o_o, past=(*))
  distribute(loop=o_i, past=(*))
  split(loop=f, factor=3, outer=f_o, inner=f_i, tail=cut)
"""
LAST = "  tile_registers(sums=acc, row=n, column=o_i, term=f_i)\n"
TILED = """\
kernel @k(%x: bf16x2[5,6], %w: bf16x2[6,8], %b: f32[8]) -> (%y: f32[5,8]) root inner_product {
  local %acc: f32[2,5,4] tile
  local %acc.sums: f32[2,5,4] scratch
  each o_o in 0..2 unroll {
    each n in 0..5 tile {
      each o_i in 0..4 tile {
        %acc[o_o, n, o_i] = 0.0:f32
      }
    }
  }
  sum f_o in 0..2 {
    each o_o in 0..2 unroll {
      each n in 0..5 tile {
        each o_i in 0..4 tile {
          sum f_i in 0..3 tile {
            %a = %x[n, f_i + 3*f_o]
            %c = %w[f_i + 3*f_o, o_i + 4*o_o]
            %acc[o_o, n, o_i] = dot2(%a, %c, %acc[o_o, n, o_i])
          }
        }
      }
    }
  }
  each o_o in 0..2 unroll {
    each n in 0..5 tile {
      each o_i in 0..4 tile {
        %sums = %acc[o_o, n, o_i]
        %acc.sums[o_o, n, o_i] = %sums
      }
    }
  }
  each n.out in 0..5 {
    each o_o.out in 0..2 {
      each o_i.out in 0..4 {
        END
        %y[n.out, o_i.out + 4*o_o.out] = %s
      }
    }
  }
}
"""


def product(bias: bool = False) -> Kernel:
    text = PRODUCT.replace("BEGIN\n      ", "%t = %b[o]\n      " if bias else "")
    return parse_kernel(text.replace("FIRST", "%t" if bias else "0.0:f32"))


def tiled(bias: bool = False) -> Kernel:
    return apply(parse_schedule(STEPS + LAST), product(bias))


def inputs() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(4)

    def pairs(*shape: int) -> np.ndarray:
        x = rng.normal(size=(2, *shape)) * 2.0 ** rng.integers(-6, 7, (2, *shape))
        return bfloat16.pair(*x.astype(np.float32))

    return {"x": pairs(5, 6), "w": pairs(6, 8), "b": rng.normal(size=8).astype(np.float32)}


def test_sums_begin_in_registers_and_pass_through_scratch():
    end = "%s = %acc.sums[o_o.out, n.out, o_i.out]"
    assert str(tiled()) == TILED.replace("END", end)
    verify_kernel(tiled(), printable=True)
    assert parse_kernel(str(tiled())) == tiled()


def test_a_bias_is_added_at_the_end():
    text = str(tiled(bias=True))
    assert "%acc[o_o, n, o_i] = 0.0:f32" in text and "%s.1 = %acc.sums[o_o.out, n.out, o_i.out]" in text
    verify_kernel(tiled(bias=True), printable=True)
    plain, found = (run_kernel(k, inputs())["y"] for k in (product(bias=True), tiled(bias=True)))
    np.testing.assert_allclose(found, plain, rtol=1e-4, atol=1e-2)


def test_first_and_second_numbers_are_summed_apart_then_added():
    """By exact fractions, each sum rounded once: of three terms, then of the next three."""
    given = inputs()
    (x0, x1), (w0, w1) = (bfloat16.parts(given[name]) for name in "xw")
    found = run_kernel(tiled(), given)["y"]
    for n in range(5):
        for o in range(8):
            total = np.float32(0)
            for first in (0, 3):
                sums = []
                for x, w in ((x0, w0), (x1, w1)):
                    part = np.float32(0)
                    for f in range(first, first + 3):
                        part = nearest(Fraction(float(x[n, f])) * Fraction(float(w[f, o])) + Fraction(float(part)))
                    sums.append(Fraction(float(part)))
                total = nearest(Fraction(float(total)) + Fraction(float(nearest(sum(sums, Fraction())))))
            assert found[n, o] == total


def test_small_numbers_are_zero():
    tiny = np.float32(2.0**-127)
    assert bfloat16.with_parts(tiny, (tiny, np.float32(0.0))) == 0.0
    assert bfloat16.with_parts(np.float32(1.0), (np.float32(2.0**-126), -np.float32(2.0**-127))) == 1.0


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        ("sums=total, row=n, column=o_i, term=f_i", "kernel 'k' has no local 'total'"),
        ("sums=acc, row=f_o, column=o_i, term=f_i", "'f_o' and 'o_i' must each index one axis of 'acc'"),
        ("sums=acc, row=n, column=n, term=f_i", "the nest of 'n' is none of a tile register"),
        ("sums=acc, row=n, column=o_i, term=n", "the nest of 'n' is none of a tile register"),
    ],
)
def test_what_does_not_fit(step, problem):
    with pytest.raises(ScheduleError, match=problem):
        apply(parse_schedule(f"{STEPS}  tile_registers({step})\n"), product())


def test_products_of_float32_do_not_fit():
    text = str(product()).replace("bf16x2", "f32").replace("dot2", "fma")
    with pytest.raises(ScheduleError, match="is none of a tile register"):
        apply(parse_schedule(STEPS + LAST), parse_kernel(text))


def test_sums_that_begin_with_what_may_change():
    text = str(product(bias=True)).replace("%t = %b[o]", "%t = %y[n, o]")
    with pytest.raises(ScheduleError, match="begins sums with more than values of the kernel's inputs"):
        apply(parse_schedule(STEPS + LAST), parse_kernel(text))


def test_sums_that_have_not_begun():
    text = str(product()).replace("      %acc[] = 0.0:f32\n", "")
    with pytest.raises(ScheduleError, match="loop 'f_o' uses sums that no nest before it begins"):
        apply(parse_schedule(STEPS + LAST), parse_kernel(text))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("%acc: f32[2,5,4] tile", "%acc: f32[9,5,4] tile", "%acc: f32[9,5,4] is not in tile registers"),
        ("%acc: f32[2,5,4] tile", "%acc: f32[2,5,4] scratch", "tile loop 'n' begins no nest of a tile register"),
        ("sum f_i in 0..3 tile", "sum f_i in 0..3", "tile loop 'n' begins no nest of a tile register"),
        ("%w[f_i + 3*f_o, o_i + 4*o_o]", "%w[f_i + 3*f_o, 2*o_i]", "rows of a tile are not rows in memory"),
        ("%s = %acc.sums[o_o.out, n.out, o_i.out]", "%s = %acc[0, 0, 0]", "%acc is used outside of tile loops"),
    ],
)
def test_what_the_verifier_refuses(old, new, problem):
    with pytest.raises(KernelVerifyError) as caught:
        verify_kernel(parse_kernel(str(tiled()).replace(old, new)), printable=True)
    assert caught.value.rule == "tile-nests" and problem in caught.value.text
