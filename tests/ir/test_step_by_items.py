"""by_items: kernels of several parts, strip by strip of each item, as they are and as rules schedule their parts."""

from __future__ import annotations

import numpy as np
import pytest
from step_kit import computed, refuse

from mochac.ir.applying import apply
from mochac.ir.items import item_frame
from mochac.ir.kernel import Kernel, walk
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.schedule import Schedule, ScheduleError, parse_step
from mochac.ir.steps.items import ByItems

PAIR = """\
kernel @pair(%x: f32[3,7,4], %v: f32[3,5,2]) -> (%y: f32[3,7,2]) members einsum 1, einsum 1 {
  local %s: f32[3,7,5] scratch
  local %acc: f32[] register
  local %acc1: f32[] register
  each b in 0..3 {
    each q in 0..7 {
      each k in 0..5 {
        %acc[] = 0.0:f32
        sum d in 0..4 {
          %t = %x[b, q, d]
          %acc[] = fma(%t, %t, %acc[])
        }
        %r = %acc[]
        %s[b, q, k] = %r
      }
    }
  }
  each b in 0..3 {
    each q in 0..7 {
      each c in 0..2 {
        %acc1[] = 0.0:f32
        sum k in 0..5 {
          %t1 = %s[b, q, k]
          %t2 = %v[b, k, c]
          %acc1[] = fma(%t1, %t2, %acc1[])
        }
        %r1 = %acc1[]
        %y[b, q, c] = %r1
      }
    }
  }
}
"""
"""Two products, the second of which reads what the first makes."""

SUMMED = """\
kernel @summed(%x: f32[2,7,3], %v: f32[2,7,2]) -> (%y: f32[2,3,2]) members mul 1, einsum 2 {
  local %s: f32[2,7,3] scratch
  local %e: f32[2,3,2] scratch
  local %acc: f32[] register
  each b in 0..2 {
    each q in 0..7 {
      each k in 0..3 {
        %t = %x[b, q, k]
        %u = to_i32(q)
        %w = to_i32(b)
        %g = ge(%u, %w)
        %m = mul(%t, %t)
        %r = select(%g, %m, %t)
        %s[b, q, k] = %r
      }
    }
  }
  each b in 0..2 {
    each k in 0..3 {
      each c in 0..2 {
        %acc[] = 0.0:f32
        sum q in 0..7 {
          %t1 = %s[b, q, -k + 2]
          %t2 = %v[b, q, c]
          %acc[] = fma(%t1, %t2, %acc[])
        }
        %r1 = %acc[]
        %e[b, k, c] = %r1
      }
    }
  }
  each b in 0..2 {
    each k in 0..3 {
      each c in 0..2 {
        %t3 = %e[b, k, c]
        %r2 = mul(%t3, 0.5:f32)
        %y[b, k, c] = %r2
      }
    }
  }
}
"""
"""A sum over the dimension of strips, numbers of items and of rows, and what follows the sum."""

CAUSAL = """\
kernel @causal(%x: f32[3,8,4], %v: f32[3,8,2]) -> (%y: f32[3,8,2]) members einsum 1, softmax 1, einsum 1 {
  local %s: f32[3,8,8] scratch
  local %p: f32[3,8,8] scratch
  local %acc: f32[] register
  local %largest: f32[] register
  local %total: f32[] register
  local %acc1: f32[] register
  each b in 0..3 {
    each q in 0..8 {
      each k in 0..8 {
        %acc[] = 0.0:f32
        sum d in 0..4 {
          %t = %x[b, q, d]
          %t1 = %x[b, k, d]
          %acc[] = fma(%t, %t1, %acc[])
        }
        %a = %acc[]
        %i = to_i32(q)
        %j = to_i32(k)
        %g = TEST(%i, %j)
        %r = select(%g, %a, LOWEST:f32)
        %s[b, q, k] = %r
      }
    }
  }
  each b in 0..3 {
    each q in 0..8 {
      %largest[] = -inf:f32
      sum k in 0..8 {
        %t2 = %s[b, q, k]
        %largest[] = max(%t2, %largest[])
      }
      %l = %largest[]
      %total[] = 0.0:f32
      sum k1 in 0..8 {
        %t3 = %s[b, q, k1]
        %u = sub(%t3, %l)
        %e = exp(%u)
        %total[] = add(%e, %total[])
      }
      %w = %total[]
      each k2 in 0..8 {
        %t4 = %s[b, q, k2]
        %u1 = sub(%t4, %l)
        %e1 = exp(%u1)
        %f = div(%e1, %w)
        %p[b, q, k2] = %f
      }
    }
  }
  each b in 0..3 {
    each q in 0..8 {
      each c in 0..2 {
        %acc1[] = 0.0:f32
        sum k in 0..8 {
          %t5 = %p[b, q, k]
          %t6 = %v[b, k, c]
          %acc1[] = fma(%t5, %t6, %acc1[])
        }
        %z = %acc1[]
        %y[b, q, c] = %z
      }
    }
  }
}
"""


