// schedule contraction.tiled
//   split(loop=co, factor=8, outer=co_o, inner=co_i, tail=guard)
//   split(loop=co_i, factor=4, outer=co_i_o, inner=co_i_i, tail=guard)
//   split(loop=oh, factor=2, outer=oh_o, inner=oh_i, tail=guard)
//   split(loop=ow, factor=10, outer=ow_o, inner=ow_i, tail=guard)
//   split(loop=ow_i, factor=5, outer=ow_i_o, inner=ow_i_i, tail=guard)
//   split(loop=ci, factor=4, outer=ci_o, inner=ci_i, tail=guard)
//   split(loop=ci_i, factor=1, outer=ci_i_o, inner=ci_i_i, tail=guard)
//   partial(local=acc, loop=ci_i_o, join=ci_i_o_s)
//   unroll(loop=ci_i_o_s)
//   reorder(loops=(co_o, n, oh_o, ow_o, co_i_i, oh_i, ow_i_o, co_i_o, ow_i_i))
//   detach(loops=(co_i_i, oh_i, ow_i_o, co_i_o, ow_i_i), after=2, part=second, mark=.second)
//   reorder(loops=(co_i_o.second, co_i_i.second, oh_i.second, ow_i_o.second, ow_i_i.second))
//   threads(loops=(co_i_o.second, co_i_i.second, oh_i.second, ow_i_o.second, ow_i_i.second), count=64)
//   distribute(loop=ow_i_i, past=(ci_o, ci_i_o, ci_i_i, kh, kw))
//   distribute(loop=co_i_o, past=(ci_o, ci_i_o, ci_i_i, kh, kw))
//   unroll(loop=ow_i_i)
//   unroll(loop=co_i_o)
//   distribute(loop=ow_i_o, past=(ci_o, ci_i_o))
//   distribute(loop=oh_i, past=(ci_o, ci_i_o))
//   distribute(loop=co_i_i, past=(ci_o, ci_i_o))
//   panels(loop=ci_o, threads=64, across=(ci_i_o, co_i_i, oh_i, ow_i_o), exact=())
//   unroll(loop=kw)
//   unroll(loop=kh)
//   unroll(loop=ci_i_i)
//   threads(loops=(ci_i_o, co_i_i, oh_i, ow_i_o), count=64)
//   exchange(local=acc)
//   blocks(loops=(co_o, n, oh_o, ow_o))
// <<<15, 64>>>
// conv
//   15 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64, 1)
mochac_conv_padded_f32_conv_0(
    const float* __restrict__ x0,  // f32[b3,4,9,10]
    const float* __restrict__ x1,  // f32[8,4,3,3]
    float* __restrict__ y0)  // f32[b3,8,9,10]
{
    __shared__ __align__(16) float x0_panel[4 * 4 * 12];
    __shared__ __align__(16) float x1_panel[8 * 52];
    __shared__ __align__(16) float acc_parts[4 * 2 * 4 * 2 * 2 * 5];
    const int n = (int)blockIdx.x / 5;
    const int oh_o = (int)blockIdx.x % 5;
    float acc[2][5];
    {
        const int oh_i = (int)threadIdx.x / 2 % 2;
        if (oh_o * 2 + oh_i < 9) {
            #pragma unroll
            for (int co_i_o = 0; co_i_o < 2; ++co_i_o) {
                #pragma unroll
                for (int ow_i_i = 0; ow_i_i < 5; ++ow_i_i) {
                    acc[co_i_o][ow_i_i] = 0.0f;
                }
            }
        }
    }
    {
        const int p1_0 = (int)threadIdx.x / 16;
        const int p2_0 = (int)threadIdx.x / 4 % 4;
        const int p3_0_t = (int)threadIdx.x % 4;
        #pragma unroll
        for (int p3_0_r = 0; p3_0_r < 3; ++p3_0_r) {
            float x0_panel_held = 0.0f;
            if (oh_o * 2 + p2_0 >= 1 && oh_o * 2 + p2_0 < 10 && p3_0_r * 4 + p3_0_t >= 1 && p3_0_r * 4 + p3_0_t < 11) {
                x0_panel_held = x0[n * 360 + p1_0 * 90 + oh_o * 20 + p2_0 * 10 + p3_0_r * 4 + p3_0_t - 11];
            }
            x0_panel[p1_0 * 48 + p2_0 * 12 + p3_0_r * 4 + p3_0_t] = x0_panel_held;
        }
    }
    if (threadIdx.x < 54) {
        const int p0_1_t = (int)threadIdx.x / 18;
        const int p1_1_t = (int)threadIdx.x / 9 % 2;
        const int p2_1_p3_1 = (int)threadIdx.x % 9;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 3; ++p0_1_r) {
            #pragma unroll
            for (int p1_1_r = 0; p1_1_r < 2; ++p1_1_r) {
                if (p0_1_r * 3 + p0_1_t < 8) {
                    x1_panel[p0_1_r * 156 + p0_1_t * 52 + p1_1_r * 24 + p1_1_t * 12 + p2_1_p3_1] = x1[p0_1_r * 108 + p0_1_t * 36 + p1_1_r * 18 + p1_1_t * 9 + p2_1_p3_1];
                }
            }
        }
    }
    __syncthreads();
    {
        const int ci_i_o = (int)threadIdx.x / 16;
        const int co_i_i = (int)threadIdx.x / 4 % 4;
        const int oh_i = (int)threadIdx.x / 2 % 2;
        const int ow_i_o = (int)threadIdx.x % 2;
        #pragma unroll
        for (int kh = 0; kh < 3; ++kh) {
            #pragma unroll
            for (int kw = 0; kw < 3; ++kw) {
                #pragma unroll
                for (int co_i_o = 0; co_i_o < 2; ++co_i_o) {
                    const float t1 = x1_panel[co_i_o * 208 + co_i_i * 52 + ci_i_o * 12 + kh * 3 + kw];
                    #pragma unroll
                    for (int ow_i_i = 0; ow_i_i < 5; ++ow_i_i) {
                        const float t = x0_panel[ci_i_o * 48 + kh * 12 + oh_i * 12 + ow_i_o * 5 + kw + ow_i_i];
                        acc[co_i_o][ow_i_i] = fmaf(t, t1, acc[co_i_o][ow_i_i]);
                    }
                }
            }
        }
    }
    {
        const int ci_i_o = (int)threadIdx.x / 16;
        const int co_i_i = (int)threadIdx.x / 4 % 4;
        const int oh_i = (int)threadIdx.x / 2 % 2;
        const int ow_i_o = (int)threadIdx.x % 2;
        if (oh_o * 2 + oh_i < 9) {
            #pragma unroll
            for (int co_i_o = 0; co_i_o < 2; ++co_i_o) {
                #pragma unroll
                for (int ow_i_i = 0; ow_i_i < 5; ++ow_i_i) {
                    acc_parts[ci_i_o * 160 + co_i_o * 80 + co_i_i * 20 + oh_i * 10 + ow_i_o * 5 + ow_i_i] = acc[co_i_o][ow_i_i];
                }
            }
        }
    }
    __syncthreads();
    for (int index = threadIdx.x; index < 160; index += 64) {
        const int co_i_o_second_co_i_i_second = index / 20;
        const int oh_i_second = index / 10 % 2;
        const int ow_i_o_second_ow_i_i_second = index % 10;
        if (oh_o * 2 + oh_i_second < 9) {
            float acc_sum = 0.0f;
            #pragma unroll
            for (int ci_i_o_s_second = 0; ci_i_o_s_second < 4; ++ci_i_o_s_second) {
                const float acc_part = acc_parts[ci_i_o_s_second * 160 + co_i_o_second_co_i_i_second * 20 + oh_i_second * 10 + ow_i_o_second_ow_i_i_second];
                acc_sum = acc_part + acc_sum;
            }
            y0[n * 720 + co_i_o_second_co_i_i_second * 90 + oh_o * 20 + oh_i_second * 10 + ow_i_o_second_ow_i_i_second] = acc_sum;
        }
    }
}
