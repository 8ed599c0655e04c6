// schedule generic.items
//   parallel(loops=(a0, a1))
// <<<2, 128>>>
// relu
//   2 blocks of 128 threads
extern "C" __global__ void __launch_bounds__(128)
mochac_relu_f32_relu_0(
    const float* x0,  // f32[b33,7]
    float* y0)  // f32[b33,7]
{
    const int element = blockIdx.x * blockDim.x + threadIdx.x;
    if (element >= 231) return;
    const float t = x0[element];
    y0[element] = t < 0.0f ? 0.0f : t;
}
