// schedule contraction.tiled
//   split(loop=co, factor=8, outer=co_o, inner=co_i, tail=guard)
//   split(loop=ci, factor=4, outer=ci_o, inner=ci_i, tail=guard)
//   split(loop=n, factor=2, outer=n_o, inner=n_i, tail=guard)
//   split(loop=n_i, factor=1, outer=n_i_o, inner=n_i_i, tail=guard)
//   partial(local=acc, loop=n_i_o, join=n_i_o_s)
//   unroll(loop=n_i_o_s)
//   reorder(loops=(kh, co_o, ci_o, co_i, ci_i, kw))
//   detach(loops=(co_i, ci_i, kw), after=2, part=second, mark=.second)
//   reorder(loops=(co_i.second, ci_i.second, kw.second))
//   threads(loops=(co_i.second, ci_i.second, kw.second), count=64)
//   distribute(loop=kw, past=(n_o, n_i_o, n_i_i, oh, ow))
//   unroll(loop=kw)
//   distribute(loop=ci_i, past=(n_o, n_i_o))
//   distribute(loop=co_i, past=(n_o, n_i_o))
//   panels(loop=n_o, threads=64, across=(n_i_o, co_i, ci_i), exact=(oh, ow))
//   pipeline(loop=n_o, double=True, direct=True)
//   clip(loop=oh)
//   unroll(loop=ow)
//   threads(loops=(n_i_o, co_i, ci_i), count=64)
//   exchange(local=acc)
//   blocks(loops=(kh, co_o, ci_o))
// <<<3, 64>>>
// conv_dw
//   3 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64, 1)
mochac_conv_dw_padded_f32_conv_dw_0(
    const float* __restrict__ x0,  // f32[b17,2,8,8]
    const float* __restrict__ x1,  // f32[b17,5,8,8]
    float* __restrict__ y0)  // f32[5,2,3,3]
{
    __shared__ __align__(16) float x0_panel[2 * 2 * 4 * 9 * 8];
    __shared__ __align__(16) float x1_panel[2 * 2 * 8 * 68];
    __shared__ __align__(16) float acc_parts[2 * 8 * 4 * 3];
    const int kh = (int)blockIdx.x;
    float acc[3];
    {
        const int co_i = (int)threadIdx.x / 4 % 8;
        const int ci_i = (int)threadIdx.x % 4;
        if (co_i < 5 && ci_i < 2) {
            #pragma unroll
            for (int kw = 0; kw < 3; ++kw) {
                acc[kw] = 0.0f;
            }
        }
    }
    {
        const int p1_0 = (int)threadIdx.x / 16;
        const int p2_0 = (int)threadIdx.x / 2 % 8;
        const int p3_0_t = (int)threadIdx.x % 2;
        #pragma unroll
        for (int p0_0_r = 0; p0_0_r < 2; ++p0_0_r) {
            mochac_copy_async<16>(&x0_panel[p0_0_r * 288 + p1_0 * 72 + p2_0 * 8 + p3_0_t * 4], &x0[p0_0_r * 128 + p1_0 * 64 + kh * 8 + p2_0 * 8 + p3_0_t * 4 - 8], p1_0 < 2 && kh + p2_0 >= 1 && kh + p2_0 < 9);
        }
    }
    {
        const int p1_1_t = (int)threadIdx.x / 16;
        const int p2_1_p3_1_t = (int)threadIdx.x % 16;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
            #pragma unroll
            for (int p1_1_r = 0; p1_1_r < 2; ++p1_1_r) {
                mochac_copy_async<16>(&x1_panel[p0_1_r * 544 + p1_1_r * 272 + p1_1_t * 68 + p2_1_p3_1_t * 4], &x1[p0_1_r * 320 + p1_1_r * 256 + p1_1_t * 64 + p2_1_p3_1_t * 4], p1_1_r * 4 + p1_1_t < 5);
            }
        }
    }
    for (int n_o_q = 0; n_o_q < 5; ++n_o_q) {
        for (int n_o_h = 0; n_o_h < 2; ++n_o_h) {
            if (n_o_q * 2 + n_o_h < 9) {
                mochac_copies_arrived();
                __syncthreads();
                if (n_o_q * 2 + n_o_h < 8) {
                    {
                        const int p1_0 = (int)threadIdx.x / 16;
                        const int p2_0 = (int)threadIdx.x / 2 % 8;
                        const int p3_0_t = (int)threadIdx.x % 2;
                        #pragma unroll
                        for (int p0_0_r = 0; p0_0_r < 2; ++p0_0_r) {
                            mochac_copy_async<16>(&x0_panel[p0_0_r * 288 + p1_0 * 72 + p2_0 * 8 + p3_0_t * 4 - n_o_h * 576 + 576], &x0[n_o_q * 512 + n_o_h * 256 + p0_0_r * 128 + p1_0 * 64 + kh * 8 + p2_0 * 8 + p3_0_t * 4 + 248], n_o_q * 4 + n_o_h * 2 + p0_0_r < 15 && p1_0 < 2 && kh + p2_0 >= 1 && kh + p2_0 < 9);
                        }
                    }
                    {
                        const int p1_1_t = (int)threadIdx.x / 16;
                        const int p2_1_p3_1_t = (int)threadIdx.x % 16;
                        #pragma unroll
                        for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
                            #pragma unroll
                            for (int p1_1_r = 0; p1_1_r < 2; ++p1_1_r) {
                                mochac_copy_async<16>(&x1_panel[p0_1_r * 544 + p1_1_r * 272 + p1_1_t * 68 + p2_1_p3_1_t * 4 - n_o_h * 1088 + 1088], &x1[n_o_q * 1280 + n_o_h * 640 + p0_1_r * 320 + p1_1_r * 256 + p1_1_t * 64 + p2_1_p3_1_t * 4 + 640], n_o_q * 4 + n_o_h * 2 + p0_1_r < 15 && p1_1_r * 4 + p1_1_t < 5);
                            }
                        }
                    }
                }
                {
                    const int n_i_o = (int)threadIdx.x / 32;
                    const int co_i = (int)threadIdx.x / 4 % 8;
                    const int ci_i = (int)threadIdx.x % 4;
                    for (int oh = max(0, -kh + 1); oh < min(8, -kh + 9); ++oh) {
                        #pragma unroll
                        for (int ow = 0; ow < 8; ++ow) {
                            const float t1 = x1_panel[n_o_h * 1088 + n_i_o * 544 + co_i * 68 + oh * 8 + ow];
                            #pragma unroll
                            for (int kw = 0; kw < 3; ++kw) {
                                if (kw + ow >= 1 && kw + ow < 9) {
                                    const float t = x0_panel[n_o_h * 576 + n_i_o * 288 + ci_i * 72 + oh * 8 + kw + ow - 1];
                                    acc[kw] = fmaf(t, t1, acc[kw]);
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    {
        const int n_i_o = (int)threadIdx.x / 32;
        const int co_i = (int)threadIdx.x / 4 % 8;
        const int ci_i = (int)threadIdx.x % 4;
        if (co_i < 5 && ci_i < 2) {
            #pragma unroll
            for (int kw = 0; kw < 3; ++kw) {
                acc_parts[n_i_o * 96 + co_i * 12 + ci_i * 3 + kw] = acc[kw];
            }
        }
    }
    mochac_copies_arrived();
    __syncthreads();
    for (int index = threadIdx.x; index < 96; index += 64) {
        const int co_i_second = index / 12;
        const int ci_i_second = index / 3 % 4;
        const int kw_second = index % 3;
        if (co_i_second < 5 && ci_i_second < 2) {
            float acc_sum = 0.0f;
            #pragma unroll
            for (int n_i_o_s_second = 0; n_i_o_s_second < 2; ++n_i_o_s_second) {
                const float acc_part = acc_parts[n_i_o_s_second * 96 + co_i_second * 12 + ci_i_second * 3 + kw_second];
                acc_sum = acc_part + acc_sum;
            }
            y0[co_i_second * 18 + ci_i_second * 9 + kh * 3 + kw_second] = acc_sum;
        }
    }
}
