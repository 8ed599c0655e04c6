// schedule contraction.tiled
//   split(loop=co, factor=8, outer=co_o, inner=co_i, tail=guard)
//   split(loop=co_i, factor=4, outer=co_i_o, inner=co_i_i, tail=guard)
//   split(loop=n, factor=4, outer=n_o, inner=n_i, tail=guard)
//   split(loop=ow, factor=10, outer=ow_o, inner=ow_i, tail=guard)
//   split(loop=ow_i, factor=5, outer=ow_i_o, inner=ow_i_i, tail=guard)
//   split(loop=ci, factor=4, outer=ci_o, inner=ci_i, tail=guard)
//   split(loop=ci_i, factor=1, outer=ci_i_o, inner=ci_i_i, tail=guard)
//   partial(local=acc, loop=ci_i_o, join=ci_i_o_s)
//   unroll(loop=ci_i_o_s)
//   reorder(loops=(oh, co_o, n_o, ow_o, co_i_i, n_i, ow_i_o, co_i_o, ow_i_i))
//   detach(loops=(co_i_i, n_i, ow_i_o, co_i_o, ow_i_i), after=2, part=second, mark=.second)
//   reorder(loops=(co_i_o.second, co_i_i.second, n_i.second, ow_i_o.second, ow_i_i.second))
//   threads(loops=(co_i_o.second, co_i_i.second, n_i.second, ow_i_o.second, ow_i_i.second), count=128)
//   distribute(loop=ow_i_i, past=(ci_o, ci_i_o, ci_i_i, kh, kw))
//   distribute(loop=co_i_o, past=(ci_o, ci_i_o, ci_i_i, kh, kw))
//   unroll(loop=ow_i_i)
//   unroll(loop=co_i_o)
//   distribute(loop=ow_i_o, past=(ci_o, ci_i_o))
//   distribute(loop=n_i, past=(ci_o, ci_i_o))
//   distribute(loop=co_i_i, past=(ci_o, ci_i_o))
//   panels(loop=ci_o, threads=128, across=(ci_i_o, co_i_i, n_i, ow_i_o), exact=(kh))
//   clip(loop=kh)
//   unroll(loop=kw)
//   threads(loops=(ci_i_o, co_i_i, n_i, ow_i_o), count=128)
//   exchange(local=acc)
//   blocks(loops=(oh, co_o, n_o, ow_o))
// <<<9, 128>>>
// conv
//   9 blocks of 128 threads
extern "C" __global__ void __launch_bounds__(128, 1)
mochac_conv_padded_f32_conv_0(
    const float* __restrict__ x0,  // f32[b3,4,9,10]
    const float* __restrict__ x1,  // f32[8,4,3,3]
    float* __restrict__ y0)  // f32[b3,8,9,10]
{
    __shared__ __align__(16) float x0_panel[4 * 5 * 3 * 12];
    __shared__ __align__(16) float x1_panel[8 * 52];
    __shared__ __align__(16) float acc_parts[4 * 2 * 4 * 4 * 2 * 5];
    const int oh = (int)blockIdx.x;
    float acc[2][5];
    {
        const int n_i = (int)threadIdx.x / 2 % 4;
        if (n_i < 3) {
            #pragma unroll
            for (int co_i_o = 0; co_i_o < 2; ++co_i_o) {
                #pragma unroll
                for (int ow_i_i = 0; ow_i_i < 5; ++ow_i_i) {
                    acc[co_i_o][ow_i_i] = 0.0f;
                }
            }
        }
    }
    if (threadIdx.x < 96) {
        const int p0_0_t = (int)threadIdx.x / 48;
        const int p1_0 = (int)threadIdx.x / 12 % 4;
        const int p3_0 = (int)threadIdx.x % 12;
        #pragma unroll
        for (int p0_0_r = 0; p0_0_r < 2; ++p0_0_r) {
            #pragma unroll
            for (int p2_0_r = 0; p2_0_r < 3; ++p2_0_r) {
                float x0_panel_held = 0.0f;
                if (p0_0_r * 2 + p0_0_t < 3 && oh + p2_0_r >= 1 && oh + p2_0_r < 10 && p3_0 >= 1 && p3_0 < 11) {
                    x0_panel_held = x0[p0_0_r * 720 + p0_0_t * 360 + p1_0 * 90 + oh * 10 + p2_0_r * 10 + p3_0 - 11];
                }
                x0_panel[p0_0_r * 360 + p0_0_t * 180 + p1_0 * 36 + p2_0_r * 12 + p3_0] = x0_panel_held;
            }
        }
    }
    if (threadIdx.x < 108) {
        const int p0_1_t = (int)threadIdx.x / 36;
        const int p1_1 = (int)threadIdx.x / 9 % 4;
        const int p2_1_p3_1 = (int)threadIdx.x % 9;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 3; ++p0_1_r) {
            if (p0_1_r * 3 + p0_1_t < 8) {
                x1_panel[p0_1_r * 156 + p0_1_t * 52 + p1_1 * 12 + p2_1_p3_1] = x1[p0_1_r * 108 + p0_1_t * 36 + p1_1 * 9 + p2_1_p3_1];
            }
        }
    }
    __syncthreads();
    {
        const int ci_i_o = (int)threadIdx.x / 32;
        const int co_i_i = (int)threadIdx.x / 8 % 4;
        const int n_i = (int)threadIdx.x / 2 % 4;
        const int ow_i_o = (int)threadIdx.x % 2;
        for (int kh = max(0, -oh + 1); kh < min(3, -oh + 10); ++kh) {
            #pragma unroll
            for (int kw = 0; kw < 3; ++kw) {
                #pragma unroll
                for (int co_i_o = 0; co_i_o < 2; ++co_i_o) {
                    const float t1 = x1_panel[co_i_o * 208 + co_i_i * 52 + ci_i_o * 12 + kh * 3 + kw];
                    #pragma unroll
                    for (int ow_i_i = 0; ow_i_i < 5; ++ow_i_i) {
                        const float t = x0_panel[n_i * 180 + ci_i_o * 36 + kh * 12 + ow_i_o * 5 + kw + ow_i_i];
                        acc[co_i_o][ow_i_i] = fmaf(t, t1, acc[co_i_o][ow_i_i]);
                    }
                }
            }
        }
    }
    {
        const int ci_i_o = (int)threadIdx.x / 32;
        const int co_i_i = (int)threadIdx.x / 8 % 4;
        const int n_i = (int)threadIdx.x / 2 % 4;
        const int ow_i_o = (int)threadIdx.x % 2;
        if (n_i < 3) {
            #pragma unroll
            for (int co_i_o = 0; co_i_o < 2; ++co_i_o) {
                #pragma unroll
                for (int ow_i_i = 0; ow_i_i < 5; ++ow_i_i) {
                    acc_parts[ci_i_o * 320 + co_i_o * 160 + co_i_i * 40 + n_i * 10 + ow_i_o * 5 + ow_i_i] = acc[co_i_o][ow_i_i];
                }
            }
        }
    }
    __syncthreads();
    for (int index = threadIdx.x; index < 320; index += 128) {
        const int co_i_o_second_co_i_i_second = index / 40;
        const int n_i_second = index / 10 % 4;
        const int ow_i_o_second_ow_i_i_second = index % 10;
        if (n_i_second < 3) {
            float acc_sum = 0.0f;
            #pragma unroll
            for (int ci_i_o_s_second = 0; ci_i_o_s_second < 4; ++ci_i_o_s_second) {
                const float acc_part = acc_parts[ci_i_o_s_second * 320 + co_i_o_second_co_i_i_second * 40 + n_i_second * 10 + ow_i_o_second_ow_i_i_second];
                acc_sum = acc_part + acc_sum;
            }
            y0[n_i_second * 720 + co_i_o_second_co_i_i_second * 90 + oh * 10 + ow_i_o_second_ow_i_i_second] = acc_sum;
        }
    }
}
