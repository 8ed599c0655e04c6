// schedule generic.items
//   unroll(loop=w3)
//   unroll(loop=w2)
//   parallel(loops=(a0, a1, a2, a3))
// <<<2, 64>>>
// lrn_sum
//   2 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64)
mochac_lrn_sum_f32_lrn_sum_0(
    const float* x0,  // f32[b3,2,4,5]
    float* y0)  // f32[b3,2,4,5]
{
    const int item = blockIdx.x * blockDim.x + threadIdx.x;
    if (item >= 120) return;
    const int a0_a1 = item / 20;
    const int a2 = item / 5 % 4;
    const int a3 = item % 5;
    float acc = 0.0f;
    #pragma unroll
    for (int w2 = 0; w2 < 3; ++w2) {
        #pragma unroll
        for (int w3 = 0; w3 < 3; ++w3) {
            if (a2 + w2 >= 1 && a2 + w2 < 5 && a3 + w3 >= 1 && a3 + w3 < 6) {
                const float t = x0[a0_a1 * 20 + a2 * 5 + w2 * 5 + a3 + w3 - 6];
                acc = fmaf(t, t, acc);
            }
        }
    }
    y0[a0_a1 * 20 + a2 * 5 + a3] = acc;
}
