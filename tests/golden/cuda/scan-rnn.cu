// schedule time_loop
//   stage(buffer=w, loop=item, space=register, subtotal=False)
//   unroll(loop=f)
//   place(local=h, space=shared)
//   place(local=new, space=shared)
//   threads(loops=(o), count=32)
//   threads(loops=(i), count=32)
//   threads(loops=(i.1), count=32)
//   blocks(loops=(item))
// inner_product + add + tanh
//   3 blocks of 32 threads
extern "C" __global__ void __launch_bounds__(32, 1)
mochac_scan(
    const float* __restrict__ c,  // f32[b3,7]
    const float* __restrict__ w,  // f32[7,7]
    const float* xs,  // f32[5,3,7]
    float* __restrict__ last_h_all,  // f32[6,3,7]
    float* sums)  // f32[5,3,7]
{
    __shared__ __align__(16) float h[7];
    __shared__ __align__(16) float new_[7];
    const int item_ = (int)blockIdx.x;
    float w_reg[7];
    if (threadIdx.x < 7) {
        const int o = (int)threadIdx.x;
        #pragma unroll
        for (int f = 0; f < 7; ++f) {
            w_reg[f] = w[o * 7 + f];
        }
    }
    if (threadIdx.x < 7) {
        const int i = (int)threadIdx.x;
        const float t_1 = c[item_ * 7 + i];
        h[i] = t_1;
        last_h_all[item_ * 7 + i] = t_1;
    }
    for (int time = 0; time < 5; ++time) {
        __syncthreads();
        if (threadIdx.x < 7) {
            const int o = (int)threadIdx.x;
            float acc = 0.0f;
            #pragma unroll
            for (int f = 0; f < 7; ++f) {
                acc = fmaf(h[f], w_reg[f], acc);
            }
            const float t4 = acc + xs[time * 21 + item_ * 7 + o];
            const float t5 = tanhf(t4);
            sums[time * 21 + item_ * 7 + o] = t4;
            new_[o] = t5;
            last_h_all[time * 21 + item_ * 7 + o + 21] = t5;
        }
        __syncthreads();
        if (threadIdx.x < 7) {
            const int i_1 = (int)threadIdx.x;
            h[i_1] = new_[i_1];
        }
    }
}
