// A stand-in libcublas.so.13 with the functions mochac calls: products on the CPU, in the order of the stream they are
// put on, so that captured graphs hold them. Arguments are those of cublas_api.h; a wrong one is a status, as there.
#include <cstddef>
#include <memory>
#include <set>
#include <vector>

extern "C" int cuLaunchHostFunc(void* stream, void (*f)(void*), void* data);

namespace {

enum { kSuccess = 0, kNotInitialized = 1, kInvalidValue = 7, kExecutionFailed = 13 };

struct Context {
  void* stream = nullptr;
  void* workspace = nullptr;
};
std::set<Context*> contexts;

template <class T>
struct Product {
  bool turn_a, turn_b;
  int m, n, k, lda, ldb, ldc;
  T alpha, beta;
  const T *a, *b;
  T* c;

  void run() const {
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        double sum = 0;
        for (int l = 0; l < k; ++l)
          sum += double(turn_a ? a[l + size_t(i) * lda] : a[i + size_t(l) * lda]) *
                 double(turn_b ? b[j + size_t(l) * ldb] : b[l + size_t(j) * ldb]);
        T& out = c[i + size_t(j) * ldc];
        out = T(alpha * sum) + (beta == T(0) ? T(0) : beta * out);
      }
  }
};

std::vector<std::shared_ptr<void>> kept;  // a captured product is run again and again

template <class T>
int gemm(Context* context, int ta, int tb, int m, int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb,
         const T* beta, T* c, int ldc) {
  if (!contexts.count(context)) return kNotInitialized;
  const bool sizes = m >= 0 && n >= 0 && k >= 0 && lda >= (ta ? k : m) && ldb >= (tb ? n : k) && ldc >= m;
  if (!sizes || ta < 0 || ta > 2 || tb < 0 || tb > 2 || !alpha || !beta || !context->workspace) return kInvalidValue;
  auto work = std::make_shared<Product<T>>(
      Product<T>{ta != 0, tb != 0, m, n, k, lda, ldb, ldc, *alpha, *beta, a, b, c});
  kept.push_back(work);
  auto run = [](void* data) { static_cast<Product<T>*>(data)->run(); };
  return cuLaunchHostFunc(context->stream, run, work.get()) ? kExecutionFailed : kSuccess;
}

}  // namespace

extern "C" {

int cublasCreate_v2(Context** out) {
  *out = new Context;
  contexts.insert(*out);
  return kSuccess;
}
int cublasDestroy_v2(Context* context) {
  if (!contexts.erase(context)) return kNotInitialized;
  delete context;
  return kSuccess;
}
int cublasGetVersion_v2(Context*, int* version) { return *version = 130000, kSuccess; }
int cublasSetStream_v2(Context* context, void* stream) {
  if (!contexts.count(context)) return kNotInitialized;
  context->stream = stream;
  context->workspace = nullptr;  // as in cuBLAS: a stream takes the default workspace again
  return kSuccess;
}
int cublasSetWorkspace_v2(Context* context, void* workspace, size_t bytes) {
  if (!contexts.count(context)) return kNotInitialized;
  if (!workspace || bytes < (4u << 20) || size_t(workspace) % 256) return kInvalidValue;
  return context->workspace = workspace, kSuccess;
}
int cublasSgemm_v2(Context* x, int ta, int tb, int m, int n, int k, const float* alpha, const float* a, int lda,
                   const float* b, int ldb, const float* beta, float* c, int ldc) {
  return gemm(x, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
int cublasDgemm_v2(Context* x, int ta, int tb, int m, int n, int k, const double* alpha, const double* a, int lda,
                   const double* b, int ldb, const double* beta, double* c, int ldc) {
  return gemm(x, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
}
