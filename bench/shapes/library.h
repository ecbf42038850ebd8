// cuBLAS's products of the same operands: the best of the algorithms that its heuristics name.
#pragma once

#include "timing.h"

#include <cublasLt.h>
#include <cublas_v2.h>

namespace shapes {

inline void check(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS)
    return;
  std::fprintf(stderr, "%s\n", cublasGetStatusString(status));
  std::exit(1);
}

/// C = A B of row-major bf16, m x k and k x n. Column-major, as the library counts, that is the
/// product of the transposed operands in the other order.
class library_product {
public:
  library_product(unsigned m, unsigned n, unsigned k) : workspace(room) {
    check(cublasLtCreate(&handle));
    check(cublasLtMatmulDescCreate(&multiply, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    check(cublasLtMatrixLayoutCreate(&a, CUDA_R_16BF, k, m, k));
    check(cublasLtMatrixLayoutCreate(&b, CUDA_R_16BF, n, k, n));
    check(cublasLtMatrixLayoutCreate(&c, CUDA_R_16BF, n, m, n));
    cublasLtMatmulPreference_t preference;
    const size_t bytes = room;
    check(cublasLtMatmulPreferenceCreate(&preference));
    check(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                               &bytes, sizeof bytes));
    int count = 0;
    check(cublasLtMatmulAlgoGetHeuristic(handle, multiply, b, a, c, c, preference, wanted, found,
                                         &count));
    algorithms_ = count;
    cublasLtMatmulPreferenceDestroy(preference);
  }
  library_product(const library_product &) = delete;
  ~library_product() {
    cublasLtMatrixLayoutDestroy(a);
    cublasLtMatrixLayoutDestroy(b);
    cublasLtMatrixLayoutDestroy(c);
    cublasLtMatmulDescDestroy(multiply);
    cublasLtDestroy(handle);
  }

  size_t algorithms() const { return algorithms_; }
  void launch(size_t algorithm, cudaStream_t stream, const void *x, const void *y, void *z) const {
    const float one = 1, zero = 0;
    check(cublasLtMatmul(handle, multiply, &one, y, b, x, a, &zero, z, c, z, c,
                         &found[algorithm].algo, workspace, room, stream));
  }

private:
  static constexpr size_t room = size_t(64) << 20;
  static constexpr int wanted = 12;
  array<char> workspace;
  cublasLtHandle_t handle;
  cublasLtMatmulDesc_t multiply;
  cublasLtMatrixLayout_t a, b, c;
  cublasLtMatmulHeuristicResult_t found[wanted];
  size_t algorithms_ = 0;
};

} // namespace shapes
