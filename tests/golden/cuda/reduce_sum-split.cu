// schedule reduce.split-sum
//   split(loop=r0, factor=7, outer=r0_o, inner=r0_i, tail=guard)
//   reorder(loops=(r0_o, r0_i, r1, r2))
//   split_sum(locals=(acc), loop=r0_o, mark=.s)
//   blocks(loops=(r0_o, a0))
//   threads(loops=(r0_i, r1, r2), count=64)
//   unroll(loop=r0_o.s)
//   parallel(loops=(a0.s))
//   last_block()
// <<<9, 64>>>
// reduce_sum
//   9 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64)
mochac_reduce_sum_split_f32_reduce_sum_0(
    const float* __restrict__ x0,  // f32[b20,3,9,9]
    float* __restrict__ y0,  // f32[3]
    float* __restrict__ y0_parts,  // f32[3,3]
    unsigned int* __restrict__ y0_blocks)  // u32[]
{
    const int r0_o = (int)blockIdx.x / 3;
    const int a0 = (int)blockIdx.x % 3;
    float acc = 0.0f;
    float acc_part = 0.0f;
    #pragma unroll
    for (int turn = 0; turn < 9; ++turn) {
        const int index = turn * 64 + (int)threadIdx.x;
        if (index < 567) {
            const int r0_i = index / 81;
            const int r1_r2 = index % 81;
            if (r0_o * 7 + r0_i < 20) {
                acc_part = x0[r0_o * 1701 + r0_i * 243 + a0 * 81 + r1_r2] + acc_part;
            }
        }
    }
    acc = mochac_block_all_reduce_add_f32<64>(acc_part) + acc;
    if (threadIdx.x == 0) {
        y0_parts[r0_o * 3 + a0] = acc;
    }
    if (!mochac_last_block(y0_blocks, 9)) return;
    for (int a0_s = threadIdx.x; a0_s < 3; a0_s += 64) {
        float acc_sum = 0.0f;
        #pragma unroll
        for (int r0_o_s = 0; r0_o_s < 3; ++r0_o_s) {
            acc_sum = y0_parts[r0_o_s * 3 + a0_s] + acc_sum;
        }
        y0[a0_s] = acc_sum;
    }
}
