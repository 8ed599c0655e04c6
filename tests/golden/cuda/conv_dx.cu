// schedule contraction.tiled
//   split(loop=ci, factor=4, outer=ci_o, inner=ci_i, tail=guard)
//   split(loop=ih, factor=2, outer=ih_o, inner=ih_i, tail=guard)
//   split(loop=iw, factor=10, outer=iw_o, inner=iw_i, tail=guard)
//   split(loop=iw_i, factor=5, outer=iw_i_o, inner=iw_i_i, tail=guard)
//   split(loop=co, factor=4, outer=co_o, inner=co_i, tail=guard)
//   split(loop=co_i, factor=1, outer=co_i_o, inner=co_i_i, tail=guard)
//   partial(local=acc, loop=co_i_o, join=co_i_o_s)
//   unroll(loop=co_i_o_s)
//   reorder(loops=(ci_o, n, ih_o, iw_o, ci_i, ih_i, iw_i_o, iw_i_i))
//   detach(loops=(ci_i, ih_i, iw_i_o, iw_i_i), after=2, part=second, mark=.second)
//   reorder(loops=(ci_i.second, ih_i.second, iw_i_o.second, iw_i_i.second))
//   threads(loops=(ci_i.second, ih_i.second, iw_i_o.second, iw_i_i.second), count=64)
//   distribute(loop=iw_i_i, past=(co_o, co_i_o, co_i_i, kh, kw))
//   unroll(loop=iw_i_i)
//   distribute(loop=iw_i_o, past=(co_o, co_i_o))
//   distribute(loop=ih_i, past=(co_o, co_i_o))
//   distribute(loop=ci_i, past=(co_o, co_i_o))
//   panels(loop=co_o, threads=64, across=(co_i_o, ci_i, ih_i, iw_i_o), exact=())
//   pipeline(loop=co_o, double=True, direct=True)
//   unroll(loop=kw)
//   unroll(loop=kh)
//   unroll(loop=co_i_i)
//   threads(loops=(co_i_o, ci_i, ih_i, iw_i_o), count=64)
//   exchange(local=acc)
//   blocks(loops=(ci_o, n, ih_o, iw_o))
// <<<15, 64>>>
// conv_dx
//   15 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64, 1)
mochac_conv_dx_f32_conv_dx_0(
    const float* __restrict__ x0,  // f32[b3,8,8,8]
    const float* __restrict__ x1,  // f32[8,4,3,3]
    float* __restrict__ y0)  // f32[b3,4,10,10]
{
    __shared__ __align__(16) float x0_panel[2 * 4 * 4 * 12];
    __shared__ __align__(16) float x1_panel[2 * 4 * 4 * 12];
    __shared__ __align__(16) float acc_parts[4 * 4 * 2 * 2 * 5];
    const int n = (int)blockIdx.x / 5;
    const int ih_o = (int)blockIdx.x % 5;
    float acc[5];
    {
        #pragma unroll
        for (int iw_i_i = 0; iw_i_i < 5; ++iw_i_i) {
            acc[iw_i_i] = 0.0f;
        }
    }
    {
        const int p1_0 = (int)threadIdx.x / 16;
        const int p2_0 = (int)threadIdx.x / 4 % 4;
        const int p3_0_t = (int)threadIdx.x % 4;
        #pragma unroll
        for (int p3_0_r = 0; p3_0_r < 3; ++p3_0_r) {
            mochac_copy_async<4>(&x0_panel[p1_0 * 48 + p2_0 * 12 + p3_0_r * 4 + p3_0_t], &x0[n * 512 + p1_0 * 64 + ih_o * 16 + p2_0 * 8 + p3_0_r * 4 + p3_0_t - 18], ih_o * 2 + p2_0 >= 2 && ih_o * 2 + p2_0 < 10 && p3_0_r * 4 + p3_0_t >= 2 && p3_0_r * 4 + p3_0_t < 10);
        }
    }
    if (threadIdx.x < 48) {
        const int p0_1_p1_1 = (int)threadIdx.x / 3;
        const int p3_1 = (int)threadIdx.x % 3;
        #pragma unroll
        for (int p2_1_r = 0; p2_1_r < 3; ++p2_1_r) {
            mochac_copy_async<4>(&x1_panel[p0_1_p1_1 * 12 + p2_1_r * 3 + p3_1], &x1[p0_1_p1_1 * 9 + p2_1_r * 3 + p3_1]);
        }
    }
    for (int co_o_h = 0; co_o_h < 2; ++co_o_h) {
        mochac_copies_arrived();
        __syncthreads();
        if (co_o_h < 1) {
            {
                const int p1_0 = (int)threadIdx.x / 16;
                const int p2_0 = (int)threadIdx.x / 4 % 4;
                const int p3_0_t = (int)threadIdx.x % 4;
                #pragma unroll
                for (int p3_0_r = 0; p3_0_r < 3; ++p3_0_r) {
                    mochac_copy_async<4>(&x0_panel[p1_0 * 48 + p2_0 * 12 + p3_0_r * 4 + p3_0_t - co_o_h * 192 + 192], &x0[n * 512 + co_o_h * 256 + p1_0 * 64 + ih_o * 16 + p2_0 * 8 + p3_0_r * 4 + p3_0_t + 238], ih_o * 2 + p2_0 >= 2 && ih_o * 2 + p2_0 < 10 && p3_0_r * 4 + p3_0_t >= 2 && p3_0_r * 4 + p3_0_t < 10);
                }
            }
            if (threadIdx.x < 48) {
                const int p0_1_p1_1 = (int)threadIdx.x / 3;
                const int p3_1 = (int)threadIdx.x % 3;
                #pragma unroll
                for (int p2_1_r = 0; p2_1_r < 3; ++p2_1_r) {
                    mochac_copy_async<4>(&x1_panel[p0_1_p1_1 * 12 + p2_1_r * 3 + p3_1 - co_o_h * 192 + 192], &x1[co_o_h * 144 + p0_1_p1_1 * 9 + p2_1_r * 3 + p3_1 + 144]);
                }
            }
        }
        {
            const int co_i_o = (int)threadIdx.x / 16;
            const int ci_i = (int)threadIdx.x / 4 % 4;
            const int ih_i = (int)threadIdx.x / 2 % 2;
            const int iw_i_o = (int)threadIdx.x % 2;
            #pragma unroll
            for (int kh = 0; kh < 3; ++kh) {
                #pragma unroll
                for (int kw = 0; kw < 3; ++kw) {
                    const float t1 = x1_panel[co_o_h * 192 + co_i_o * 48 + ci_i * 12 + kh * 3 + kw];
                    #pragma unroll
                    for (int iw_i_i = 0; iw_i_i < 5; ++iw_i_i) {
                        const float t = x0_panel[co_o_h * 192 + co_i_o * 48 + ih_i * 12 + iw_i_o * 5 + iw_i_i - kh * 12 - kw + 26];
                        acc[iw_i_i] = fmaf(t, t1, acc[iw_i_i]);
                    }
                }
            }
        }
    }
    {
        const int co_i_o = (int)threadIdx.x / 16;
        const int ci_i = (int)threadIdx.x / 4 % 4;
        const int ih_i = (int)threadIdx.x / 2 % 2;
        const int iw_i_o = (int)threadIdx.x % 2;
        #pragma unroll
        for (int iw_i_i = 0; iw_i_i < 5; ++iw_i_i) {
            acc_parts[co_i_o * 80 + ci_i * 20 + ih_i * 10 + iw_i_o * 5 + iw_i_i] = acc[iw_i_i];
        }
    }
    mochac_copies_arrived();
    __syncthreads();
    for (int index = threadIdx.x; index < 80; index += 64) {
        const int ci_i_second = index / 20;
        const int ih_i_second_iw_i_o_second_iw_i_i_second = index % 20;
        float acc_sum = 0.0f;
        #pragma unroll
        for (int co_i_o_s_second = 0; co_i_o_s_second < 4; ++co_i_o_s_second) {
            const float acc_part = acc_parts[co_i_o_s_second * 80 + ci_i_second * 20 + ih_i_second_iw_i_o_second_iw_i_i_second];
            acc_sum = acc_part + acc_sum;
        }
        y0[n * 400 + ci_i_second * 100 + ih_o * 20 + ih_i_second_iw_i_o_second_iw_i_i_second] = acc_sum;
    }
}
