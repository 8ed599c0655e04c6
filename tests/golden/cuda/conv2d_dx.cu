// schedule contraction.tiled
//   split(loop=ci, factor=4, outer=ci_b, inner=ci_i, tail=guard)
//   split(loop=n, factor=4, outer=n_b, inner=n_i, tail=guard)
//   split(loop=ih, factor=2, outer=ih_b, inner=ih_i, tail=guard)
//   split(loop=iw, factor=10, outer=iw_b, inner=iw_i, tail=guard)
//   split(loop=iw_i, factor=2, outer=iw_r, inner=iw_t, tail=guard)
//   reorder(loops=(ci_b, n_b, ih_b, iw_b, ci_i, n_i, ih_i, iw_t, iw_r))
//   sink(loop=iw_r, past=(co, kh, kw))
//   sink(loop=iw_t, past=(co))
//   sink(loop=ih_i, past=(co))
//   sink(loop=n_i, past=(co))
//   sink(loop=ci_i, past=(co))
//   panels(loop=co, lanes=64)
//   pipeline(loop=co)
//   unroll(loop=iw_r)
//   unroll(loop=kw)
//   lanes(loops=(ci_i, n_i, ih_i, iw_t), lanes=64)
//   blocks(loops=(ci_b, n_b, ih_b, iw_b))
// <<<5, 64>>>
// conv2d_dx
extern "C" __global__ void __launch_bounds__(64)
mochac_conv2d_dx_f32_conv2d_dx_0(
    const float* __restrict__ x0,  // f32[b3,8,8,8]
    const float* __restrict__ x1,  // f32[8,4,3,3]
    float* __restrict__ y0)  // f32[b3,4,10,10]
{
    __shared__ __align__(16) float x0_panel[4 * 4 * 12];
    __shared__ __align__(16) float x1_panel[4 * 12];
    const int ih_b = (int)blockIdx.x;
    float acc[5];
    {
        const int n_i = (int)threadIdx.x / 4 % 4;
        if (n_i < 3) {
            #pragma unroll
            for (int iw_r = 0; iw_r < 5; ++iw_r) {
                acc[iw_r] = 0.0f;
            }
        }
    }
    float x0_panel_next[3];
    {
        const int p0_0 = (int)threadIdx.x / 16;
        const int p2_0 = (int)threadIdx.x / 4 % 4;
        const int p3_0_t = (int)threadIdx.x % 4;
        #pragma unroll
        for (int p3_0_r = 0; p3_0_r < 3; ++p3_0_r) {
            x0_panel_next[p3_0_r] = 0.0f;
            if (p0_0 < 3 && ih_b * 2 + p2_0 >= 2 && ih_b * 2 + p2_0 < 10 && p3_0_r * 4 + p3_0_t >= 2 && p3_0_r * 4 + p3_0_t < 10) {
                x0_panel_next[p3_0_r] = x0[p0_0 * 512 + ih_b * 16 + p2_0 * 8 + p3_0_r * 4 + p3_0_t - 18];
            }
        }
    }
    float x1_panel_next;
    if (threadIdx.x < 36) {
        const int p1_1 = (int)threadIdx.x / 9;
        const int p2_1 = (int)threadIdx.x / 3 % 3;
        const int p3_1 = (int)threadIdx.x % 3;
        x1_panel_next = x1[p1_1 * 9 + p2_1 * 3 + p3_1];
    }
    for (int co = 0; co < 8; ++co) {
        __syncthreads();
        {
            const int p0_0 = (int)threadIdx.x / 16;
            const int p2_0 = (int)threadIdx.x / 4 % 4;
            const int p3_0_t = (int)threadIdx.x % 4;
            #pragma unroll
            for (int p3_0_r = 0; p3_0_r < 3; ++p3_0_r) {
                x0_panel[p0_0 * 48 + p2_0 * 12 + p3_0_r * 4 + p3_0_t] = x0_panel_next[p3_0_r];
            }
        }
        if (threadIdx.x < 36) {
            const int p1_1 = (int)threadIdx.x / 9;
            const int p2_1 = (int)threadIdx.x / 3 % 3;
            const int p3_1 = (int)threadIdx.x % 3;
            x1_panel[p1_1 * 12 + p2_1 * 3 + p3_1] = x1_panel_next;
        }
        if (co < 7) {
            {
                const int p0_0 = (int)threadIdx.x / 16;
                const int p2_0 = (int)threadIdx.x / 4 % 4;
                const int p3_0_t = (int)threadIdx.x % 4;
                #pragma unroll
                for (int p3_0_r = 0; p3_0_r < 3; ++p3_0_r) {
                    x0_panel_next[p3_0_r] = 0.0f;
                    if (p0_0 < 3 && ih_b * 2 + p2_0 >= 2 && ih_b * 2 + p2_0 < 10 && p3_0_r * 4 + p3_0_t >= 2 && p3_0_r * 4 + p3_0_t < 10) {
                        x0_panel_next[p3_0_r] = x0[p0_0 * 512 + co * 64 + ih_b * 16 + p2_0 * 8 + p3_0_r * 4 + p3_0_t + 46];
                    }
                }
            }
            if (threadIdx.x < 36) {
                const int p1_1 = (int)threadIdx.x / 9;
                const int p2_1 = (int)threadIdx.x / 3 % 3;
                const int p3_1 = (int)threadIdx.x % 3;
                x1_panel_next = x1[co * 36 + p1_1 * 9 + p2_1 * 3 + p3_1 + 36];
            }
        }
        __syncthreads();
        {
            const int ci_i = (int)threadIdx.x / 16;
            const int n_i = (int)threadIdx.x / 4 % 4;
            const int ih_i = (int)threadIdx.x / 2 % 2;
            const int iw_t = (int)threadIdx.x % 2;
            for (int kh = 0; kh < 3; ++kh) {
                #pragma unroll
                for (int kw = 0; kw < 3; ++kw) {
                    const float t1 = x1_panel[ci_i * 12 + kh * 3 + kw];
                    #pragma unroll
                    for (int iw_r = 0; iw_r < 5; ++iw_r) {
                        const float t = x0_panel[n_i * 48 + ih_i * 12 + iw_r * 2 + iw_t - kh * 12 - kw + 26];
                        acc[iw_r] = fmaf(t, t1, acc[iw_r]);
                    }
                }
            }
        }
    }
    {
        const int ci_i = (int)threadIdx.x / 16;
        const int n_i = (int)threadIdx.x / 4 % 4;
        const int ih_i = (int)threadIdx.x / 2 % 2;
        const int iw_t = (int)threadIdx.x % 2;
        if (n_i < 3) {
            #pragma unroll
            for (int iw_r = 0; iw_r < 5; ++iw_r) {
                y0[n_i * 400 + ci_i * 100 + ih_b * 20 + ih_i * 10 + iw_r * 2 + iw_t] = acc[iw_r];
            }
        }
    }
}
