// schedule generic.items
//   unroll(loop=j)
//   unroll(loop=i)
//   parallel(loops=(n, c, ph, pw))
// <<<1, 32>>>
// max_pool
//   1 block of 32 threads
extern "C" __global__ void __launch_bounds__(32)
mochac_max_pool_f32_max_pool_0(
    const float* __restrict__ x0,  // f32[b3,2,4,4]
    float* __restrict__ y0,  // f32[b3,2,2,2]
    signed char* __restrict__ y1)  // i8[b3,2,2,2]
{
    const int item = blockIdx.x * blockDim.x + threadIdx.x;
    if (item >= 24) return;
    const int n_c_ph = item / 2;
    const int pw = item % 2;
    float best = -__int_as_float(0x7f800000);
    int place = 0;
    #pragma unroll
    for (int i = 0; i < 2; ++i) {
        #pragma unroll
        for (int j = 0; j < 2; ++j) {
            const float t = x0[n_c_ph * 8 + i * 4 + pw * 2 + j];
            const bool t4 = (t > best) || (t != t);
            best = t4 ? t : best;
            place = t4 ? (i * 2 + j) : place;
        }
    }
    y0[n_c_ph * 2 + pw] = best;
    y1[n_c_ph * 2 + pw] = (signed char)place;
}
