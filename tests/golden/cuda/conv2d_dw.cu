// schedule contraction.tiled
//   split(loop=co, factor=4, outer=co_b, inner=co_i, tail=guard)
//   split(loop=co_i, factor=2, outer=co_r, inner=co_t, tail=guard)
//   split(loop=ci, factor=2, outer=ci_b, inner=ci_i, tail=guard)
//   split(loop=kh, factor=4, outer=kh_b, inner=kh_i, tail=guard)
//   split(loop=kh_i, factor=2, outer=kh_r, inner=kh_t, tail=guard)
//   split(loop=kw, factor=4, outer=kw_b, inner=kw_i, tail=guard)
//   split(loop=oh, factor=3, outer=oh_g, inner=oh_j, tail=guard)
//   partial(local=acc, loop=oh_g, join=oh_gs)
//   reorder(loops=(co_b, ci_b, kh_b, kw_b, co_t, ci_i, kh_t, kw_i, co_r, kh_r))
//   fission(loop=kh_r, after=2, second=kh_re)
//   fission(loop=co_r, after=1, second=co_re)
//   fission(loop=kw_i, after=1, second=kw_ie)
//   fission(loop=kh_t, after=1, second=kh_te)
//   fission(loop=ci_i, after=1, second=ci_ie)
//   fission(loop=co_t, after=1, second=co_te)
//   sink(loop=kh_r, past=(n, oh_g, oh_j, ow))
//   sink(loop=co_r, past=(n, oh_g, oh_j, ow))
//   sink(loop=kw_i, past=(n, oh_g))
//   sink(loop=kh_t, past=(n, oh_g))
//   sink(loop=ci_i, past=(n, oh_g))
//   sink(loop=co_t, past=(n, oh_g))
//   panels(loop=n, lanes=128, across=(oh_g, co_t, ci_i, kh_t, kw_i))
//   pipeline(loop=n)
//   unroll(loop=co_r)
//   unroll(loop=kh_r)
//   unroll(loop=ow)
//   unroll(loop=oh_j)
//   lanes(loops=(oh_g, co_t, ci_i, kh_t, kw_i), lanes=128)
//   unroll(loop=oh_gs)
//   reorder(loops=(co_re, co_te, ci_ie, kh_re, kh_te, kw_ie))
//   lanes(loops=(co_re, co_te, ci_ie, kh_re, kh_te, kw_ie), lanes=128)
//   exchange(local=acc)
//   blocks(loops=(co_b, ci_b, kh_b, kw_b))
// <<<2, 128>>>
// conv2d_dw
extern "C" __global__ void __launch_bounds__(128, 1)
mochac_conv2d_dw_f32_conv2d_dw_0(
    const float* __restrict__ x0,  // f32[b9,2,14,14]
    const float* __restrict__ x1,  // f32[b9,6,12,12]
    float* __restrict__ y0)  // f32[6,2,3,3]
{
    __shared__ __align__(16) float x0_panel[2 * 18 * 20];
    __shared__ __align__(16) float x1_panel[4 * 148];
    __shared__ __align__(16) float acc_parts[4 * 2 * 2 * 2 * 2 * 2 * 4];
    const int co_b = (int)blockIdx.x;
    float acc[2][2];
    {
        const int co_t = (int)threadIdx.x / 16 % 2;
        const int kh_t = (int)threadIdx.x / 4 % 2;
        const int kw_i = (int)threadIdx.x % 4;
        if (kw_i < 3) {
            #pragma unroll
            for (int co_r = 0; co_r < 2; ++co_r) {
                if (co_b * 4 + co_r * 2 + co_t < 6) {
                    #pragma unroll
                    for (int kh_r = 0; kh_r < 2; ++kh_r) {
                        if (kh_r * 2 + kh_t < 3) {
                            acc[co_r][kh_r] = 0.0f;
                        }
                    }
                }
            }
        }
    }
    float x0_panel_next[2][2];
    if (threadIdx.x < 120) {
        const int p2_0_t = (int)threadIdx.x / 15;
        const int p3_0 = (int)threadIdx.x % 15;
        #pragma unroll
        for (int p1_0_r = 0; p1_0_r < 2; ++p1_0_r) {
            #pragma unroll
            for (int p2_0_r = 0; p2_0_r < 2; ++p2_0_r) {
                if (p2_0_r * 8 + p2_0_t < 15) {
                    x0_panel_next[p1_0_r][p2_0_r] = 0.0f;
                    if (p2_0_r * 8 + p2_0_t < 14 && p3_0 < 14) {
                        x0_panel_next[p1_0_r][p2_0_r] = x0[p1_0_r * 196 + p2_0_r * 112 + p2_0_t * 14 + p3_0];
                    }
                }
            }
        }
    }
    float4 x1_panel_next[2];
    if (threadIdx.x < 72) {
        const int p1_1_t = (int)threadIdx.x / 36;
        const int p2_1 = (int)threadIdx.x / 3 % 12;
        const int p3_1_t = (int)threadIdx.x % 3;
        #pragma unroll
        for (int p1_1_r = 0; p1_1_r < 2; ++p1_1_r) {
            x1_panel_next[p1_1_r] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            if (co_b * 4 + p1_1_r * 2 + p1_1_t < 6) {
                x1_panel_next[p1_1_r] = *(const float4*)&x1[co_b * 576 + p1_1_r * 288 + p1_1_t * 144 + p2_1 * 12 + p3_1_t * 4];
            }
        }
    }
    for (int n = 0; n < 9; ++n) {
        __syncthreads();
        if (threadIdx.x < 120) {
            const int p2_0_t = (int)threadIdx.x / 15;
            const int p3_0 = (int)threadIdx.x % 15;
            #pragma unroll
            for (int p1_0_r = 0; p1_0_r < 2; ++p1_0_r) {
                #pragma unroll
                for (int p2_0_r = 0; p2_0_r < 2; ++p2_0_r) {
                    if (p2_0_r * 8 + p2_0_t < 15) {
                        x0_panel[p1_0_r * 360 + p2_0_r * 160 + p2_0_t * 20 + p3_0] = x0_panel_next[p1_0_r][p2_0_r];
                    }
                }
            }
        }
        if (threadIdx.x < 72) {
            const int p1_1_t = (int)threadIdx.x / 36;
            const int p2_1 = (int)threadIdx.x / 3 % 12;
            const int p3_1_t = (int)threadIdx.x % 3;
            #pragma unroll
            for (int p1_1_r = 0; p1_1_r < 2; ++p1_1_r) {
                *(float4*)&x1_panel[p1_1_r * 296 + p1_1_t * 148 + p2_1 * 12 + p3_1_t * 4] = x1_panel_next[p1_1_r];
            }
        }
        if (n < 8) {
            if (threadIdx.x < 120) {
                const int p2_0_t = (int)threadIdx.x / 15;
                const int p3_0 = (int)threadIdx.x % 15;
                #pragma unroll
                for (int p1_0_r = 0; p1_0_r < 2; ++p1_0_r) {
                    #pragma unroll
                    for (int p2_0_r = 0; p2_0_r < 2; ++p2_0_r) {
                        if (p2_0_r * 8 + p2_0_t < 15) {
                            x0_panel_next[p1_0_r][p2_0_r] = 0.0f;
                            if (p2_0_r * 8 + p2_0_t < 14 && p3_0 < 14) {
                                x0_panel_next[p1_0_r][p2_0_r] = x0[n * 392 + p1_0_r * 196 + p2_0_r * 112 + p2_0_t * 14 + p3_0 + 392];
                            }
                        }
                    }
                }
            }
            if (threadIdx.x < 72) {
                const int p1_1_t = (int)threadIdx.x / 36;
                const int p2_1 = (int)threadIdx.x / 3 % 12;
                const int p3_1_t = (int)threadIdx.x % 3;
                #pragma unroll
                for (int p1_1_r = 0; p1_1_r < 2; ++p1_1_r) {
                    x1_panel_next[p1_1_r] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
                    if (co_b * 4 + p1_1_r * 2 + p1_1_t < 6) {
                        x1_panel_next[p1_1_r] = *(const float4*)&x1[n * 864 + co_b * 576 + p1_1_r * 288 + p1_1_t * 144 + p2_1 * 12 + p3_1_t * 4 + 864];
                    }
                }
            }
        }
        __syncthreads();
        {
            const int oh_g = (int)threadIdx.x / 32;
            const int co_t = (int)threadIdx.x / 16 % 2;
            const int ci_i = (int)threadIdx.x / 8 % 2;
            const int kh_t = (int)threadIdx.x / 4 % 2;
            const int kw_i = (int)threadIdx.x % 4;
            #pragma unroll
            for (int oh_j = 0; oh_j < 3; ++oh_j) {
                #pragma unroll
                for (int ow = 0; ow < 12; ++ow) {
                    #pragma unroll
                    for (int co_r = 0; co_r < 2; ++co_r) {
                        const float t1 = x1_panel[co_r * 296 + co_t * 148 + oh_g * 36 + oh_j * 12 + ow];
                        #pragma unroll
                        for (int kh_r = 0; kh_r < 2; ++kh_r) {
                            const float t = x0_panel[ci_i * 360 + oh_g * 60 + kh_r * 40 + kh_t * 20 + oh_j * 20 + kw_i + ow];
                            acc[co_r][kh_r] = fmaf(t, t1, acc[co_r][kh_r]);
                        }
                    }
                }
            }
        }
    }
    {
        const int oh_g = (int)threadIdx.x / 32;
        const int co_t = (int)threadIdx.x / 16 % 2;
        const int ci_i = (int)threadIdx.x / 8 % 2;
        const int kh_t = (int)threadIdx.x / 4 % 2;
        const int kw_i = (int)threadIdx.x % 4;
        if (kw_i < 3) {
            #pragma unroll
            for (int co_r = 0; co_r < 2; ++co_r) {
                if (co_b * 4 + co_r * 2 + co_t < 6) {
                    #pragma unroll
                    for (int kh_r = 0; kh_r < 2; ++kh_r) {
                        if (kh_r * 2 + kh_t < 3) {
                            acc_parts[oh_g * 128 + co_r * 64 + co_t * 32 + ci_i * 16 + kh_r * 8 + kh_t * 4 + kw_i] = acc[co_r][kh_r];
                        }
                    }
                }
            }
        }
    }
    __syncthreads();
    {
        const int co_re_co_te = (int)threadIdx.x / 32;
        const int ci_ie = (int)threadIdx.x / 16 % 2;
        const int kh_re_kh_te = (int)threadIdx.x / 4 % 4;
        const int kw_ie = (int)threadIdx.x % 4;
        if (co_b * 4 + co_re_co_te < 6 && kh_re_kh_te < 3 && kw_ie < 3) {
            float acc_sum = 0.0f;
            #pragma unroll
            for (int oh_gs = 0; oh_gs < 4; ++oh_gs) {
                const float acc_part = acc_parts[oh_gs * 128 + co_re_co_te * 32 + ci_ie * 16 + kh_re_kh_te * 4 + kw_ie];
                acc_sum = acc_part + acc_sum;
            }
            y0[co_b * 72 + co_re_co_te * 18 + ci_ie * 9 + kh_re_kh_te * 3 + kw_ie] = acc_sum;
        }
    }
}
