// schedule reduce.block
//   blocks(loops=(n))
//   threads(loops=(c), count=32)
//   threads(loops=(c1), count=32)
//   threads(loops=(c2), count=32)
//   threads(loops=(c3), count=32)
// <<<20, 32>>>
// softmax_loss
//   20 blocks of 32 threads
extern "C" __global__ void __launch_bounds__(32)
mochac_softmax_loss_f32_softmax_loss_0(
    const float* x0,  // f32[b20,10]
    const float* x1,  // f32[b20,1]
    float* y0,  // f32[b20]
    float* y1)  // f32[b20,10]
{
    const int n = (int)blockIdx.x;
    const float t = x1[n];
    float largest = -__int_as_float(0x7f800000);
    float largest_part = -__int_as_float(0x7f800000);
    if (threadIdx.x < 10) {
        const int c = (int)threadIdx.x;
        const float t1 = x0[n * 10 + c];
        largest_part = t1 > largest_part || t1 != t1 ? t1 : largest_part;
    }
    const float largest_whole = mochac_block_all_reduce_max_f32<32>(largest_part);
    largest = largest_whole > largest || largest_whole != largest_whole ? largest_whole : largest;
    float total = 0.0f;
    float total_part = 0.0f;
    if (threadIdx.x < 10) {
        const int c1 = (int)threadIdx.x;
        total_part = expf(x0[n * 10 + c1] - largest) + total_part;
    }
    total = mochac_block_all_reduce_add_f32<32>(total_part) + total;
    float picked = 0.0f;
    float picked_part = 0.0f;
    if (threadIdx.x < 10) {
        const int c2 = (int)threadIdx.x;
        const float t8 = x0[n * 10 + c2] - largest;
        picked_part = ((((float)c2) == t) ? t8 : 0.0f) + picked_part;
    }
    picked = mochac_block_all_reduce_add_f32<32>(picked_part) + picked;
    if (threadIdx.x == 0) {
        y0[n] = logf(total) - picked;
    }
    if (threadIdx.x < 10) {
        const int c3 = (int)threadIdx.x;
        y1[n * 10 + c3] = (expf(x0[n * 10 + c3] - largest) / total) - ((((float)c3) == t) ? 1.0f : 0.0f);
    }
}
