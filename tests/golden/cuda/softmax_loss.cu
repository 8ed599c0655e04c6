// schedule generic.items
//   threads(loops=(n))
// <<<1, 32>>>
// softmax_loss
extern "C" __global__ void __launch_bounds__(32)
mochac_softmax_loss_f32_softmax_loss_0(
    const float* x0,  // f32[b20,10]
    const float* x1,  // f32[b20,1]
    float* y0,  // f32[b20]
    float* y1)  // f32[b20,10]
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= 20) return;
    const float t = x1[n];
    float largest = -__int_as_float(0x7f800000);
    for (int c = 0; c < 10; ++c) {
        const float t1 = x0[n * 10 + c];
        largest = t1 > largest || t1 != t1 ? t1 : largest;
    }
    float total = 0.0f;
    for (int c1 = 0; c1 < 10; ++c1) {
        total = expf(x0[n * 10 + c1] - largest) + total;
    }
    float picked = 0.0f;
    for (int c2 = 0; c2 < 10; ++c2) {
        picked = ((((float)c2) == t) ? (x0[n * 10 + c2] - largest) : 0.0f) + picked;
    }
    y0[n] = logf(total) - picked;
    for (int c3 = 0; c3 < 10; ++c3) {
        y1[n * 10 + c3] = (expf(x0[n * 10 + c3] - largest) / total) - ((((float)c3) == t) ? 1.0f : 0.0f);
    }
}
