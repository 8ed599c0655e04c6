// schedule contraction.split-sum
//   reorder(loops=(kh, kw, ci, co))
//   split(loop=n, factor=3, outer=n_o, inner=n_i, tail=guard)
//   reorder(loops=(n_o, n_i, oh, ow))
//   split_sum(locals=(acc), loop=n_o, mark=.s)
//   split(loop=kw, factor=4, outer=kw_o, inner=kw_i, tail=guard)
//   split(loop=ci, factor=4, outer=ci_o, inner=ci_i, tail=guard)
//   split(loop=co, factor=20, outer=co_o, inner=co_i, tail=guard)
//   split(loop=co_i, factor=4, outer=co_i_o, inner=co_i_i, tail=guard)
//   split(loop=n_i, factor=3, outer=n_i_o, inner=n_i_i, tail=guard)
//   reorder(loops=(n_o, kh, kw_o, ci_o, co_o, kw_i, ci_i, co_i_i, co_i_o))
//   distribute(loop=co_i_o, past=(n_i_o, n_i_i, oh, ow))
//   unroll(loop=co_i_o)
//   distribute(loop=co_i_i, past=(n_i_o))
//   distribute(loop=ci_i, past=(n_i_o))
//   distribute(loop=kw_i, past=(n_i_o))
//   panels(loop=n_i_o, threads=64, across=(kw_i, ci_i, co_i_i), exact=())
//   unroll(loop=ow)
//   unroll(loop=oh)
//   unroll(loop=n_i_i)
//   threads(loops=(kw_i, ci_i, co_i_i), count=64)
//   blocks(loops=(n_o, kh, kw_o, ci_o, co_o))
//   unroll(loop=n_o.s)
//   parallel(loops=(kh.s, kw.s, ci.s, co.s))
// <<<9, 64>>>
// <<<3, 256>>>
// conv_dw
//   9 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64, 1)
mochac_conv_dw_split_f32_conv_dw_0_parts(
    const float* __restrict__ x0,  // f32[b9,3,9,9]
    const float* __restrict__ x1,  // f32[b9,20,7,7]
    float* __restrict__ y0_parts)  // f32[3,3,3,3,20]
{
    __shared__ __align__(16) float x0_panel[3 * 4 * 7 * 12];
    __shared__ __align__(16) float x1_panel[3 * 20 * 52];
    const int n_o = (int)blockIdx.x / 3;
    const int kh = (int)blockIdx.x % 3;
    float acc[5];
    {
        const int kw_i = (int)threadIdx.x / 16;
        const int ci_i = (int)threadIdx.x / 4 % 4;
        if (kw_i < 3 && ci_i < 3) {
            #pragma unroll
            for (int co_i_o = 0; co_i_o < 5; ++co_i_o) {
                acc[co_i_o] = 0.0f;
            }
        }
    }
    if (threadIdx.x < 60) {
        const int p0_0 = (int)threadIdx.x / 20;
        const int p1_0_t = (int)threadIdx.x / 10 % 2;
        const int p3_0 = (int)threadIdx.x % 10;
        #pragma unroll
        for (int p1_0_r = 0; p1_0_r < 2; ++p1_0_r) {
            #pragma unroll
            for (int p2_0_r = 0; p2_0_r < 7; ++p2_0_r) {
                float x0_panel_held = 0.0f;
                if (p1_0_r * 2 + p1_0_t < 3 && p3_0 < 9) {
                    x0_panel_held = x0[n_o * 729 + p0_0 * 243 + p1_0_r * 162 + p1_0_t * 81 + kh * 9 + p2_0_r * 9 + p3_0];
                }
                x0_panel[p0_0 * 336 + p1_0_r * 168 + p1_0_t * 84 + p2_0_r * 12 + p3_0] = x0_panel_held;
            }
        }
    }
    if (threadIdx.x < 63) {
        const int p0_1 = (int)threadIdx.x / 21;
        const int p1_1_t = (int)threadIdx.x / 7 % 3;
        const int p3_1 = (int)threadIdx.x % 7;
        #pragma unroll
        for (int p1_1_r = 0; p1_1_r < 7; ++p1_1_r) {
            #pragma unroll
            for (int p2_1_r = 0; p2_1_r < 7; ++p2_1_r) {
                if (p1_1_r * 3 + p1_1_t < 20) {
                    x1_panel[p0_1 * 1040 + p1_1_r * 156 + p1_1_t * 52 + p2_1_r * 7 + p3_1] = x1[n_o * 2940 + p0_1 * 980 + p1_1_r * 147 + p1_1_t * 49 + p2_1_r * 7 + p3_1];
                }
            }
        }
    }
    __syncthreads();
    {
        const int kw_i = (int)threadIdx.x / 16;
        const int ci_i = (int)threadIdx.x / 4 % 4;
        const int co_i_i = (int)threadIdx.x % 4;
        #pragma unroll
        for (int n_i_i = 0; n_i_i < 3; ++n_i_i) {
            #pragma unroll
            for (int oh = 0; oh < 7; ++oh) {
                #pragma unroll
                for (int ow = 0; ow < 7; ++ow) {
                    const float t = x0_panel[n_i_i * 336 + ci_i * 84 + oh * 12 + kw_i + ow];
                    #pragma unroll
                    for (int co_i_o = 0; co_i_o < 5; ++co_i_o) {
                        const float t1 = x1_panel[n_i_i * 1040 + co_i_o * 208 + co_i_i * 52 + oh * 7 + ow];
                        acc[co_i_o] = fmaf(t, t1, acc[co_i_o]);
                    }
                }
            }
        }
    }
    {
        const int kw_i = (int)threadIdx.x / 16;
        const int ci_i = (int)threadIdx.x / 4 % 4;
        const int co_i_i = (int)threadIdx.x % 4;
        if (kw_i < 3 && ci_i < 3) {
            #pragma unroll
            for (int co_i_o = 0; co_i_o < 5; ++co_i_o) {
                y0_parts[n_o * 540 + kh * 180 + kw_i * 60 + ci_i * 20 + co_i_o * 4 + co_i_i] = acc[co_i_o];
            }
        }
    }
}

// conv_dw
//   3 blocks of 256 threads
extern "C" __global__ void __launch_bounds__(256)
mochac_conv_dw_split_f32_conv_dw_0(
    const float* __restrict__ y0_parts,  // f32[3,3,3,3,20]
    float* __restrict__ y0)  // f32[20,3,3,3]
{
    const int item = blockIdx.x * blockDim.x + threadIdx.x;
    if (item >= 540) return;
    const int kh_s_kw_s = item / 60;
    const int ci_s = item / 20 % 3;
    const int co_s = item % 20;
    float acc_sum = 0.0f;
    #pragma unroll
    for (int n_o_s = 0; n_o_s < 3; ++n_o_s) {
        acc_sum = y0_parts[n_o_s * 540 + kh_s_kw_s * 60 + ci_s * 20 + co_s] + acc_sum;
    }
    y0[co_s * 27 + ci_s * 9 + kh_s_kw_s] = acc_sum;
}
