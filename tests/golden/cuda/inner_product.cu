// schedule contraction.tiled
//   split(loop=n, factor=8, outer=n_o, inner=n_i, tail=guard)
//   split(loop=n_i, factor=4, outer=n_i_o, inner=n_i_i, tail=guard)
//   split(loop=o, factor=20, outer=o_o, inner=o_i, tail=guard)
//   split(loop=o_i, factor=4, outer=o_i_o, inner=o_i_i, tail=guard)
//   split(loop=f, factor=20, outer=f_o, inner=f_i, tail=guard)
//   split(loop=f_i, factor=4, outer=f_i_o, inner=f_i_i, tail=guard)
//   partial(local=acc, loop=f_i_o, join=f_i_o_s)
//   unroll(loop=f_i_o_s)
//   reorder(loops=(n_o, o_o, n_i_i, o_i_i, n_i_o, o_i_o))
//   detach(loops=(n_i_i, o_i_i, n_i_o, o_i_o), after=3, part=second, mark=.second)
//   reorder(loops=(n_i_o.second, n_i_i.second, o_i_o.second, o_i_i.second))
//   threads(loops=(n_i_o.second, n_i_i.second, o_i_o.second, o_i_i.second), count=80)
//   distribute(loop=o_i_o, past=(f_o, f_i_o, f_i_i))
//   distribute(loop=n_i_o, past=(f_o, f_i_o, f_i_i))
//   unroll(loop=o_i_o)
//   unroll(loop=n_i_o)
//   distribute(loop=o_i_i, past=(f_o, f_i_o))
//   distribute(loop=n_i_i, past=(f_o, f_i_o))
//   panels(loop=f_o, threads=80, across=(f_i_o, n_i_i, o_i_i), exact=())
//   pipeline(loop=f_o, double=True, direct=True)
//   unroll(loop=f_i_i)
//   threads(loops=(f_i_o, n_i_i, o_i_i), count=80)
//   exchange(local=acc)
//   blocks(loops=(n_o, o_o))
// <<<18, 80>>>
// inner_product
//   18 blocks of 80 threads
extern "C" __global__ void __launch_bounds__(80, 1)
mochac_inner_product_f32_inner_product_0(
    const float* __restrict__ x0,  // f32[b70,40]
    const float* __restrict__ x1,  // f32[33,40]
    const float* __restrict__ x2,  // f32[33]
    float* __restrict__ y0)  // f32[b70,33]
{
    __shared__ __align__(16) float x0_panel[2 * 8 * 20];
    __shared__ __align__(16) float x1_panel[2 * 20 * 20];
    __shared__ __align__(16) float acc_parts[5 * 2 * 4 * 5 * 4];
    const int n_o = (int)blockIdx.x / 2;
    const int o_o = (int)blockIdx.x % 2;
    float acc[2][5];
    {
        const int n_i_i = (int)threadIdx.x / 4 % 4;
        const int o_i_i = (int)threadIdx.x % 4;
        #pragma unroll
        for (int n_i_o = 0; n_i_o < 2; ++n_i_o) {
            if (n_o * 8 + n_i_o * 4 + n_i_i < 70) {
                #pragma unroll
                for (int o_i_o = 0; o_i_o < 5; ++o_i_o) {
                    if (o_o * 20 + o_i_o * 4 + o_i_i < 33) {
                        acc[n_i_o][o_i_o] = 0.0f;
                    }
                }
            }
        }
    }
    if (threadIdx.x < 40) {
        const int p0_0 = (int)threadIdx.x / 5;
        const int p1_0_t = (int)threadIdx.x % 5;
        mochac_copy_async<16>(&x0_panel[p0_0 * 20 + p1_0_t * 4], &x0[n_o * 320 + p0_0 * 40 + p1_0_t * 4], n_o * 8 + p0_0 < 70);
    }
    if (threadIdx.x < 50) {
        const int p0_1_t = (int)threadIdx.x / 5;
        const int p1_1_t = (int)threadIdx.x % 5;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
            mochac_copy_async<16>(&x1_panel[p0_1_r * 200 + p0_1_t * 20 + p1_1_t * 4], &x1[o_o * 800 + p0_1_r * 400 + p0_1_t * 40 + p1_1_t * 4], o_o * 20 + p0_1_r * 10 + p0_1_t < 33);
        }
    }
    for (int f_o_h = 0; f_o_h < 2; ++f_o_h) {
        mochac_copies_arrived();
        __syncthreads();
        if (f_o_h < 1) {
            if (threadIdx.x < 40) {
                const int p0_0 = (int)threadIdx.x / 5;
                const int p1_0_t = (int)threadIdx.x % 5;
                mochac_copy_async<16>(&x0_panel[p0_0 * 20 + p1_0_t * 4 - f_o_h * 160 + 160], &x0[n_o * 320 + p0_0 * 40 + f_o_h * 20 + p1_0_t * 4 + 20], n_o * 8 + p0_0 < 70);
            }
            if (threadIdx.x < 50) {
                const int p0_1_t = (int)threadIdx.x / 5;
                const int p1_1_t = (int)threadIdx.x % 5;
                #pragma unroll
                for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
                    mochac_copy_async<16>(&x1_panel[p0_1_r * 200 + p0_1_t * 20 + p1_1_t * 4 - f_o_h * 400 + 400], &x1[o_o * 800 + p0_1_r * 400 + p0_1_t * 40 + f_o_h * 20 + p1_1_t * 4 + 20], o_o * 20 + p0_1_r * 10 + p0_1_t < 33);
                }
            }
        }
        {
            const int f_i_o = (int)threadIdx.x / 16;
            const int n_i_i = (int)threadIdx.x / 4 % 4;
            const int o_i_i = (int)threadIdx.x % 4;
            #pragma unroll
            for (int f_i_i = 0; f_i_i < 4; ++f_i_i) {
                #pragma unroll
                for (int n_i_o = 0; n_i_o < 2; ++n_i_o) {
                    const float t1 = x0_panel[f_o_h * 160 + n_i_o * 80 + n_i_i * 20 + f_i_o * 4 + f_i_i];
                    #pragma unroll
                    for (int o_i_o = 0; o_i_o < 5; ++o_i_o) {
                        const float t2 = x1_panel[f_o_h * 400 + o_i_o * 80 + o_i_i * 20 + f_i_o * 4 + f_i_i];
                        acc[n_i_o][o_i_o] = fmaf(t1, t2, acc[n_i_o][o_i_o]);
                    }
                }
            }
        }
    }
    {
        const int f_i_o = (int)threadIdx.x / 16;
        const int n_i_i = (int)threadIdx.x / 4 % 4;
        const int o_i_i = (int)threadIdx.x % 4;
        #pragma unroll
        for (int n_i_o = 0; n_i_o < 2; ++n_i_o) {
            if (n_o * 8 + n_i_o * 4 + n_i_i < 70) {
                #pragma unroll
                for (int o_i_o = 0; o_i_o < 5; ++o_i_o) {
                    if (o_o * 20 + o_i_o * 4 + o_i_i < 33) {
                        acc_parts[f_i_o * 160 + n_i_o * 80 + n_i_i * 20 + o_i_o * 4 + o_i_i] = acc[n_i_o][o_i_o];
                    }
                }
            }
        }
    }
    mochac_copies_arrived();
    __syncthreads();
    for (int index = threadIdx.x; index < 160; index += 80) {
        const int n_i_o_second_n_i_i_second = index / 20;
        const int o_i_o_second_o_i_i_second = index % 20;
        if (n_o * 8 + n_i_o_second_n_i_i_second < 70 && o_o * 20 + o_i_o_second_o_i_i_second < 33) {
            float acc_sum = x2[o_o * 20 + o_i_o_second_o_i_i_second];
            #pragma unroll
            for (int f_i_o_s_second = 0; f_i_o_s_second < 5; ++f_i_o_s_second) {
                const float acc_part = acc_parts[f_i_o_s_second * 160 + n_i_o_second_n_i_i_second * 20 + o_i_o_second_o_i_i_second];
                acc_sum = acc_part + acc_sum;
            }
            y0[n_o * 264 + n_i_o_second_n_i_i_second * 33 + o_o * 20 + o_i_o_second_o_i_i_second] = acc_sum;
        }
    }
}
