// schedule generic.items
//   unroll(loop=dw)
//   unroll(loop=dh)
//   parallel(loops=(n, c, th, rh, tw, rw))
// <<<2, 64>>>
// max_pool_dx
//   2 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64)
mochac_max_pool_dx_f32_max_pool_dx_0(
    const float* __restrict__ x0,  // f32[b3,2,2,2]
    const signed char* __restrict__ x1,  // i8[b3,2,2,2]
    float* __restrict__ y0)  // f32[b3,2,4,4]
{
    const int item = blockIdx.x * blockDim.x + threadIdx.x;
    if (item >= 96) return;
    const int n_c_th = item / 8;
    const int rh = item / 4 % 2;
    const int tw = item / 2 % 2;
    const int rw = item % 2;
    float acc = 0.0f;
    const float t = x0[n_c_th * 2 + tw];
    acc = ((((int)x1[n_c_th * 2 + tw]) == (rh * 2 + rw)) ? t : 0.0f) + acc;
    y0[n_c_th * 8 + rh * 4 + tw * 2 + rw] = acc;
}
