// schedule contraction.long-sum
//   split(loop=co, factor=5, outer=co_o, inner=co_i, tail=guard)
//   split(loop=kw, factor=3, outer=kw_o, inner=kw_i, tail=guard)
//   reorder(loops=(co_o, ci, kh, kw_o, co_i, kw_i))
//   distribute(loop=kw_i, past=(n, oh, ow))
//   distribute(loop=co_i, past=(n, oh, ow))
//   unroll(loop=kw_i)
//   unroll(loop=co_i)
//   threads(loops=(n, oh, ow), count=256)
//   block_reduce(local=acc)
//   blocks(loops=(co_o, ci, kh, kw_o))
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
                for (int co_i = 0; co_i < 5; ++co_i) {
                    const float t1 = x1[n * 320 + co_i * 64 + oh * 8 + ow];
                    #pragma unroll
                    for (int kw_i = 0; kw_i < 3; ++kw_i) {
                        if (kw_i + ow >= 1 && kw_i + ow < 9) {
                            acc_part[co_i * 3 + kw_i] = fmaf(x0[n * 128 + ci * 64 + kh * 8 + oh * 8 + kw_i + ow - 9], t1, acc_part[co_i * 3 + kw_i]);
                        }
                    }
                }
            }
        }
    }
    mochac_block_reduce_add_f32<256, 15>(acc_part, acc);
    if (threadIdx.x < 15) {
        const int co_i_2 = (int)threadIdx.x / 3;
        const int kw_i_2 = (int)threadIdx.x % 3;
        y0[co_i_2 * 18 + ci * 9 + kh * 3 + kw_i_2] = acc[co_i_2 * 3 + kw_i_2];
    }
}
