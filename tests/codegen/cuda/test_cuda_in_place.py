"""A state's new value may lie where the old one lay: what a kernel still needs of that is read before it is written."""

import re

import pytest

from mochac.codegen.cuda.module import print_kernel
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.kernel_text import parse_kernel

KERNEL = """
kernel @step(%x: f32[8], %v: f32[8]) -> (%v2: f32[8], %y: f32[{size}]) root mul ops (mul, add) {{
  each i in 0..8 parallel {{
    %t = %x[i]
    %old = %v[i]
    %new = mul(%t, %t)
    %sum = add(%new, %old)
    %v2[i] = %new
    %y[i] = %sum
  }}
}}
"""


@pytest.mark.parametrize("size", [8, 9])
def test_an_old_state_is_read_before_the_new_one_is_written(size):
    code = print_kernel(parse_kernel(KERNEL.format(size=size)), CudaTarget(sm=90))
    written = code.text.index("v2[i] =")
    assert re.search(r"\bv\[i\]", code.text).start() < written
    assert ("* __restrict__ y" in code.text) == (size == 9)