CHANNELS = """\
kernel @channels(%x: f32[1,6,4], %w: f32[6,1,3]) -> (%y: f32[1,6]) members conv 1, reduce_sum 1 {
  local %c: f32[1,6,2] scratch
  local %acc: f32[] register
  local %acc1: f32[] register
  each n in 0..1 {
    each co in 0..6 {
      each o in 0..2 {
        %acc[] = 0.0:f32
        sum ci in 0..1 {
          sum k in 0..3 {
            if k + o - 1 >= 0 {
              %t = %x[n, ci + co, k + o - 1]
              %u = %w[co, ci, k]
              %acc[] = fma(%t, %u, %acc[])
            }
          }
        }
        %r = %acc[]
        %c[n, co, o] = %r
      }
    }
  }
  each n in 0..1 {
    each co in 0..6 {
      %acc1[] = 0.0:f32
      sum o in 0..2 {
        %t1 = %c[n, co, o]
        %acc1[] = add(%t1, %acc1[])
      }
      %r1 = %acc1[]
      %y[n, co] = %r1
    }
  }
}
"""
"""Strips of channels, of which each filter reads one, by a loop of one iteration."""


KEEP = parse_step("keep(value=e, again=e1)")


def causal(test: str = "ge", lowest: str = "-inf") -> Kernel:
    return parse_kernel(CAUSAL.replace("TEST", test).replace("LOWEST", lowest))


def by_items(size: int, views: int, below: bool = False) -> str:
    """The step with parts that stay as they are."""
    return str(ByItems(size, ((),) * views, below))


@pytest.mark.parametrize(("size", "views"), [(7, 2), (4, 4), (1, 2)])
def test_products_strip_by_strip(size, views):
    kernel = computed(parse_kernel(PAIR), by_items(size, views))
    assert kernel.buffers()["s"].type.shape == (size, 5)


@pytest.mark.parametrize(("size", "views"), [(7, 2), (3, 6), (4, 6)])
def test_a_sum_goes_on_from_strip_to_strip(size, views):
    computed(parse_kernel(SUMMED), by_items(size, views), tolerance=1e-6)


@pytest.mark.parametrize(("size", "views"), [(6, 2), (4, 4), (1, 2)])
def test_strips_of_channels(size, views):
    kernel = parse_kernel(CHANNELS)
    computed(kernel, by_items(size, views))
    frame = item_frame(kernel)
    assert frame is not None
    assert (frame.length, frame.shared, frame.independent) == (6, False, 1)


@pytest.mark.parametrize(("text", "independent"), [(PAIR, 21), (SUMMED, 2)])
def test_rows_that_share_data_are_independent_parts(text, independent):
    frame = item_frame(parse_kernel(text))
    assert frame is not None
    assert frame.independent == independent


@pytest.mark.parametrize(("size", "views"), [(8, 3), (3, 6), (2, 3)])
def test_rows_strip_by_strip(size, views):
    computed(causal(), by_items(size, views), tolerance=1e-6)


@pytest.mark.parametrize(("size", "views"), [(4, 5), (3, 8), (2, 5)])
def test_what_is_above_the_diagonal_is_not_read(size, views):
    kernel = causal()
    schedule = Schedule("test", (ByItems(size, ((),) * views, below=True),))
    short = apply(schedule, kernel)
    verify_kernel(short)
    rng = np.random.default_rng(3)
    inputs = {b.name: rng.standard_normal(b.type.shape).astype(np.float32) for b in kernel.inputs}
    want = run_kernel(kernel, inputs)["y"]
    np.testing.assert_allclose(run_kernel(short, inputs)["y"], want, rtol=1e-6)
    later = {name: x.copy() for name, x in inputs.items()}
    for x in later.values():
        x[:, size:] = np.nan
    np.testing.assert_array_equal(run_kernel(short, later)["y"][:, :size], run_kernel(short, inputs)["y"][:, :size])


