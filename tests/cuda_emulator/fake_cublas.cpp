// A stand-in libcublasLt.so.13 with the functions mochac calls: products on the CPU, in the order of the stream they are
// put on, so that captured graphs hold them. Arguments, attributes and their sizes are those of cublasLt.h; a wrong one
// is a status, as there. Environment MOCHAC_FAKE_CUBLAS_REFUSES names an epilogue's number no algorithm is found for;
// MOCHAC_FAKE_CUBLAS_NS="4000 10 2000" ranks three algorithms, which take so long on the stand-in driver's own clock.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <vector>

extern "C" int cuLaunchHostFunc(void* stream, void (*f)(void*), void* data);
extern "C" void fake_cuda_worked(uint64_t ns);

namespace {

enum { kSuccess = 0, kNotInitialized = 1, kInvalidValue = 7, kExecutionFailed = 13, kNotSupported = 15 };
enum { kF32 = 0, kF64 = 1, kCompute32 = 68, kCompute64 = 70, kFastBf16 = 75, kFastTf32 = 77 };
enum { kDefault = 1, kBias = 4, kReluBias = 6 };
const size_t kWorkspace = 1 << 20;
const uint64_t kMark = 0xa160;

struct Context {};
struct Layout {
  int type;
  uint64_t rows, columns;
  int64_t leading;
};
struct Matmul {
  int compute, scale, turn_a = 0, turn_b = 0;
  uint32_t epilogue = kDefault;
  const void* bias = nullptr;
};
struct Preference {
  uint64_t workspace = 0;
  uint32_t schemes = 7;
  uint32_t aligned[4] = {256, 256, 256, 256};
};
struct Result {
  uint64_t algo[8];
  size_t workspace;
  int state;
  float waves;
  int reserved[4];
};
std::set<Context*> contexts;

// What the algorithms take; a single one that takes nothing where the environment does not say.
std::vector<uint64_t> ranked() {
  const char* told = getenv("MOCHAC_FAKE_CUBLAS_NS");
  std::vector<uint64_t> found;
  for (char* end; told && *told; told = end + (*end == ' ')) found.push_back(strtoull(told, &end, 10));
  return found.empty() ? std::vector<uint64_t>{0} : found;
}

template <class T>
struct Product {
  Matmul how;
  int m, n, k, lda, ldb, ldc;
  T alpha, beta;
  const T *a, *b, *bias;
  T* c;
  uint64_t ns;

  void run() const {
    fake_cuda_worked(1001 + ns);  // a launch, as of a kernel of one thread
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        double sum = 0;
        for (int l = 0; l < k; ++l)
          sum += double(how.turn_a ? a[l + size_t(i) * lda] : a[i + size_t(l) * lda]) *
                 double(how.turn_b ? b[j + size_t(l) * ldb] : b[l + size_t(j) * ldb]);
        T& out = c[i + size_t(j) * ldc];
        T value = T(alpha * sum) + (beta == T(0) ? T(0) : beta * out);
        if (how.epilogue & kBias) value += bias[i];
        out = (how.epilogue & 2) && value < T(0) ? T(0) : value;
      }
  }
};

std::vector<std::shared_ptr<void>> kept;  // a captured product is run again and again

bool fits(const Matmul& how, const Layout& a, const Layout& b, const Layout& c) {
  const bool single = how.scale == kF32 && (how.compute == kCompute32 || how.compute == kFastBf16 || how.compute == kFastTf32);
  const bool types = a.type == how.scale && b.type == how.scale && c.type == how.scale;
  const uint64_t m = how.turn_a ? a.columns : a.rows, k = how.turn_a ? a.rows : a.columns;
  const uint64_t n = how.turn_b ? b.rows : b.columns, inner = how.turn_b ? b.columns : b.rows;
  return types && (single || (how.scale == kF64 && how.compute == kCompute64)) && m == c.rows && n == c.columns && k == inner;
}

template <class T>
int launch(const Matmul& how, const void* alpha, const void* a, const Layout& la, const void* b, const Layout& lb,
           const void* beta, void* c, const Layout& lc, void* stream, uint64_t ns) {
  Product<T> p;
  p.how = how;
  p.ns = ns;
  p.m = int(lc.rows), p.n = int(lc.columns), p.k = int(how.turn_a ? la.rows : la.columns);
  p.lda = int(la.leading), p.ldb = int(lb.leading), p.ldc = int(lc.leading);
  p.alpha = *static_cast<const T*>(alpha), p.beta = *static_cast<const T*>(beta);
  p.a = static_cast<const T*>(a), p.b = static_cast<const T*>(b), p.bias = static_cast<const T*>(how.bias);
  p.c = static_cast<T*>(c);
  auto work = std::make_shared<Product<T>>(p);
  kept.push_back(work);
  auto run = [](void* data) { static_cast<Product<T>*>(data)->run(); };
  return cuLaunchHostFunc(stream, run, work.get()) ? kExecutionFailed : kSuccess;
}

