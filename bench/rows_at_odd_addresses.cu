// Softmax, layer_norm, and rms_norm with a weight for each column, of rows that begin anywhere,
// beside their aligned neighbours and a copy: rows of an odd number of columns, and aligned rows in
// an array that begins one element later.
//
//   rows_at_odd_addresses [ROWS [ROUNDS]]   on a GPU: a line for each kernel and number of rows a
//                                           block, GB/s of one read and one write; some rows of the
//                                           results are checked first. ROWS: 16384. ROUNDS: of 20
//                                           launches, the best of which counts; 7
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <cuda_tile.h>
#include <type_traits>
#include <vector>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

#define ROWS_OF_X_AND_Y                                                                            \
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}}, ct::shape<R, C>{}}; \
  auto ys = ct::partition_view{ct::tensor_span{y, ct::extents{rows, columns}}, ct::shape<R, C>{}};

template <class T, int R, int C> __tile_global__ void
softmax(const T *__restrict__ x, T *__restrict__ y, unsigned rows, unsigned columns) {
  ROWS_OF_X_AND_Y
  const int i = ct::bid().x;
  auto v = ct::element_cast<float>(xs.template load_masked<ct::view_padding::negative_inf>(i, 0));
  auto e = ct::exp(v - ct::reduce_max<1>(v));
  ys.store_masked(ct::element_cast<T>(e / ct::sum<1>(e)), i, 0);
}

// The same by pointers, a row a block.
template <class T, int C>
__tile_global__ void softmax_by_pointers(const T *__restrict__ x, T *__restrict__ y, int columns) {
  auto i = ct::iota<ct::tile<int, ct::shape<C>>>();
  const long long at = static_cast<long long>(ct::bid().x) * columns;
  auto v = ct::element_cast<float>(ct::load_masked(x + at + i, i < columns, T(-INFINITY)));
  auto e = ct::exp(v - ct::reduce_max<0>(v));
  ct::store_masked(y + at + i, ct::element_cast<T>(e / ct::sum<0>(e)), i < columns);
}

template <class Rows> __tile__ auto normalized(Rows v, unsigned columns) {
  auto mean = ct::sum<1>(v) / float(columns);
  auto square = ct::sum<1>(v * v) / float(columns);
  return (v - mean) * ct::rsqrt(square - mean * mean + 1e-5f);
}

template <class T, int R, int C> __tile_global__ void
layer_norm(const T *__restrict__ x, T *__restrict__ y, unsigned rows, unsigned columns) {
  ROWS_OF_X_AND_Y
  const int i = ct::bid().x;
  auto v = ct::element_cast<float>(xs.load_masked(i, 0));
  ys.store_masked(ct::element_cast<T>(normalized(v, columns)), i, 0);
}

template <class T, int C> __tile_global__ void rms_norm(const T *__restrict__ x, T *__restrict__ y,
                                                        const T *__restrict__ w, unsigned rows,
                                                        unsigned columns) {
  constexpr int R = 1;
  ROWS_OF_X_AND_Y
  auto ws = ct::partition_view{ct::tensor_span{w, ct::extents{columns}}, ct::shape<C>{}};
  const int i = ct::bid().x;
  auto v = ct::element_cast<float>(xs.load_masked(i, 0));
  auto weight = ct::reshape<ct::shape<1, C>>(ct::element_cast<float>(ws.load_masked(0)));
  auto scale = ct::rsqrt(ct::sum<1>(v * v) / float(columns) + 1e-5f);
  ys.store_masked(ct::element_cast<T>(v * scale * weight), i, 0);
}

// A block takes row after row.
template <class T, int R, int C>
__tile_global__ void persistent_layer_norm(const T *__restrict__ x, T *__restrict__ y,
                                           unsigned rows, unsigned columns, int blocks) {
  ROWS_OF_X_AND_Y
  for (auto i : ct::irange(int(ct::bid().x), int((rows + R - 1) / R), blocks)) {
    auto v = ct::element_cast<float>(xs.load_masked(i, 0));
    ys.store_masked(ct::element_cast<T>(normalized(v, columns)), i, 0);
  }
}

