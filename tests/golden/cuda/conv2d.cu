// schedule contraction.tiled
//   split(loop=co, factor=10, outer=co_b, inner=co_i, tail=guard)
//   split(loop=co_i, factor=2, outer=co_r, inner=co_t, tail=guard)
//   split(loop=n, factor=5, outer=n_b, inner=n_i, tail=guard)
//   split(loop=oh, factor=4, outer=oh_b, inner=oh_i, tail=guard)
//   split(loop=ow, factor=8, outer=ow_b, inner=ow_i, tail=guard)
//   reorder(loops=(co_b, n_b, oh_b, ow_b, co_t, oh_i, ow_i, co_r, n_i))
//   sink(loop=n_i, past=(ci, kh, kw))
//   sink(loop=co_r, past=(ci, kh, kw))
//   sink(loop=ow_i, past=(ci))
//   sink(loop=oh_i, past=(ci))
//   sink(loop=co_t, past=(ci))
//   panels(loop=ci, lanes=64)
//   pipeline(loop=ci)
//   unroll(loop=co_r)
//   unroll(loop=n_i)
//   unroll(loop=kw)
//   lanes(loops=(co_t, oh_i, ow_i), lanes=64)
//   blocks(loops=(co_b, n_b, oh_b, ow_b))
// <<<2, 64>>>
// conv2d
extern "C" __global__ void __launch_bounds__(64)
mochac_conv2d_f32_conv2d_0(
    const float* __restrict__ x0,  // f32[b5,3,12,12]
    const float* __restrict__ x1,  // f32[9,3,5,5]
    const float* __restrict__ x2,  // f32[9]
    float* __restrict__ y0)  // f32[b5,9,8,8]
{
    __shared__ __align__(16) float x0_panel[5 * 8 * 12];
    __shared__ __align__(16) float x1_panel[10 * 28];
    const int oh_b = (int)blockIdx.x;
    float acc[5][5];
    {
        const int co_t = (int)threadIdx.x / 32;
        #pragma unroll
        for (int co_r = 0; co_r < 5; ++co_r) {
            if (co_r * 2 + co_t < 9) {
                const float t = x2[co_r * 2 + co_t];
                #pragma unroll
                for (int n_i = 0; n_i < 5; ++n_i) {
                    acc[co_r][n_i] = t;
                }
            }
        }
    }
    float4 x0_panel_next[2];
    if (threadIdx.x < 60) {
        const int p0_0 = (int)threadIdx.x / 12;
        const int p2_0_t = (int)threadIdx.x / 3 % 4;
        const int p3_0_t = (int)threadIdx.x % 3;
        #pragma unroll
        for (int p2_0_r = 0; p2_0_r < 2; ++p2_0_r) {
            x0_panel_next[p2_0_r] = *(const float4*)&x0[p0_0 * 432 + oh_b * 48 + p2_0_r * 48 + p2_0_t * 12 + p3_0_t * 4];
        }
    }
    float x1_panel_next[5];
    if (threadIdx.x < 50) {
        const int p0_1_t = (int)threadIdx.x / 25;
        const int p2_1 = (int)threadIdx.x / 5 % 5;
        const int p3_1 = (int)threadIdx.x % 5;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 5; ++p0_1_r) {
            x1_panel_next[p0_1_r] = 0.0f;
            if (p0_1_r * 2 + p0_1_t < 9) {
                x1_panel_next[p0_1_r] = x1[p0_1_r * 150 + p0_1_t * 75 + p2_1 * 5 + p3_1];
            }
        }
    }
    for (int ci = 0; ci < 3; ++ci) {
        __syncthreads();
        if (threadIdx.x < 60) {
            const int p0_0 = (int)threadIdx.x / 12;
            const int p2_0_t = (int)threadIdx.x / 3 % 4;
            const int p3_0_t = (int)threadIdx.x % 3;
            #pragma unroll
            for (int p2_0_r = 0; p2_0_r < 2; ++p2_0_r) {
                *(float4*)&x0_panel[p0_0 * 96 + p2_0_r * 48 + p2_0_t * 12 + p3_0_t * 4] = x0_panel_next[p2_0_r];
            }
        }
        if (threadIdx.x < 50) {
            const int p0_1_t = (int)threadIdx.x / 25;
            const int p2_1 = (int)threadIdx.x / 5 % 5;
            const int p3_1 = (int)threadIdx.x % 5;
            #pragma unroll
            for (int p0_1_r = 0; p0_1_r < 5; ++p0_1_r) {
                x1_panel[p0_1_r * 56 + p0_1_t * 28 + p2_1 * 5 + p3_1] = x1_panel_next[p0_1_r];
            }
        }
        if (ci < 2) {
            if (threadIdx.x < 60) {
                const int p0_0 = (int)threadIdx.x / 12;
                const int p2_0_t = (int)threadIdx.x / 3 % 4;
                const int p3_0_t = (int)threadIdx.x % 3;
                #pragma unroll
                for (int p2_0_r = 0; p2_0_r < 2; ++p2_0_r) {
                    x0_panel_next[p2_0_r] = *(const float4*)&x0[p0_0 * 432 + ci * 144 + oh_b * 48 + p2_0_r * 48 + p2_0_t * 12 + p3_0_t * 4 + 144];
                }
            }
            if (threadIdx.x < 50) {
                const int p0_1_t = (int)threadIdx.x / 25;
                const int p2_1 = (int)threadIdx.x / 5 % 5;
                const int p3_1 = (int)threadIdx.x % 5;
                #pragma unroll
                for (int p0_1_r = 0; p0_1_r < 5; ++p0_1_r) {
                    x1_panel_next[p0_1_r] = 0.0f;
                    if (p0_1_r * 2 + p0_1_t < 9) {
                        x1_panel_next[p0_1_r] = x1[p0_1_r * 150 + p0_1_t * 75 + ci * 25 + p2_1 * 5 + p3_1 + 25];
                    }
                }
            }
        }
        __syncthreads();
        {
            const int co_t = (int)threadIdx.x / 32;
            const int oh_i = (int)threadIdx.x / 8 % 4;
            const int ow_i = (int)threadIdx.x % 8;
            for (int kh = 0; kh < 5; ++kh) {
                #pragma unroll
                for (int kw = 0; kw < 5; ++kw) {
                    #pragma unroll
                    for (int co_r = 0; co_r < 5; ++co_r) {
                        const float t2 = x1_panel[co_r * 56 + co_t * 28 + kh * 5 + kw];
                        #pragma unroll
                        for (int n_i = 0; n_i < 5; ++n_i) {
                            acc[co_r][n_i] = fmaf(x0_panel[n_i * 96 + kh * 12 + oh_i * 12 + kw + ow_i], t2, acc[co_r][n_i]);
                        }
                    }
                }
            }
        }
    }
    {
        const int co_t = (int)threadIdx.x / 32;
        const int oh_i = (int)threadIdx.x / 8 % 4;
        const int ow_i = (int)threadIdx.x % 8;
        #pragma unroll
        for (int co_r = 0; co_r < 5; ++co_r) {
            if (co_r * 2 + co_t < 9) {
                #pragma unroll
                for (int n_i = 0; n_i < 5; ++n_i) {
                    y0[n_i * 576 + co_r * 128 + co_t * 64 + oh_b * 32 + oh_i * 8 + ow_i] = acc[co_r][n_i];
                }
            }
        }
    }
}
