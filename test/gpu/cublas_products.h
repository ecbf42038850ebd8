// The library's matrix products, timed as ours are: row-major operands, the second transposed or
// not, the algorithm that its own heuristics put first.
#pragma once

#include "product.h"

#include <cublasLt.h>
#include <cuda_fp16.h>

namespace cublas {

inline void check(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS)
    return;
  std::fprintf(stderr, "%s\n", cublasGetStatusString(status));
  std::exit(1);
}

template <class T> constexpr cudaDataType_t type_of() {
  if constexpr (std::is_same_v<T, __nv_bfloat16>)
    return CUDA_R_16BF;
  else if constexpr (std::is_same_v<T, __half>)
    return CUDA_R_16F;
  else if constexpr (std::is_same_v<T, float>)
    return CUDA_R_32F;
  else if constexpr (std::is_same_v<T, __nv_fp8_e4m3>)
    return CUDA_R_8F_E4M3;
  else if constexpr (std::is_same_v<T, int>)
    return CUDA_R_32I;
  else
    return CUDA_R_8I;
}

// Fast sums of fp8 stay in the unit, with its few digits; else the library adds parts of them
// outside. Column-major, as the library counts, the product is that of the transposed operands in
// the other order.
template <class T, class Out>
bool run(const char *name, int m, int n, int k, bool is_b_transposed, bool is_fast = false) {
  constexpr bool in_integers = std::is_same_v<Out, int>;
  constexpr cublasComputeType_t compute = in_integers                ? CUBLAS_COMPUTE_32I
                                          : std::is_same_v<T, float> ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                                     : CUBLAS_COMPUTE_32F;
  cublasLtHandle_t handle;
  check(cublasLtCreate(&handle));
  cublasLtMatmulDesc_t multiply;
  check(cublasLtMatmulDescCreate(&multiply, compute, in_integers ? CUDA_R_32I : CUDA_R_32F));
  const cublasOperation_t of_b = is_b_transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  check(cublasLtMatmulDescSetAttribute(multiply, CUBLASLT_MATMUL_DESC_TRANSA, &of_b, sizeof of_b));
  const signed char fast = is_fast;
  check(cublasLtMatmulDescSetAttribute(multiply, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &fast,
                                       sizeof fast));
  cublasLtMatrixLayout_t a_layout, b_layout, c_layout;
  check(cublasLtMatrixLayoutCreate(&b_layout, type_of<T>(), is_b_transposed ? k : n,
                                   is_b_transposed ? n : k, is_b_transposed ? k : n));
  check(cublasLtMatrixLayoutCreate(&a_layout, type_of<T>(), k, m, k));
  check(cublasLtMatrixLayoutCreate(&c_layout, type_of<Out>(), n, m, n));
  size_t room = size_t(64) << 20;
  const product::array<char> workspace(room);
  cublasLtMatmulPreference_t preference;
  check(cublasLtMatmulPreferenceCreate(&preference));
  check(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                             &room, sizeof room));
  cublasLtMatmulHeuristicResult_t best;
  int found = 0;
  check(cublasLtMatmulAlgoGetHeuristic(handle, multiply, b_layout, a_layout, c_layout, c_layout,
                                       preference, 1, &best, &found));
  const product::number<T> one = 1, zero = 0;
  const bool right =
      product::run<T, Out>(name, m, n, k, is_b_transposed, [&](const T *a, const T *b, Out *c) {
        check(cublasLtMatmul(handle, multiply, &one, b, b_layout, a, a_layout, &zero, c, c_layout,
                             c, c_layout, &best.algo, workspace, room, nullptr));
      });
  cublasLtDestroy(handle);
  return right;
}

} // namespace cublas
