// schedule contraction.tiled
//   split(loop=ci, factor=4, outer=ci_b, inner=ci_i, tail=guard)
//   split(loop=ci_i, factor=2, outer=ci_r, inner=ci_t, tail=guard)
//   split(loop=ih, factor=8, outer=ih_b, inner=ih_i, tail=guard)
//   split(loop=iw, factor=10, outer=iw_b, inner=iw_i, tail=guard)
//   split(loop=iw_i, factor=5, outer=iw_t, inner=iw_r, tail=guard)
//   split(loop=co, factor=4, outer=co_b, inner=co_i, tail=guard)
//   split(loop=co_i, factor=2, outer=co_g, inner=co_j, tail=guard)
//   partial(local=acc, loop=co_g, join=co_gs)
//   reorder(loops=(ci_b, n, ih_b, iw_b, ci_t, ih_i, iw_t, ci_r, iw_r))
//   fission(loop=iw_r, after=2, second=iw_re)
//   fission(loop=ci_r, after=1, second=ci_re)
//   fission(loop=iw_t, after=1, second=iw_te)
//   fission(loop=ih_i, after=1, second=ih_ie)
//   fission(loop=ci_t, after=1, second=ci_te)
//   distribute(loop=iw_r, past=(co_b, co_g, co_j, kh, kw))
//   distribute(loop=ci_r, past=(co_b, co_g, co_j, kh, kw))
//   distribute(loop=iw_t, past=(co_b, co_g))
//   distribute(loop=ih_i, past=(co_b, co_g))
//   distribute(loop=ci_t, past=(co_b, co_g))
//   panels(loop=co_b, threads=64, across=(co_g, ci_t, ih_i, iw_t))
//   pipeline(loop=co_b, double=True)
//   unroll(loop=ci_r)
//   unroll(loop=iw_r)
//   unroll(loop=kw)
//   unroll(loop=kh)
//   unroll(loop=co_j)
//   threads(loops=(co_g, ci_t, ih_i, iw_t), count=64)
//   unroll(loop=co_gs)
//   reorder(loops=(ci_re, ci_te, ih_ie, iw_te, iw_re))
//   threads(loops=(ci_re, ci_te, ih_ie, iw_te, iw_re), count=64)
//   exchange(local=acc)
//   blocks(loops=(ci_b, n, ih_b, iw_b))
// <<<6, 64>>>
// conv2d_dx
//   6 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64, 1)
mochac_conv2d_dx_f32_conv2d_dx_0(
    const float* __restrict__ x0,  // f32[b3,8,8,8]
    const float* __restrict__ x1,  // f32[8,4,3,3]
    float* __restrict__ y0)  // f32[b3,4,10,10]
{
    __shared__ __align__(16) float x0_panel[2 * 4 * 10 * 12];
    __shared__ __align__(16) float x1_panel[2 * 4 * 4 * 12];
    __shared__ __align__(16) float acc_parts[2 * 2 * 2 * 8 * 2 * 5];
    const int n = (int)blockIdx.x / 2;
    const int ih_b = (int)blockIdx.x % 2;
    float acc[2][5];
    {
        const int ih_i = (int)threadIdx.x / 2 % 8;
        if (ih_b * 8 + ih_i < 10) {
            #pragma unroll
            for (int ci_r = 0; ci_r < 2; ++ci_r) {
                #pragma unroll
                for (int iw_r = 0; iw_r < 5; ++iw_r) {
                    acc[ci_r][iw_r] = 0.0f;
                }
            }
        }
    }
    float x0_panel_next[4][2];
    if (threadIdx.x < 60) {
        const int p2_0_t = (int)threadIdx.x / 12;
        const int p3_0 = (int)threadIdx.x % 12;
        #pragma unroll
        for (int p1_0_r = 0; p1_0_r < 4; ++p1_0_r) {
            #pragma unroll
            for (int p2_0_r = 0; p2_0_r < 2; ++p2_0_r) {
                x0_panel_next[p1_0_r][p2_0_r] = 0.0f;
                if (ih_b * 8 + p2_0_r * 5 + p2_0_t >= 2 && ih_b * 8 + p2_0_r * 5 + p2_0_t < 10 && p3_0 >= 2 && p3_0 < 10) {
                    x0_panel_next[p1_0_r][p2_0_r] = x0[n * 512 + ih_b * 64 + p1_0_r * 64 + p2_0_r * 40 + p2_0_t * 8 + p3_0 - 18];
                }
            }
        }
    }
    float x1_panel_next[3];
    if (threadIdx.x < 48) {
        const int p0_1 = (int)threadIdx.x / 12;
        const int p1_1 = (int)threadIdx.x / 3 % 4;
        const int p3_1 = (int)threadIdx.x % 3;
        #pragma unroll
        for (int p2_1_r = 0; p2_1_r < 3; ++p2_1_r) {
            x1_panel_next[p2_1_r] = x1[p0_1 * 36 + p1_1 * 9 + p2_1_r * 3 + p3_1];
        }
    }
    if (threadIdx.x < 60) {
        const int p2_0_t = (int)threadIdx.x / 12;
        const int p3_0 = (int)threadIdx.x % 12;
        #pragma unroll
        for (int p1_0_r = 0; p1_0_r < 4; ++p1_0_r) {
            #pragma unroll
            for (int p2_0_r = 0; p2_0_r < 2; ++p2_0_r) {
                x0_panel[p1_0_r * 120 + p2_0_r * 60 + p2_0_t * 12 + p3_0] = x0_panel_next[p1_0_r][p2_0_r];
            }
        }
    }
    if (threadIdx.x < 48) {
        const int p0_1 = (int)threadIdx.x / 12;
        const int p1_1 = (int)threadIdx.x / 3 % 4;
        const int p3_1 = (int)threadIdx.x % 3;
        #pragma unroll
        for (int p2_1_r = 0; p2_1_r < 3; ++p2_1_r) {
            x1_panel[p0_1 * 48 + p1_1 * 12 + p2_1_r * 3 + p3_1] = x1_panel_next[p2_1_r];
        }
    }
    for (int co_b_h = 0; co_b_h < 2; ++co_b_h) {
        if (co_b_h < 1) {
            if (threadIdx.x < 60) {
                const int p2_0_t = (int)threadIdx.x / 12;
                const int p3_0 = (int)threadIdx.x % 12;
                #pragma unroll
                for (int p1_0_r = 0; p1_0_r < 4; ++p1_0_r) {
                    #pragma unroll
                    for (int p2_0_r = 0; p2_0_r < 2; ++p2_0_r) {
                        x0_panel_next[p1_0_r][p2_0_r] = 0.0f;
                        if (ih_b * 8 + p2_0_r * 5 + p2_0_t >= 2 && ih_b * 8 + p2_0_r * 5 + p2_0_t < 10 && p3_0 >= 2 && p3_0 < 10) {
                            x0_panel_next[p1_0_r][p2_0_r] = x0[n * 512 + co_b_h * 256 + ih_b * 64 + p1_0_r * 64 + p2_0_r * 40 + p2_0_t * 8 + p3_0 + 238];
                        }
                    }
                }
            }
            if (threadIdx.x < 48) {
                const int p0_1 = (int)threadIdx.x / 12;
                const int p1_1 = (int)threadIdx.x / 3 % 4;
                const int p3_1 = (int)threadIdx.x % 3;
                #pragma unroll
                for (int p2_1_r = 0; p2_1_r < 3; ++p2_1_r) {
                    x1_panel_next[p2_1_r] = x1[co_b_h * 144 + p0_1 * 36 + p1_1 * 9 + p2_1_r * 3 + p3_1 + 144];
                }
            }
        }
        __syncthreads();
        {
            const int co_g = (int)threadIdx.x / 32;
            const int ci_t = (int)threadIdx.x / 16 % 2;
            const int ih_i = (int)threadIdx.x / 2 % 8;
            const int iw_t = (int)threadIdx.x % 2;
            #pragma unroll
            for (int co_j = 0; co_j < 2; ++co_j) {
                #pragma unroll
                for (int kh = 0; kh < 3; ++kh) {
                    #pragma unroll
                    for (int kw = 0; kw < 3; ++kw) {
                        #pragma unroll
                        for (int ci_r = 0; ci_r < 2; ++ci_r) {
                            const float t1 = x1_panel[co_b_h * 192 + co_g * 96 + co_j * 48 + ci_r * 24 + ci_t * 12 + kh * 3 + kw];
                            #pragma unroll
                            for (int iw_r = 0; iw_r < 5; ++iw_r) {
                                const float t = x0_panel[co_b_h * 480 + co_g * 240 + co_j * 120 + ih_i * 12 + iw_t * 5 + iw_r - kh * 12 - kw + 26];
                                acc[ci_r][iw_r] = fmaf(t, t1, acc[ci_r][iw_r]);
                            }
                        }
                    }
                }
            }
        }
        if (co_b_h < 1) {
            if (threadIdx.x < 60) {
                const int p2_0_t = (int)threadIdx.x / 12;
                const int p3_0 = (int)threadIdx.x % 12;
                #pragma unroll
                for (int p1_0_r = 0; p1_0_r < 4; ++p1_0_r) {
                    #pragma unroll
                    for (int p2_0_r = 0; p2_0_r < 2; ++p2_0_r) {
                        x0_panel[p1_0_r * 120 + p2_0_r * 60 + p2_0_t * 12 + p3_0 - co_b_h * 480 + 480] = x0_panel_next[p1_0_r][p2_0_r];
                    }
                }
            }
            if (threadIdx.x < 48) {
                const int p0_1 = (int)threadIdx.x / 12;
                const int p1_1 = (int)threadIdx.x / 3 % 4;
                const int p3_1 = (int)threadIdx.x % 3;
                #pragma unroll
                for (int p2_1_r = 0; p2_1_r < 3; ++p2_1_r) {
                    x1_panel[p0_1 * 48 + p1_1 * 12 + p2_1_r * 3 + p3_1 - co_b_h * 192 + 192] = x1_panel_next[p2_1_r];
                }
            }
        }
    }
    {
        const int co_g = (int)threadIdx.x / 32;
        const int ci_t = (int)threadIdx.x / 16 % 2;
        const int ih_i = (int)threadIdx.x / 2 % 8;
        const int iw_t = (int)threadIdx.x % 2;
        if (ih_b * 8 + ih_i < 10) {
            #pragma unroll
            for (int ci_r = 0; ci_r < 2; ++ci_r) {
                #pragma unroll
                for (int iw_r = 0; iw_r < 5; ++iw_r) {
                    acc_parts[co_g * 320 + ci_r * 160 + ci_t * 80 + ih_i * 10 + iw_t * 5 + iw_r] = acc[ci_r][iw_r];
                }
            }
        }
    }
    __syncthreads();
    for (int index = threadIdx.x; index < 320; index += 64) {
        const int ci_re_ci_te = index / 80;
        const int ih_ie = index / 10 % 8;
        const int iw_te_iw_re = index % 10;
        if (ih_b * 8 + ih_ie < 10) {
            float acc_sum = 0.0f;
            #pragma unroll
            for (int co_gs = 0; co_gs < 2; ++co_gs) {
                const float acc_part = acc_parts[co_gs * 320 + ci_re_ci_te * 80 + ih_ie * 10 + iw_te_iw_re];
                acc_sum = acc_part + acc_sum;
            }
            y0[n * 400 + ci_re_ci_te * 100 + ih_b * 80 + ih_ie * 10 + iw_te_iw_re] = acc_sum;
        }
    }
}
