// CUDA C for g++: the device language that generated kernels use, on the machine of emu_machine.h.
//
// emulated.py includes the generated source, unmodified, after this file and names its kernels with EMU_KERNEL.
// What is not here does not compile: add it when a generated kernel needs it, with the device's semantics.
#pragma once
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>
#include "emu_machine.h"

// What stands for one instruction of the device is not watched as accesses of the kernel.
#define EMU_INSTRUCTION __attribute__((no_sanitize("thread"), noinline))

#define __CUDA_EMULATOR__ 1
#define __CUDA_ARCH__ 900
#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __shared__ static thread_local  // its segment is a block's shared memory; g++ 12 ignores sections in templates
#define __grid_constant__

#define threadIdx (emu::now.thread_index)
#define blockIdx (emu::now.block_index)
#define blockDim (emu::now.block)
#define gridDim (emu::now.grid)
#define warpSize 32

// ---- vectors --------------------------------------------------------------------------------------------------------

// Copies are one access, as they are on the device.
#define EMU_COPIES(name)                                                                                      \
  name() = default;                                                                                           \
  __attribute__((always_inline)) name(const name& other) { emu::move(this, &other, sizeof *this); }           \
  __attribute__((always_inline)) name& operator=(const name& other) {                                         \
    emu::move(this, &other, sizeof *this);                                                                    \
    return *this;                                                                                             \
  }
#define EMU_VECTOR(type, name, align)                                                \
  struct alignas(2 * align) name##2 {                                                \
    type x, y;                                                                       \
    name##2(type a, type b) : x(a), y(b) {}                                          \
    EMU_COPIES(name##2)                                                              \
  };                                                                                 \
  struct alignas(4 * align > 16 ? 16 : 4 * align) name##4 {                          \
    type x, y, z, w;                                                                 \
    name##4(type a, type b, type c, type d) : x(a), y(b), z(c), w(d) {}              \
    EMU_COPIES(name##4)                                                              \
  };                                                                                 \
  static inline name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  static inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
EMU_VECTOR(float, float, 4)
EMU_VECTOR(double, double, 8)
EMU_VECTOR(int, int, 4)
EMU_VECTOR(unsigned, uint, 4)
EMU_VECTOR(signed char, char, 1)
EMU_VECTOR(unsigned char, uchar, 1)
#define EMU_TRIPLE(type, name)      \
  struct name##3 { type x, y, z; }; \
  static inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }
EMU_TRIPLE(float, float)
EMU_TRIPLE(double, double)
EMU_TRIPLE(int, int)

// ---- barriers, warps ------------------------------------------------------------------------------------------------

#define __syncthreads() emu::block_barrier(__LINE__)
#define __syncwarp(...) emu::sync_warp(__LINE__ __VA_OPT__(, ) __VA_ARGS__)
#define __threadfence() emu::fence()
// Kernels of one stream never overlap here: that a kernel waits for those before it is only counted, for the stand-in
// driver.
namespace emu {
inline EMU_INSTRUCTION void griddepcontrol_wait() { ++emu_waits; }
inline void griddepcontrol_launch_dependents() {}
__forceinline__ void cp_async_ca_shared_global(unsigned to, const void* from, unsigned bytes, unsigned read) {
  copy_async(to, from, bytes, read);
}
inline void cp_async_wait_all() { copies_arrived(); }
}  // namespace emu
inline size_t __cvta_generic_to_shared(const void* at) { return uint32_t(uint64_t(at)); }
#define __threadfence_block() ((void)0)

