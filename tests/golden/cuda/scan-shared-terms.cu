// schedule time_loop
//   split(loop=f, factor=16, outer=f_o, inner=f_i, tail=guard)
//   partial(local=acc, loop=f_o, join=f_o_s)
//   distribute(loop=o, past=(f_o))
//   unroll(loop=f_o_s)
//   stage(buffer=w, loop=item, space=register, subtotal=False)
//   unroll(loop=f_i)
//   place(local=h, space=shared)
//   place(local=new, space=shared)
//   threads(loops=(f_o, o), count=256)
//   threads(loops=(o), count=256)
//   exchange(local=acc)
//   threads(loops=(i), count=256)
//   threads(loops=(i.1), count=256)
//   blocks(loops=(item))
// inner_product + add + tanh
//   3 blocks of 256 threads
extern "C" __global__ void __launch_bounds__(256, 1)
mochac_scan(
    const float* __restrict__ c,  // f32[b3,64]
    const float* __restrict__ w,  // f32[64,64]
    const float* xs,  // f32[3,3,64]
    float* __restrict__ last_h_all,  // f32[4,3,64]
    float* sums)  // f32[3,3,64]
{
    __shared__ __align__(16) float h[64];
    __shared__ __align__(16) float new_[64];
    __shared__ __align__(16) float acc_parts[4 * 64];
    const int item_ = (int)blockIdx.x;
    float w_reg[16];
    {
        const int f_o = (int)threadIdx.x / 64;
        const int o = (int)threadIdx.x % 64;
        #pragma unroll
        for (int f_i = 0; f_i < 16; ++f_i) {
            w_reg[f_i] = w[o * 64 + f_o * 16 + f_i];
        }
    }
    if (threadIdx.x < 64) {
        const int i = (int)threadIdx.x;
        const float t_1 = c[item_ * 64 + i];
        h[i] = t_1;
        last_h_all[item_ * 64 + i] = t_1;
    }
    for (int time = 0; time < 3; ++time) {
        float acc;
        {
            acc = 0.0f;
        }
        __syncthreads();
        {
            const int f_o = (int)threadIdx.x / 64;
            #pragma unroll
            for (int f_i = 0; f_i < 16; ++f_i) {
                acc = fmaf(h[f_o * 16 + f_i], w_reg[f_i], acc);
            }
        }
        {
            const int f_o = (int)threadIdx.x / 64;
            const int o = (int)threadIdx.x % 64;
            acc_parts[f_o * 64 + o] = acc;
        }
        __syncthreads();
        if (threadIdx.x < 64) {
            const int o = (int)threadIdx.x;
            float acc_sum = 0.0f;
            #pragma unroll
            for (int f_o_s = 0; f_o_s < 4; ++f_o_s) {
                acc_sum = acc_parts[f_o_s * 64 + o] + acc_sum;
            }
            const float t4 = acc_sum + xs[time * 192 + item_ * 64 + o];
            const float t5 = tanhf(t4);
            sums[time * 192 + item_ * 64 + o] = t4;
            new_[o] = t5;
            last_h_all[time * 192 + item_ * 64 + o + 192] = t5;
        }
        __syncthreads();
        if (threadIdx.x < 64) {
            const int i_1 = (int)threadIdx.x;
            h[i_1] = new_[i_1];
        }
    }
}
