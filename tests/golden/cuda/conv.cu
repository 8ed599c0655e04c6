// schedule contraction.tiled
//   split(loop=co, factor=4, outer=co_o, inner=co_i, tail=guard)
//   split(loop=oh, factor=8, outer=oh_o, inner=oh_i, tail=guard)
//   split(loop=ow, factor=8, outer=ow_o, inner=ow_i, tail=guard)
//   split(loop=ow_i, factor=4, outer=ow_i_o, inner=ow_i_i, tail=guard)
//   split(loop=ci, factor=3, outer=ci_o, inner=ci_i, tail=guard)
//   reorder(loops=(co_o, n, oh_o, ow_o, co_i, oh_i, ow_i_o, ow_i_i))
//   detach(loops=(co_i, oh_i, ow_i_o, ow_i_i), after=3, part=second, mark=.second)
//   reorder(loops=(co_i.second, oh_i.second, ow_i_o.second, ow_i_i.second))
//   threads(loops=(co_i.second, oh_i.second, ow_i_o.second, ow_i_i.second), count=64)
//   distribute(loop=ow_i_i, past=(ci_o, ci_i, kh, kw))
//   unroll(loop=ow_i_i)
//   distribute(loop=ow_i_o, past=(ci_o))
//   distribute(loop=oh_i, past=(ci_o))
//   distribute(loop=co_i, past=(ci_o))
//   panels(loop=ci_o, threads=64, across=(co_i, oh_i, ow_i_o), exact=())
//   unroll(loop=kw)
//   unroll(loop=kh)
//   unroll(loop=ci_i)
//   threads(loops=(co_i, oh_i, ow_i_o), count=64)
//   exchange(local=acc)
//   blocks(loops=(co_o, n, oh_o, ow_o))
// <<<15, 64>>>
// conv
//   15 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64, 1)
mochac_conv_f32_conv_0(
    const float* __restrict__ x0,  // f32[b5,3,12,12]
    const float* __restrict__ x1,  // f32[9,3,5,5]
    const float* __restrict__ x2,  // f32[9]
    float* __restrict__ y0)  // f32[b5,9,8,8]
{
    __shared__ __align__(16) float x0_panel[3 * 12 * 12];
    __shared__ __align__(16) float x1_panel[4 * 84];
    __shared__ __align__(16) float acc_parts[4 * 8 * 2 * 4];
    const int co_o = (int)blockIdx.x / 5;
    const int n = (int)blockIdx.x % 5;
    float acc[4];
    {
        const int co_i = (int)threadIdx.x / 16;
        if (co_o * 4 + co_i < 9) {
            const float t = x2[co_o * 4 + co_i];
            #pragma unroll
            for (int ow_i_i = 0; ow_i_i < 4; ++ow_i_i) {
                acc[ow_i_i] = t;
            }
        }
    }
    if (threadIdx.x < 54) {
        const int p1_0 = (int)threadIdx.x / 18;
        const int p2_0_t_p3_0_t = (int)threadIdx.x % 18;
        #pragma unroll
        for (int p2_0_r = 0; p2_0_r < 2; ++p2_0_r) {
            *(float4*)&x0_panel[p1_0 * 144 + p2_0_r * 72 + p2_0_t_p3_0_t * 4] = *(const float4*)&x0[n * 432 + p1_0 * 144 + p2_0_r * 72 + p2_0_t_p3_0_t * 4];
        }
    }
    if (threadIdx.x < 60) {
        const int p0_1 = (int)threadIdx.x / 15;
        const int p1_1 = (int)threadIdx.x / 5 % 3;
        const int p3_1 = (int)threadIdx.x % 5;
        #pragma unroll
        for (int p2_1_r = 0; p2_1_r < 5; ++p2_1_r) {
            float x1_panel_held = 0.0f;
            if (co_o * 4 + p0_1 < 9) {
                x1_panel_held = x1[co_o * 300 + p0_1 * 75 + p1_1 * 25 + p2_1_r * 5 + p3_1];
            }
            x1_panel[p0_1 * 84 + p1_1 * 28 + p2_1_r * 5 + p3_1] = x1_panel_held;
        }
    }
    __syncthreads();
    {
        const int co_i = (int)threadIdx.x / 16;
        const int oh_i = (int)threadIdx.x / 2 % 8;
        const int ow_i_o = (int)threadIdx.x % 2;
        #pragma unroll
        for (int ci_i = 0; ci_i < 3; ++ci_i) {
            #pragma unroll
            for (int kh = 0; kh < 5; ++kh) {
                #pragma unroll
                for (int kw = 0; kw < 5; ++kw) {
                    const float t2 = x1_panel[co_i * 84 + ci_i * 28 + kh * 5 + kw];
                    #pragma unroll
                    for (int ow_i_i = 0; ow_i_i < 4; ++ow_i_i) {
                        const float t1 = x0_panel[ci_i * 144 + kh * 12 + oh_i * 12 + ow_i_o * 4 + kw + ow_i_i];
                        acc[ow_i_i] = fmaf(t1, t2, acc[ow_i_i]);
                    }
                }
            }
        }
    }
    {
        const int co_i = (int)threadIdx.x / 16;
        const int oh_i = (int)threadIdx.x / 2 % 8;
        const int ow_i_o = (int)threadIdx.x % 2;
        if (co_o * 4 + co_i < 9) {
            #pragma unroll
            for (int ow_i_i = 0; ow_i_i < 4; ++ow_i_i) {
                acc_parts[co_i * 64 + oh_i * 8 + ow_i_o * 4 + ow_i_i] = acc[ow_i_i];
            }
        }
    }
    __syncthreads();
    for (int index = threadIdx.x; index < 256; index += 64) {
        const int co_i_second = index / 64;
        const int oh_i_second_ow_i_o_second_ow_i_i_second = index % 64;
        if (co_o * 4 + co_i_second < 9) {
            y0[n * 576 + co_o * 256 + co_i_second * 64 + oh_i_second_ow_i_o_second_ow_i_i_second] = acc_parts[co_i_second * 64 + oh_i_second_ow_i_o_second_ow_i_i_second];
        }
    }
}