namespace emu {
EMU_INSTRUCTION static int lane() { return now.thread & 31; }
static void sync_warp(int line, unsigned mask = 0xffffffffu) { warp_barrier(mask, line, 0, -1); }

// `source` is a lane of the warp; a source outside the segment of `width` lanes means the own value.
template <class T>
EMU_INSTRUCTION static T shuffle(unsigned mask, int line, T value, int source, int width) {
  static_assert(sizeof(T) <= 8, "shuffles move at most 8 bytes");
  int first = lane() & ~(width - 1);
  if (source < first || source >= first + width) source = lane();
  uint64_t raw = 0;
  memcpy(&raw, &value, sizeof value);
  raw = warp_barrier(mask, line, raw, source);
  memcpy(&value, &raw, sizeof value);
  return value;
}
template <class T>
static T shuffle_to(unsigned mask, int line, T v, int source, int width = 32) {
  return shuffle(mask, line, v, (lane() & ~(width - 1)) + (source & (width - 1)), width);
}
template <class T>
static T shuffle_by(unsigned mask, int line, int sign, T v, unsigned delta, int width = 32) {
  return shuffle(mask, line, v, lane() + sign * int(delta), width);
}
template <class T>
static T shuffle_xor(unsigned mask, int line, T v, int bits, int width = 32) {
  return shuffle(mask, line, v, lane() ^ bits, width);
}

// A lane that is not there has no vote.
static unsigned ballot(unsigned mask, int line, bool vote) {
  unsigned votes = 0;
  for (int i = 0; i < 32; ++i) votes |= unsigned(warp_barrier(mask, line, vote, i) == 1) << i;
  return votes;
}
}  // namespace emu

#define __shfl_sync(mask, ...) emu::shuffle_to(mask, __LINE__, __VA_ARGS__)
#define __shfl_down_sync(mask, ...) emu::shuffle_by(mask, __LINE__, 1, __VA_ARGS__)
#define __shfl_up_sync(mask, ...) emu::shuffle_by(mask, __LINE__, -1, __VA_ARGS__)
#define __shfl_xor_sync(mask, ...) emu::shuffle_xor(mask, __LINE__, __VA_ARGS__)
#define __ballot_sync(mask, vote) emu::ballot(mask, __LINE__, vote)
#define __any_sync(mask, vote) (emu::ballot(mask, __LINE__, vote) != 0)
#define __all_sync(mask, vote) (emu::ballot(mask, __LINE__, !(vote)) == 0)

// ---- atomics: nothing runs in between, and not watched --------------------------------------------------------------

#define EMU_ATOMIC(name, expression)      \
  template <class T, class U>             \
  EMU_INSTRUCTION T name(T* p, U given) { \
    T old = *p, v = T(given);             \
    *p = expression;                      \
    return old;                           \
  }
EMU_ATOMIC(atomicAdd, old + v)
EMU_ATOMIC(atomicSub, old - v)
EMU_ATOMIC(atomicMax, old > v ? old : v)
EMU_ATOMIC(atomicMin, old < v ? old : v)
EMU_ATOMIC(atomicAnd, old& v)
EMU_ATOMIC(atomicOr, old | v)
EMU_ATOMIC(atomicExch, v)
template <class T>
EMU_INSTRUCTION T atomicInc(T* p, T limit) {
  T old = *p;
  *p = old >= limit ? T(0) : old + 1;
  emu::arrive();
  return old;
}
template <class T>
EMU_INSTRUCTION T atomicCAS(T* p, T compare, T value) {
  T old = *p;
  if (old == compare) *p = value;
  return old;
}

// ---- bits, rounding, functions that C's library does not have -------------------------------------------------------

template <class To, class From>
static inline To emu_bits(From value) {
  static_assert(sizeof(To) == sizeof(From), "");
  To to;
  memcpy(&to, &value, sizeof to);
  return to;
}
static inline long long clock64() {  // of a fast device: loops that wait are short
  static thread_local long long cycles = 0;
  return cycles += 1000000;
}
// The normal distribution, which <cmath> lacks.
static inline double normcdf(double x) { return 0.5 * std::erfc(-x * 0.70710678118654752440); }
static inline float normcdff(float x) { return (float)normcdf((double)x); }

