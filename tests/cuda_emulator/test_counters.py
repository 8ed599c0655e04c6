"""The counters of the CUDA emulator: sectors of global memory, rounds of shared memory's banks, barriers."""

import numpy as np
import pytest
from counters import count_kernels, lines, table
from emulated import EmulatorError, KernelLaunch, Module
from skips import needs_gxx

pytestmark = [needs_gxx, pytest.mark.slow]
SOURCE = """
extern "C" __global__ void __launch_bounds__(64) copies(const float* x, const float4* v, float* y, float4* z,
                                                              signed char* b) {
    const int t = blockIdx.x * 64 + threadIdx.x;
    y[t] = x[t];
    y[t] = x[t + 1];
    y[t] = x[t * 4];
    y[t] = x[0];
    b[t] = 1;
    float4 r = v[t];
    z[t] = r;
    y[t] = r.w;
}
extern "C" __global__ void __launch_bounds__(64) banks(float* y) {
    __shared__ float s[32 * 33];
    __shared__ double d[64];
    for (int k = threadIdx.x; k < 32 * 33; k += 64) s[k] = 1.0f;
    d[threadIdx.x] = 1.0;
    __syncthreads();
    float t = s[threadIdx.x % 32 * 33];
    t = s[threadIdx.x % 32 * 32] + t;
    t = s[threadIdx.x % 32 * 2] + t;
    t = s[threadIdx.x / 32] + t;
    t = (float)d[threadIdx.x] + t;
    for (int k = 0; k < 3; ++k) __syncthreads();
    y[threadIdx.x] = t + __shfl_down_sync(0xffffffffu, t, 1);
}
extern "C" __global__ void misaligned(float* x) {
    *reinterpret_cast<float2*>(x + 1) = make_float2(1.0f, 2.0f);
}
"""


def count(symbol, grid=3, **sizes):
    arrays = {name: np.zeros(size, np.int8 if name == "b" else np.float32) for name, size in sizes.items()}
    (found,) = count_kernels(SOURCE, [KernelLaunch(symbol, grid, 64, 0, tuple(sizes))], arrays, blocks=2)
    return found


def of(found, text, write=False):
    (site,) = [s for s in found.sites if text in SOURCE.splitlines()[s.line - 1] and s.write == write]
    return site.units / site.requests, site.units / site.least


def test_sectors_of_global_memory():
    found = count("copies", x=1000, v=1000, y=1000, z=1000, b=1000)
    assert (found.blocks, found.barriers, found.exchanges, found.at("")) == (2, 0, 0, [])
    assert of(found, "= x[t];") == (4, 1)
    assert of(found, "x[t + 1]") == (5, 1.25)
    assert of(found, "x[t * 4]") == (16, 4)
    assert of(found, "x[0]") == (1, 1)
    assert of(found, "b[t]", write=True) == (1, 1)
    assert of(found, "v[t]") == of(found, "z[t] = r;", write=True) == (16, 1)
    (vector,) = found.at("v")
    assert (vector.bytes, vector.requests, found.sectors("v"), found.waste("v")) == (16, 4, 16, 1)
    assert found.waste("x") == (4 + 5 + 16 + 1) / (4 + 4 + 4 + 1)


def test_banks_of_shared_memory():
    found = count("banks", 1, y=64)
    assert of(found, "% 32 * 33]") == (1, 1)
    assert of(found, "% 32 * 32]") == (32, 32)
    assert of(found, "% 32 * 2]") == (2, 2)
    assert of(found, "s[threadIdx.x / 32]") == (1, 1)
    assert of(found, "d[threadIdx.x] +") == (2, 1)
    assert (found.barriers, found.exchanges, found.worst_ways) == (4, 1, 32)
    assert found.ways > 1.5


def test_tables():
    found = count("banks", 1, y=64)
    head, row = table([found])
    assert head.split()[0] == "kernel" and row.split()[0] == "banks"
    assert any("load  shared" in text and "32.00 x least" in text for text in lines(found, SOURCE))


def test_vectors_are_aligned():
    with pytest.raises(EmulatorError, match=r"misaligned address .* at buffer 'x', line 29: \*reinterpret_cast"):
        Module(SOURCE).launch("misaligned", 1, 1, 0, [np.zeros(8, np.float32)], names=["x"])
