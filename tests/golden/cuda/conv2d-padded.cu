// schedule contraction.tiled
//   split(loop=co, factor=8, outer=co_b, inner=co_i, tail=guard)
//   split(loop=n, factor=4, outer=n_b, inner=n_i, tail=guard)
//   split(loop=ow, factor=10, outer=ow_b, inner=ow_i, tail=guard)
//   split(loop=ow_i, factor=2, outer=ow_r, inner=ow_t, tail=guard)
//   reorder(loops=(co_b, n_b, oh, ow_b, co_i, n_i, ow_t, ow_r))
//   sink(loop=ow_r, past=(ci, kh, kw))
//   sink(loop=ow_t, past=(ci))
//   sink(loop=n_i, past=(ci))
//   sink(loop=co_i, past=(ci))
//   panels(loop=ci, lanes=64)
//   pipeline(loop=ci)
//   unroll(loop=ow_r)
//   unroll(loop=kw)
//   lanes(loops=(co_i, n_i, ow_t), lanes=64)
//   blocks(loops=(co_b, n_b, oh, ow_b))
// <<<9, 64>>>
// conv2d
extern "C" __global__ void __launch_bounds__(64)
mochac_conv2d_padded_f32_conv2d_0(
    const float* __restrict__ x0,  // f32[b3,4,9,10]
    const float* __restrict__ x1,  // f32[8,4,3,3]
    float* __restrict__ y0)  // f32[b3,8,9,10]
{
    __shared__ __align__(16) float x0_panel[4 * 3 * 12];
    __shared__ __align__(16) float x1_panel[8 * 12];
    const int oh = (int)blockIdx.x;
    float acc[5];
    {
        const int n_i = (int)threadIdx.x / 2 % 4;
        if (n_i < 3) {
            #pragma unroll
            for (int ow_r = 0; ow_r < 5; ++ow_r) {
                acc[ow_r] = 0.0f;
            }
        }
    }
    float x0_panel_next[3];
    if (threadIdx.x < 48) {
        const int p0_0 = (int)threadIdx.x / 12;
        const int p3_0 = (int)threadIdx.x % 12;
        #pragma unroll
        for (int p2_0_r = 0; p2_0_r < 3; ++p2_0_r) {
            x0_panel_next[p2_0_r] = 0.0f;
            if (p0_0 < 3 && oh + p2_0_r >= 1 && oh + p2_0_r < 10 && p3_0 >= 1 && p3_0 < 11) {
                x0_panel_next[p2_0_r] = x0[p0_0 * 360 + oh * 10 + p2_0_r * 10 + p3_0 - 11];
            }
        }
    }
    float x1_panel_next[2];
    if (threadIdx.x < 36) {
        const int p0_1_t = (int)threadIdx.x / 9;
        const int p2_1 = (int)threadIdx.x / 3 % 3;
        const int p3_1 = (int)threadIdx.x % 3;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
            x1_panel_next[p0_1_r] = x1[p0_1_r * 144 + p0_1_t * 36 + p2_1 * 3 + p3_1];
        }
    }
    for (int ci = 0; ci < 4; ++ci) {
        __syncthreads();
        if (threadIdx.x < 48) {
            const int p0_0 = (int)threadIdx.x / 12;
            const int p3_0 = (int)threadIdx.x % 12;
            #pragma unroll
            for (int p2_0_r = 0; p2_0_r < 3; ++p2_0_r) {
                x0_panel[p0_0 * 36 + p2_0_r * 12 + p3_0] = x0_panel_next[p2_0_r];
            }
        }
        if (threadIdx.x < 36) {
            const int p0_1_t = (int)threadIdx.x / 9;
            const int p2_1 = (int)threadIdx.x / 3 % 3;
            const int p3_1 = (int)threadIdx.x % 3;
            #pragma unroll
            for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
                x1_panel[p0_1_r * 48 + p0_1_t * 12 + p2_1 * 3 + p3_1] = x1_panel_next[p0_1_r];
            }
        }
        if (ci < 3) {
            if (threadIdx.x < 48) {
                const int p0_0 = (int)threadIdx.x / 12;
                const int p3_0 = (int)threadIdx.x % 12;
                #pragma unroll
                for (int p2_0_r = 0; p2_0_r < 3; ++p2_0_r) {
                    x0_panel_next[p2_0_r] = 0.0f;
                    if (p0_0 < 3 && oh + p2_0_r >= 1 && oh + p2_0_r < 10 && p3_0 >= 1 && p3_0 < 11) {
                        x0_panel_next[p2_0_r] = x0[p0_0 * 360 + ci * 90 + oh * 10 + p2_0_r * 10 + p3_0 + 79];
                    }
                }
            }
            if (threadIdx.x < 36) {
                const int p0_1_t = (int)threadIdx.x / 9;
                const int p2_1 = (int)threadIdx.x / 3 % 3;
                const int p3_1 = (int)threadIdx.x % 3;
                #pragma unroll
                for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
                    x1_panel_next[p0_1_r] = x1[p0_1_r * 144 + p0_1_t * 36 + ci * 9 + p2_1 * 3 + p3_1 + 9];
                }
            }
        }
        __syncthreads();
        {
            const int co_i = (int)threadIdx.x / 8;
            const int n_i = (int)threadIdx.x / 2 % 4;
            const int ow_t = (int)threadIdx.x % 2;
            for (int kh = 0; kh < 3; ++kh) {
                #pragma unroll
                for (int kw = 0; kw < 3; ++kw) {
                    const float t1 = x1_panel[co_i * 12 + kh * 3 + kw];
                    #pragma unroll
                    for (int ow_r = 0; ow_r < 5; ++ow_r) {
                        acc[ow_r] = fmaf(x0_panel[n_i * 36 + kh * 12 + ow_r * 2 + kw + ow_t], t1, acc[ow_r]);
                    }
                }
            }
        }
    }
    {
        const int co_i = (int)threadIdx.x / 8;
        const int n_i = (int)threadIdx.x / 2 % 4;
        const int ow_t = (int)threadIdx.x % 2;
        if (n_i < 3) {
            #pragma unroll
            for (int ow_r = 0; ow_r < 5; ++ow_r) {
                y0[n_i * 720 + co_i * 90 + oh * 10 + ow_r * 2 + ow_t] = acc[ow_r];
            }
        }
    }
}