static inline int __float_as_int(float v) { return emu_bits<int>(v); }
static inline unsigned __float_as_uint(float v) { return emu_bits<unsigned>(v); }
static inline float __int_as_float(int v) { return emu_bits<float>(v); }
static inline float __uint_as_float(unsigned v) { return emu_bits<float>(v); }
static inline long long __double_as_longlong(double v) { return emu_bits<long long>(v); }
static inline double __longlong_as_double(long long v) { return emu_bits<double>(v); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned((uint64_t(a) * b) >> 32); }
static inline int __mulhi(int a, int b) { return int((int64_t(a) * b) >> 32); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline int __clz(int v) { return v ? __builtin_clz(unsigned(v)) : 32; }
static inline int __ffs(int v) { return __builtin_ffs(v); }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fsqrt_rn(float a) { return sqrtf(a); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __dsqrt_rn(double a) { return sqrt(a); }
static inline float __fdividef(float a, float b) { return a / b; }
static inline float __saturatef(float v) { return v > 0.f ? (v < 1.f ? v : 1.f) : 0.f; }
#define __expf(v) expf(v)  // macros: C's library has functions of these names
#define __logf(v) logf(v)
#define __powf(a, b) powf(a, b)
static inline float rsqrtf(float v) { return 1.f / sqrtf(v); }
static inline double rsqrt(double v) { return 1. / sqrt(v); }
static inline int __float2int_rn(float v) { return int(rintf(v)); }
static inline int __float2int_rz(float v) { return int(v); }
static inline float __int2float_rn(int v) { return float(v); }
template <class T>
static inline T __ldg(const T* p) {
  return *p;
}

// sin(pi x) and cos(pi x): the argument is reduced exactly before pi comes in.
static inline double emu_circle(double x, int quarter_turns) {
  double turns = fmod(x, 2.0), quadrant = rint(2.0 * turns), rest = turns - 0.5 * quadrant;
  const double pi = 3.14159265358979323846;
  switch ((int(quadrant) + quarter_turns) & 3) {
    case 0:
      return sin(pi * rest);
    case 1:
      return cos(pi * rest);
    case 2:
      return -sin(pi * rest);
    default:
      return -cos(pi * rest);
  }
}
static inline double sinpi(double x) { return emu_circle(x, 0); }
static inline double cospi(double x) { return emu_circle(x, 1); }
static inline float sinpif(float x) { return float(emu_circle(x, 0)); }
static inline float cospif(float x) { return float(emu_circle(x, 1)); }

// As in CUDA: on floats they are fminf and fmaxf, mixed arguments take the common type.
template <class A, class B>
static inline std::common_type_t<A, B> min(A a, B b) {
  using T = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point_v<T>)
    return std::fmin(T(a), T(b));
  else
    return T(b) < T(a) ? T(b) : T(a);
}
template <class A, class B>
static inline std::common_type_t<A, B> max(A a, B b) {
  using T = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point_v<T>)
    return std::fmax(T(a), T(b));
  else
    return T(a) < T(b) ? T(b) : T(a);
}

// ---- entry points ---------------------------------------------------------------------------------------------------

namespace emu {
template <class... A>
struct Call {
  void (*kernel)(A...);
  void** parameters;
  template <size_t... I>
  EMU_INSTRUCTION void with(std::index_sequence<I...>) const {
    kernel(*static_cast<std::remove_cv_t<A>*>(parameters[I])...);
  }
  EMU_INSTRUCTION static void enter(const void* self) {
    static_cast<const Call*>(self)->with(std::index_sequence_for<A...>{});
  }
};

template <class... A>
static int call(void (*kernel)(A...), void** parameters, const EmuShape& shape) {
  Call<A...> whole{kernel, parameters};
  return launch(shape, Call<A...>::enter, &whole);
}

// Where parameter `i` lies in a packed parameter buffer (asked with null: whether there is one); false past the last.
template <class... A>
static bool parameter(void (*)(A...), size_t i, size_t* offset, size_t* size) {
  size_t sizes[] = {sizeof(A)..., 0}, aligns[] = {alignof(A)..., 1}, at = 0;
  for (size_t k = 0; k < sizeof...(A); ++k) {
    at = (at + aligns[k] - 1) / aligns[k] * aligns[k];
    if (k == i && offset) *offset = at, *size = sizes[k];
    if (k == i) return true;
    at += sizes[k];
  }
  return false;
}
}  // namespace emu

// What drivers look up for each kernel; `threads` is its __launch_bounds__.
#define EMU_KERNEL(name, threads)                                               \
  extern "C" const int emu_threads_##name = threads;                            \
  extern "C" int emu_launch_##name(void** parameters, const EmuShape* shape) {  \
    return emu::call(name, parameters, *shape);                                 \
  }                                                                             \
  extern "C" int emu_parameter_##name(size_t i, size_t* offset, size_t* size) { \
    return emu::parameter(name, i, offset, size);                               \
  }
