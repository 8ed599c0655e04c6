// schedule contraction.long-sum
//   reorder(loops=(ci, kh, co, kw))
//   sink(loop=kw, past=(n, oh, ow))
//   sink(loop=co, past=(n, oh, ow))
//   unroll(loop=co)
//   unroll(loop=kw)
//   lanes(loops=(n, oh, ow), lanes=256)
//   deal(local=acc)
//   blocks(loops=(ci, kh))
// <<<6, 256>>>
// conv2d_dw
extern "C" __global__ void __launch_bounds__(256)
mochac_conv2d_dw_f32_conv2d_dw_0(
    const float* __restrict__ x0,  // f32[b9,2,14,14]
    const float* __restrict__ x1,  // f32[b9,6,12,12]
    float* __restrict__ y0)  // f32[6,2,3,3]
{
    __shared__ __align__(16) float acc[6 * 3];
    const int ci = (int)blockIdx.x / 3;
    const int kh = (int)blockIdx.x % 3;
    if (threadIdx.x < 18) {
        const int element = (int)threadIdx.x;
        acc[element] = 0.0f;
    }
    __syncthreads();
    float acc_part[18];
    #pragma unroll
    for (int i0 = 0; i0 < 18; ++i0) {
        acc_part[i0] = 0.0f;
    }
    for (int lane = threadIdx.x; lane < 1296; lane += 256) {
        const int n = lane / 144;
        const int oh = lane / 12 % 12;
        const int ow = lane % 12;
        #pragma unroll
        for (int co = 0; co < 6; ++co) {
            const float t1 = x1[n * 864 + co * 144 + oh * 12 + ow];
            #pragma unroll
            for (int kw = 0; kw < 3; ++kw) {
                acc_part[co * 3 + kw] = fmaf(x0[n * 392 + ci * 196 + kh * 14 + oh * 14 + kw + ow], t1, acc_part[co * 3 + kw]);
            }
        }
    }
    mochac_deal_add_f32<256, 18>(acc_part, acc);
    if (threadIdx.x < 18) {
        const int co_2 = (int)threadIdx.x / 3;
        const int kw_2 = (int)threadIdx.x % 3;
        y0[co_2 * 18 + ci * 9 + kh * 3 + kw_2] = acc[co_2 * 3 + kw_2];
    }
}
