// schedule contraction.tiled
//   split(loop=co, factor=8, outer=co_b, inner=co_i, tail=guard)
//   split(loop=co_i, factor=4, outer=co_r, inner=co_t, tail=guard)
//   split(loop=oh, factor=4, outer=oh_b, inner=oh_i, tail=guard)
//   split(loop=ow, factor=10, outer=ow_b, inner=ow_i, tail=guard)
//   split(loop=ow_i, factor=5, outer=ow_t, inner=ow_r, tail=guard)
//   split(loop=ci, factor=2, outer=ci_b, inner=ci_i, tail=guard)
//   split(loop=ci_i, factor=1, outer=ci_g, inner=ci_j, tail=guard)
//   partial(local=acc, loop=ci_g, join=ci_gs)
//   reorder(loops=(co_b, n, oh_b, ow_b, co_t, oh_i, ow_t, co_r, ow_r))
//   fission(loop=ow_r, after=2, second=ow_re)
//   fission(loop=co_r, after=1, second=co_re)
//   fission(loop=ow_t, after=1, second=ow_te)
//   fission(loop=oh_i, after=1, second=oh_ie)
//   fission(loop=co_t, after=1, second=co_te)
//   distribute(loop=ow_r, past=(ci_b, ci_g, ci_j, kh, kw))
//   distribute(loop=co_r, past=(ci_b, ci_g, ci_j, kh, kw))
//   distribute(loop=ow_t, past=(ci_b, ci_g))
//   distribute(loop=oh_i, past=(ci_b, ci_g))
//   distribute(loop=co_t, past=(ci_b, ci_g))
//   panels(loop=ci_b, threads=64, across=(ci_g, co_t, oh_i, ow_t))
//   pipeline(loop=ci_b, double=True)
//   unroll(loop=co_r)
//   unroll(loop=ow_r)
//   unroll(loop=kw)
//   unroll(loop=kh)
//   unroll(loop=ci_j)
//   threads(loops=(ci_g, co_t, oh_i, ow_t), count=64)
//   unroll(loop=ci_gs)
//   reorder(loops=(co_re, co_te, oh_ie, ow_te, ow_re))
//   threads(loops=(co_re, co_te, oh_ie, ow_te, ow_re), count=64)
//   exchange(local=acc)
//   blocks(loops=(co_b, n, oh_b, ow_b))
// <<<9, 64>>>
// conv2d
//   9 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64, 1)
mochac_conv2d_padded_f32_conv2d_0(
    const float* __restrict__ x0,  // f32[b3,4,9,10]
    const float* __restrict__ x1,  // f32[8,4,3,3]
    float* __restrict__ y0)  // f32[b3,8,9,10]
{
    __shared__ __align__(16) float x0_panel[2 * 2 * 6 * 12];
    __shared__ __align__(16) float x1_panel[2 * 8 * 28];
    __shared__ __align__(16) float acc_parts[2 * 2 * 4 * 4 * 2 * 5];
    const int n = (int)blockIdx.x / 3;
    const int oh_b = (int)blockIdx.x % 3;
    float acc[2][5];
    {
        const int oh_i = (int)threadIdx.x / 2 % 4;
        if (oh_b * 4 + oh_i < 9) {
            #pragma unroll
            for (int co_r = 0; co_r < 2; ++co_r) {
                #pragma unroll
                for (int ow_r = 0; ow_r < 5; ++ow_r) {
                    acc[co_r][ow_r] = 0.0f;
                }
            }
        }
    }
    float x0_panel_next[3];
    if (threadIdx.x < 48) {
        const int p1_0 = (int)threadIdx.x / 24;
        const int p2_0_t = (int)threadIdx.x / 12 % 2;
        const int p3_0 = (int)threadIdx.x % 12;
        #pragma unroll
        for (int p2_0_r = 0; p2_0_r < 3; ++p2_0_r) {
            x0_panel_next[p2_0_r] = 0.0f;
            if (oh_b * 4 + p2_0_r * 2 + p2_0_t >= 1 && oh_b * 4 + p2_0_r * 2 + p2_0_t < 10 && p3_0 >= 1 && p3_0 < 11) {
                x0_panel_next[p2_0_r] = x0[n * 360 + p1_0 * 90 + oh_b * 40 + p2_0_r * 20 + p2_0_t * 10 + p3_0 - 11];
            }
        }
    }
    float x1_panel_next[3];
    if (threadIdx.x < 54) {
        const int p0_1_t = (int)threadIdx.x / 18;
        const int p1_1 = (int)threadIdx.x / 9 % 2;
        const int p2_1 = (int)threadIdx.x / 3 % 3;
        const int p3_1 = (int)threadIdx.x % 3;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 3; ++p0_1_r) {
            if (p0_1_r * 3 + p0_1_t < 8) {
                x1_panel_next[p0_1_r] = x1[p0_1_r * 108 + p0_1_t * 36 + p1_1 * 9 + p2_1 * 3 + p3_1];
            }
        }
    }
    if (threadIdx.x < 48) {
        const int p1_0 = (int)threadIdx.x / 24;
        const int p2_0_t = (int)threadIdx.x / 12 % 2;
        const int p3_0 = (int)threadIdx.x % 12;
        #pragma unroll
        for (int p2_0_r = 0; p2_0_r < 3; ++p2_0_r) {
            x0_panel[p1_0 * 72 + p2_0_r * 24 + p2_0_t * 12 + p3_0] = x0_panel_next[p2_0_r];
        }
    }
    if (threadIdx.x < 54) {
        const int p0_1_t = (int)threadIdx.x / 18;
        const int p1_1 = (int)threadIdx.x / 9 % 2;
        const int p2_1 = (int)threadIdx.x / 3 % 3;
        const int p3_1 = (int)threadIdx.x % 3;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 3; ++p0_1_r) {
            if (p0_1_r * 3 + p0_1_t < 8) {
                x1_panel[p0_1_r * 84 + p0_1_t * 28 + p1_1 * 12 + p2_1 * 3 + p3_1] = x1_panel_next[p0_1_r];
            }
        }
    }
    for (int ci_b_h = 0; ci_b_h < 2; ++ci_b_h) {
        if (ci_b_h < 1) {
            if (threadIdx.x < 48) {
                const int p1_0 = (int)threadIdx.x / 24;
                const int p2_0_t = (int)threadIdx.x / 12 % 2;
                const int p3_0 = (int)threadIdx.x % 12;
                #pragma unroll
                for (int p2_0_r = 0; p2_0_r < 3; ++p2_0_r) {
                    x0_panel_next[p2_0_r] = 0.0f;
                    if (oh_b * 4 + p2_0_r * 2 + p2_0_t >= 1 && oh_b * 4 + p2_0_r * 2 + p2_0_t < 10 && p3_0 >= 1 && p3_0 < 11) {
                        x0_panel_next[p2_0_r] = x0[n * 360 + ci_b_h * 180 + p1_0 * 90 + oh_b * 40 + p2_0_r * 20 + p2_0_t * 10 + p3_0 + 169];
                    }
                }
            }
            if (threadIdx.x < 54) {
                const int p0_1_t = (int)threadIdx.x / 18;
                const int p1_1 = (int)threadIdx.x / 9 % 2;
                const int p2_1 = (int)threadIdx.x / 3 % 3;
                const int p3_1 = (int)threadIdx.x % 3;
                #pragma unroll
                for (int p0_1_r = 0; p0_1_r < 3; ++p0_1_r) {
                    if (p0_1_r * 3 + p0_1_t < 8) {
                        x1_panel_next[p0_1_r] = x1[p0_1_r * 108 + p0_1_t * 36 + ci_b_h * 18 + p1_1 * 9 + p2_1 * 3 + p3_1 + 18];
                    }
                }
            }
        }
        __syncthreads();
        {
            const int ci_g = (int)threadIdx.x / 32;
            const int co_t = (int)threadIdx.x / 8 % 4;
            const int oh_i = (int)threadIdx.x / 2 % 4;
            const int ow_t = (int)threadIdx.x % 2;
            #pragma unroll
            for (int kh = 0; kh < 3; ++kh) {
                #pragma unroll
                for (int kw = 0; kw < 3; ++kw) {
                    #pragma unroll
                    for (int co_r = 0; co_r < 2; ++co_r) {
                        const float t1 = x1_panel[ci_b_h * 224 + co_r * 112 + co_t * 28 + ci_g * 12 + kh * 3 + kw];
                        #pragma unroll
                        for (int ow_r = 0; ow_r < 5; ++ow_r) {
                            const float t = x0_panel[ci_b_h * 144 + ci_g * 72 + kh * 12 + oh_i * 12 + ow_t * 5 + kw + ow_r];
                            acc[co_r][ow_r] = fmaf(t, t1, acc[co_r][ow_r]);
                        }
                    }
                }
            }
        }
        if (ci_b_h < 1) {
            if (threadIdx.x < 48) {
                const int p1_0 = (int)threadIdx.x / 24;
                const int p2_0_t = (int)threadIdx.x / 12 % 2;
                const int p3_0 = (int)threadIdx.x % 12;
                #pragma unroll
                for (int p2_0_r = 0; p2_0_r < 3; ++p2_0_r) {
                    x0_panel[p1_0 * 72 + p2_0_r * 24 + p2_0_t * 12 + p3_0 - ci_b_h * 144 + 144] = x0_panel_next[p2_0_r];
                }
            }
            if (threadIdx.x < 54) {
                const int p0_1_t = (int)threadIdx.x / 18;
                const int p1_1 = (int)threadIdx.x / 9 % 2;
                const int p2_1 = (int)threadIdx.x / 3 % 3;
                const int p3_1 = (int)threadIdx.x % 3;
                #pragma unroll
                for (int p0_1_r = 0; p0_1_r < 3; ++p0_1_r) {
                    if (p0_1_r * 3 + p0_1_t < 8) {
                        x1_panel[p0_1_r * 84 + p0_1_t * 28 + p1_1 * 12 + p2_1 * 3 + p3_1 - ci_b_h * 224 + 224] = x1_panel_next[p0_1_r];
                    }
                }
            }
        }
    }
    {
        const int ci_g = (int)threadIdx.x / 32;
        const int co_t = (int)threadIdx.x / 8 % 4;
        const int oh_i = (int)threadIdx.x / 2 % 4;
        const int ow_t = (int)threadIdx.x % 2;
        if (oh_b * 4 + oh_i < 9) {
            #pragma unroll
            for (int co_r = 0; co_r < 2; ++co_r) {
                #pragma unroll
                for (int ow_r = 0; ow_r < 5; ++ow_r) {
                    acc_parts[ci_g * 320 + co_r * 160 + co_t * 40 + oh_i * 10 + ow_t * 5 + ow_r] = acc[co_r][ow_r];
                }
            }
        }
    }
    __syncthreads();
    for (int index = threadIdx.x; index < 320; index += 64) {
        const int co_re_co_te = index / 40;
        const int oh_ie = index / 10 % 4;
        const int ow_te_ow_re = index % 10;
        if (oh_b * 4 + oh_ie < 9) {
            float acc_sum = 0.0f;
            #pragma unroll
            for (int ci_gs = 0; ci_gs < 2; ++ci_gs) {
                const float acc_part = acc_parts[ci_gs * 320 + co_re_co_te * 40 + oh_ie * 10 + ow_te_ow_re];
                acc_sum = acc_part + acc_sum;
            }
            y0[n * 720 + co_re_co_te * 90 + oh_b * 40 + oh_ie * 10 + ow_te_ow_re] = acc_sum;
        }
    }
}
