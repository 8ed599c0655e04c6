// schedule contraction.long-sum
//   reorder(loops=(ci, kh, co, kw))
//   distribute(loop=kw, past=(n, oh, ow))
//   distribute(loop=co, past=(n, oh, ow))
//   unroll(loop=kw)
//   unroll(loop=co)
//   threads(loops=(n, oh, ow), count=256)
//   block_reduce(local=acc)
//   blocks(loops=(ci, kh))
// <<<6, 256>>>
// conv_dw
//   6 blocks of 256 threads
extern "C" __global__ void __launch_bounds__(256)
mochac_conv_dw_padded_f32_conv_dw_0(
    const float* __restrict__ x0,  // f32[b17,2,8,8]
    const float* __restrict__ x1,  // f32[b17,5,8,8]
    float* __restrict__ y0)  // f32[5,2,3,3]
{
    __shared__ __align__(16) float acc[5 * 3];
    const int ci = (int)blockIdx.x / 3;
    const int kh = (int)blockIdx.x % 3;
    if (threadIdx.x < 15) {
        const int element = (int)threadIdx.x;
        acc[element] = 0.0f;
    }
    __syncthreads();
    float acc_part[15];
    #pragma unroll
    for (int i0 = 0; i0 < 15; ++i0) {
        acc_part[i0] = 0.0f;
    }
    #pragma unroll 2
    for (int turn = 0; turn < 5; ++turn) {
        const int index = turn * 256 + (int)threadIdx.x;
        if (index < 1088) {
            const int n = index / 64;
            const int oh = index / 8 % 8;
            const int ow = index % 8;
            if (kh + oh >= 1 && kh + oh < 9) {
                #pragma unroll
                for (int co = 0; co < 5; ++co) {
                    const float t1 = x1[n * 320 + co * 64 + oh * 8 + ow];
                    #pragma unroll
                    for (int kw = 0; kw < 3; ++kw) {
                        if (kw + ow >= 1 && kw + ow < 9) {
                            acc_part[co * 3 + kw] = fmaf(x0[n * 128 + ci * 64 + kh * 8 + oh * 8 + kw + ow - 9], t1, acc_part[co * 3 + kw]);
                        }
                    }
                }
            }
        }
    }
    mochac_block_reduce_add_f32<256, 15>(acc_part, acc);
    if (threadIdx.x < 15) {
        const int co_2 = (int)threadIdx.x / 3;
        const int kw_2 = (int)threadIdx.x % 3;
        y0[co_2 * 18 + ci * 9 + kh * 3 + kw_2] = acc[co_2 * 3 + kw_2];
    }
}
