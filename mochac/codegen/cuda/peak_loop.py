"""CUDA C of the kernels with which runtime/cuda/peak.py measures multiply-add rate and memory bandwidth."""

from __future__ import annotations

CHAINS, UNROLL = 8, 16
BLOCK = 256
SOURCE = f"""
extern "C" __global__ void __launch_bounds__({BLOCK})
mochac_peak_fma(
    const long long* turns,  // i64[1]
    float* result)  // a value per thread
{{
    float a[{CHAINS}];
    #pragma unroll
    for (int k = 0; k < {CHAINS}; ++k) a[k] = (float)(threadIdx.x + k);
    for (long long t = 0; t < turns[0]; ++t) {{
        #pragma unroll
        for (int u = 0; u < {UNROLL}; ++u) {{
            #pragma unroll
            for (int k = 0; k < {CHAINS}; ++k) a[k] = fmaf(a[k], 0.999f, 0.5f);
        }}
    }}
    float sum = 0.0f;
    #pragma unroll
    for (int k = 0; k < {CHAINS}; ++k) sum += a[k];
    result[blockIdx.x * {BLOCK} + threadIdx.x] = sum;
}}

extern "C" __global__ void __launch_bounds__({BLOCK})
mochac_peak_copy(
    const long long* count,  // i64[1]: words of 16 bytes
    const uint4* from,
    uint4* to)
{{
    for (long long k = (long long)blockIdx.x * {BLOCK} + threadIdx.x; k < count[0]; k += (long long)gridDim.x * {BLOCK})
        to[k] = from[k];
}}
"""
