// schedule generic.vectors
//   unroll(loop=dw)
//   unroll(loop=dh)
//   reorder(loops=(n, c, th, tw, rh, rw))
//   unroll(loop=rw)
//   collect(buffer=y0, loop=rw)
//   unroll(loop=rh)
//   parallel(loops=(n, c, th, tw))
// <<<6, 256>>>
// max_pool_dx
//   6 blocks of 256 threads
extern "C" __global__ void __launch_bounds__(256)
mochac_max_pool_dx_wide_f32_max_pool_dx_0(
    const float* __restrict__ x0,  // f32[b7,3,8,8]
    const signed char* __restrict__ x1,  // i8[b7,3,8,8]
    float* __restrict__ y0)  // f32[b7,3,16,16]
{
    const int item = blockIdx.x * blockDim.x + threadIdx.x;
    if (item >= 1344) return;
    const int n_c = item / 64;
    const int th = item / 8 % 8;
    const int tw = item % 8;
    #pragma unroll
    for (int rh = 0; rh < 2; ++rh) {
        float y0_row[2];
        #pragma unroll
        for (int rw = 0; rw < 2; ++rw) {
            float acc = 0.0f;
            #pragma unroll
            for (int dh = 0; dh < 2; ++dh) {
                #pragma unroll
                for (int dw = 0; dw < 2; ++dw) {
                    if (th >= dh && dh * 2 + rh < 3 && tw >= dw && dw * 2 + rw < 3) {
                        const float t = x0[n_c * 64 + th * 8 + tw - dh * 8 - dw];
                        const bool t3 = ((int)x1[n_c * 64 + th * 8 + tw - dh * 8 - dw]) == (dh * 6 + rh * 3 + dw * 2 + rw);
                        acc = (t3 ? t : 0.0f) + acc;
                    }
                }
            }
            y0_row[rw] = acc;
        }
        *(float2*)&y0[n_c * 256 + th * 32 + rh * 16 + tw * 2] = make_float2(y0_row[0], y0_row[1]);
    }
}
