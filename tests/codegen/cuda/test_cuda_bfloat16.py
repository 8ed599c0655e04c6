"""pair and dot2 in CUDA C, run by the emulator: the bits of their definitions in NumPy."""

import numpy as np
import pytest
from emulated import KernelLaunch, run_kernels
from skips import needs_gxx

from mochac.base.escaping import template
from mochac.codegen.cuda.expressions import template as text_of
from mochac.ir import bfloat16

pytestmark = [needs_gxx, pytest.mark.slow]

COUNT = 4096
SPECIAL = np.float32(
    [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 2.0**-126, 2.0**-127, -(2.0**-130), 3.4e38, 1.00390625]
)
SOURCE = f"""
{template("cuda/pair.cu.j2").render()}
{template("cuda/dot2.cu.j2").render()}
extern "C" __global__ void test(const float* x, const float* c, unsigned int* pairs, float* sums) {{
    const int i = blockIdx.x * 256 + threadIdx.x;
    pairs[i] = {text_of("pair", "bf16x2", "f32").format("x[i]", f"x[i + {COUNT}]")};
    sums[i] = {text_of("dot2", "f32", "bf16x2").format("pairs[i]", f"mochac_pair(c[i], x[i + {COUNT}])", "c[i]")};
}}
"""


def floats(rng, count):
    """Numbers of many magnitudes, then all special values, in random order."""
    drawn = (rng.normal(size=count) * 2.0 ** rng.integers(-40, 40, count)).astype(np.float32)
    return rng.permutation(np.concatenate([drawn[SPECIAL.size :], SPECIAL]))


def test_bits_are_those_of_the_definitions():
    rng = np.random.default_rng(20261129)
    first, second, c = (floats(rng, COUNT) for _ in range(3))
    c[np.abs(c) < bfloat16.LEAST] = 0.0  # a device treats smaller numbers as zero; the emulator computes with them
    with np.errstate(all="ignore"):
        pairs = bfloat16.pair(first, second)
        sums = bfloat16.dot2(pairs, bfloat16.pair(c, second), c)
    arrays = {"x": np.concatenate([first, second]), "c": c}
    arrays |= {"pairs": np.zeros(COUNT, np.uint32), "sums": np.zeros(COUNT, np.float32)}
    got = run_kernels(SOURCE, [KernelLaunch("test", COUNT // 256, 256, 0, ("x", "c", "pairs", "sums"))], arrays)
    np.testing.assert_array_equal(got["pairs"], pairs)
    known = ~np.isnan(sums)
    np.testing.assert_array_equal(np.isnan(got["sums"]), ~known)
    np.testing.assert_array_equal(got["sums"][known].view(np.uint32), sums[known].view(np.uint32))
