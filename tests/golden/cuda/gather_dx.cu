// schedule table.rows
//   own_rows(loops=(v, v1), rows=4, own=own)
//   distribute(loop=d, past=(v, n0, n1, v1))
//   threads(loops=(d), count=32)
//   blocks(loops=(own))
// <<<50, 32>>>
// gather_dx
//   50 blocks of 32 threads
extern "C" __global__ void __launch_bounds__(32)
mochac_gather_dx_f32_gather_dx_0(
    const float* x0,  // f32[b5,40,20]
    const int* __restrict__ x1,  // i32[b5,40]
    float* y0)  // f32[200,20]
{
    const int own = (int)blockIdx.x;
    for (int v = own * 4; v < own * 4 + 4; ++v) {
        if (threadIdx.x < 20) {
            const int d = (int)threadIdx.x;
            y0[v * 20 + d] = 0.0f;
        }
    }
    for (int n0 = 0; n0 < 5; ++n0) {
        for (int n1_first = 0; n1_first < 40; n1_first += 32) {
            bool n1_hit = false;
            if (n1_first + (int)threadIdx.x % 32 < 40) {
                const int n1 = n1_first + (int)threadIdx.x % 32;
                const int t = x1[n0 * 40 + n1];
                n1_hit = t >= own * 4 && t < own * 4 + 4;
            }
            for (unsigned int n1_hits = __ballot_sync(0xffffffffu, n1_hit); n1_hits; n1_hits &= n1_hits - 1) {
                const int n1 = n1_first + __ffs(n1_hits) - 1;
                const int t = x1[n0 * 40 + n1];
                if (t >= own * 4 && t < own * 4 + 4) {
                    const int v1 = (int)t;
                    if (t == v1) {
                        if (threadIdx.x < 20) {
                            const int d = (int)threadIdx.x;
                            y0[v1 * 20 + d] = x0[n0 * 800 + n1 * 20 + d] + y0[v1 * 20 + d];
                        }
                    }
                }
            }
        }
    }
}
