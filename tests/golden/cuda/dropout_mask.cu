// schedule generic.items
//   parallel(loops=(a0, a1))
// <<<2, 96>>>
// dropout_mask
//   2 blocks of 96 threads
extern "C" __global__ void __launch_bounds__(96)
mochac_dropout_mask_f32_dropout_mask_0(
    const long long* __restrict__ x0,  // i64[]
    bool* __restrict__ y0)  // bool[b20,7]
{
    const int item = blockIdx.x * blockDim.x + threadIdx.x;
    if (item >= 140) return;
    const int a0 = item / 7;
    const int a1 = item % 7;
    y0[a0 * 7 + a1] = mochac_philox(5ull, x0[0], a0, a1) >= 1288490188u;
}
