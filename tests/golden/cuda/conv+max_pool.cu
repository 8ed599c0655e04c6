// schedule contraction.pooled
//   inline(values=(conv))
//   split(loop=c, factor=10, outer=c_o, inner=c_i, tail=guard)
//   split(loop=c_i, factor=2, outer=c_i_o, inner=c_i_i, tail=guard)
//   split(loop=ph, factor=4, outer=ph_o, inner=ph_i, tail=guard)
//   split(loop=pw, factor=4, outer=pw_o, inner=pw_i, tail=guard)
//   split(loop=kh, factor=1, outer=kh_o, inner=kh_i, tail=guard)
//   partial(local=acc, loop=kh_o, join=kh_o_s)
//   unroll(loop=kh_o_s)
//   reorder(loops=(c_o, n, ph_o, pw_o, c_i_i, ph_i, pw_i, c_i_o))
//   fission(loop=j, after=3)
//   fission(loop=i, after=1)
//   distribute(loop=j, past=(ci, kh_o, kh_i, kw))
//   distribute(loop=i, past=(ci, kh_o, kh_i, kw))
//   distribute(loop=c_i_o, past=(ci, kh_o, kh_i, kw))
//   unroll(loop=j)
//   unroll(loop=i)
//   unroll(loop=c_i_o)
//   distribute(loop=pw_i, past=(ci, kh_o))
//   distribute(loop=ph_i, past=(ci, kh_o))
//   distribute(loop=c_i_i, past=(ci, kh_o))
//   panels(loop=ci, threads=160, across=(kh_o, c_i_i, ph_i, pw_i), exact=())
//   pipeline(loop=ci, double=True, direct=True)
//   unroll(loop=kw)
//   unroll(loop=kh_i)
//   threads(loops=(kh_o, c_i_i, ph_i, pw_i), count=160)
//   threads(loops=(c_i_i, ph_i, pw_i), count=160)
//   exchange(local=acc)
//   blocks(loops=(c_o, n, ph_o, pw_o))
// <<<5, 160>>>
// conv + max_pool
//   5 blocks of 160 threads
extern "C" __global__ void __launch_bounds__(160, 1)
mochac_conv_max_pool_f32_conv_0_b7ee9102(
    const float* __restrict__ x0,  // f32[b5,3,12,12]
    const float* __restrict__ x1,  // f32[9,3,5,5]
    const float* __restrict__ x2,  // f32[9]
    float* __restrict__ z0,  // f32[b5,9,4,4]
    signed char* __restrict__ z1)  // i8[b5,9,4,4]
{
    __shared__ __align__(16) float x0_panel[2 * 12 * 12];
    __shared__ __align__(16) float x1_panel[2 * 10 * 28];
    __shared__ __align__(16) float acc_parts[5 * 2 * 2 * 5 * 2 * 4 * 4];
    const int n = (int)blockIdx.x;
    float best[5];
    int place[5];
    if (threadIdx.x < 32) {
        const int c_i_i = (int)threadIdx.x / 16;
        #pragma unroll
        for (int c_i_o = 0; c_i_o < 5; ++c_i_o) {
            if (c_i_o * 2 + c_i_i < 9) {
                best[c_i_o] = -__int_as_float(0x7f800000);
                place[c_i_o] = 0;
            }
        }
    }
    float acc[5][2][2];
    {
        const int c_i_i = (int)threadIdx.x / 16 % 2;
        #pragma unroll
        for (int c_i_o = 0; c_i_o < 5; ++c_i_o) {
            if (c_i_o * 2 + c_i_i < 9) {
                #pragma unroll
                for (int i = 0; i < 2; ++i) {
                    #pragma unroll
                    for (int j = 0; j < 2; ++j) {
                        acc[c_i_o][i][j] = 0.0f;
                    }
                }
            }
        }
    }
    if (threadIdx.x < 36) {
        const int element = (int)threadIdx.x;
        mochac_copy_async<16>(&x0_panel[element * 4], &x0[n * 432 + element * 4]);
    }
    if (threadIdx.x < 125) {
        const int p0_1_t = (int)threadIdx.x / 25;
        const int p2_1_p3_1 = (int)threadIdx.x % 25;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
            mochac_copy_async<4>(&x1_panel[p0_1_r * 140 + p0_1_t * 28 + p2_1_p3_1], &x1[p0_1_r * 375 + p0_1_t * 75 + p2_1_p3_1], p0_1_r * 5 + p0_1_t < 9);
        }
    }
    for (int ci_q = 0; ci_q < 2; ++ci_q) {
        for (int ci_h = 0; ci_h < 2; ++ci_h) {
            if (ci_q * 2 + ci_h < 3) {
                mochac_copies_arrived();
                __syncthreads();
                if (ci_q * 2 + ci_h < 2) {
                    if (threadIdx.x < 36) {
                        const int element = (int)threadIdx.x;
                        mochac_copy_async<16>(&x0_panel[element * 4 - ci_h * 144 + 144], &x0[n * 432 + ci_q * 288 + ci_h * 144 + element * 4 + 144]);
                    }
                    if (threadIdx.x < 125) {
                        const int p0_1_t = (int)threadIdx.x / 25;
                        const int p2_1_p3_1 = (int)threadIdx.x % 25;
                        #pragma unroll
                        for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
                            mochac_copy_async<4>(&x1_panel[p0_1_r * 140 + p0_1_t * 28 + p2_1_p3_1 - ci_h * 280 + 280], &x1[p0_1_r * 375 + p0_1_t * 75 + ci_q * 50 + ci_h * 25 + p2_1_p3_1 + 25], p0_1_r * 5 + p0_1_t < 9);
                        }
                    }
                }
                {
                    const int kh_o = (int)threadIdx.x / 32;
                    const int c_i_i = (int)threadIdx.x / 16 % 2;
                    const int ph_i = (int)threadIdx.x / 4 % 4;
                    const int pw_i = (int)threadIdx.x % 4;
                    #pragma unroll
                    for (int kw = 0; kw < 5; ++kw) {
                        #pragma unroll
                        for (int c_i_o = 0; c_i_o < 5; ++c_i_o) {
                            const float t2 = x1_panel[ci_h * 280 + c_i_o * 56 + c_i_i * 28 + kh_o * 5 + kw];
                            #pragma unroll
                            for (int i = 0; i < 2; ++i) {
                                #pragma unroll
                                for (int j = 0; j < 2; ++j) {
                                    const float t1 = x0_panel[ci_h * 144 + ph_i * 24 + i * 12 + kh_o * 12 + pw_i * 2 + j + kw];
                                    acc[c_i_o][i][j] = fmaf(t1, t2, acc[c_i_o][i][j]);
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    {
        const int kh_o = (int)threadIdx.x / 32;
        const int c_i_i = (int)threadIdx.x / 16 % 2;
        const int ph_i = (int)threadIdx.x / 4 % 4;
        const int pw_i = (int)threadIdx.x % 4;
        #pragma unroll
        for (int c_i_o = 0; c_i_o < 5; ++c_i_o) {
            if (c_i_o * 2 + c_i_i < 9) {
                #pragma unroll
                for (int i = 0; i < 2; ++i) {
                    #pragma unroll
                    for (int j = 0; j < 2; ++j) {
                        acc_parts[c_i_o * 640 + i * 320 + j * 160 + kh_o * 32 + c_i_i * 16 + ph_i * 4 + pw_i] = acc[c_i_o][i][j];
                    }
                }
            }
        }
    }
    mochac_copies_arrived();
    __syncthreads();
    if (threadIdx.x < 32) {
        const int c_i_i = (int)threadIdx.x / 16;
        const int ph_i = (int)threadIdx.x / 4 % 4;
        const int pw_i = (int)threadIdx.x % 4;
        #pragma unroll
        for (int c_i_o = 0; c_i_o < 5; ++c_i_o) {
            if (c_i_o * 2 + c_i_i < 9) {
                #pragma unroll
                for (int i = 0; i < 2; ++i) {
                    #pragma unroll
                    for (int j = 0; j < 2; ++j) {
                        float acc_sum = x2[c_i_o * 2 + c_i_i];
                        #pragma unroll
                        for (int kh_o_s = 0; kh_o_s < 5; ++kh_o_s) {
                            const float acc_part = acc_parts[c_i_o * 640 + i * 320 + j * 160 + kh_o_s * 32 + c_i_i * 16 + ph_i * 4 + pw_i];
                            acc_sum = acc_part + acc_sum;
                        }
                        const float t4 = best[c_i_o];
                        const bool t7 = (acc_sum > t4) || (acc_sum != acc_sum);
                        best[c_i_o] = t7 ? acc_sum : t4;
                        place[c_i_o] = t7 ? (i * 2 + j) : place[c_i_o];
                    }
                }
                z0[n * 144 + c_i_o * 32 + c_i_i * 16 + ph_i * 4 + pw_i] = best[c_i_o];
                z1[n * 144 + c_i_o * 32 + c_i_i * 16 + ph_i * 4 + pw_i] = (signed char)place[c_i_o];
            }
        }
    }
}
