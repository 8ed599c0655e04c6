// schedule contraction.tiled
//   widen(loop=ih, before=1)
//   split(loop=ih, factor=2, outer=ih_u, inner=ih_p, tail=guard)
//   skew(loop=oh, by=ih_u, inner=ih_j)
//   widen(loop=iw, before=1)
//   split(loop=iw, factor=2, outer=iw_u, inner=iw_p, tail=guard)
//   skew(loop=ow, by=iw_u, inner=iw_j)
//   reorder(loops=(n, ci, ih_u, ih_p, iw_u, iw_p))
//   split(loop=iw_u, factor=2, outer=iw_u_o, inner=iw_u_i, tail=guard)
//   split(loop=ci, factor=4, outer=ci_o, inner=ci_i, tail=guard)
//   split(loop=ci_i, factor=2, outer=ci_i_o, inner=ci_i_i, tail=guard)
//   split(loop=ih_p, factor=2, outer=ih_p_o, inner=ih_p_i, tail=guard)
//   split(loop=iw_p, factor=2, outer=iw_p_o, inner=iw_p_i, tail=guard)
//   split(loop=co, factor=8, outer=co_o, inner=co_i, tail=guard)
//   split(loop=co_i, factor=2, outer=co_i_o, inner=co_i_i, tail=guard)
//   partial(local=acc, loop=co_i_o, join=co_i_o_s)
//   unroll(loop=co_i_o_s)
//   reorder(loops=(n, iw_u_o, ci_o, ih_p_o, iw_p_o, iw_u_i, ci_i_i, ih_p_i, iw_p_i, ih_u, ci_i_o))
//   detach(loops=(iw_u_i, ci_i_i, ih_p_i, iw_p_i, ih_u, ci_i_o), after=2, part=second, mark=.second)
//   reorder(loops=(ih_u.second, iw_u_i.second, ci_i_o.second, ci_i_i.second, ih_p_i.second, iw_p_i.second))
//   threads(loops=(ih_u.second, iw_u_i.second, ci_i_o.second, ci_i_i.second, ih_p_i.second, iw_p_i.second), count=64)
//   distribute(loop=ci_i_o, past=(co_o, co_i_o, co_i_i, ih_j, iw_j))
//   distribute(loop=ih_u, past=(co_o, co_i_o, co_i_i, ih_j, iw_j))
//   unroll(loop=ci_i_o)
//   unroll(loop=ih_u)
//   distribute(loop=iw_p_i, past=(co_o, co_i_o))
//   distribute(loop=ih_p_i, past=(co_o, co_i_o))
//   distribute(loop=ci_i_i, past=(co_o, co_i_o))
//   distribute(loop=iw_u_i, past=(co_o, co_i_o))
//   panels(loop=co_o, threads=64, across=(co_i_o, iw_u_i, ci_i_i, ih_p_i, iw_p_i), exact=())
//   unroll(loop=iw_j)
//   unroll(loop=ih_j)
//   unroll(loop=co_i_i)
//   threads(loops=(co_i_o, iw_u_i, ci_i_i, ih_p_i, iw_p_i), count=64)
//   exchange(local=acc)
//   blocks(loops=(n, iw_u_o, ci_o, ih_p_o, iw_p_o))
// <<<9, 64>>>
// conv_dx
//   9 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64, 1)
mochac_conv_dx_strided_f32_conv_dx_0(
    const float* __restrict__ x0,  // f32[b3,8,5,5]
    const float* __restrict__ x1,  // f32[8,4,3,3]
    float* __restrict__ y0)  // f32[b3,4,9,10]
{
    __shared__ __align__(16) float x0_panel[8 * 6 * 3];
    __shared__ __align__(16) float x1_panel[8 * 5 * 6 * 4];
    __shared__ __align__(16) float acc_parts[4 * 5 * 2 * 2 * 2 * 2 * 2];
    const int n = (int)blockIdx.x / 3;
    const int iw_u_o = (int)blockIdx.x % 3;
    float acc[5][2];
    {
        const int iw_u_i = (int)threadIdx.x / 8 % 2;
        const int ih_p_i = (int)threadIdx.x / 2 % 2;
        const int iw_p_i = (int)threadIdx.x % 2;
        if (iw_u_o * 4 + iw_u_i * 2 + iw_p_i < 11 && iw_u_o * 4 + iw_u_i * 2 + iw_p_i >= 1) {
            #pragma unroll
            for (int ih_u = 0; ih_u < 5; ++ih_u) {
                if (ih_u * 2 + ih_p_i >= 1) {
                    #pragma unroll
                    for (int ci_i_o = 0; ci_i_o < 2; ++ci_i_o) {
                        acc[ih_u][ci_i_o] = 0.0f;
                    }
                }
            }
        }
    }
    if (threadIdx.x < 54) {
        const int p1_0_t = (int)threadIdx.x / 18;
        const int p2_0 = (int)threadIdx.x / 3 % 6;
        const int p3_0 = (int)threadIdx.x % 3;
        #pragma unroll
        for (int p1_0_r = 0; p1_0_r < 3; ++p1_0_r) {
            if (p1_0_r * 3 + p1_0_t < 8) {
                float x0_panel_held = 0.0f;
                if (p2_0 >= 1 && iw_u_o * 2 + p3_0 >= 1 && iw_u_o * 2 + p3_0 < 6) {
                    x0_panel_held = x0[n * 200 + p1_0_r * 75 + p1_0_t * 25 + p2_0 * 5 + iw_u_o * 2 + p3_0 - 6];
                }
                x0_panel[p1_0_r * 54 + p1_0_t * 18 + p2_0 * 3 + p3_0] = x0_panel_held;
            }
        }
    }
    {
        const int p1_1 = (int)threadIdx.x / 16;
        const int p2_1 = (int)threadIdx.x / 4 % 4;
        const int p3_1 = (int)threadIdx.x % 4;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 8; ++p0_1_r) {
            float x1_panel_held = 0.0f;
            if (p2_1 < 3 && p3_1 < 3) {
                x1_panel_held = x1[p0_1_r * 36 + p1_1 * 9 + p2_1 * 3 + p3_1];
            }
            x1_panel[p0_1_r * 120 + p1_1 * 24 + p2_1 * 4 + p3_1] = x1_panel_held;
        }
    }
    __syncthreads();
    {
        const int co_i_o = (int)threadIdx.x / 16;
        const int iw_u_i = (int)threadIdx.x / 8 % 2;
        const int ci_i_i = (int)threadIdx.x / 4 % 2;
        const int ih_p_i = (int)threadIdx.x / 2 % 2;
        const int iw_p_i = (int)threadIdx.x % 2;
        #pragma unroll
        for (int co_i_i = 0; co_i_i < 2; ++co_i_i) {
            #pragma unroll
            for (int ih_j = 0; ih_j < 2; ++ih_j) {
                #pragma unroll
                for (int iw_j = 0; iw_j < 2; ++iw_j) {
                    #pragma unroll
                    for (int ih_u = 0; ih_u < 5; ++ih_u) {
                        const float t = x0_panel[co_i_o * 36 + co_i_i * 18 + ih_u * 3 + iw_u_i - ih_j * 3 - iw_j + 4];
                        #pragma unroll
                        for (int ci_i_o = 0; ci_i_o < 2; ++ci_i_o) {
                            const float t1 = x1_panel[co_i_o * 240 + co_i_i * 120 + ci_i_o * 48 + ci_i_i * 24 + ih_j * 8 + ih_p_i * 4 + iw_j * 2 + iw_p_i];
                            acc[ih_u][ci_i_o] = fmaf(t, t1, acc[ih_u][ci_i_o]);
                        }
                    }
                }
            }
        }
    }
    {
        const int co_i_o = (int)threadIdx.x / 16;
        const int iw_u_i = (int)threadIdx.x / 8 % 2;
        const int ci_i_i = (int)threadIdx.x / 4 % 2;
        const int ih_p_i = (int)threadIdx.x / 2 % 2;
        const int iw_p_i = (int)threadIdx.x % 2;
        if (iw_u_o * 4 + iw_u_i * 2 + iw_p_i < 11 && iw_u_o * 4 + iw_u_i * 2 + iw_p_i >= 1) {
            #pragma unroll
            for (int ih_u = 0; ih_u < 5; ++ih_u) {
                if (ih_u * 2 + ih_p_i >= 1) {
                    #pragma unroll
                    for (int ci_i_o = 0; ci_i_o < 2; ++ci_i_o) {
                        acc_parts[co_i_o * 160 + ih_u * 32 + iw_u_i * 16 + ci_i_o * 8 + ci_i_i * 4 + ih_p_i * 2 + iw_p_i] = acc[ih_u][ci_i_o];
                    }
                }
            }
        }
    }
    __syncthreads();
    for (int index = threadIdx.x; index < 160; index += 64) {
        const int ih_u_second = index / 32;
        const int iw_u_i_second = index / 16 % 2;
        const int ci_i_o_second_ci_i_i_second = index / 4 % 4;
        const int ih_p_i_second = index / 2 % 2;
        const int iw_p_i_second = index % 2;
        if (ih_u_second * 2 + ih_p_i_second >= 1 && iw_u_o * 4 + iw_u_i_second * 2 + iw_p_i_second < 11 && iw_u_o * 4 + iw_u_i_second * 2 + iw_p_i_second >= 1) {
            float acc_sum = 0.0f;
            #pragma unroll
            for (int co_i_o_s_second = 0; co_i_o_s_second < 4; ++co_i_o_s_second) {
                const float acc_part = acc_parts[co_i_o_s_second * 160 + ih_u_second * 32 + iw_u_i_second * 16 + ci_i_o_second_ci_i_i_second * 4 + ih_p_i_second * 2 + iw_p_i_second];
                acc_sum = acc_part + acc_sum;
            }
            y0[n * 360 + ci_i_o_second_ci_i_i_second * 90 + ih_u_second * 20 + ih_p_i_second * 10 + iw_u_o * 4 + iw_u_i_second * 2 + iw_p_i_second - 11] = acc_sum;
        }
    }
}
