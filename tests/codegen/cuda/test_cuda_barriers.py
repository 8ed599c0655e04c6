"""Barriers of generated kernels: where threads read what others wrote, also where a sum of one warp lies in between."""

import pytest

from mochac.codegen.cuda.module import print_kernel
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.kernel_text import parse_kernel

KERNEL = """
kernel @turned(%x: f32[64]) -> (%y: f32[64]) root reduce_sum ops (reduce_sum) threads {threads} {{
  local %row: f32[64] shared
  local %acc: f32[] register
  each i in 0..64 threads {{
    %t = %x[i]
    %row[i] = %t
  }}
  %acc[] = 0.0:f32
  sum j in 0..64 threads {{
    %u = %x[j]
    %acc[] = add(%u, %acc[])
  }}
  each k in 0..64 threads {{
    %v = %row[63 - k]
    %s = %acc[]
    %z = add(%v, %s)
    %y[k] = %z
  }}
}}
"""


@pytest.mark.parametrize(("threads", "barriers"), [(32, 1), (64, 0)])
def test_one_warp_joins_by_shuffles_which_are_no_barrier(threads, barriers):
    text = print_kernel(parse_kernel(KERNEL.format(threads=threads)), CudaTarget(sm=90)).text
    joined = text.index(f"mochac_block_all_reduce_add_f32<{threads}>")
    assert text[joined:].count("__syncthreads();") == text.count("__syncthreads();") == barriers
