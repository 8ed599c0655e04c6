"""Sums of parts: what rules see of them, and that their schedules give every part the sum of a kernel of its own."""

import numpy as np
import pytest

from mochac import ir
from mochac.codegen.analysis.plain import of_one_part
from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.ops.exchange import tree

TEXT = """\
kernel @dw(%x: f32[b{n},{f}], %dy: f32[b{n},{o}], %w: f32[{o},{f}]) -> (%y: f32[{o},{f}]) root parts.inner_product_dw {{
  local %acc: f32[] register
  local %sums: f32[4] scratch
  each o in 0..{o} {{
    each f in 0..{f} {{
      each part in 0..4 {{
        %acc[] = 0.0:f32
        sum n in 0..{count} {{
          %a = %dy[n + {count}*part, o]
          %b = %x[n + {count}*part, f]
          %acc[] = fma(%a, %b, %acc[])
        }}
        %s = %acc[]
        %sums[part] = %s
      }}
      %s0 = %sums[0]
      %s1 = %sums[1]
      %s2 = %sums[2]
      %s3 = %sums[3]
      %left = add(%s0, %s1)
      %right = add(%s2, %s3)
      %sum = add(%left, %right)
      %old = %w[o, f]
      %new = sub(%old, %sum)
      %y[o, f] = %new
    }}
  }}
}}
"""


def kernel(count, outputs, features):
    return parse_kernel(TEXT.format(n=4 * count, count=count, o=outputs, f=features))


def test_rules_see_the_sum_of_one_part():
    one = str(of_one_part(kernel(3, 5, 7)))
    assert "part in" not in one
    assert "sums" not in one
    assert "%a = %dy[n, o]" in one
    assert "%left = add(%s, %s)" in one
    assert of_one_part(of_one_part(kernel(3, 5, 7))) == of_one_part(kernel(3, 5, 7))


@pytest.mark.parametrize(
    ("count", "outputs", "features"), [(3, 5, 7), (25, 20, 48), (1, 33, 17), (16, 2, 40), (5, 40, 3)]
)
def test_each_part_is_added_up_as_by_a_kernel_of_its_own(count, outputs, features):
    naive = kernel(count, outputs, features)
    schedule = choose(naive, CpuTarget("skylake-avx512", 64, 32))
    rng = np.random.default_rng(count)
    feeds = {b.name: rng.normal(size=b.type.shape).astype(np.float32) for b in naive.inputs}
    found = run_kernel(ir.apply(schedule, naive), feeds)["y"]
    sums = []
    for x, dy in zip(np.split(feeds["x"], 4), np.split(feeds["dy"], 4), strict=True):
        total = np.zeros((outputs, features), np.float32)
        for row, gradient in zip(x, dy, strict=True):
            total = (gradient[:, None].astype(np.float64) * row + total).astype(np.float32)
        sums.append(total)
    np.testing.assert_array_equal(found, feeds["w"] - tree(sums, np.add))


def test_an_array_that_a_sum_reads_holds_no_sums_of_parts():
    """As in Sinkhorn's iterations: one number of an array for each of another sum."""
    text = """\
kernel @rows(%x: f32[4,4]) -> (%y: f32[]) {
  local %acc: f32[] register
  local %all: f32[] register
  local %u: f32[4] scratch
  each i in 0..4 {
    %acc[] = 0.0:f32
    sum k in 0..4 {
      %a = %x[i, k]
      %acc[] = add(%a, %acc[])
    }
    %s = %acc[]
    %u[i] = %s
  }
  %all[] = 0.0:f32
  sum j in 0..4 {
    %b = %u[j]
    %all[] = add(%b, %all[])
  }
  %t = %all[]
  %y[] = %t
}
"""
    assert of_one_part(parse_kernel(text)) == parse_kernel(text)