template <class T>
int put(T& where, const void* value, size_t bytes) {
  if (bytes != sizeof(T)) return kInvalidValue;
  return memcpy(&where, value, bytes), kSuccess;
}

}  // namespace

extern "C" {

int cublasLtCreate(Context** out) { return contexts.insert(*out = new Context), kSuccess; }
int cublasLtDestroy(Context* context) {
  if (!contexts.erase(context)) return kNotInitialized;
  return delete context, kSuccess;
}
size_t cublasLtGetVersion() { return 130000; }
const char* cublasLtGetStatusName(int status) {
  return status == kInvalidValue    ? "CUBLAS_STATUS_INVALID_VALUE"
         : status == kNotSupported ? "CUBLAS_STATUS_NOT_SUPPORTED"
                                   : "CUBLAS_STATUS_EXECUTION_FAILED";
}
int cublasLtMatrixLayoutCreate(Layout** out, int type, uint64_t rows, uint64_t columns, int64_t leading) {
  if (leading < int64_t(rows)) return kInvalidValue;
  return *out = new Layout{type, rows, columns, leading}, kSuccess;
}
int cublasLtMatrixLayoutDestroy(Layout* layout) { return delete layout, kSuccess; }
int cublasLtMatmulDescCreate(Matmul** out, int compute, int scale) {
  *out = new Matmul;
  return (*out)->compute = compute, (*out)->scale = scale, kSuccess;
}
int cublasLtMatmulDescDestroy(Matmul* how) { return delete how, kSuccess; }
int cublasLtMatmulDescSetAttribute(Matmul* how, int attribute, const void* value, size_t bytes) {
  switch (attribute) {
    case 3: return put(how->turn_a, value, bytes);
    case 4: return put(how->turn_b, value, bytes);
    case 7: return put(how->epilogue, value, bytes);
    case 8: return put(how->bias, value, bytes);
  }
  return kInvalidValue;
}
int cublasLtMatmulPreferenceCreate(Preference** out) { return *out = new Preference, kSuccess; }
int cublasLtMatmulPreferenceDestroy(Preference* wish) { return delete wish, kSuccess; }
int cublasLtMatmulPreferenceSetAttribute(Preference* wish, int attribute, const void* value, size_t bytes) {
  if (attribute == 1) return put(wish->workspace, value, bytes);
  if (attribute == 3) return put(wish->schemes, value, bytes);
  return attribute >= 5 && attribute <= 8 ? put(wish->aligned[attribute - 5], value, bytes) : int(kInvalidValue);
}
int cublasLtMatmulAlgoGetHeuristic(Context* context, Matmul* how, Layout* a, Layout* b, Layout* c, Layout* d,
                                   Preference* wish, int wanted, Result* found, int* count) {
  if (!contexts.count(context)) return kNotInitialized;
  if (wish->schemes > 7 || wanted < 1 || c != d || !fits(*how, *a, *b, *c)) return kInvalidValue;
  for (uint32_t aligned : wish->aligned)
    if (aligned > 64) return kInvalidValue;  // an arena's values are not aligned better
  const char* refused = getenv("MOCHAC_FAKE_CUBLAS_REFUSES");
  *count = 0;
  if (refused && unsigned(atoi(refused)) == how->epilogue) return kNotSupported;
  if (how->epilogue != kDefault && (!how->bias || size_t(how->bias) % 4)) return kInvalidValue;
  for (uint64_t ns : ranked()) {
    if (*count == wanted) break;
    Result& next = found[(*count)++] = Result{};
    next.algo[0] = kMark, next.algo[1] = ns;
    next.workspace = wish->workspace < kWorkspace ? 0 : kWorkspace;
  }
  return kSuccess;
}
int cublasLtMatmul(Context* context, Matmul* how, const void* alpha, const void* a, Layout* la, const void* b, Layout* lb,
                   const void* beta, const void* c, Layout* lc, void* d, Layout* ld, const uint64_t* algo,
                   void* workspace, size_t bytes, void* stream) {
  if (!contexts.count(context)) return kNotInitialized;
  if (!alpha || !beta || c != d || lc != ld || !fits(*how, *la, *lb, *lc) || algo[0] != kMark) return kInvalidValue;
  if (bytes < kWorkspace || !workspace || size_t(workspace) % 256) return kInvalidValue;
  if (size_t(a) % 64 || size_t(b) % 64 || size_t(d) % 64) return kInvalidValue;
  return how->scale == kF32 ? launch<float>(*how, alpha, a, *la, b, *lb, beta, d, *ld, stream, algo[1])
                            : launch<double>(*how, alpha, a, *la, b, *lb, beta, d, *ld, stream, algo[1]);
}
}
