// schedule contraction.tiled
//   split(loop=kh, factor=4, outer=kh_b, inner=kh_i, tail=guard)
//   split(loop=ci, factor=4, outer=ci_b, inner=ci_i, tail=guard)
//   split(loop=co, factor=32, outer=co_b, inner=co_i, tail=guard)
//   split(loop=co_i, factor=16, outer=co_r, inner=co_t, tail=guard)
//   split(loop=oh, factor=2, outer=oh_b, inner=oh_i, tail=guard)
//   reorder(loops=(p, kh_b, kw, ci_b, co_b, kh_i, co_t, ci_i, co_r))
//   sink(loop=co_r, past=(n, oh_b, oh_i, ow))
//   sink(loop=ci_i, past=(n, oh_b, oh_i, ow))
//   sink(loop=co_t, past=(n, oh_b))
//   sink(loop=kh_i, past=(n, oh_b))
//   panels(loop=oh_b, lanes=64)
//   pipeline(loop=oh_b)
//   unroll(loop=ci_i)
//   unroll(loop=co_r)
//   unroll(loop=ow)
//   lanes(loops=(kh_i, co_t), lanes=64)
//   blocks(loops=(p, kh_b, kw, ci_b, co_b))
// <<<12, 64>>>
// conv2d_dw_parts
extern "C" __global__ void __launch_bounds__(64)
mochac_conv2d_dw_parts_f32_conv2d_dw_parts_0(
    const float* __restrict__ x0,  // f32[b9,3,9,9]
    const float* __restrict__ x1,  // f32[b9,20,7,7]
    float* __restrict__ y0)  // f32[4,3,3,3,20]
{
    __shared__ __align__(16) float x0_panel[4 * 5 * 7];
    __shared__ __align__(16) float x1_panel[32 * 20];
    const int p = (int)blockIdx.x / 3;
    const int kw = (int)blockIdx.x % 3;
    float acc[4][2];
    {
        const int kh_i = (int)threadIdx.x / 16;
        const int co_t = (int)threadIdx.x % 16;
        if (kh_i < 3) {
            #pragma unroll
            for (int ci_i = 0; ci_i < 4; ++ci_i) {
                if (ci_i < 3) {
                    #pragma unroll
                    for (int co_r = 0; co_r < 2; ++co_r) {
                        if (co_r * 16 + co_t < 20) {
                            acc[ci_i][co_r] = 0.0f;
                        }
                    }
                }
            }
        }
    }
    for (int n = 0; n < 3; ++n) {
        float x0_panel_next[3];
        if (threadIdx.x < 56) {
            const int p1_0 = (int)threadIdx.x / 14;
            const int p2_0_t = (int)threadIdx.x / 7 % 2;
            const int p3_0 = (int)threadIdx.x % 7;
            #pragma unroll
            for (int p2_0_r = 0; p2_0_r < 3; ++p2_0_r) {
                if (p2_0_r * 2 + p2_0_t < 5) {
                    x0_panel_next[p2_0_r] = 0.0f;
                    if (p * 3 + n < 9 && p1_0 < 3) {
                        x0_panel_next[p2_0_r] = x0[p * 729 + n * 243 + p1_0 * 81 + p2_0_r * 18 + p2_0_t * 9 + kw + p3_0];
                    }
                }
            }
        }
        float x1_panel_next[7];
        {
            const int p1_1 = (int)threadIdx.x / 2;
            const int p2_1 = (int)threadIdx.x % 2;
            #pragma unroll
            for (int p3_1_r = 0; p3_1_r < 7; ++p3_1_r) {
                x1_panel_next[p3_1_r] = 0.0f;
                if (p * 3 + n < 9 && p1_1 < 20) {
                    x1_panel_next[p3_1_r] = x1[p * 2940 + n * 980 + p1_1 * 49 + p2_1 * 7 + p3_1_r];
                }
            }
        }
        for (int oh_b = 0; oh_b < 4; ++oh_b) {
            __syncthreads();
            if (threadIdx.x < 56) {
                const int p1_0 = (int)threadIdx.x / 14;
                const int p2_0_t = (int)threadIdx.x / 7 % 2;
                const int p3_0 = (int)threadIdx.x % 7;
                #pragma unroll
                for (int p2_0_r = 0; p2_0_r < 3; ++p2_0_r) {
                    if (p2_0_r * 2 + p2_0_t < 5) {
                        x0_panel[p1_0 * 35 + p2_0_r * 14 + p2_0_t * 7 + p3_0] = x0_panel_next[p2_0_r];
                    }
                }
            }
            {
                const int p1_1 = (int)threadIdx.x / 2;
                const int p2_1 = (int)threadIdx.x % 2;
                #pragma unroll
                for (int p3_1_r = 0; p3_1_r < 7; ++p3_1_r) {
                    x1_panel[p1_1 * 20 + p2_1 * 7 + p3_1_r] = x1_panel_next[p3_1_r];
                }
            }
            if (oh_b < 3) {
                if (threadIdx.x < 56) {
                    const int p1_0 = (int)threadIdx.x / 14;
                    const int p2_0_t = (int)threadIdx.x / 7 % 2;
                    const int p3_0 = (int)threadIdx.x % 7;
                    #pragma unroll
                    for (int p2_0_r = 0; p2_0_r < 3; ++p2_0_r) {
                        if (p2_0_r * 2 + p2_0_t < 5) {
                            x0_panel_next[p2_0_r] = 0.0f;
                            if (p * 3 + n < 9 && p1_0 < 3 && oh_b * 2 + p2_0_r * 2 + p2_0_t < 7) {
                                x0_panel_next[p2_0_r] = x0[p * 729 + n * 243 + p1_0 * 81 + oh_b * 18 + p2_0_r * 18 + p2_0_t * 9 + kw + p3_0 + 18];
                            }
                        }
                    }
                }
                {
                    const int p1_1 = (int)threadIdx.x / 2;
                    const int p2_1 = (int)threadIdx.x % 2;
                    #pragma unroll
                    for (int p3_1_r = 0; p3_1_r < 7; ++p3_1_r) {
                        x1_panel_next[p3_1_r] = 0.0f;
                        if (p * 3 + n < 9 && p1_1 < 20 && oh_b * 2 + p2_1 < 5) {
                            x1_panel_next[p3_1_r] = x1[p * 2940 + n * 980 + p1_1 * 49 + oh_b * 14 + p2_1 * 7 + p3_1_r + 14];
                        }
                    }
                }
            }
            __syncthreads();
            {
                const int kh_i = (int)threadIdx.x / 16;
                const int co_t = (int)threadIdx.x % 16;
                for (int oh_i = 0; oh_i < 2; ++oh_i) {
                    #pragma unroll
                    for (int ow = 0; ow < 7; ++ow) {
                        #pragma unroll
                        for (int ci_i = 0; ci_i < 4; ++ci_i) {
                            const float t = x0_panel[ci_i * 35 + kh_i * 7 + oh_i * 7 + ow];
                            #pragma unroll
                            for (int co_r = 0; co_r < 2; ++co_r) {
                                acc[ci_i][co_r] = fmaf(t, x1_panel[co_r * 320 + co_t * 20 + oh_i * 7 + ow], acc[ci_i][co_r]);
                            }
                        }
                    }
                }
            }
        }
    }
    {
        const int kh_i = (int)threadIdx.x / 16;
        const int co_t = (int)threadIdx.x % 16;
        if (kh_i < 3) {
            #pragma unroll
            for (int ci_i = 0; ci_i < 4; ++ci_i) {
                if (ci_i < 3) {
                    #pragma unroll
                    for (int co_r = 0; co_r < 2; ++co_r) {
                        if (co_r * 16 + co_t < 20) {
                            y0[p * 540 + kh_i * 180 + kw * 60 + ci_i * 20 + co_r * 16 + co_t] = acc[ci_i][co_r];
                        }
                    }
                }
            }
        }
    }
}
