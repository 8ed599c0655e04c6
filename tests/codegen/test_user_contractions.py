"""Contractions of any number of rows and terms: which lanes they get, and that results stay."""

from __future__ import annotations

import numpy as np
import pytest
from codegen.user_ops import USER_OPS

from mochac import check_op
from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_build import Pointwise
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.op import OPS, Op, Sample, register, run_reference
from mochac.ir.samples import draw
from mochac.lowering.run_graph import run_graph

assert USER_OPS

FORWARD = """\
kernel @bilinear(%x: f32[b5,7], %z: f32[b5,{terms}], %w: f32[9,7,{terms}]) -> (%y: f32[b5,9]) root bilinear {{
  local %acc: f32[] register
  each n in 0..5 {{
    each o in 0..9 {{
      %acc[] = 0.0:f32
      sum i in 0..7 {{
        sum j in 0..{terms} {{
          %a = %x[n, i]
          %b = %z[n, j]
          %ab = mul(%a, %b)
          %c = %w[o, i, j]
          %acc[] = fma(%ab, %c, %acc[])
        }}
      }}
      %s = %acc[]
      %y[n, o] = %s
    }}
  }}
}}
"""
GRADIENT = """\
kernel @bilinear_dw(%dy: f32[{n},5]{l}, %x: f32[{n},9]{l}, %z: f32[{n},20]{l}) -> (%dw: f32[5,9,20]) root bilinear_dw {{
  local %acc: f32[] register
  each o in 0..5 {{
    each i in 0..9 {{
      each j in 0..20 {{
        %acc[] = 0.0:f32
        sum n in 0..{samples} {{
          %a = %dy[n, o]
          %b = %x[n, i]
          %ab = mul(%a, %b)
          %c = %z[n, j]
          %acc[] = fma(%ab, %c, %acc[])
        }}
        %s = %acc[]
        %dw[o, i, j] = %s
      }}
    }}
  }}
}}
"""
KERNELS = {
    "terms": (FORWARD.format(terms=21), "contraction.partial-lanes"),
    "few terms": (FORWARD.format(terms=3), "generic.scalar"),
    "columns": (GRADIENT.format(n="b13", samples=13, l=""), "contraction.column-lanes"),
    "samples": (GRADIENT.format(n="b32", samples=32, l=" blocked(16)"), "contraction.partial-lanes"),
    "a tail of samples": (GRADIENT.format(n="b37", samples=37, l=" blocked(16)"), "contraction.partial-lanes"),
}


@pytest.mark.parametrize(("text", "name"), KERNELS.values(), ids=KERNELS.keys())
def test_lanes_lie_where_memory_is_contiguous(text: str, name: str) -> None:
    kernel = parse_kernel(text)
    schedule = choose(kernel, CpuTarget.of("skylake-avx512", 64))
    assert schedule.name == name
    scheduled = apply(schedule, kernel)
    verify_kernel(scheduled, printable=True)
    np.testing.assert_allclose(computed(scheduled), computed(kernel), rtol=1e-4, atol=1e-4)


def computed(kernel: Kernel) -> np.ndarray:
    rng = np.random.default_rng(0)
    inputs = {b.name: rng.normal(size=b.type.shape).astype(np.float32) for b in kernel.inputs}
    (result,) = run_kernel(kernel, inputs).values()
    return result


@pytest.mark.parametrize("samples", [1, 13, 33])
def test_compiled_results_for_any_number_of_threads(samples: int) -> None:
    op, operands = OPS["bilinear"], (f"f32[b{samples},6]", f"f32[b{samples},37]", "f32[11,6,37]")
    case = draw(op, Sample(operands), "f32")
    (want,) = run_reference(op, tuple(a.astype(np.float64) for a in case.arrays), case.attrs)
    alone, shared = (run_graph(case.graph(), case.feeds(), dtype="f32", threads=n)["y0"] for n in (1, 3))
    np.testing.assert_array_equal(alone, shared)
    np.testing.assert_allclose(alone, want, rtol=op.tolerance, atol=op.tolerance * np.abs(want).max())


def test_a_sum_of_one_term_without_a_loop_is_each_lanes_own():
    def lower(k, bound, index):
        acc = k.local("acc", bound.inputs[0].type.dtype, k.const(1.0, bound.inputs[0].type.dtype))
        k.accum(acc, "fma", k.read(bound, 0, index), k.read(bound, 1, index))
        return (k.get(acc),)

    register(
        Op(
            name="one_more_than_product",
            infer=lambda p, q: (p,),
            reference=lambda p, q: p * q + 1,
            lower=Pointwise(lower),
            samples=(Sample(("f32[4,33]", "f32[4,33]")), Sample(("f32[b17,5]", "f32[b17,5]"))),
        )
    )
    assert check_op("one_more_than_product").ok
