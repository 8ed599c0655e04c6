// Kernels that test_emulator.py runs: right ones, and one for each kind of mistake that the emulator must name.
// A width of 64 threads and rows of 100 are the test's; sizes are literals, as in generated code.

extern "C" __global__ void add_row(const float* x, const float* b, float* y) {
    const int item = blockIdx.x * blockDim.x + threadIdx.x;
    if (item >= 300) return;
    y[item] = x[item] + b[item % 100];
}

// Every block sums a row of 100: threads, then warps by shuffles, then one warp over their sums.
extern "C" __global__ void __launch_bounds__(64) row_sums(const float* x, float* y) {
    __shared__ float parts[2];
    float total = 0.0f;
    for (int j = threadIdx.x; j < 100; j += blockDim.x) total += x[blockIdx.x * 100 + j];
    for (int offset = 16; offset > 0; offset /= 2) total += __shfl_down_sync(0xffffffffu, total, offset);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = total;
    __syncthreads();
    if (threadIdx.x == 0) y[blockIdx.x] = parts[0] + parts[1];
}

extern "C" __global__ void reverse(const float* x, float* y) {
    extern __shared__ float turned[];
    turned[blockDim.x - 1 - threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = turned[threadIdx.x];
}

// Halves of a warp's row change places: a __syncwarp orders what its lanes write and read.
extern "C" __global__ void swapped(const float* x, float* y) {
    __shared__ float row[64];
    row[threadIdx.x] = x[threadIdx.x];
    __syncwarp();
    y[threadIdx.x] = row[threadIdx.x ^ 16];
}

extern "C" __global__ void philox_words(unsigned* y) {
    unsigned k0 = 0u, k1 = 0u, c0 = 0u, c1 = 0u, c2 = 0u, c3 = 0u;
    for (int round = 0; round < 10; ++round) {
        const unsigned h0 = __umulhi(0xD2511F53u, c0), l0 = 0xD2511F53u * c0;
        const unsigned h1 = __umulhi(0xCD9E8D57u, c2), l1 = 0xCD9E8D57u * c2;
        c0 = h1 ^ c1 ^ k0, c1 = l1, c2 = h0 ^ c3 ^ k1, c3 = l0;
        k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
    }
    y[0] = c0, y[1] = c1, y[2] = c2, y[3] = c3;
}

extern "C" __global__ void warp_votes(unsigned* y) {
    const unsigned odd = __ballot_sync(0xffffffffu, threadIdx.x & 1);
    const int any = __any_sync(0xffffffffu, threadIdx.x == 7), all = __all_sync(0xffffffffu, threadIdx.x < 32);
    const int left = __shfl_up_sync(0xffffffffu, (int)threadIdx.x, 1, 8);
    const int pair = __shfl_xor_sync(0xffffffffu, (int)threadIdx.x, 1);
    y[threadIdx.x] = odd ^ (unsigned)(any + 2 * all + 4 * left + 256 * pair);
}

extern "C" __global__ void flush(const float* x, float* y) { y[threadIdx.x] = x[threadIdx.x] * 0.5f; }

extern "C" __global__ void count(int* y) { atomicAdd(&y[threadIdx.x % 3], 1); }

extern "C" __global__ void functions(const double* x, double* y) {
    y[0] = cospi(x[0]), y[1] = sinpi(x[0]), y[2] = rsqrt(x[0]), y[3] = fma(x[0], x[0], 1.0);
    y[4] = __int_as_float(0x7f800000), y[5] = max(3, 5), y[6] = min(2.5f, -1.0f), y[7] = cospif(0.25f);
}

// ---- mistakes ----------------------------------------------------------------------------------------------------

extern "C" __global__ void missing_barrier(const float* x, float* y) {
    __shared__ float row[64];
    row[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = row[63 - threadIdx.x];
}

extern "C" __global__ void missing_second_barrier(const float* x, float* y) {
    __shared__ float best;
    if (threadIdx.x == 0) best = x[0];
    __syncthreads();
    y[threadIdx.x] = best;
    if (threadIdx.x == 0) best = x[1];
}

template <int lanes>
static __device__ float neighbour(float own) {
    __shared__ float values[lanes];
    values[threadIdx.x] = own;
    return values[(threadIdx.x + 1) % lanes];
}

extern "C" __global__ void missing_barrier_in_template(const float* x, float* y) {
    y[threadIdx.x] = neighbour<64>(x[threadIdx.x]);
}

extern "C" __global__ void never_written(const float* x, float* y) {
    __shared__ float row[64];
    if (threadIdx.x < 60) row[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = row[threadIdx.x];
}

extern "C" __global__ void writes_beside(const float* x, float* y) { y[threadIdx.x + 1] = x[threadIdx.x]; }

extern "C" __global__ void reads_beside(const float* x, float* y) { y[threadIdx.x] = x[threadIdx.x] + x[-1]; }

extern "C" __global__ void reads_far(const float* x, float* y) { y[threadIdx.x] = x[threadIdx.x + 100000]; }

extern "C" __global__ void index_of_shared(const float* x, float* y) {
    __shared__ float row[32];
    row[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = row[threadIdx.x];
}

extern "C" __global__ void divergent_barrier(float* y) {
    if (threadIdx.x < 16) {
        y[threadIdx.x] = 1.0f;
        __syncthreads();
    } else {
        y[threadIdx.x] = 2.0f;
        __syncthreads();
    }
}

extern "C" __global__ void early_exit(const float* x, float* y) {
    if (threadIdx.x >= 50) return;
    y[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
}

extern "C" __global__ void divergent_warp(float* y) {
    float v = y[threadIdx.x];
    if (threadIdx.x < 16) v = __shfl_sync(0xffffffffu, v, 0);
    else v = __shfl_down_sync(0xffffffffu, v, 1);
    y[threadIdx.x] = v;
}

extern "C" __global__ void shuffle_for_barrier(const float* x, float* y) {
    __shared__ float row[64];
    row[threadIdx.x] = x[threadIdx.x];
    const float v = __shfl_xor_sync(0xffffffffu, x[threadIdx.x], 1);
    y[threadIdx.x] = row[threadIdx.x ^ 1] + v;
}

extern "C" __global__ void race_of_blocks(float* y) { y[0] = y[0] + 1.0f; }

extern "C" __global__ void overflow(int* y) { y[threadIdx.x] = y[threadIdx.x] * 65536; }

// Every block stores a part; the one that ends last adds them up. Without one of the orders, it may read old values.
template <bool before, bool meet, bool after>
static __device__ void add_in_last_block(const float* x, float* parts, unsigned* n, float* y) {
    __shared__ bool last;
    if (threadIdx.x == 5) parts[blockIdx.x] = x[blockIdx.x] * 2.0f;
    if (before) __threadfence();
    if (meet) __syncthreads();
    if (threadIdx.x == 0) last = atomicInc(n, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (after) __threadfence();
    if (!last || threadIdx.x != 1) return;
    float total = 0.0f;
    for (unsigned k = 0; k < gridDim.x; ++k) total += parts[k];
    y[0] = total;
}
extern "C" __global__ void last_block(const float* x, float* parts, unsigned* n, float* y) {
    add_in_last_block<true, true, true>(x, parts, n, y);
}
extern "C" __global__ void last_block_writes_unfenced(const float* x, float* parts, unsigned* n, float* y) {
    add_in_last_block<false, true, true>(x, parts, n, y);
}
extern "C" __global__ void last_block_counts_early(const float* x, float* parts, unsigned* n, float* y) {
    add_in_last_block<true, false, true>(x, parts, n, y);
}
extern "C" __global__ void last_block_reads_unfenced(const float* x, float* parts, unsigned* n, float* y) {
    add_in_last_block<true, true, false>(x, parts, n, y);
}

// Copies into shared memory that threads do not wait for.
__device__ void start_copy(float* to, const float* from, int read) {
    const unsigned place = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
                 :: "r"(place), "l"(from), "n"(4), "r"(read) : "memory");
}

extern "C" __global__ void copied(const float* x, float* y) {
    __shared__ float row[64];
    start_copy(&row[threadIdx.x], &x[threadIdx.x], threadIdx.x < 60 ? 4 : 0);
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    y[threadIdx.x] = row[63 - threadIdx.x];
}

extern "C" __global__ void copied_beyond(const float* x, float* y) {
    extern __shared__ float4 brought[];
    float* const row = (float*)&brought[4];
    start_copy(&row[threadIdx.x], &x[threadIdx.x + 100000], 0);
    asm volatile("cp.async.wait_all;" ::: "memory");
    y[threadIdx.x] = row[threadIdx.x];
}

extern "C" __global__ void copy_not_awaited(const float* x, float* y) {
    __shared__ float row[64];
    start_copy(&row[threadIdx.x], &x[threadIdx.x], 4);
    __syncthreads();
    y[threadIdx.x] = row[63 - threadIdx.x];
    asm volatile("cp.async.wait_all;" ::: "memory");
}

extern "C" __global__ void copy_without_barrier(const float* x, float* y) {
    __shared__ float row[64];
    start_copy(&row[threadIdx.x], &x[threadIdx.x], 4);
    asm volatile("cp.async.wait_all;" ::: "memory");
    y[threadIdx.x] = row[threadIdx.x ^ 1];
}

extern "C" __global__ void copy_overwritten(const float* x, float* y) {
    __shared__ float row[64];
    start_copy(&row[threadIdx.x], &x[threadIdx.x], 4);
    row[threadIdx.x] = 1.0f;
    asm volatile("cp.async.wait_all;" ::: "memory");
    y[threadIdx.x] = row[threadIdx.x];
}

extern "C" __global__ void copy_left_behind(const float* x, float* y) {
    __shared__ float row[64];
    start_copy(&row[threadIdx.x], &x[threadIdx.x], 4);
    y[threadIdx.x] = 0.0f;
}

extern "C" __global__ void copy_overtaken(const float* x, float* y) {
    __shared__ float row[64];
    row[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = row[63 - threadIdx.x];
    start_copy(&row[threadIdx.x], &x[threadIdx.x], 4);
    asm volatile("cp.async.wait_all;" ::: "memory");
}

// Single elements are stored, and read as vectors.
extern "C" __global__ void floats_as_vectors(const float* x, float* y) {
    __shared__ __align__(16) float row[64];
    row[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 16) *(float4*)&y[threadIdx.x * 4] = *(const float4*)&row[60 - threadIdx.x * 4];
}

extern "C" __global__ void floats_as_one_vector(const float* x, float* y) {
    __shared__ __align__(16) float row[64];
    row[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    const float4 v = *(const float4*)&row[threadIdx.x / 4 * 4];
    y[threadIdx.x] = v.x + v.y + v.z + v.w;
}
