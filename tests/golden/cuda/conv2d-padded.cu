// schedule contraction.tiled
//   split(loop=co, factor=8, outer=co_b, inner=co_i, tail=guard)
//   split(loop=co_i, factor=2, outer=co_r, inner=co_t, tail=guard)
//   split(loop=n, factor=4, outer=n_b, inner=n_i, tail=guard)
//   split(loop=n_i, factor=2, outer=n_r, inner=n_t, tail=guard)
//   split(loop=oh, factor=4, outer=oh_b, inner=oh_i, tail=guard)
//   split(loop=ow, factor=8, outer=ow_b, inner=ow_i, tail=guard)
//   split(loop=ow_i, factor=4, outer=ow_r, inner=ow_t, tail=guard)
//   reorder(loops=(co_b, n_b, oh_b, ow_b, co_t, n_t, oh_i, ow_t, co_r, n_r, ow_r))
//   sink(loop=ow_r, past=(ci, kh, kw))
//   sink(loop=n_r, past=(ci, kh, kw))
//   sink(loop=co_r, past=(ci, kh, kw))
//   sink(loop=ow_t, past=(ci))
//   sink(loop=oh_i, past=(ci))
//   sink(loop=n_t, past=(ci))
//   sink(loop=co_t, past=(ci))
//   panels(loop=ci, lanes=64)
//   unroll(loop=co_r)
//   unroll(loop=n_r)
//   unroll(loop=ow_r)
//   unroll(loop=kw)
//   lanes(loops=(co_t, n_t, oh_i, ow_t), lanes=64)
//   blocks(loops=(co_b, n_b, oh_b, ow_b))
// <<<6, 64>>>
// conv2d
extern "C" __global__ void __launch_bounds__(64)
mochac_conv2d_padded_f32_conv2d_0(
    const float* __restrict__ x0,  // f32[b3,4,9,10]
    const float* __restrict__ x1,  // f32[8,4,3,3]
    float* __restrict__ y0)  // f32[b3,8,9,10]
{
    __shared__ float x0_panel[4 * 6 * 10];
    __shared__ float x1_panel[8 * 3 * 4];
    const int oh_b = (int)blockIdx.x / 2;
    const int ow_b = (int)blockIdx.x % 2;
    float acc[4][2][2];
    {
        const int n_t = (int)threadIdx.x / 16 % 2;
        const int oh_i = (int)threadIdx.x / 4 % 4;
        const int ow_t = (int)threadIdx.x % 4;
        if (oh_b * 4 + oh_i < 9) {
            #pragma unroll
            for (int co_r = 0; co_r < 4; ++co_r) {
                #pragma unroll
                for (int n_r = 0; n_r < 2; ++n_r) {
                    if (n_r * 2 + n_t < 3) {
                        #pragma unroll
                        for (int ow_r = 0; ow_r < 2; ++ow_r) {
                            if (ow_b * 8 + ow_r * 4 + ow_t < 10) {
                                acc[co_r][n_r][ow_r] = 0.0f;
                            }
                        }
                    }
                }
            }
        }
    }
    for (int ci = 0; ci < 4; ++ci) {
        __syncthreads();
        for (int lane = threadIdx.x; lane < 240; lane += 64) {
            const int p0_0 = lane / 60;
            const int p2_0 = lane / 10 % 6;
            const int p3_0 = lane % 10;
            float x0_panel_held = 0.0f;
            if (p0_0 < 3 && oh_b * 4 + p2_0 >= 1 && oh_b * 4 + p2_0 < 10 && ow_b * 8 + p3_0 >= 1 && ow_b * 8 + p3_0 < 11) {
                x0_panel_held = x0[p0_0 * 360 + ci * 90 + oh_b * 40 + p2_0 * 10 + ow_b * 8 + p3_0 - 11];
            }
            x0_panel[p0_0 * 60 + p2_0 * 10 + p3_0] = x0_panel_held;
        }
        for (int lane = threadIdx.x; lane < 72; lane += 64) {
            const int p0_1 = lane / 9;
            const int p2_1 = lane / 3 % 3;
            const int p3_1 = lane % 3;
            x1_panel[p0_1 * 12 + p2_1 * 4 + p3_1] = x1[p0_1 * 36 + ci * 9 + p2_1 * 3 + p3_1];
        }
        __syncthreads();
        {
            const int co_t = (int)threadIdx.x / 32;
            const int n_t = (int)threadIdx.x / 16 % 2;
            const int oh_i = (int)threadIdx.x / 4 % 4;
            const int ow_t = (int)threadIdx.x % 4;
            for (int kh = 0; kh < 3; ++kh) {
                #pragma unroll
                for (int kw = 0; kw < 3; ++kw) {
                    #pragma unroll
                    for (int co_r = 0; co_r < 4; ++co_r) {
                        const float t1 = x1_panel[co_r * 24 + co_t * 12 + kh * 4 + kw];
                        #pragma unroll
                        for (int n_r = 0; n_r < 2; ++n_r) {
                            #pragma unroll
                            for (int ow_r = 0; ow_r < 2; ++ow_r) {
                                const float t = x0_panel[n_r * 120 + n_t * 60 + kh * 10 + oh_i * 10 + ow_r * 4 + kw + ow_t];
                                acc[co_r][n_r][ow_r] = fmaf(t, t1, acc[co_r][n_r][ow_r]);
                            }
                        }
                    }
                }
            }
        }
    }
    {
        const int co_t = (int)threadIdx.x / 32;
        const int n_t = (int)threadIdx.x / 16 % 2;
        const int oh_i = (int)threadIdx.x / 4 % 4;
        const int ow_t = (int)threadIdx.x % 4;
        if (oh_b * 4 + oh_i < 9) {
            #pragma unroll
            for (int co_r = 0; co_r < 4; ++co_r) {
                #pragma unroll
                for (int n_r = 0; n_r < 2; ++n_r) {
                    if (n_r * 2 + n_t < 3) {
                        #pragma unroll
                        for (int ow_r = 0; ow_r < 2; ++ow_r) {
                            if (ow_b * 8 + ow_r * 4 + ow_t < 10) {
                                y0[n_r * 1440 + n_t * 720 + co_r * 180 + co_t * 90 + oh_b * 40 + oh_i * 10 + ow_b * 8 + ow_r * 4 + ow_t] = acc[co_r][n_r][ow_r];
                            }
                        }
                    }
                }
            }
        }
    }
}