def test_columns_are_cut_and_end_early():
    """A loop over two columns at a time ends at the next multiple of two; what is read there was stored before."""
    split = parse_step("split(loop=k, factor=2, outer=k_o, inner=k_i, tail=cut)")
    cut = parse_step("cut(loop=k, at=5, suffix=.tail)")
    schedule = Schedule("test", (ByItems(3, ((), (), (split,), (), (cut,), (), (), ()), below=True),))
    kernel = causal()
    rng = np.random.default_rng(3)
    inputs = {b.name: rng.standard_normal(b.type.shape).astype(np.float32) for b in kernel.inputs}
    short = apply(schedule, kernel)
    ends = [str(s) for s in walk(short.body) if "ceil" in str(s)]
    assert ends == ["each k_o in 0..ceil((3*strip + 3) / 2) {"]
    np.testing.assert_allclose(run_kernel(short, inputs)["y"], run_kernel(kernel, inputs)["y"], rtol=1e-6)


def test_what_is_kept_of_columns_ends_where_they_end():
    schedule = Schedule("test", (ByItems(4, ((), (), (), (KEEP,), ()), below=True),))
    kernel = causal()
    rng = np.random.default_rng(4)
    inputs = {b.name: rng.standard_normal(b.type.shape).astype(np.float32) for b in kernel.inputs}
    short = apply(schedule, kernel)
    verify_kernel(short)
    assert str(short).count("exp(") == 1
    np.testing.assert_allclose(run_kernel(short, inputs)["y"], run_kernel(kernel, inputs)["y"], rtol=1e-6)


def test_what_is_kept_must_not_end_earlier_than_its_reader():
    """The loop over d is none over columns: it needs what the loop over k1 leaves out."""
    text = str(causal()).replace("%e = exp(%u)", "%e = exp(%u)\n%n = to_f32(k1)\n%h = exp(%n)")
    again = "%acc1[] = 0.0:f32\nsum d in 0..8 {\n%n1 = to_f32(d)\n%h1 = exp(%n1)\n%acc1[] = add(%h1, %acc1[])\n}\n"
    kernel = parse_kernel(text.replace("%w = %total[]", again + "%w = %total[]"))
    keep = parse_step("keep(value=h, again=h1)")
    with pytest.raises(ScheduleError, match="keeps a value for columns that the earlier loop leaves out"):
        ByItems(4, ((), (), (), (keep,), ()), below=True).apply(kernel)


def test_a_step_holds_steps_in_text():
    split = parse_step("split(loop=k, factor=2, outer=k_o, inner=k_i, tail=cut)")
    step = ByItems(3, ((), (split, split)), below=True)
    assert parse_step(str(step)) == step


def test_kernels_without_common_items():
    refuse(by_items(4, 2), "each a in 0..4 {\neach b in 0..3 {\n%y[a, b] = 0.0:f32\n}\n}\n", "no items in common")


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (ByItems(9, ((), ())), "strips of 9 of 7"),
        (ByItems(7, ()), "0 schedules for 2 views"),
        (ByItems(4, ((), (), (), ()), below=True), "more than zeros is above the diagonal"),
    ],
)
def test_strips_and_schedules_that_do_not_fit(step, message):
    with pytest.raises(ScheduleError, match=message):
        step.apply(parse_kernel(PAIR))


@pytest.mark.parametrize(("test", "lowest"), [("le", "-inf"), ("ne", "-inf"), ("ge", "-3e+38"), ("ge", "0.0")])
def test_nothing_is_left_out_unless_it_is_known_to_be_zero(test, lowest):
    with pytest.raises(ScheduleError, match="more than zeros"):
        ByItems(4, ((),) * 5, below=True).apply(causal(test, lowest))


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("unroll(loop=k2)", "loop 'k2' over columns has no end of its own"),
        ("peel(loop=k2, first=1, last=0)", "may change which columns a loop has"),
    ],
)
def test_loops_over_columns_that_cannot_end(step, message):
    steps = ((), (), (), (parse_step(step),), ())
    with pytest.raises(ScheduleError, match=message):
        ByItems(4, steps, below=True).apply(causal())


@pytest.mark.parametrize(
    ("before", "after"),
    [("%acc[] = 0.0:f32", "%acc[] = 1.0:f32"), ("%e[b, k, c] = %r1", "%e[b, k, c] = %t9")],
)
def test_a_sum_that_cannot_be_cut(before, after):
    """It begins with something else than zero, or what is stored is no plain sum."""
    text = SUMMED.replace(before, after).replace("%r1 = %acc[]", "%r1 = %acc[]\n        %t9 = neg(%r1)")
    kernel = parse_kernel(text if "t9" in after else SUMMED.replace(before, after))
    with pytest.raises(ScheduleError, match="no items in common"):
        ByItems(3, ((),) * 6).apply(kernel)
