// The mixture of main.cu: 128 experts of 7 to 300 rows, each with a matrix of its own.
#pragma once

namespace shapes {

/// One thread per element; expert_of names each row's expert.
__global__ void reference_of_experts(const bf16 *x, const bf16 *w, float *y, const int *expert_of,
                                     int n, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t i = blockIdx.y;
  if (j >= n)
    return;
  const bf16 *b = w + size_t(expert_of[i]) * k * n;
  float sum = 0;
  for (int l = 0; l < k; ++l)
    sum += __bfloat162float(x[i * k + l]) * __bfloat162float(b[size_t(l) * n + j]);
  y[i * n + j] = sum;
}

class experts {
public:
  static constexpr unsigned count = 128;

  experts(unsigned n, unsigned k)
      : n(n), k(k), first_row(rows_of_experts()), rows(first_row.back()), x(size_t(rows) * k),
        w(size_t(count) * k * n), y(size_t(rows) * n), expected(size_t(rows) * n) {
    fill(x, 1);
    fill(w, 2);
    std::vector<int> expert_of;
    for (unsigned e = 0; e < count; ++e)
      expert_of.insert(expert_of.end(), first_row[e + 1] - first_row[e], e);
    const int *of = on_device(expert_of);
    reference_of_experts<<<dim3(ceil_div(n, 256), rows), 256>>>(x, w, expected, of, n, k);
    device_first_row = on_device(first_row);
    add("grouped", tiles_of(64, 64), grouped<64, 64, 64>);
    add("grouped", tiles_of(64, 128), grouped<64, 128, 64>);
    add("grouped", tiles_of(64, 256), grouped<64, 256, 64>);
    add("grouped", tiles_of(128, 128), grouped<128, 128, 64>);
    add("grouped", tiles_of(128, 256), grouped<128, 256, 64>);
    add("grouped alone", tiles_of(64, 256), grouped_alone<64, 256, 64>);
    add("grouped alone", tiles_of(128, 128), grouped_alone<128, 128, 64>);
    add_library();
  }

  /// The same numbers as compare.py's.
  static std::vector<int> rows_of_experts() {
    std::vector<int> first{0};
    unsigned seed = 1;
    for (unsigned e = 0; e < count; ++e) {
      seed = seed * 1664525u + 1013904223u;
      first.push_back(first.back() + 7 + int((seed >> 8) % 294));
    }
    return first;
  }

  void run() const {
    const std::string shape = "experts:" + std::to_string(n) + ":" + std::to_string(k);
    race(shape, {y, expected, size_t(rows) * n, 1, 0.01f * std::sqrt(float(k))}, 2.0 * rows * n * k,
         ours, theirs);
  }

private:
  struct tiling {
    unsigned m, n;
    dim3 grid;
    const int *expert_of, *tile_of;
  };
  using kernel = void (*)(const bf16 *, const bf16 *, bf16 *, const int *, const int *, const int *,
                          unsigned, unsigned, unsigned);

  tiling tiles_of(unsigned m, unsigned n_of_tile) {
    std::vector<int> expert_of, tile_of;
    for (unsigned e = 0; e < count; ++e)
      for (unsigned tile = 0; tile < ceil_div(first_row[e + 1] - first_row[e], m); ++tile) {
        expert_of.push_back(e);
        tile_of.push_back(tile);
      }
    return {m, n_of_tile, dim3(ceil_div(n, n_of_tile), expert_of.size()), on_device(expert_of),
            on_device(tile_of)};
  }

  void add(const char *kind, tiling t, kernel f) {
    char name[64];
    std::snprintf(name, sizeof name, "%ux%ux64 %s", t.m, t.n, kind);
    ours.push_back({name, [this, t, f](cudaStream_t stream, int) {
                      f<<<t.grid, 1, 0, stream>>>(x, w, y, device_first_row, t.expert_of, t.tile_of,
                                                  count, n, k);
                    }});
  }

  /// A product for each expert, and the library's own call for groups.
  void add_library() {
    for (unsigned e = 0; e < count; ++e)
      products.push_back(std::make_unique<library_product>(first_row[e + 1] - first_row[e], n, k));
    theirs.push_back({"a call for each expert", [this](cudaStream_t stream, int) {
                        for (unsigned e = 0; e < count; ++e)
                          products[e]->launch(0, stream, x + size_t(first_row[e]) * k,
                                              w + size_t(e) * n * k, y + size_t(first_row[e]) * n);
                      }});
    std::vector<const void *> xs, ws;
    std::vector<void *> ys;
    for (unsigned e = 0; e < count; ++e) {
      xs.push_back(x + size_t(first_row[e]) * k);
      ws.push_back(w + size_t(e) * n * k);
      ys.push_back(y + size_t(first_row[e]) * n);
      m_of.push_back(first_row[e + 1] - first_row[e]);
    }
    n_of.assign(count, n);
    k_of.assign(count, k);
    one_of.assign(count, 1);
    alpha.assign(count, 1);
    beta.assign(count, 0);
    operations.assign(count, CUBLAS_OP_N);
    group_xs = on_device(xs), group_ws = on_device(ws), group_ys = on_device(ys);
    check(cublasCreate(&handle));
    if (call_for_groups(nullptr) == CUBLAS_STATUS_SUCCESS)
      theirs.push_back({"one call for groups",
                        [this](cudaStream_t stream, int) { check(call_for_groups(stream)); }});
    cudaGetLastError();
  }

  cublasStatus_t call_for_groups(cudaStream_t stream) const {
    cublasSetStream(handle, stream);
    return cublasGemmGroupedBatchedEx(
        handle, operations.data(), operations.data(), n_of.data(), m_of.data(), k_of.data(),
        alpha.data(), group_ws, CUDA_R_16BF, n_of.data(), group_xs, CUDA_R_16BF, k_of.data(),
        beta.data(), group_ys, CUDA_R_16BF, n_of.data(), count, one_of.data(), CUBLAS_COMPUTE_32F);
  }

  template <class T> T *on_device(const std::vector<T> &values) {
    T *p = nullptr;
    check(cudaMalloc(&p, values.size() * sizeof(T)));
    check(cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
  }

  unsigned n, k;
  std::vector<int> first_row;
  unsigned rows;
  array<bf16> x, w, y;
  array<float> expected;
  const int *device_first_row = nullptr;
  std::vector<std::unique_ptr<library_product>> products;
  cublasHandle_t handle = nullptr;
  std::vector<int> m_of, n_of, k_of, one_of;
  std::vector<float> alpha, beta;
  std::vector<cublasOperation_t> operations;
  const void **group_xs = nullptr, **group_ws = nullptr;
  void **group_ys = nullptr;
  std::vector<way> ours, theirs;
};

} // namespace shapes
