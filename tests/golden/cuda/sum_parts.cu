// schedule reduce.columns
//   reorder(loops=(a2, a3, a1, a0))
//   row_reduce(loop=part, columns=(a0), rows=2)
//   blocks(loops=(a2, a3, a1))
// <<<18, 64>>>
// sum_parts
//   18 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64)
mochac_sum_parts_f32_sum_parts_0(
    const float* __restrict__ x0,  // f32[33,3,3,2,20]
    float* __restrict__ y0)  // f32[20,2,3,3]
{
    __shared__ __align__(16) float acc_parts[2 * 20];
    const int a2_a3 = (int)blockIdx.x / 2;
    const int a1 = (int)blockIdx.x % 2;
    if (threadIdx.x < 40) {
        const int part_r = (int)threadIdx.x / 20;
        const int a0 = (int)threadIdx.x % 20;
        float acc_part = 0.0f;
        for (int part_b = 0; part_b < 17; ++part_b) {
            if (part_b * 2 + part_r < 33) {
                acc_part = x0[part_b * 720 + part_r * 360 + a2_a3 * 40 + a1 * 20 + a0] + acc_part;
            }
        }
        acc_parts[part_r * 20 + a0] = acc_part;
    }
    __syncthreads();
    if (threadIdx.x < 20) {
        const int a0 = (int)threadIdx.x;
        float acc = 0.0f;
        #pragma unroll
        for (int part_r_2 = 0; part_r_2 < 2; ++part_r_2) {
            acc = acc_parts[part_r_2 * 20 + a0] + acc;
        }
        y0[a0 * 18 + a1 * 9 + a2_a3] = acc;
    }
}
