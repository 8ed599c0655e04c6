// reduce_sum
//   3 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64)
mochac_reduce_sum_f32_reduce_sum_0(
    const float* x0,  // f32[b20,3,4,5]
    float* __restrict__ y0)  // f32[3]
{
    mochac_begin_early();
    const int a0 = (int)blockIdx.x;
    float acc = 0.0f;
    float acc_part = 0.0f;
    #pragma unroll
    for (int turn = 0; turn < 7; ++turn) {
        const int index = turn * 64 + (int)threadIdx.x;
        if (index < 400) {
            const int r0 = index / 20;
            const int r1_r2 = index % 20;
            acc_part = x0[r0 * 60 + a0 * 20 + r1_r2] + acc_part;
        }
    }
    acc = mochac_block_all_reduce_add_f32<64>(acc_part) + acc;
    if (threadIdx.x == 0) {
        y0[a0] = acc;
    }
}
