// schedule reduce.block
//   blocks(loops=(n))
//   threads(loops=(c), count=64)
//   threads(loops=(c1), count=64)
//   threads(loops=(c2), count=64)
//   threads(loops=(c3), count=64)
// <<<3, 64>>>
// softmax_loss
//   3 blocks of 64 threads
extern "C" __global__ void __launch_bounds__(64)
mochac_softmax_loss_wide_f32_softmax_loss_0(
    const float* x0,  // f32[b3,300]
    const float* x1,  // f32[b3,1]
    float* y0,  // f32[b3]
    float* y1)  // f32[b3,300]
{
    const int n = (int)blockIdx.x;
    const float t = x1[n];
    float largest = -__int_as_float(0x7f800000);
    float largest_part = -__int_as_float(0x7f800000);
    #pragma unroll
    for (int turn = 0; turn < 5; ++turn) {
        const int c = turn * 64 + (int)threadIdx.x;
        if (c < 300) {
            const float t1 = x0[n * 300 + c];
            largest_part = t1 > largest_part || t1 != t1 ? t1 : largest_part;
        }
    }
    const float largest_whole = mochac_block_all_reduce_max_f32<64>(largest_part);
    largest = largest_whole > largest || largest_whole != largest_whole ? largest_whole : largest;
    float total = 0.0f;
    float total_part = 0.0f;
    #pragma unroll
    for (int turn = 0; turn < 5; ++turn) {
        const int c1 = turn * 64 + (int)threadIdx.x;
        if (c1 < 300) {
            total_part = expf(x0[n * 300 + c1] - largest) + total_part;
        }
    }
    total = mochac_block_all_reduce_add_f32<64>(total_part) + total;
    float picked = 0.0f;
    float picked_part = 0.0f;
    #pragma unroll
    for (int turn = 0; turn < 5; ++turn) {
        const int c2 = turn * 64 + (int)threadIdx.x;
        if (c2 < 300) {
            const float t8 = x0[n * 300 + c2] - largest;
            picked_part = ((((float)c2) == t) ? t8 : 0.0f) + picked_part;
        }
    }
    picked = mochac_block_all_reduce_add_f32<64>(picked_part) + picked;
    if (threadIdx.x == 0) {
        y0[n] = logf(total) - picked;
    }
    for (int c3 = threadIdx.x; c3 < 300; c3 += 64) {
        y1[n * 300 + c3] = (expf(x0[n * 300 + c3] - largest) / total) - ((((float)c3) == t) ? 1.0f : 0.0f);
    }
}
