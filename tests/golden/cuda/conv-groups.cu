// schedule contraction.tiled
//   split(loop=co, factor=8, outer=co_u, inner=co_p, tail=guard)
//   skew(loop=g, by=co_u, inner=co_j)
//   reorder(loops=(n, co_u, co_p, oh, ow))
//   split(loop=co_p, factor=8, outer=co_p_o, inner=co_p_i, tail=guard)
//   split(loop=n, factor=4, outer=n_o, inner=n_i, tail=guard)
//   split(loop=ow, factor=10, outer=ow_o, inner=ow_i, tail=guard)
//   split(loop=ow_i, factor=5, outer=ow_i_o, inner=ow_i_i, tail=guard)
//   split(loop=ci, factor=3, outer=ci_o, inner=ci_i, tail=guard)
//   reorder(loops=(oh, co_u, co_p_o, n_o, ow_o, co_p_i, n_i, ow_i_o, ow_i_i))
//   detach(loops=(co_p_i, n_i, ow_i_o, ow_i_i), after=3, part=second, mark=.second)
//   reorder(loops=(co_p_i.second, n_i.second, ow_i_o.second, ow_i_i.second))
//   threads(loops=(co_p_i.second, n_i.second, ow_i_o.second, ow_i_i.second), count=64)
//   distribute(loop=ow_i_i, past=(ci_o, ci_i, kh, kw))
//   unroll(loop=ow_i_i)
//   distribute(loop=ow_i_o, past=(ci_o))
//   distribute(loop=n_i, past=(ci_o))
//   distribute(loop=co_p_i, past=(ci_o))
//   panels(loop=ci_o, threads=64, across=(co_p_i, n_i, ow_i_o), exact=(kh))
//   clip(loop=kh)
//   unroll(loop=kw)
//   threads(loops=(co_p_i, n_i, ow_i_o), count=64)
//   exchange(local=acc)
//   blocks(loops=(oh, co_u, co_p_o, n_o, ow_o))
// <<<18, 64>>>
// conv
//   18 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64, 1)
mochac_conv_groups_f32_conv_0(
    const float* __restrict__ x0,  // f32[b3,6,9,9]
    const float* __restrict__ x1,  // f32[16,3,3,3]
    const float* __restrict__ x2,  // f32[16]
    float* __restrict__ y0)  // f32[b3,16,9,9]
{
    __shared__ __align__(16) float x0_panel[4 * 3 * 3 * 12];
    __shared__ __align__(16) float x1_panel[8 * 36];
    __shared__ __align__(16) float acc_parts[8 * 4 * 2 * 5];
    const int oh = (int)blockIdx.x / 2;
    const int co_u = (int)blockIdx.x % 2;
    float acc[5];
    {
        const int co_p_i = (int)threadIdx.x / 8;
        const int n_i = (int)threadIdx.x / 2 % 4;
        const int ow_i_o = (int)threadIdx.x % 2;
        const float t = x2[co_u * 8 + co_p_i];
        if (n_i < 3) {
            #pragma unroll
            for (int ow_i_i = 0; ow_i_i < 5; ++ow_i_i) {
                if (ow_i_o * 5 + ow_i_i < 9) {
                    acc[ow_i_i] = t;
                }
            }
        }
    }
    if (threadIdx.x < 54) {
        const int p1_0 = (int)threadIdx.x / 18;
        const int p2_0 = (int)threadIdx.x / 6 % 3;
        const int p3_0_t = (int)threadIdx.x % 6;
        #pragma unroll
        for (int p0_0_r = 0; p0_0_r < 4; ++p0_0_r) {
            #pragma unroll
            for (int p3_0_r = 0; p3_0_r < 2; ++p3_0_r) {
                float x0_panel_held = 0.0f;
                if (p0_0_r < 3 && oh + p2_0 >= 1 && oh + p2_0 < 10 && p3_0_r * 6 + p3_0_t >= 1 && p3_0_r * 6 + p3_0_t < 10) {
                    x0_panel_held = x0[p0_0_r * 486 + co_u * 243 + p1_0 * 81 + oh * 9 + p2_0 * 9 + p3_0_r * 6 + p3_0_t - 10];
                }
                x0_panel[p0_0_r * 108 + p1_0 * 36 + p2_0 * 12 + p3_0_r * 6 + p3_0_t] = x0_panel_held;
            }
        }
    }
    if (threadIdx.x < 54) {
        const int p0_1_t_p1_1 = (int)threadIdx.x / 9;
        const int p2_1_p3_1 = (int)threadIdx.x % 9;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 4; ++p0_1_r) {
            x1_panel[p0_1_r * 72 + p0_1_t_p1_1 * 12 + p2_1_p3_1] = x1[co_u * 216 + p0_1_r * 54 + p0_1_t_p1_1 * 9 + p2_1_p3_1];
        }
    }
    __syncthreads();
    {
        const int co_p_i = (int)threadIdx.x / 8;
        const int n_i = (int)threadIdx.x / 2 % 4;
        const int ow_i_o = (int)threadIdx.x % 2;
        for (int ci_i = 0; ci_i < 3; ++ci_i) {
            for (int kh = max(0, -oh + 1); kh < min(3, -oh + 10); ++kh) {
                #pragma unroll
                for (int kw = 0; kw < 3; ++kw) {
                    const float t2 = x1_panel[co_p_i * 36 + ci_i * 12 + kh * 3 + kw];
                    #pragma unroll
                    for (int ow_i_i = 0; ow_i_i < 5; ++ow_i_i) {
                        const float t1 = x0_panel[n_i * 108 + ci_i * 36 + kh * 12 + ow_i_o * 5 + kw + ow_i_i];
                        acc[ow_i_i] = fmaf(t1, t2, acc[ow_i_i]);
                    }
                }
            }
        }
    }
    {
        const int co_p_i = (int)threadIdx.x / 8;
        const int n_i = (int)threadIdx.x / 2 % 4;
        const int ow_i_o = (int)threadIdx.x % 2;
        if (n_i < 3) {
            #pragma unroll
            for (int ow_i_i = 0; ow_i_i < 5; ++ow_i_i) {
                if (ow_i_o * 5 + ow_i_i < 9) {
                    acc_parts[co_p_i * 40 + n_i * 10 + ow_i_o * 5 + ow_i_i] = acc[ow_i_i];
                }
            }
        }
    }
    __syncthreads();
    for (int index = threadIdx.x; index < 320; index += 64) {
        const int co_p_i_second = index / 40;
        const int n_i_second = index / 10 % 4;
        const int ow_i_o_second_ow_i_i_second = index % 10;
        if (n_i_second < 3 && ow_i_o_second_ow_i_i_second < 9) {
            y0[n_i_second * 1296 + co_u * 648 + co_p_i_second * 81 + oh * 9 + ow_i_o_second_ow_i_i_second] = acc_parts[co_p_i_second * 40 + n_i_second * 10 + ow_i_o_second_ow_i_i_second];
        }
    }
}