template <class T, int C> __tile_global__ void copy(const T *__restrict__ x, T *__restrict__ y) {
  auto xs = ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(x), ct::extents{1u << 30}},
                               ct::shape<C>{}};
  auto ys = ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(y), ct::extents{1u << 30}},
                               ct::shape<C>{}};
  ys.store(xs.load(int(ct::bid().x)), int(ct::bid().x));
}

int rounds = 7, failures = 0;

void require(cudaError_t status) {
  if (status == cudaSuccess)
    return;
  std::printf("error: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

// Of 20 launches, in milliseconds.
template <class Launch> float best_time(Launch launch) {
  cudaEvent_t begin, end;
  require(cudaEventCreate(&begin));
  require(cudaEventCreate(&end));
  float best = INFINITY;
  for (int round = 0; round < rounds; ++round) {
    require(cudaEventRecord(begin));
    for (int i = 0; i < 20; ++i)
      launch();
    require(cudaEventRecord(end));
    require(cudaEventSynchronize(end));
    float time = 0;
    require(cudaEventElapsedTime(&time, begin, end));
    best = std::min(best, time / 20);
  }
  return best;
}

template <class T> struct arrays {
  std::size_t size; // elements of each, and a group that is written by nobody
  T *x, *y;
  std::vector<T> host;

  explicit arrays(std::size_t n) : size(n + 16), host(size) {
    for (std::size_t i = 0; i < size; ++i)
      host[i] = T(float(i * 2654435761u % 1009) / 256 - 2);
    require(cudaMalloc(&x, size * sizeof(T)));
    require(cudaMalloc(&y, size * sizeof(T)));
    require(cudaMemcpy(x, host.data(), size * sizeof(T), cudaMemcpyHostToDevice));
  }
  arrays(const arrays &) = delete;
  ~arrays() {
    cudaFree(x);
    cudaFree(y);
  }
};

// Where the rows are.
struct rows_of_array {
  int from, rows, columns;
};

enum class kind { softmax, layer_norm, rms_norm };

template <class T>
void check(const char *name, const arrays<T> &a, const rows_of_array &at, kind k) {
  std::vector<T> result(a.size);
  require(cudaDeviceSynchronize());
  require(cudaMemcpy(result.data(), a.y, a.size * sizeof(T), cudaMemcpyDeviceToHost));
  const double bound = std::is_same_v<T, float> ? 2e-5 : 1e-2;
  auto is_zero = [&](std::size_t i) { return float(result[i]) == 0; };
  const std::size_t end = at.from + std::size_t(at.rows) * at.columns;
  for (std::size_t i = 0; i < std::size_t(at.from); ++i)
    failures += !is_zero(i);
  for (std::size_t i = end; i < a.size && i < end + 16; ++i)
    failures += !is_zero(i);
  for (int r = 0; r < at.rows; r += r < 8 ? 1 : 499) {
    const std::size_t row = at.from + std::size_t(r) * at.columns;
    double sum = 0, square = 0, top = -INFINITY, total = 0, largest = 0;
    for (int c = 0; c < at.columns; ++c) {
      const double v = float(a.host[row + c]);
      sum += v;
      square += v * v;
      top = std::max(top, v);
    }
    for (int c = 0; c < at.columns; ++c)
      total += std::exp(double(float(a.host[row + c])) - top);
    const double mean = sum / at.columns,
                 scale = 1 / std::sqrt(square / at.columns - mean * mean + 1e-5),
                 scale_about_0 = 1 / std::sqrt(square / at.columns + 1e-5);
    auto wanted = [&](int c) {
      const double v = float(a.host[row + c]);
      return k == kind::softmax      ? std::exp(v - top) / total
             : k == kind::layer_norm ? (v - mean) * scale
                                     : v * scale_about_0 * float(a.host[c]);
    };
    for (int c = 0; c < at.columns; ++c)
      largest = std::max(largest, std::abs(wanted(c)));
    for (int c = 0; c < at.columns; ++c)
      if (!(std::abs(float(result[row + c]) - wanted(c)) <= bound * largest)) {
        std::printf("wrong: %s, row %d, column %d: %g, should be %g\n", name, r, c,
                    float(result[row + c]), wanted(c));
        ++failures;
        return;
      }
  }
}

template <class T, class Launch> void measure(const char *name, int rows_of_block,
                                              const arrays<T> &a, const rows_of_array &at, kind k,
                                              Launch launch) {
  require(cudaMemset(a.y, 0, a.size * sizeof(T)));
  launch();
  require(cudaGetLastError());
  check(name, a, at, k);
  const double bytes = 2.0 * at.rows * at.columns * sizeof(T);
  std::printf("%-5s %-22s %d rows  %dx%d from %d  %7.0f GB/s\n",
              std::is_same_v<T, float> ? "float" : "bf16", name, rows_of_block, at.rows, at.columns,
              at.from, bytes / best_time(launch) / 1e6);
}

template <class T, int R, int C> void measure_blocks(const arrays<T> &a, const rows_of_array &at) {
  const unsigned rows = at.rows, columns = at.columns, grid = (rows + R - 1) / R;
  const T *x = a.x + at.from;
  T *y = a.y + at.from;
  int processors = 0;
  require(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  measure("softmax", R, a, at, kind::softmax,
          [&] { softmax<T, R, C><<<grid, 1>>>(x, y, rows, columns); });
  measure("layer_norm", R, a, at, kind::layer_norm,
          [&] { layer_norm<T, R, C><<<grid, 1>>>(x, y, rows, columns); });
  measure("persistent layer_norm", R, a, at, kind::layer_norm, [&] {
    persistent_layer_norm<T, R, C><<<processors, 1>>>(x, y, rows, columns, processors);
  });
}

template <class T, int C> void measure_rows(const arrays<T> &a, const rows_of_array &at) {
  measure("softmax by pointers", 1, a, at, kind::softmax, [&] {
    softmax_by_pointers<T, C><<<at.rows, 1>>>(a.x + at.from, a.y + at.from, at.columns);
  });
  measure_blocks<T, 1, C>(a, at);
  measure_blocks<T, 2, C>(a, at);
  measure_blocks<T, 4, C>(a, at);
}

// The weights of rms_norm are the first elements of x.
template <class T, int C> void measure_length(const arrays<T> &a, int rows, int columns) {
  const rows_of_array at{0, rows, columns};
  measure("softmax", 1, a, at, kind::softmax,
          [&] { softmax<T, 1, C><<<rows, 1>>>(a.x, a.y, rows, columns); });
  measure("layer_norm", 1, a, at, kind::layer_norm,
          [&] { layer_norm<T, 1, C><<<rows, 1>>>(a.x, a.y, rows, columns); });
  measure("rms_norm", 1, a, at, kind::rms_norm,
          [&] { rms_norm<T, C><<<rows, 1>>>(a.x, a.y, a.x, rows, columns); });
}

template <class T> void measure_all(int rows) {
  const arrays<T> a(std::size_t(rows) * 8192);
  const int blocks = int(std::size_t(rows) * 4096 / 4096);
  const float time = best_time([&] { copy<T, 4096><<<blocks, 1>>>(a.x, a.y); });
  std::printf("%-5s %-22s %7.0f GB/s\n", std::is_same_v<T, float> ? "float" : "bf16", "copy",
              2.0 * rows * 4096 * sizeof(T) / time / 1e6);
  measure_rows<T, 4096>(a, {0, rows, 4096});
  measure_rows<T, 4096>(a, {1, rows, 4096});
  measure_rows<T, 4096>(a, {0, rows, 4095});
  measure_rows<T, 8192>(a, {0, rows, 4104}); // tiles as of 4097 columns, aligned
  measure_rows<T, 8192>(a, {0, rows, 4097});
  for (int columns : {1000, 1023, 1024})
    measure_length<T, 1024>(a, rows, columns);
  for (int columns : {4095, 4096})
    measure_length<T, 4096>(a, rows, columns);
  for (int columns : {4097, 4104, 8191, 8192})
    measure_length<T, 8192>(a, rows, columns);
}

int main(int count, char **words) {
  const int rows = count > 1 ? std::atoi(words[1]) : 16384;
  if (count > 2)
    rounds = std::atoi(words[2]);
  measure_all<bf16>(rows);
  measure_all<float>(rows);
  return failures != 0;
}
