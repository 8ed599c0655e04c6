// schedule contraction.tiled
//   split(loop=co, factor=4, outer=co_o, inner=co_i, tail=guard)
//   split(loop=ci, factor=2, outer=ci_o, inner=ci_i, tail=guard)
//   split(loop=kw, factor=4, outer=kw_o, inner=kw_i, tail=guard)
//   split(loop=kw_i, factor=2, outer=kw_i_o, inner=kw_i_i, tail=guard)
//   split(loop=oh, factor=3, outer=oh_o, inner=oh_i, tail=guard)
//   partial(local=acc, loop=oh_o, join=oh_o_s)
//   unroll(loop=oh_o_s)
//   reorder(loops=(co_o, ci_o, kh, kw_o, co_i, ci_i, kw_i_o, kw_i_i))
//   detach(loops=(co_i, ci_i, kw_i_o, kw_i_i), after=2, part=second, mark=.second)
//   reorder(loops=(co_i.second, ci_i.second, kw_i_o.second, kw_i_i.second))
//   threads(loops=(co_i.second, ci_i.second, kw_i_o.second, kw_i_i.second), count=64)
//   distribute(loop=kw_i_i, past=(n, oh_o, oh_i, ow))
//   unroll(loop=kw_i_i)
//   distribute(loop=kw_i_o, past=(n, oh_o))
//   distribute(loop=ci_i, past=(n, oh_o))
//   distribute(loop=co_i, past=(n, oh_o))
//   panels(loop=n, threads=64, across=(oh_o, co_i, ci_i, kw_i_o), exact=())
//   pipeline(loop=n, double=True, direct=True)
//   unroll(loop=ow)
//   unroll(loop=oh_i)
//   threads(loops=(oh_o, co_i, ci_i, kw_i_o), count=64)
//   exchange(local=acc)
//   blocks(loops=(co_o, ci_o, kh, kw_o))
// <<<6, 64>>>
// conv_dw
//   6 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64, 1)
mochac_conv_dw_f32_conv_dw_0(
    const float* __restrict__ x0,  // f32[b9,2,14,14]
    const float* __restrict__ x1,  // f32[b9,6,12,12]
    float* __restrict__ y0)  // f32[6,2,3,3]
{
    __shared__ __align__(16) float x0_panel[2 * 2 * 12 * 20];
    __shared__ __align__(16) float x1_panel[2 * 4 * 148];
    __shared__ __align__(16) float acc_parts[4 * 4 * 2 * 2 * 2];
    const int co_o = (int)blockIdx.x / 3;
    const int kh = (int)blockIdx.x % 3;
    float acc[2];
    {
        const int co_i = (int)threadIdx.x / 4 % 4;
        const int kw_i_o = (int)threadIdx.x % 2;
        if (co_o * 4 + co_i < 6) {
            #pragma unroll
            for (int kw_i_i = 0; kw_i_i < 2; ++kw_i_i) {
                if (kw_i_o * 2 + kw_i_i < 3) {
                    acc[kw_i_i] = 0.0f;
                }
            }
        }
    }
    if (threadIdx.x < 60) {
        const int p2_0_t = (int)threadIdx.x / 15;
        const int p3_0 = (int)threadIdx.x % 15;
        #pragma unroll
        for (int p1_0_r = 0; p1_0_r < 2; ++p1_0_r) {
            #pragma unroll
            for (int p2_0_r = 0; p2_0_r < 3; ++p2_0_r) {
                mochac_copy_async<4>(&x0_panel[p1_0_r * 240 + p2_0_r * 80 + p2_0_t * 20 + p3_0], &x0[p1_0_r * 196 + p2_0_r * 56 + kh * 14 + p2_0_t * 14 + p3_0], p3_0 < 14);
            }
        }
    }
    if (threadIdx.x < 48) {
        const int p1_1 = (int)threadIdx.x / 12;
        const int p2_1_t_p3_1_t = (int)threadIdx.x % 12;
        #pragma unroll
        for (int p2_1_r = 0; p2_1_r < 3; ++p2_1_r) {
            mochac_copy_async<16>(&x1_panel[p1_1 * 148 + p2_1_r * 48 + p2_1_t_p3_1_t * 4], &x1[co_o * 576 + p1_1 * 144 + p2_1_r * 48 + p2_1_t_p3_1_t * 4], co_o * 4 + p1_1 < 6);
        }
    }
    for (int n_q = 0; n_q < 5; ++n_q) {
        for (int n_h = 0; n_h < 2; ++n_h) {
            if (n_q * 2 + n_h < 9) {
                mochac_copies_arrived();
                __syncthreads();
                if (n_q * 2 + n_h < 8) {
                    if (threadIdx.x < 60) {
                        const int p2_0_t = (int)threadIdx.x / 15;
                        const int p3_0 = (int)threadIdx.x % 15;
                        #pragma unroll
                        for (int p1_0_r = 0; p1_0_r < 2; ++p1_0_r) {
                            #pragma unroll
                            for (int p2_0_r = 0; p2_0_r < 3; ++p2_0_r) {
                                mochac_copy_async<4>(&x0_panel[p1_0_r * 240 + p2_0_r * 80 + p2_0_t * 20 + p3_0 - n_h * 480 + 480], &x0[n_q * 784 + n_h * 392 + p1_0_r * 196 + p2_0_r * 56 + kh * 14 + p2_0_t * 14 + p3_0 + 392], p3_0 < 14);
                            }
                        }
                    }
                    if (threadIdx.x < 48) {
                        const int p1_1 = (int)threadIdx.x / 12;
                        const int p2_1_t_p3_1_t = (int)threadIdx.x % 12;
                        #pragma unroll
                        for (int p2_1_r = 0; p2_1_r < 3; ++p2_1_r) {
                            mochac_copy_async<16>(&x1_panel[p1_1 * 148 + p2_1_r * 48 + p2_1_t_p3_1_t * 4 - n_h * 592 + 592], &x1[n_q * 1728 + n_h * 864 + co_o * 576 + p1_1 * 144 + p2_1_r * 48 + p2_1_t_p3_1_t * 4 + 864], co_o * 4 + p1_1 < 6);
                        }
                    }
                }
                {
                    const int oh_o = (int)threadIdx.x / 16;
                    const int co_i = (int)threadIdx.x / 4 % 4;
                    const int ci_i = (int)threadIdx.x / 2 % 2;
                    const int kw_i_o = (int)threadIdx.x % 2;
                    #pragma unroll
                    for (int oh_i = 0; oh_i < 3; ++oh_i) {
                        #pragma unroll
                        for (int ow = 0; ow < 12; ++ow) {
                            const float t1 = x1_panel[n_h * 592 + co_i * 148 + oh_o * 36 + oh_i * 12 + ow];
                            #pragma unroll
                            for (int kw_i_i = 0; kw_i_i < 2; ++kw_i_i) {
                                const float t = x0_panel[n_h * 480 + ci_i * 240 + oh_o * 60 + oh_i * 20 + kw_i_o * 2 + kw_i_i + ow];
                                acc[kw_i_i] = fmaf(t, t1, acc[kw_i_i]);
                            }
                        }
                    }
                }
            }
        }
    }
    {
        const int oh_o = (int)threadIdx.x / 16;
        const int co_i = (int)threadIdx.x / 4 % 4;
        const int ci_i = (int)threadIdx.x / 2 % 2;
        const int kw_i_o = (int)threadIdx.x % 2;
        if (co_o * 4 + co_i < 6) {
            #pragma unroll
            for (int kw_i_i = 0; kw_i_i < 2; ++kw_i_i) {
                if (kw_i_o * 2 + kw_i_i < 3) {
                    acc_parts[oh_o * 32 + co_i * 8 + ci_i * 4 + kw_i_o * 2 + kw_i_i] = acc[kw_i_i];
                }
            }
        }
    }
    mochac_copies_arrived();
    __syncthreads();
    if (threadIdx.x < 32) {
        const int co_i_second = (int)threadIdx.x / 8;
        const int ci_i_second = (int)threadIdx.x / 4 % 2;
        const int kw_i_o_second_kw_i_i_second = (int)threadIdx.x % 4;
        if (co_o * 4 + co_i_second < 6 && kw_i_o_second_kw_i_i_second < 3) {
            float acc_sum = 0.0f;
            #pragma unroll
            for (int oh_o_s_second = 0; oh_o_s_second < 4; ++oh_o_s_second) {
                const float acc_part = acc_parts[oh_o_s_second * 32 + co_i_second * 8 + ci_i_second * 4 + kw_i_o_second_kw_i_i_second];
                acc_sum = acc_part + acc_sum;
            }
            y0[co_o * 72 + co_i_second * 18 + ci_i_second * 9 + kh * 3 + kw_i_o_second_kw_i_i_second] = acc_sum;
        }
    }
}
