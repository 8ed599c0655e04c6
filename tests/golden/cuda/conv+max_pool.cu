// schedule contraction.pooled
//   inline(values=(conv))
//   split(loop=c, factor=4, outer=c_o, inner=c_i, tail=guard)
//   split(loop=ph, factor=4, outer=ph_o, inner=ph_i, tail=guard)
//   split(loop=pw, factor=4, outer=pw_o, inner=pw_i, tail=guard)
//   split(loop=ci, factor=3, outer=ci_o, inner=ci_i, tail=guard)
//   reorder(loops=(c_o, n, ph_o, pw_o, c_i, ph_i, pw_i))
//   fission(loop=j, after=3)
//   fission(loop=i, after=1)
//   distribute(loop=j, past=(ci_o, ci_i, kh, kw))
//   distribute(loop=i, past=(ci_o, ci_i, kh, kw))
//   unroll(loop=j)
//   unroll(loop=i)
//   distribute(loop=pw_i, past=(ci_o))
//   distribute(loop=ph_i, past=(ci_o))
//   distribute(loop=c_i, past=(ci_o))
//   panels(loop=ci_o, threads=64, across=(c_i, ph_i, pw_i), exact=())
//   unroll(loop=kw)
//   unroll(loop=kh)
//   unroll(loop=ci_i)
//   threads(loops=(c_i, ph_i, pw_i), count=64)
//   blocks(loops=(c_o, n, ph_o, pw_o))
// <<<15, 64>>>
// conv + max_pool
//   15 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64, 1)
mochac_conv_max_pool_f32_conv_0_ecdea9b6(
    const float* __restrict__ x0,  // f32[b5,3,12,12]
    const float* __restrict__ x1,  // f32[9,3,5,5]
    const float* __restrict__ x2,  // f32[9]
    float* __restrict__ z0,  // f32[b5,9,4,4]
    signed char* __restrict__ z1)  // i8[b5,9,4,4]
{
    __shared__ __align__(16) float x0_panel[3 * 12 * 12];
    __shared__ __align__(16) float x1_panel[4 * 84];
    const int c_o = (int)blockIdx.x / 5;
    const int n = (int)blockIdx.x % 5;
    float best;
    int place;
    float acc[2][2];
    {
        const int c_i = (int)threadIdx.x / 16;
        if (c_o * 4 + c_i < 9) {
            const float t = x2[c_o * 4 + c_i];
            best = -__int_as_float(0x7f800000);
            place = 0;
            #pragma unroll
            for (int i = 0; i < 2; ++i) {
                #pragma unroll
                for (int j = 0; j < 2; ++j) {
                    acc[i][j] = t;
                }
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
            if (c_o * 4 + p0_1 < 9) {
                x1_panel_held = x1[c_o * 300 + p0_1 * 75 + p1_1 * 25 + p2_1_r * 5 + p3_1];
            }
            x1_panel[p0_1 * 84 + p1_1 * 28 + p2_1_r * 5 + p3_1] = x1_panel_held;
        }
    }
    __syncthreads();
    {
        const int c_i = (int)threadIdx.x / 16;
        const int ph_i = (int)threadIdx.x / 4 % 4;
        const int pw_i = (int)threadIdx.x % 4;
        #pragma unroll
        for (int ci_i = 0; ci_i < 3; ++ci_i) {
            #pragma unroll
            for (int kh = 0; kh < 5; ++kh) {
                #pragma unroll
                for (int kw = 0; kw < 5; ++kw) {
                    const float t2 = x1_panel[c_i * 84 + ci_i * 28 + kh * 5 + kw];
                    #pragma unroll
                    for (int i = 0; i < 2; ++i) {
                        #pragma unroll
                        for (int j = 0; j < 2; ++j) {
                            const float t1 = x0_panel[ci_i * 144 + ph_i * 24 + i * 12 + kh * 12 + pw_i * 2 + j + kw];
                            acc[i][j] = fmaf(t1, t2, acc[i][j]);
                        }
                    }
                }
            }
        }
    }
    {
        const int c_i = (int)threadIdx.x / 16;
        const int ph_i = (int)threadIdx.x / 4 % 4;
        const int pw_i = (int)threadIdx.x % 4;
        if (c_o * 4 + c_i < 9) {
            #pragma unroll
            for (int i = 0; i < 2; ++i) {
                #pragma unroll
                for (int j = 0; j < 2; ++j) {
                    const float t3 = acc[i][j];
                    const bool t7 = (t3 > best) || (t3 != t3);
                    best = t7 ? t3 : best;
                    place = t7 ? (i * 2 + j) : place;
                }
            }
            z0[n * 144 + c_o * 64 + c_i * 16 + ph_i * 4 + pw_i] = best;
            z1[n * 144 + c_o * 64 + c_i * 16 + ph_i * 4 + pw_i] = (signed char)place;
        }
    }
}
