// schedule contraction.tiled
//   split(loop=n, factor=16, outer=n_b, inner=n_i, tail=guard)
//   split(loop=o, factor=20, outer=o_b, inner=o_i, tail=guard)
//   split(loop=o_i, factor=4, outer=o_r, inner=o_t, tail=guard)
//   split(loop=f, factor=20, outer=f_b, inner=f_i, tail=guard)
//   reorder(loops=(n_b, o_b, n_i, o_t, o_r))
//   distribute(loop=o_r, past=(f_b, f_i))
//   distribute(loop=o_t, past=(f_b))
//   distribute(loop=n_i, past=(f_b))
//   panels(loop=f_b, threads=64, across=(n_i, o_t))
//   pipeline(loop=f_b, double=True)
//   unroll(loop=o_r)
//   unroll(loop=f_i)
//   threads(loops=(n_i, o_t), count=64)
//   blocks(loops=(n_b, o_b))
// <<<10, 64>>>
// inner_product
//   10 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64, 1)
mochac_inner_product_f32_inner_product_0(
    const float* __restrict__ x0,  // f32[b70,40]
    const float* __restrict__ x1,  // f32[33,40]
    const float* __restrict__ x2,  // f32[33]
    float* __restrict__ y0)  // f32[b70,33]
{
    __shared__ __align__(16) float x0_panel[2 * 16 * 20];
    __shared__ __align__(16) float x1_panel[2 * 20 * 20];
    const int n_b = (int)blockIdx.x / 2;
    const int o_b = (int)blockIdx.x % 2;
    float acc[5];
    {
        const int n_i = (int)threadIdx.x / 4;
        const int o_t = (int)threadIdx.x % 4;
        if (n_b * 16 + n_i < 70) {
            #pragma unroll
            for (int o_r = 0; o_r < 5; ++o_r) {
                if (o_b * 20 + o_r * 4 + o_t < 33) {
                    acc[o_r] = x2[o_b * 20 + o_r * 4 + o_t];
                }
            }
        }
    }
    float4 x0_panel_next[2];
    if (threadIdx.x < 40) {
        const int p0_0_t = (int)threadIdx.x / 5;
        const int p1_0_t = (int)threadIdx.x % 5;
        #pragma unroll
        for (int p0_0_r = 0; p0_0_r < 2; ++p0_0_r) {
            x0_panel_next[p0_0_r] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            if (n_b * 16 + p0_0_r * 8 + p0_0_t < 70) {
                x0_panel_next[p0_0_r] = *(const float4*)&x0[n_b * 640 + p0_0_r * 320 + p0_0_t * 40 + p1_0_t * 4];
            }
        }
    }
    float4 x1_panel_next[2];
    if (threadIdx.x < 50) {
        const int p0_1_t = (int)threadIdx.x / 5;
        const int p1_1_t = (int)threadIdx.x % 5;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
            x1_panel_next[p0_1_r] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            if (o_b * 20 + p0_1_r * 10 + p0_1_t < 33) {
                x1_panel_next[p0_1_r] = *(const float4*)&x1[o_b * 800 + p0_1_r * 400 + p0_1_t * 40 + p1_1_t * 4];
            }
        }
    }
    if (threadIdx.x < 40) {
        const int p0_0_t = (int)threadIdx.x / 5;
        const int p1_0_t = (int)threadIdx.x % 5;
        #pragma unroll
        for (int p0_0_r = 0; p0_0_r < 2; ++p0_0_r) {
            *(float4*)&x0_panel[p0_0_r * 160 + p0_0_t * 20 + p1_0_t * 4] = x0_panel_next[p0_0_r];
        }
    }
    if (threadIdx.x < 50) {
        const int p0_1_t = (int)threadIdx.x / 5;
        const int p1_1_t = (int)threadIdx.x % 5;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
            *(float4*)&x1_panel[p0_1_r * 200 + p0_1_t * 20 + p1_1_t * 4] = x1_panel_next[p0_1_r];
        }
    }
    for (int f_b_h = 0; f_b_h < 2; ++f_b_h) {
        if (f_b_h < 1) {
            if (threadIdx.x < 40) {
                const int p0_0_t = (int)threadIdx.x / 5;
                const int p1_0_t = (int)threadIdx.x % 5;
                #pragma unroll
                for (int p0_0_r = 0; p0_0_r < 2; ++p0_0_r) {
                    x0_panel_next[p0_0_r] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
                    if (n_b * 16 + p0_0_r * 8 + p0_0_t < 70) {
                        x0_panel_next[p0_0_r] = *(const float4*)&x0[n_b * 640 + p0_0_r * 320 + p0_0_t * 40 + f_b_h * 20 + p1_0_t * 4 + 20];
                    }
                }
            }
            if (threadIdx.x < 50) {
                const int p0_1_t = (int)threadIdx.x / 5;
                const int p1_1_t = (int)threadIdx.x % 5;
                #pragma unroll
                for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
                    x1_panel_next[p0_1_r] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
                    if (o_b * 20 + p0_1_r * 10 + p0_1_t < 33) {
                        x1_panel_next[p0_1_r] = *(const float4*)&x1[o_b * 800 + p0_1_r * 400 + p0_1_t * 40 + f_b_h * 20 + p1_1_t * 4 + 20];
                    }
                }
            }
        }
        __syncthreads();
        {
            const int n_i = (int)threadIdx.x / 4;
            const int o_t = (int)threadIdx.x % 4;
            #pragma unroll
            for (int f_i = 0; f_i < 20; ++f_i) {
                const float t1 = x0_panel[f_b_h * 320 + n_i * 20 + f_i];
                #pragma unroll
                for (int o_r = 0; o_r < 5; ++o_r) {
                    acc[o_r] = fmaf(t1, x1_panel[f_b_h * 400 + o_r * 80 + o_t * 20 + f_i], acc[o_r]);
                }
            }
        }
        if (f_b_h < 1) {
            if (threadIdx.x < 40) {
                const int p0_0_t = (int)threadIdx.x / 5;
                const int p1_0_t = (int)threadIdx.x % 5;
                #pragma unroll
                for (int p0_0_r = 0; p0_0_r < 2; ++p0_0_r) {
                    *(float4*)&x0_panel[p0_0_r * 160 + p0_0_t * 20 + p1_0_t * 4 - f_b_h * 320 + 320] = x0_panel_next[p0_0_r];
                }
            }
            if (threadIdx.x < 50) {
                const int p0_1_t = (int)threadIdx.x / 5;
                const int p1_1_t = (int)threadIdx.x % 5;
                #pragma unroll
                for (int p0_1_r = 0; p0_1_r < 2; ++p0_1_r) {
                    *(float4*)&x1_panel[p0_1_r * 200 + p0_1_t * 20 + p1_1_t * 4 - f_b_h * 400 + 400] = x1_panel_next[p0_1_r];
                }
            }
        }
    }
    {
        const int n_i = (int)threadIdx.x / 4;
        const int o_t = (int)threadIdx.x % 4;
        if (n_b * 16 + n_i < 70) {
            #pragma unroll
            for (int o_r = 0; o_r < 5; ++o_r) {
                if (o_b * 20 + o_r * 4 + o_t < 33) {
                    y0[n_b * 528 + n_i * 33 + o_b * 20 + o_r * 4 + o_t] = acc[o_r];
                }
            }
        }
    }
}
