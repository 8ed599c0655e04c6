// schedule contraction.pooled
//   split(loop=c, factor=10, outer=c_b, inner=c_i, tail=guard)
//   split(loop=c_i, factor=2, outer=c_r, inner=c_t, tail=guard)
//   split(loop=n, factor=4, outer=n_b, inner=n_i, tail=guard)
//   split(loop=n_i, factor=2, outer=n_r, inner=n_t, tail=guard)
//   split(loop=ph, factor=4, outer=ph_b, inner=ph_i, tail=guard)
//   split(loop=pw, factor=4, outer=pw_b, inner=pw_i, tail=guard)
//   reorder(loops=(c_b, n_b, ph_b, pw_b, c_t, n_t, ph_i, pw_i, c_r, n_r))
//   fission(loop=j, after=3)
//   fission(loop=i, after=1)
//   sink(loop=j, past=(ci, kh, kw))
//   sink(loop=i, past=(ci, kh, kw))
//   sink(loop=n_r, past=(ci, kh, kw))
//   sink(loop=c_r, past=(ci, kh, kw))
//   sink(loop=pw_i, past=(ci))
//   sink(loop=ph_i, past=(ci))
//   sink(loop=n_t, past=(ci))
//   sink(loop=c_t, past=(ci))
//   panels(loop=ci, lanes=64)
//   pipeline(loop=ci)
//   unroll(loop=c_r)
//   unroll(loop=n_r)
//   unroll(loop=i)
//   unroll(loop=j)
//   unroll(loop=kw)
//   lanes(loops=(c_t, n_t, ph_i, pw_i), lanes=64)
//   blocks(loops=(c_b, n_b, ph_b, pw_b))
// <<<2, 64>>>
// conv2d + max_pool
extern "C" __global__ void __launch_bounds__(64)
mochac_conv2d_max_pool_f32_conv2d_0(
    const float* __restrict__ x0,  // f32[b5,3,12,12]
    const float* __restrict__ x1,  // f32[9,3,5,5]
    const float* __restrict__ x2,  // f32[9]
    float* __restrict__ z0,  // f32[b5,9,4,4]
    signed char* __restrict__ z1)  // i8[b5,9,4,4]
{
    __shared__ __align__(16) float x0_panel[4 * 12 * 12];
    __shared__ __align__(16) float x1_panel[10 * 28];
    const int n_b = (int)blockIdx.x;
    float best[5][2];
    int place[5][2];
    float acc[5][2][2][2];
    {
        const int c_t = (int)threadIdx.x / 32;
        const int n_t = (int)threadIdx.x / 16 % 2;
        #pragma unroll
        for (int c_r = 0; c_r < 5; ++c_r) {
            if (c_r * 2 + c_t < 9) {
                #pragma unroll
                for (int n_r = 0; n_r < 2; ++n_r) {
                    if (n_b * 4 + n_r * 2 + n_t < 5) {
                        best[c_r][n_r] = -__int_as_float(0x7f800000);
                        place[c_r][n_r] = 0;
                        const float t = x2[c_r * 2 + c_t];
                        #pragma unroll
                        for (int i = 0; i < 2; ++i) {
                            #pragma unroll
                            for (int j = 0; j < 2; ++j) {
                                acc[c_r][n_r][i][j] = t;
                            }
                        }
                    }
                }
            }
        }
    }
    float4 x0_panel_next[3];
    if (threadIdx.x < 48) {
        const int p0_0 = (int)threadIdx.x / 12;
        const int p2_0_t = (int)threadIdx.x / 3 % 4;
        const int p3_0_t = (int)threadIdx.x % 3;
        #pragma unroll
        for (int p2_0_r = 0; p2_0_r < 3; ++p2_0_r) {
            x0_panel_next[p2_0_r] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            if (n_b * 4 + p0_0 < 5) {
                x0_panel_next[p2_0_r] = *(const float4*)&x0[n_b * 1728 + p0_0 * 432 + p2_0_r * 48 + p2_0_t * 12 + p3_0_t * 4];
            }
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
        if (threadIdx.x < 48) {
            const int p0_0 = (int)threadIdx.x / 12;
            const int p2_0_t = (int)threadIdx.x / 3 % 4;
            const int p3_0_t = (int)threadIdx.x % 3;
            #pragma unroll
            for (int p2_0_r = 0; p2_0_r < 3; ++p2_0_r) {
                *(float4*)&x0_panel[p0_0 * 144 + p2_0_r * 48 + p2_0_t * 12 + p3_0_t * 4] = x0_panel_next[p2_0_r];
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
            if (threadIdx.x < 48) {
                const int p0_0 = (int)threadIdx.x / 12;
                const int p2_0_t = (int)threadIdx.x / 3 % 4;
                const int p3_0_t = (int)threadIdx.x % 3;
                #pragma unroll
                for (int p2_0_r = 0; p2_0_r < 3; ++p2_0_r) {
                    x0_panel_next[p2_0_r] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
                    if (n_b * 4 + p0_0 < 5) {
                        x0_panel_next[p2_0_r] = *(const float4*)&x0[n_b * 1728 + p0_0 * 432 + ci * 144 + p2_0_r * 48 + p2_0_t * 12 + p3_0_t * 4 + 144];
                    }
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
            const int c_t = (int)threadIdx.x / 32;
            const int n_t = (int)threadIdx.x / 16 % 2;
            const int ph_i = (int)threadIdx.x / 4 % 4;
            const int pw_i = (int)threadIdx.x % 4;
            for (int kh = 0; kh < 5; ++kh) {
                #pragma unroll
                for (int kw = 0; kw < 5; ++kw) {
                    #pragma unroll
                    for (int c_r = 0; c_r < 5; ++c_r) {
                        const float t2 = x1_panel[c_r * 56 + c_t * 28 + kh * 5 + kw];
                        #pragma unroll
                        for (int n_r = 0; n_r < 2; ++n_r) {
                            #pragma unroll
                            for (int i = 0; i < 2; ++i) {
                                #pragma unroll
                                for (int j = 0; j < 2; ++j) {
                                    const float t1 = x0_panel[n_r * 288 + n_t * 144 + ph_i * 24 + i * 12 + kh * 12 + pw_i * 2 + j + kw];
                                    acc[c_r][n_r][i][j] = fmaf(t1, t2, acc[c_r][n_r][i][j]);
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    {
        const int c_t = (int)threadIdx.x / 32;
        const int n_t = (int)threadIdx.x / 16 % 2;
        const int ph_i = (int)threadIdx.x / 4 % 4;
        const int pw_i = (int)threadIdx.x % 4;
        #pragma unroll
        for (int c_r = 0; c_r < 5; ++c_r) {
            if (c_r * 2 + c_t < 9) {
                #pragma unroll
                for (int n_r = 0; n_r < 2; ++n_r) {
                    if (n_b * 4 + n_r * 2 + n_t < 5) {
                        #pragma unroll
                        for (int i = 0; i < 2; ++i) {
                            #pragma unroll
                            for (int j = 0; j < 2; ++j) {
                                const float t3 = acc[c_r][n_r][i][j];
                                const float t4 = best[c_r][n_r];
                                const bool t7 = (t3 > t4) || (t3 != t3);
                                best[c_r][n_r] = t7 ? t3 : t4;
                                place[c_r][n_r] = t7 ? (i * 2 + j) : place[c_r][n_r];
                            }
                        }
                        z0[n_b * 576 + n_r * 288 + n_t * 144 + c_r * 32 + c_t * 16 + ph_i * 4 + pw_i] = best[c_r][n_r];
                        z1[n_b * 576 + n_r * 288 + n_t * 144 + c_r * 32 + c_t * 16 + ph_i * 4 + pw_i] = (signed char)place[c_r][n_r];
                    }
                }
            }
        }
    }
}
