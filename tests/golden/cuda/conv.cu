// schedule contraction.tiled
//   split(loop=co, factor=10, outer=co_o, inner=co_i, tail=guard)
//   split(loop=co_i, factor=2, outer=co_i_o, inner=co_i_i, tail=guard)
//   split(loop=oh, factor=4, outer=oh_o, inner=oh_i, tail=guard)
//   split(loop=ow, factor=8, outer=ow_o, inner=ow_i, tail=guard)
//   split(loop=ci, factor=3, outer=ci_o, inner=ci_i, tail=guard)
//   reorder(loops=(co_o, n, oh_o, ow_o, co_i_i, oh_i, ow_i, co_i_o))
//   distribute(loop=co_i_o, past=(ci_o, ci_i, kh, kw))
//   unroll(loop=co_i_o)
//   distribute(loop=ow_i, past=(ci_o))
//   distribute(loop=oh_i, past=(ci_o))
//   distribute(loop=co_i_i, past=(ci_o))
//   panels(loop=ci_o, threads=64, across=(co_i_i, oh_i, ow_i), exact=())
//   unroll(loop=kw)
//   unroll(loop=kh)
//   unroll(loop=ci_i)
//   threads(loops=(co_i_i, oh_i, ow_i), count=64)
//   blocks(loops=(co_o, n, oh_o, ow_o))
// <<<10, 64>>>
// conv
//   10 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64, 1)
mochac_conv_f32_conv_0(
    const float* __restrict__ x0,  // f32[b5,3,12,12]
    const float* __restrict__ x1,  // f32[9,3,5,5]
    const float* __restrict__ x2,  // f32[9]
    float* __restrict__ y0)  // f32[b5,9,8,8]
{
    __shared__ __align__(16) float x0_panel[3 * 8 * 12];
    __shared__ __align__(16) float x1_panel[10 * 84];
    const int n = (int)blockIdx.x / 2;
    const int oh_o = (int)blockIdx.x % 2;
    float acc[5];
    {
        const int co_i_i = (int)threadIdx.x / 32;
        #pragma unroll
        for (int co_i_o = 0; co_i_o < 5; ++co_i_o) {
            if (co_i_o * 2 + co_i_i < 9) {
                acc[co_i_o] = x2[co_i_o * 2 + co_i_i];
            }
        }
    }
    if (threadIdx.x < 48) {
        const int p1_0_t = (int)threadIdx.x / 24;
        const int p2_0_p3_0_t = (int)threadIdx.x % 24;
        #pragma unroll
        for (int p1_0_r = 0; p1_0_r < 2; ++p1_0_r) {
            if (p1_0_r * 2 + p1_0_t < 3) {
                *(float4*)&x0_panel[p1_0_r * 192 + p1_0_t * 96 + p2_0_p3_0_t * 4] = *(const float4*)&x0[n * 432 + p1_0_r * 288 + p1_0_t * 144 + oh_o * 48 + p2_0_p3_0_t * 4];
            }
        }
    }
    if (threadIdx.x < 50) {
        const int p0_1_t = (int)threadIdx.x / 25;
        const int p2_1_p3_1 = (int)threadIdx.x % 25;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 5; ++p0_1_r) {
            #pragma unroll
            for (int p1_1_r = 0; p1_1_r < 3; ++p1_1_r) {
                float x1_panel_held = 0.0f;
                if (p0_1_r * 2 + p0_1_t < 9) {
                    x1_panel_held = x1[p0_1_r * 150 + p0_1_t * 75 + p1_1_r * 25 + p2_1_p3_1];
                }
                x1_panel[p0_1_r * 168 + p0_1_t * 84 + p1_1_r * 28 + p2_1_p3_1] = x1_panel_held;
            }
        }
    }
    __syncthreads();
    {
        const int co_i_i = (int)threadIdx.x / 32;
        const int oh_i = (int)threadIdx.x / 8 % 4;
        const int ow_i = (int)threadIdx.x % 8;
        #pragma unroll
        for (int ci_i = 0; ci_i < 3; ++ci_i) {
            #pragma unroll
            for (int kh = 0; kh < 5; ++kh) {
                #pragma unroll
                for (int kw = 0; kw < 5; ++kw) {
                    const float t1 = x0_panel[ci_i * 96 + kh * 12 + oh_i * 12 + kw + ow_i];
                    #pragma unroll
                    for (int co_i_o = 0; co_i_o < 5; ++co_i_o) {
                        acc[co_i_o] = fmaf(t1, x1_panel[co_i_o * 168 + co_i_i * 84 + ci_i * 28 + kh * 5 + kw], acc[co_i_o]);
                    }
                }
            }
        }
    }
    {
        const int co_i_i = (int)threadIdx.x / 32;
        const int oh_i = (int)threadIdx.x / 8 % 4;
        const int ow_i = (int)threadIdx.x % 8;
        #pragma unroll
        for (int co_i_o = 0; co_i_o < 5; ++co_i_o) {
            if (co_i_o * 2 + co_i_i < 9) {
                y0[n * 576 + co_i_o * 128 + co_i_i * 64 + oh_o * 32 + oh_i * 8 + ow_i] = acc[co_i_o];
            }
        }
    }
}
