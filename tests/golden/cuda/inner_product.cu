// schedule contraction.tiled
//   split(loop=n, factor=40, outer=n_b, inner=n_i, tail=guard)
//   split(loop=n_i, factor=8, outer=n_r, inner=n_t, tail=guard)
//   split(loop=o, factor=40, outer=o_b, inner=o_i, tail=guard)
//   split(loop=o_i, factor=8, outer=o_r, inner=o_t, tail=guard)
//   split(loop=f, factor=16, outer=f_b, inner=f_i, tail=guard)
//   reorder(loops=(n_b, o_b, n_t, o_t, n_r, o_r))
//   sink(loop=o_r, past=(f_b, f_i))
//   sink(loop=n_r, past=(f_b, f_i))
//   sink(loop=o_t, past=(f_b))
//   sink(loop=n_t, past=(f_b))
//   panels(loop=f_b, lanes=64)
//   pipeline(loop=f_b)
//   unroll(loop=n_r)
//   unroll(loop=o_r)
//   unroll(loop=f_i)
//   lanes(loops=(n_t, o_t), lanes=64)
//   blocks(loops=(n_b, o_b))
// <<<2, 64>>>
// inner_product
extern "C" __global__ void __launch_bounds__(64)
mochac_inner_product_f32_inner_product_0(
    const float* __restrict__ x0,  // f32[b70,40]
    const float* __restrict__ x1,  // f32[33,40]
    const float* __restrict__ x2,  // f32[33]
    float* __restrict__ y0)  // f32[b70,33]
{
    __shared__ __align__(16) float x0_panel[40 * 20];
    __shared__ __align__(16) float x1_panel[40 * 20];
    const int n_b = (int)blockIdx.x;
    float acc[5][5];
    {
        const int n_t = (int)threadIdx.x / 8;
        const int o_t = (int)threadIdx.x % 8;
        #pragma unroll
        for (int n_r = 0; n_r < 5; ++n_r) {
            if (n_b * 40 + n_r * 8 + n_t < 70) {
                #pragma unroll
                for (int o_r = 0; o_r < 5; ++o_r) {
                    if (o_r * 8 + o_t < 33) {
                        acc[n_r][o_r] = x2[o_r * 8 + o_t];
                    }
                }
            }
        }
    }
    float x0_panel_next[10];
    {
        const int p0_0_t = (int)threadIdx.x / 16;
        const int p1_0 = (int)threadIdx.x % 16;
        #pragma unroll
        for (int p0_0_r = 0; p0_0_r < 10; ++p0_0_r) {
            x0_panel_next[p0_0_r] = 0.0f;
            if (n_b * 40 + p0_0_r * 4 + p0_0_t < 70) {
                x0_panel_next[p0_0_r] = x0[n_b * 1600 + p0_0_r * 160 + p0_0_t * 40 + p1_0];
            }
        }
    }
    float x1_panel_next[10];
    {
        const int p0_1_t = (int)threadIdx.x / 16;
        const int p1_1 = (int)threadIdx.x % 16;
        #pragma unroll
        for (int p0_1_r = 0; p0_1_r < 10; ++p0_1_r) {
            x1_panel_next[p0_1_r] = 0.0f;
            if (p0_1_r * 4 + p0_1_t < 33) {
                x1_panel_next[p0_1_r] = x1[p0_1_r * 160 + p0_1_t * 40 + p1_1];
            }
        }
    }
    for (int f_b = 0; f_b < 3; ++f_b) {
        __syncthreads();
        {
            const int p0_0_t = (int)threadIdx.x / 16;
            const int p1_0 = (int)threadIdx.x % 16;
            #pragma unroll
            for (int p0_0_r = 0; p0_0_r < 10; ++p0_0_r) {
                x0_panel[p0_0_r * 80 + p0_0_t * 20 + p1_0] = x0_panel_next[p0_0_r];
            }
        }
        {
            const int p0_1_t = (int)threadIdx.x / 16;
            const int p1_1 = (int)threadIdx.x % 16;
            #pragma unroll
            for (int p0_1_r = 0; p0_1_r < 10; ++p0_1_r) {
                x1_panel[p0_1_r * 80 + p0_1_t * 20 + p1_1] = x1_panel_next[p0_1_r];
            }
        }
        if (f_b < 2) {
            {
                const int p0_0_t = (int)threadIdx.x / 16;
                const int p1_0 = (int)threadIdx.x % 16;
                #pragma unroll
                for (int p0_0_r = 0; p0_0_r < 10; ++p0_0_r) {
                    x0_panel_next[p0_0_r] = 0.0f;
                    if (n_b * 40 + p0_0_r * 4 + p0_0_t < 70 && f_b * 16 + p1_0 < 24) {
                        x0_panel_next[p0_0_r] = x0[n_b * 1600 + p0_0_r * 160 + p0_0_t * 40 + f_b * 16 + p1_0 + 16];
                    }
                }
            }
            {
                const int p0_1_t = (int)threadIdx.x / 16;
                const int p1_1 = (int)threadIdx.x % 16;
                #pragma unroll
                for (int p0_1_r = 0; p0_1_r < 10; ++p0_1_r) {
                    x1_panel_next[p0_1_r] = 0.0f;
                    if (p0_1_r * 4 + p0_1_t < 33 && f_b * 16 + p1_1 < 24) {
                        x1_panel_next[p0_1_r] = x1[p0_1_r * 160 + p0_1_t * 40 + f_b * 16 + p1_1 + 16];
                    }
                }
            }
        }
        __syncthreads();
        {
            const int n_t = (int)threadIdx.x / 8;
            const int o_t = (int)threadIdx.x % 8;
            #pragma unroll
            for (int f_i = 0; f_i < 16; ++f_i) {
                #pragma unroll
                for (int n_r = 0; n_r < 5; ++n_r) {
                    const float t1 = x0_panel[n_r * 160 + n_t * 20 + f_i];
                    #pragma unroll
                    for (int o_r = 0; o_r < 5; ++o_r) {
                        acc[n_r][o_r] = fmaf(t1, x1_panel[o_r * 160 + o_t * 20 + f_i], acc[n_r][o_r]);
                    }
                }
            }
        }
    }
    {
        const int n_t = (int)threadIdx.x / 8;
        const int o_t = (int)threadIdx.x % 8;
        #pragma unroll
        for (int n_r = 0; n_r < 5; ++n_r) {
            if (n_b * 40 + n_r * 8 + n_t < 70) {
                #pragma unroll
                for (int o_r = 0; o_r < 5; ++o_r) {
                    if (o_r * 8 + o_t < 33) {
                        y0[n_b * 1320 + n_r * 264 + n_t * 33 + o_r * 8 + o_t] = acc[n_r][o_r];
                    }
                }
            }
        }
    }
}
