// schedule reduce.columns
//   reorder(loops=(a0))
//   row_reduce(loop=r0, columns=(a0), rows=6)
// <<<1, 224>>>
// reduce_sum
//   1 block of 224 threads
extern "C" __global__ void __launch_bounds__(224)
mochac_reduce_sum_columns_f32_reduce_sum_0(
    const float* __restrict__ x0,  // f32[b70,37]
    float* __restrict__ y0)  // f32[37]
{
    __shared__ __align__(16) float acc_parts[6 * 37];
    if (threadIdx.x < 222) {
        const int r0_r = (int)threadIdx.x / 37;
        const int a0 = (int)threadIdx.x % 37;
        float acc_part = 0.0f;
        for (int r0_b = 0; r0_b < 12; ++r0_b) {
            if (r0_b * 6 + r0_r < 70) {
                acc_part = x0[r0_b * 222 + r0_r * 37 + a0] + acc_part;
            }
        }
        acc_parts[r0_r * 37 + a0] = acc_part;
    }
    __syncthreads();
    if (threadIdx.x < 37) {
        const int a0 = (int)threadIdx.x;
        float acc = 0.0f;
        #pragma unroll
        for (int r0_r_2 = 0; r0_r_2 < 6; ++r0_r_2) {
            acc = acc_parts[r0_r_2 * 37 + a0] + acc;
        }
        y0[a0] = acc;
    }
}
