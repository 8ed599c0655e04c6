// schedule contraction.tiled
//   split(loop=co, factor=4, outer=co_o, inner=co_i, tail=guard)
//   split(loop=ci, factor=2, outer=ci_o, inner=ci_i, tail=guard)
//   split(loop=kh, factor=4, outer=kh_o, inner=kh_i, tail=guard)
//   split(loop=kw, factor=4, outer=kw_o, inner=kw_i, tail=guard)
//   split(loop=oh, factor=3, outer=oh_o, inner=oh_i, tail=guard)
//   partial(local=acc, loop=oh_o, join=oh_o_s)
//   unroll(loop=oh_o_s)
//   reorder(loops=(co_o, ci_o, kh_o, kw_o, ci_i, kh_i, kw_i, co_i))
//   detach(loops=(ci_i, kh_i, kw_i, co_i), after=2, part=second, mark=.second)
//   reorder(loops=(co_i.second, ci_i.second, kh_i.second, kw_i.second))
//   threads(loops=(co_i.second, ci_i.second, kh_i.second, kw_i.second), count=128)
//   distribute(loop=co_i, past=(n, oh_o, oh_i, ow))
//   unroll(loop=co_i)
//   distribute(loop=kw_i, past=(n, oh_o))
//   distribute(loop=kh_i, past=(n, oh_o))
//   distribute(loop=ci_i, past=(n, oh_o))
//   panels(loop=n, threads=128, across=(oh_o, ci_i, kh_i, kw_i), exact=())
//   pipeline(loop=n, double=True, direct=True)
//   unroll(loop=ow)
//   unroll(loop=oh_i)
//   threads(loops=(oh_o, ci_i, kh_i, kw_i), count=128)
//   exchange(local=acc)
//   blocks(loops=(co_o, ci_o, kh_o, kw_o))
// <<<2, 128>>>
// conv_dw
//   2 blocks of 128 threads
extern "C" __global__ void __launch_bounds__(128, 1)
mochac_conv_dw_f32_conv_dw_0(
    const float* __restrict__ x0,  // f32[b9,2,14,14]
    const float* __restrict__ x1,  // f32[b9,6,12,12]
    float* __restrict__ y0)  // f32[6,2,3,3]
{
    __shared__ __align__(16) float x0_panel[2 * 2 * 15 * 20];
    __shared__ __align__(16) float x1_panel[2 * 4 * 148];
    __shared__ __align__(16) float acc_parts[4 * 4 * 2 * 4 * 4];
    const int co_o = (int)blockIdx.x;
    float acc[4];
    {
        const int kh_i = (int)threadIdx.x / 4 % 4;
        const int kw_i = (int)threadIdx.x % 4;
        if (kh_i < 3 && kw_i < 3) {
            #pragma unroll
            for (int co_i = 0; co_i < 4; ++co_i) {
                if (co_o * 4 + co_i < 6) {
                    acc[co_i] = 0.0f;
                }
            }
        }
    }
    if (threadIdx.x < 120) {
        const int p2_0_t = (int)threadIdx.x / 15;
        const int p3_0 = (int)threadIdx.x % 15;
        #pragma unroll
        for (int p1_0_r = 0; p1_0_r < 2; ++p1_0_r) {
            #pragma unroll
            for (int p2_0_r = 0; p2_0_r < 2; ++p2_0_r) {
                if (p2_0_r * 8 + p2_0_t < 15) {
                    mochac_copy_async<4>(&x0_panel[p1_0_r * 300 + p2_0_r * 160 + p2_0_t * 20 + p3_0], &x0[p1_0_r * 196 + p2_0_r * 112 + p2_0_t * 14 + p3_0], p2_0_r * 8 + p2_0_t < 14 && p3_0 < 14);
                }
            }
        }
    }
    if (threadIdx.x < 72) {
        const int p1_1_t = (int)threadIdx.x / 36;
        const int p2_1_p3_1_t = (int)threadIdx.x % 36;
        #pragma unroll
        for (int p1_1_r = 0; p1_1_r < 2; ++p1_1_r) {
            mochac_copy_async<16>(&x1_panel[p1_1_r * 296 + p1_1_t * 148 + p2_1_p3_1_t * 4], &x1[co_o * 576 + p1_1_r * 288 + p1_1_t * 144 + p2_1_p3_1_t * 4], co_o * 4 + p1_1_r * 2 + p1_1_t < 6);
        }
    }
    for (int n_q = 0; n_q < 5; ++n_q) {
        for (int n_h = 0; n_h < 2; ++n_h) {
            if (n_q * 2 + n_h < 9) {
                mochac_copies_arrived();
                __syncthreads();
                if (n_q * 2 + n_h < 8) {
                    if (threadIdx.x < 120) {
                        const int p2_0_t = (int)threadIdx.x / 15;
                        const int p3_0 = (int)threadIdx.x % 15;
                        #pragma unroll
                        for (int p1_0_r = 0; p1_0_r < 2; ++p1_0_r) {
                            #pragma unroll
                            for (int p2_0_r = 0; p2_0_r < 2; ++p2_0_r) {
                                if (p2_0_r * 8 + p2_0_t < 15) {
                                    mochac_copy_async<4>(&x0_panel[p1_0_r * 300 + p2_0_r * 160 + p2_0_t * 20 + p3_0 - n_h * 600 + 600], &x0[n_q * 784 + n_h * 392 + p1_0_r * 196 + p2_0_r * 112 + p2_0_t * 14 + p3_0 + 392], p2_0_r * 8 + p2_0_t < 14 && p3_0 < 14);
                                }
                            }
                        }
                    }
                    if (threadIdx.x < 72) {
                        const int p1_1_t = (int)threadIdx.x / 36;
                        const int p2_1_p3_1_t = (int)threadIdx.x % 36;
                        #pragma unroll
                        for (int p1_1_r = 0; p1_1_r < 2; ++p1_1_r) {
                            mochac_copy_async<16>(&x1_panel[p1_1_r * 296 + p1_1_t * 148 + p2_1_p3_1_t * 4 - n_h * 592 + 592], &x1[n_q * 1728 + n_h * 864 + co_o * 576 + p1_1_r * 288 + p1_1_t * 144 + p2_1_p3_1_t * 4 + 864], co_o * 4 + p1_1_r * 2 + p1_1_t < 6);
                        }
                    }
                }
                {
                    const int oh_o = (int)threadIdx.x / 32;
                    const int ci_i = (int)threadIdx.x / 16 % 2;
                    const int kh_i = (int)threadIdx.x / 4 % 4;
                    const int kw_i = (int)threadIdx.x % 4;
                    #pragma unroll
                    for (int oh_i = 0; oh_i < 3; ++oh_i) {
                        #pragma unroll
                        for (int ow = 0; ow < 12; ++ow) {
                            const float t = x0_panel[n_h * 600 + ci_i * 300 + oh_o * 60 + kh_i * 20 + oh_i * 20 + kw_i + ow];
                            #pragma unroll
                            for (int co_i = 0; co_i < 4; ++co_i) {
                                acc[co_i] = fmaf(t, x1_panel[n_h * 592 + co_i * 148 + oh_o * 36 + oh_i * 12 + ow], acc[co_i]);
                            }
                        }
                    }
                }
            }
        }
    }
    {
        const int oh_o = (int)threadIdx.x / 32;
        const int ci_i = (int)threadIdx.x / 16 % 2;
        const int kh_i = (int)threadIdx.x / 4 % 4;
        const int kw_i = (int)threadIdx.x % 4;
        if (kh_i < 3 && kw_i < 3) {
            #pragma unroll
            for (int co_i = 0; co_i < 4; ++co_i) {
                if (co_o * 4 + co_i < 6) {
                    acc_parts[oh_o * 128 + co_i * 32 + ci_i * 16 + kh_i * 4 + kw_i] = acc[co_i];
                }
            }
        }
    }
    mochac_copies_arrived();
    __syncthreads();
    {
        const int co_i_second = (int)threadIdx.x / 32;
        const int ci_i_second = (int)threadIdx.x / 16 % 2;
        const int kh_i_second = (int)threadIdx.x / 4 % 4;
        const int kw_i_second = (int)threadIdx.x % 4;
        if (co_o * 4 + co_i_second < 6 && kh_i_second < 3 && kw_i_second < 3) {
            float acc_sum = 0.0f;
            #pragma unroll
            for (int oh_o_s_second = 0; oh_o_s_second < 4; ++oh_o_s_second) {
                const float acc_part = acc_parts[oh_o_s_second * 128 + co_i_second * 32 + ci_i_second * 16 + kh_i_second * 4 + kw_i_second];
                acc_sum = acc_part + acc_sum;
            }
            y0[co_o * 72 + co_i_second * 18 + ci_i_second * 9 + kh_i_second * 3 + kw_i_second] = acc_sum;
        }
    }
}
