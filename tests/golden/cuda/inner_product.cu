// schedule contraction.tiled
//   split(loop=n, factor=8, outer=n_o, inner=n_i, tail=guard)
//   split(loop=o, factor=40, outer=o_o, inner=o_i, tail=guard)
//   split(loop=o_i, factor=8, outer=o_i_o, inner=o_i_i, tail=guard)
//   split(loop=f, factor=20, outer=f_o, inner=f_i, tail=guard)
//   reorder(loops=(n_o, o_o, n_i, o_i_i, o_i_o))
//   distribute(loop=o_i_o, past=(f_o, f_i))
//   unroll(loop=o_i_o)
//   distribute(loop=o_i_i, past=(f_o))
//   distribute(loop=n_i, past=(f_o))
//   panels(loop=f_o, threads=64, across=(n_i, o_i_i), exact=())
//   pipeline(loop=f_o, double=True)
//   unroll(loop=f_i)
//   threads(loops=(n_i, o_i_i), count=64)
//   blocks(loops=(n_o, o_o))
// <<<9, 64>>>
// inner_product
//   9 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64, 1)
mochac_inner_product_f32_inner_product_0(
    const float* __restrict__ x0,  // f32[b70,40]
    const float* __restrict__ x1,  // f32[33,40]
    const float* __restrict__ x2,  // f32[33]
    float* __restrict__ y0)  // f32[b70,33]
{
    __shared__ __align__(16) float x0_panel[2 * 8 * 20];
    __shared__ __align__(16) float x1_panel[2 * 40 * 20];
    const int n_o = (int)blockIdx.x;
    float acc[5];
    {
        const int n_i = (int)threadIdx.x / 8;
        const int o_i_i = (int)threadIdx.x % 8;
        if (n_o * 8 + n_i < 70) {
            #pragma unroll
            for (int o_i_o = 0; o_i_o < 5; ++o_i_o) {
                if (o_i_o * 8 + o_i_i < 33) {
                    acc[o_i_o] = x2[o_i_o * 8 + o_i_i];
                }
            }
        }
    }
    float4 x0_panel_next;
    if (threadIdx.x < 40) {
        const int p0_0 = (int)threadIdx.x / 5;
        const int p1_0_t = (int)threadIdx.x % 5;
        x0_panel_next = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (n_o * 8 + p0_0 < 70) {
            x0_panel_next = *(const float4*)&x0[n_o * 320 + p0_0 * 40 + p1_0_t * 4];
        }
    }
    float4 x1_panel_next[4];
    if (threadIdx.x < 50) {
        const int p0_1_t = (int)threadIdx.x / 5;
        const int p1_1_t = (int)threadIdx.x % 5;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 4; ++p0_1_r) {
            x1_panel_next[p0_1_r] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            if (p0_1_r * 10 + p0_1_t < 33) {
                x1_panel_next[p0_1_r] = *(const float4*)&x1[p0_1_r * 400 + p0_1_t * 40 + p1_1_t * 4];
            }
        }
    }
    if (threadIdx.x < 40) {
        const int p0_0 = (int)threadIdx.x / 5;
        const int p1_0_t = (int)threadIdx.x % 5;
        *(float4*)&x0_panel[p0_0 * 20 + p1_0_t * 4] = x0_panel_next;
    }
    if (threadIdx.x < 50) {
        const int p0_1_t = (int)threadIdx.x / 5;
        const int p1_1_t = (int)threadIdx.x % 5;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 4; ++p0_1_r) {
            *(float4*)&x1_panel[p0_1_r * 200 + p0_1_t * 20 + p1_1_t * 4] = x1_panel_next[p0_1_r];
        }
    }
    for (int f_o_h = 0; f_o_h < 2; ++f_o_h) {
        if (f_o_h < 1) {
            if (threadIdx.x < 40) {
                const int p0_0 = (int)threadIdx.x / 5;
                const int p1_0_t = (int)threadIdx.x % 5;
                x0_panel_next = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
                if (n_o * 8 + p0_0 < 70) {
                    x0_panel_next = *(const float4*)&x0[n_o * 320 + p0_0 * 40 + f_o_h * 20 + p1_0_t * 4 + 20];
                }
            }
            if (threadIdx.x < 50) {
                const int p0_1_t = (int)threadIdx.x / 5;
                const int p1_1_t = (int)threadIdx.x % 5;
                #pragma unroll
                for (int p0_1_r = 0; p0_1_r < 4; ++p0_1_r) {
                    x1_panel_next[p0_1_r] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
                    if (p0_1_r * 10 + p0_1_t < 33) {
                        x1_panel_next[p0_1_r] = *(const float4*)&x1[p0_1_r * 400 + p0_1_t * 40 + f_o_h * 20 + p1_1_t * 4 + 20];
                    }
                }
            }
        }
        __syncthreads();
        {
            const int n_i = (int)threadIdx.x / 8;
            const int o_i_i = (int)threadIdx.x % 8;
            #pragma unroll
            for (int f_i = 0; f_i < 20; ++f_i) {
                const float t1 = x0_panel[f_o_h * 160 + n_i * 20 + f_i];
                #pragma unroll
                for (int o_i_o = 0; o_i_o < 5; ++o_i_o) {
                    acc[o_i_o] = fmaf(t1, x1_panel[f_o_h * 800 + o_i_o * 160 + o_i_i * 20 + f_i], acc[o_i_o]);
                }
            }
        }
        if (f_o_h < 1) {
            if (threadIdx.x < 40) {
                const int p0_0 = (int)threadIdx.x / 5;
                const int p1_0_t = (int)threadIdx.x % 5;
                *(float4*)&x0_panel[p0_0 * 20 + p1_0_t * 4 - f_o_h * 160 + 160] = x0_panel_next;
            }
            if (threadIdx.x < 50) {
                const int p0_1_t = (int)threadIdx.x / 5;
                const int p1_1_t = (int)threadIdx.x % 5;
                #pragma unroll
                for (int p0_1_r = 0; p0_1_r < 4; ++p0_1_r) {
                    *(float4*)&x1_panel[p0_1_r * 200 + p0_1_t * 20 + p1_1_t * 4 - f_o_h * 800 + 800] = x1_panel_next[p0_1_r];
                }
            }
        }
    }
    {
        const int n_i = (int)threadIdx.x / 8;
        const int o_i_i = (int)threadIdx.x % 8;
        if (n_o * 8 + n_i < 70) {
            #pragma unroll
            for (int o_i_o = 0; o_i_o < 5; ++o_i_o) {
                if (o_i_o * 8 + o_i_i < 33) {
                    y0[n_o * 264 + n_i * 33 + o_i_o * 8 + o_i_i] = acc[o_i_o];
                }
            }
        }
    }
}
