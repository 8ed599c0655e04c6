// schedule contraction.tiled
//   split(loop=ci, factor=8, outer=ci_o, inner=ci_i, tail=guard)
//   split(loop=ci_i, factor=4, outer=ci_i_o, inner=ci_i_i, tail=guard)
//   split(loop=n, factor=16, outer=n_o, inner=n_i, tail=guard)
//   split(loop=co, factor=6, outer=co_o, inner=co_i, tail=guard)
//   split(loop=co_i, factor=3, outer=co_i_o, inner=co_i_i, tail=guard)
//   partial(local=acc, loop=co_i_o, join=co_i_o_s)
//   unroll(loop=co_i_o_s)
//   reorder(loops=(ih, ci_o, n_o, ci_i_i, n_i, ci_i_o, iw))
//   detach(loops=(ci_i_i, n_i, ci_i_o, iw), after=2, part=second, mark=.second)
//   reorder(loops=(ci_i_o.second, ci_i_i.second, n_i.second, iw.second))
//   threads(loops=(ci_i_o.second, ci_i_i.second, n_i.second, iw.second), count=128)
//   distribute(loop=iw, past=(co_o, co_i_o, co_i_i, kh, kw))
//   distribute(loop=ci_i_o, past=(co_o, co_i_o, co_i_i, kh, kw))
//   unroll(loop=iw)
//   unroll(loop=ci_i_o)
//   distribute(loop=n_i, past=(co_o, co_i_o))
//   distribute(loop=ci_i_i, past=(co_o, co_i_o))
//   panels(loop=co_o, threads=128, across=(co_i_o, ci_i_i, n_i), exact=(kh, kw))
//   pipeline(loop=co_o, double=True, direct=True)
//   clip(loop=kh)
//   unroll(loop=kw)
//   threads(loops=(co_i_o, ci_i_i, n_i), count=128)
//   exchange(local=acc)
//   blocks(loops=(ih, ci_o, n_o))
// <<<8, 128>>>
// conv_dx
//   8 blocks of 128 threads
extern "C" __global__ void __launch_bounds__(128, 1)
mochac_conv_dx_exact_f32_conv_dx_0(
    const float* __restrict__ x0,  // f32[b16,12,6,6]
    const float* __restrict__ x1,  // f32[12,8,3,3]
    float* __restrict__ y0)  // f32[b16,8,8,8]
{
    __shared__ __align__(16) float x0_panel[2 * 16 * 7 * 3 * 12];
    __shared__ __align__(16) float x1_panel[2 * 6 * 8 * 12];
    __shared__ __align__(16) float acc_parts[2 * 2 * 4 * 16 * 9];
    const int ih = (int)blockIdx.x;
    float acc[2][8];
    {
        #pragma unroll
        for (int ci_i_o = 0; ci_i_o < 2; ++ci_i_o) {
            #pragma unroll
            for (int iw = 0; iw < 8; ++iw) {
                acc[ci_i_o][iw] = 0.0f;
            }
        }
    }
    if (threadIdx.x < 108) {
        const int p1_0 = (int)threadIdx.x / 18;
        const int p2_0 = (int)threadIdx.x / 6 % 3;
        const int p3_0 = (int)threadIdx.x % 6;
        #pragma unroll
        for (int p0_0_r = 0; p0_0_r < 16; ++p0_0_r) {
            mochac_copy_async<4>(&x0_panel[p0_0_r * 252 + p1_0 * 36 + p2_0 * 12 + p3_0], &x0[p0_0_r * 432 + p1_0 * 36 + ih * 6 + p2_0 * 6 + p3_0 - 12], ih + p2_0 >= 2 && ih + p2_0 < 8);
        }
    }
    if (threadIdx.x < 108) {
        const int p0_1_t = (int)threadIdx.x / 36;
        const int p1_1_t = (int)threadIdx.x / 9 % 4;
        const int p2_1_p3_1 = (int)threadIdx.x % 9;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
            #pragma unroll
            for (int p1_1_r = 0; p1_1_r < 2; ++p1_1_r) {
                mochac_copy_async<4>(&x1_panel[p0_1_r * 288 + p0_1_t * 96 + p1_1_r * 48 + p1_1_t * 12 + p2_1_p3_1], &x1[p0_1_r * 216 + p0_1_t * 72 + p1_1_r * 36 + p1_1_t * 9 + p2_1_p3_1]);
            }
        }
    }
    for (int co_o_h = 0; co_o_h < 2; ++co_o_h) {
        mochac_copies_arrived();
        __syncthreads();
        if (co_o_h < 1) {
            if (threadIdx.x < 108) {
                const int p1_0 = (int)threadIdx.x / 18;
                const int p2_0 = (int)threadIdx.x / 6 % 3;
                const int p3_0 = (int)threadIdx.x % 6;
                #pragma unroll
                for (int p0_0_r = 0; p0_0_r < 16; ++p0_0_r) {
                    mochac_copy_async<4>(&x0_panel[p0_0_r * 252 + p1_0 * 36 + p2_0 * 12 + p3_0 - co_o_h * 4032 + 4032], &x0[p0_0_r * 432 + co_o_h * 216 + p1_0 * 36 + ih * 6 + p2_0 * 6 + p3_0 + 204], ih + p2_0 >= 2 && ih + p2_0 < 8);
                }
            }
            if (threadIdx.x < 108) {
                const int p0_1_t = (int)threadIdx.x / 36;
                const int p1_1_t = (int)threadIdx.x / 9 % 4;
                const int p2_1_p3_1 = (int)threadIdx.x % 9;
                #pragma unroll
                for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
                    #pragma unroll
                    for (int p1_1_r = 0; p1_1_r < 2; ++p1_1_r) {
                        mochac_copy_async<4>(&x1_panel[p0_1_r * 288 + p0_1_t * 96 + p1_1_r * 48 + p1_1_t * 12 + p2_1_p3_1 - co_o_h * 576 + 576], &x1[co_o_h * 432 + p0_1_r * 216 + p0_1_t * 72 + p1_1_r * 36 + p1_1_t * 9 + p2_1_p3_1 + 432]);
                    }
                }
            }
        }
        {
            const int co_i_o = (int)threadIdx.x / 64;
            const int ci_i_i = (int)threadIdx.x / 16 % 4;
            const int n_i = (int)threadIdx.x % 16;
            for (int co_i_i = 0; co_i_i < 3; ++co_i_i) {
                for (int kh = max(0, ih - 5); kh < min(3, ih + 1); ++kh) {
                    #pragma unroll
                    for (int kw = 0; kw < 3; ++kw) {
                        #pragma unroll
                        for (int ci_i_o = 0; ci_i_o < 2; ++ci_i_o) {
                            const float t1 = x1_panel[co_o_h * 576 + co_i_o * 288 + co_i_i * 96 + ci_i_o * 48 + ci_i_i * 12 + kh * 3 + kw];
                            #pragma unroll
                            for (int iw = 0; iw < 8; ++iw) {
                                if (iw >= kw && kw + 5 >= iw) {
                                    const float t = x0_panel[co_o_h * 4032 + n_i * 252 + co_i_o * 108 + co_i_i * 36 + iw - kh * 12 - kw + 24];
                                    acc[ci_i_o][iw] = fmaf(t, t1, acc[ci_i_o][iw]);
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    {
        const int co_i_o = (int)threadIdx.x / 64;
        const int ci_i_i = (int)threadIdx.x / 16 % 4;
        const int n_i = (int)threadIdx.x % 16;
        #pragma unroll
        for (int ci_i_o = 0; ci_i_o < 2; ++ci_i_o) {
            #pragma unroll
            for (int iw = 0; iw < 8; ++iw) {
                acc_parts[co_i_o * 1152 + ci_i_o * 576 + ci_i_i * 144 + n_i * 9 + iw] = acc[ci_i_o][iw];
            }
        }
    }
    mochac_copies_arrived();
    __syncthreads();
    for (int index = threadIdx.x; index < 1024; index += 128) {
        const int ci_i_o_second_ci_i_i_second = index / 128;
        const int n_i_second = index / 8 % 16;
        const int iw_second = index % 8;
        float acc_sum = 0.0f;
        #pragma unroll
        for (int co_i_o_s_second = 0; co_i_o_s_second < 2; ++co_i_o_s_second) {
            const float acc_part = acc_parts[co_i_o_s_second * 1152 + ci_i_o_second_ci_i_i_second * 144 + n_i_second * 9 + iw_second];
            acc_sum = acc_part + acc_sum;
        }
        y0[n_i_second * 512 + ci_i_o_second_ci_i_i_second * 64 + ih * 8 + iw_second] = acc_sum;
    }
}
