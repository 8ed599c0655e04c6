// schedule contraction.tiled
//   split(loop=ci, factor=4, outer=ci_o, inner=ci_i, tail=guard)
//   split(loop=ci_i, factor=2, outer=ci_i_o, inner=ci_i_i, tail=guard)
//   split(loop=ih, factor=8, outer=ih_o, inner=ih_i, tail=guard)
//   split(loop=iw, factor=10, outer=iw_o, inner=iw_i, tail=guard)
//   split(loop=iw_i, factor=5, outer=iw_i_o, inner=iw_i_i, tail=guard)
//   split(loop=co, factor=4, outer=co_o, inner=co_i, tail=guard)
//   split(loop=co_i, factor=1, outer=co_i_o, inner=co_i_i, tail=guard)
//   partial(local=acc, loop=co_i_o, join=co_i_o_s)
//   unroll(loop=co_i_o_s)
//   reorder(loops=(ci_o, n, ih_o, iw_o, ci_i_i, ih_i, iw_i_o, ci_i_o, iw_i_i))
//   detach(loops=(ci_i_i, ih_i, iw_i_o, ci_i_o, iw_i_i), after=2, part=second, mark=.second)
//   reorder(loops=(ci_i_o.second, ci_i_i.second, ih_i.second, iw_i_o.second, iw_i_i.second))
//   threads(loops=(ci_i_o.second, ci_i_i.second, ih_i.second, iw_i_o.second, iw_i_i.second), count=128)
//   distribute(loop=iw_i_i, past=(co_o, co_i_o, co_i_i, kh, kw))
//   distribute(loop=ci_i_o, past=(co_o, co_i_o, co_i_i, kh, kw))
//   unroll(loop=iw_i_i)
//   unroll(loop=ci_i_o)
//   distribute(loop=iw_i_o, past=(co_o, co_i_o))
//   distribute(loop=ih_i, past=(co_o, co_i_o))
//   distribute(loop=ci_i_i, past=(co_o, co_i_o))
//   panels(loop=co_o, threads=128, across=(co_i_o, ci_i_i, ih_i, iw_i_o))
//   pipeline(loop=co_o, double=True)
//   unroll(loop=kw)
//   unroll(loop=kh)
//   unroll(loop=co_i_i)
//   threads(loops=(co_i_o, ci_i_i, ih_i, iw_i_o), count=128)
//   exchange(local=acc)
//   blocks(loops=(ci_o, n, ih_o, iw_o))
// <<<6, 128>>>
// conv_dx
//   6 blocks of 128 threads
extern "C" __global__ void __launch_bounds__(128, 1)
mochac_conv_dx_f32_conv_dx_0(
    const float* __restrict__ x0,  // f32[b3,8,8,8]
    const float* __restrict__ x1,  // f32[8,4,3,3]
    float* __restrict__ y0)  // f32[b3,4,10,10]
{
    __shared__ __align__(16) float x0_panel[2 * 4 * 10 * 12];
    __shared__ __align__(16) float x1_panel[2 * 4 * 4 * 12];
    __shared__ __align__(16) float acc_parts[4 * 2 * 2 * 8 * 2 * 5];
    const int n = (int)blockIdx.x / 2;
    const int ih_o = (int)blockIdx.x % 2;
    float acc[2][5];
    {
        const int ih_i = (int)threadIdx.x / 2 % 8;
        if (ih_o * 8 + ih_i < 10) {
            #pragma unroll
            for (int ci_i_o = 0; ci_i_o < 2; ++ci_i_o) {
                #pragma unroll
                for (int iw_i_i = 0; iw_i_i < 5; ++iw_i_i) {
                    acc[ci_i_o][iw_i_i] = 0.0f;
                }
            }
        }
    }
    float x0_panel_next[4];
    if (threadIdx.x < 120) {
        const int p2_0 = (int)threadIdx.x / 12;
        const int p3_0 = (int)threadIdx.x % 12;
        #pragma unroll
        for (int p1_0_r = 0; p1_0_r < 4; ++p1_0_r) {
            x0_panel_next[p1_0_r] = 0.0f;
            if (ih_o * 8 + p2_0 >= 2 && ih_o * 8 + p2_0 < 10 && p3_0 >= 2 && p3_0 < 10) {
                x0_panel_next[p1_0_r] = x0[n * 512 + ih_o * 64 + p1_0_r * 64 + p2_0 * 8 + p3_0 - 18];
            }
        }
    }
    float x1_panel_next[2];
    if (threadIdx.x < 72) {
        const int p0_1_t = (int)threadIdx.x / 36;
        const int p1_1 = (int)threadIdx.x / 9 % 4;
        const int p2_1 = (int)threadIdx.x / 3 % 3;
        const int p3_1 = (int)threadIdx.x % 3;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
            x1_panel_next[p0_1_r] = x1[p0_1_r * 72 + p0_1_t * 36 + p1_1 * 9 + p2_1 * 3 + p3_1];
        }
    }
    if (threadIdx.x < 120) {
        const int p2_0 = (int)threadIdx.x / 12;
        const int p3_0 = (int)threadIdx.x % 12;
        #pragma unroll
        for (int p1_0_r = 0; p1_0_r < 4; ++p1_0_r) {
            x0_panel[p1_0_r * 120 + p2_0 * 12 + p3_0] = x0_panel_next[p1_0_r];
        }
    }
    if (threadIdx.x < 72) {
        const int p0_1_t = (int)threadIdx.x / 36;
        const int p1_1 = (int)threadIdx.x / 9 % 4;
        const int p2_1 = (int)threadIdx.x / 3 % 3;
        const int p3_1 = (int)threadIdx.x % 3;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
            x1_panel[p0_1_r * 96 + p0_1_t * 48 + p1_1 * 12 + p2_1 * 3 + p3_1] = x1_panel_next[p0_1_r];
        }
    }
    for (int co_o_h = 0; co_o_h < 2; ++co_o_h) {
        if (co_o_h < 1) {
            if (threadIdx.x < 120) {
                const int p2_0 = (int)threadIdx.x / 12;
                const int p3_0 = (int)threadIdx.x % 12;
                #pragma unroll
                for (int p1_0_r = 0; p1_0_r < 4; ++p1_0_r) {
                    x0_panel_next[p1_0_r] = 0.0f;
                    if (ih_o * 8 + p2_0 >= 2 && ih_o * 8 + p2_0 < 10 && p3_0 >= 2 && p3_0 < 10) {
                        x0_panel_next[p1_0_r] = x0[n * 512 + co_o_h * 256 + ih_o * 64 + p1_0_r * 64 + p2_0 * 8 + p3_0 + 238];
                    }
                }
            }
            if (threadIdx.x < 72) {
                const int p0_1_t = (int)threadIdx.x / 36;
                const int p1_1 = (int)threadIdx.x / 9 % 4;
                const int p2_1 = (int)threadIdx.x / 3 % 3;
                const int p3_1 = (int)threadIdx.x % 3;
                #pragma unroll
                for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
                    x1_panel_next[p0_1_r] = x1[co_o_h * 144 + p0_1_r * 72 + p0_1_t * 36 + p1_1 * 9 + p2_1 * 3 + p3_1 + 144];
                }
            }
        }
        __syncthreads();
        {
            const int co_i_o = (int)threadIdx.x / 32;
            const int ci_i_i = (int)threadIdx.x / 16 % 2;
            const int ih_i = (int)threadIdx.x / 2 % 8;
            const int iw_i_o = (int)threadIdx.x % 2;
            #pragma unroll
            for (int kh = 0; kh < 3; ++kh) {
                #pragma unroll
                for (int kw = 0; kw < 3; ++kw) {
                    #pragma unroll
                    for (int ci_i_o = 0; ci_i_o < 2; ++ci_i_o) {
                        const float t1 = x1_panel[co_o_h * 192 + co_i_o * 48 + ci_i_o * 24 + ci_i_i * 12 + kh * 3 + kw];
                        #pragma unroll
                        for (int iw_i_i = 0; iw_i_i < 5; ++iw_i_i) {
                            const float t = x0_panel[co_o_h * 480 + co_i_o * 120 + ih_i * 12 + iw_i_o * 5 + iw_i_i - kh * 12 - kw + 26];
                            acc[ci_i_o][iw_i_i] = fmaf(t, t1, acc[ci_i_o][iw_i_i]);
                        }
                    }
                }
            }
        }
        if (co_o_h < 1) {
            if (threadIdx.x < 120) {
                const int p2_0 = (int)threadIdx.x / 12;
                const int p3_0 = (int)threadIdx.x % 12;
                #pragma unroll
                for (int p1_0_r = 0; p1_0_r < 4; ++p1_0_r) {
                    x0_panel[p1_0_r * 120 + p2_0 * 12 + p3_0 - co_o_h * 480 + 480] = x0_panel_next[p1_0_r];
                }
            }
            if (threadIdx.x < 72) {
                const int p0_1_t = (int)threadIdx.x / 36;
                const int p1_1 = (int)threadIdx.x / 9 % 4;
                const int p2_1 = (int)threadIdx.x / 3 % 3;
                const int p3_1 = (int)threadIdx.x % 3;
                #pragma unroll
                for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
                    x1_panel[p0_1_r * 96 + p0_1_t * 48 + p1_1 * 12 + p2_1 * 3 + p3_1 - co_o_h * 192 + 192] = x1_panel_next[p0_1_r];
                }
            }
        }
    }
    {
        const int co_i_o = (int)threadIdx.x / 32;
        const int ci_i_i = (int)threadIdx.x / 16 % 2;
        const int ih_i = (int)threadIdx.x / 2 % 8;
        const int iw_i_o = (int)threadIdx.x % 2;
        if (ih_o * 8 + ih_i < 10) {
            #pragma unroll
            for (int ci_i_o = 0; ci_i_o < 2; ++ci_i_o) {
                #pragma unroll
                for (int iw_i_i = 0; iw_i_i < 5; ++iw_i_i) {
                    acc_parts[co_i_o * 320 + ci_i_o * 160 + ci_i_i * 80 + ih_i * 10 + iw_i_o * 5 + iw_i_i] = acc[ci_i_o][iw_i_i];
                }
            }
        }
    }
    __syncthreads();
    for (int index = threadIdx.x; index < 320; index += 128) {
        const int ci_i_o_second_ci_i_i_second = index / 80;
        const int ih_i_second = index / 10 % 8;
        const int iw_i_o_second_iw_i_i_second = index % 10;
        if (ih_o * 8 + ih_i_second < 10) {
            float acc_sum = 0.0f;
            #pragma unroll
            for (int co_i_o_s_second = 0; co_i_o_s_second < 4; ++co_i_o_s_second) {
                const float acc_part = acc_parts[co_i_o_s_second * 320 + ci_i_o_second_ci_i_i_second * 80 + ih_i_second * 10 + iw_i_o_second_iw_i_i_second];
                acc_sum = acc_part + acc_sum;
            }
            y0[n * 400 + ci_i_o_second_ci_i_i_second * 100 + ih_o * 80 + ih_i_second * 10 + iw_i_o_second_iw_i_i_second] = acc_sum;
        }
    }
}
