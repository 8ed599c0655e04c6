// schedule generic.vectors
//   split(loop=a1, factor=4, outer=a1_o, inner=a1_i, tail=guard)
//   reorder(loops=(a0, a1_o, a1_i))
//   unroll(loop=a1_i)
//   collect(buffer=x0, loop=a1_i)
//   collect(buffer=y0, loop=a1_i)
//   parallel(loops=(a0, a1_o))
// <<<3, 256>>>
// relu
//   3 blocks of 256 threads
extern "C" __global__ void __launch_bounds__(256)
mochac_relu_wide_f32_relu_0(
    const float* x0,  // f32[b33,64]
    float* y0)  // f32[b33,64]
{
    const int element = blockIdx.x * blockDim.x + threadIdx.x;
    if (element >= 528) return;
    float x0_row[4];
    {
        const float4 x0_row_vector = *(const float4*)&x0[element * 4];
        x0_row[0] = x0_row_vector.x;
        x0_row[1] = x0_row_vector.y;
        x0_row[2] = x0_row_vector.z;
        x0_row[3] = x0_row_vector.w;
    }
    float y0_row[4];
    #pragma unroll
    for (int a1_i = 0; a1_i < 4; ++a1_i) {
        const float t = x0_row[a1_i];
        y0_row[a1_i] = t < 0.0f ? 0.0f : t;
    }
    *(float4*)&y0[element * 4] = make_float4(y0_row[0], y0_row[1], y0_row[2], y0_row[3]);
}
