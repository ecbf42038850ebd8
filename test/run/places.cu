// Kernels whose blocks take one place of the grid after the other, with a warp of their own that
// fills the ring (sm_90a; under the emulator three blocks go round): turns of any number, which
// places differ in, and what the warp must compute again or cannot; results in parts, of every
// size, where they have a map and where not; what is read and written in place; names.
#include "products.h"

#include <cstdint>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <class T> __tile__ auto view(T *base, int rows, int columns) {
  return ct::tensor_span{base, ct::extents{rows, columns}};
}

// `At` says which tiles along K a turn takes; `turns` may depend on the block.
template <int M, int N, int K, class At> __tile__ auto
product(const bf16 *a, const bf16 *b, int m, int n, int k, int first, int turns, At at) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto as = ct::partition_view{view(a, m, k), ct::shape<M, K>{}};
  auto bs = ct::partition_view{view(b, k, n), ct::shape<K, N>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (int i = first; i < turns; ++i)
    sum = ct::mma(as.load_masked(row, at(i)), bs.load_masked(at(i), column), sum);
  return sum;
}
template <int M, int N, int K>
__tile__ auto product(const bf16 *a, const bf16 *b, int m, int n, int k) {
  return product<M, N, K>(a, b, m, n, k, 0, ct::ceildiv(k, K), [](int i) { return i; });
}
template <int M, int N, class T, class Sum> __tile__ void store(T *c, int m, int n, Sum sum) {
  ct::partition_view{view(c, m, n), ct::shape<M, N>{}}.store_masked(ct::element_cast<T>(sum),
                                                                    ct::bid().y, ct::bid().x);
}

#define KERNEL(NAME)                                                                               \
  __tile_global__ void NAME(const bf16 *__restrict__ a, const bf16 *__restrict__ b,                \
                            float *__restrict__ c, int m, int n, int k)
#define WIDE 128, 256, 64

/// More turns than there are stages, none, one: from another tile on in each row.
KERNEL(turns_of_row) {
  const int row = ct::bid().y, all = ct::ceildiv(k, 64);
  const int turns = row == 0 ? all : 1;
  store<128, 256>(c, m, n, product<WIDE>(a, b, m, n, k, row % 2, turns, [](int i) { return i; }));
}
/// As many tiles on in each turn as the row says, in numbers that the loop carries.
KERNEL(carried) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto as = ct::partition_view{view(a, m, k), ct::shape<128, 64>{}};
  auto bs = ct::partition_view{view(b, k, n), ct::shape<64, 256>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 256>>>();
  int at = 0;
  for (long long back = 2; back >= 0; --back) {
    sum = ct::mma(as.load_masked(row, at), bs.load_masked(at, column), sum);
    at += 1 + row % 2;
  }
  store<128, 256>(c, m, n, sum + float(at));
}
/// Quotients, of what is before the loop and in it.
KERNEL(quotients) {
  const int all = ct::ceildiv(k, 64), by = all / (ct::bid().y + 1) + 1;
  store<128, 256>(c, m, n, product<WIDE>(a, b, m, n, k, 0, all, [=](int i) { return i / by; }));
}
/// The turns are counted, and their tiles found, by tiles: those all warps have.
KERNEL(counted_by_tiles) {
  auto numbers = ct::iota<ct::tile<int, ct::shape<512>>>();
  const int turns = int(ct::sum<0>(ct::element_cast<int>(numbers * 64 < k)));
  store<128, 256>(c, m, n, product<WIDE>(a, b, m, n, k, 0, turns, [](int i) { return i; }));
}
KERNEL(found_by_tiles) {
  store<128, 256>(c, m, n, product<WIDE>(a, b, m, n, k, 0, ct::ceildiv(k, 64), [](int i) {
                    auto numbers = ct::iota<ct::tile<int, ct::shape<512>>>();
                    return int(ct::sum<0>(ct::element_cast<int>(numbers < i)));
                  }));
}
/// Several multiplies in each turn of a ring.
KERNEL(deep) { store<64, 64>(c, m, n, product<64, 64, 256>(a, b, m, n, k)); }
/// What the sum of columns takes of shared memory leaves three stages.
KERNEL(column_sums) {
  auto sum = product<WIDE>(a, b, m, n, k);
  store<128, 256>(c, m, n, sum - ct::sum<0>(sum));
}
/// A result for each z: where it is, no launch knows.
KERNEL(layers) {
  store<128, 256>(c + ct::bid().z * m * n, m, n, product<WIDE>(a, b, m, n, k) + float(ct::bid().z));
}
/// The first row of the block's own result is read again.
__tile_global__ void own_row(const bf16 *__restrict__ a, const bf16 *__restrict__ b, float *c,
                             int m, int n, int k) {
  auto sum = product<WIDE>(a, b, m, n, k);
  auto cs = ct::partition_view{view(c, m, n), ct::shape<1, 256>{}};
  store<128, 256>(c, m, n, sum + cs.load_masked(ct::bid().y * 128, ct::bid().x));
}
/// Blocks have rows for themselves, which the product takes the place of.
__tile_global__ void over(bf16 *a, const bf16 *b, int m, int k) {
  store<128, 256>(a, m, k, product<WIDE>(a, b, m, k, k));
}
/// Results of every size, of factors along K, so that rows of the result may have any length.
template <class T> __tile_global__ void sized(const bf16 *__restrict__ a,
                                              const bf16 *__restrict__ b, T *__restrict__ c, int m,
                                              int n, int k) {
  auto as = ct::partition_view{view(a, m, k), ct::shape<128, 64>{}};
  auto bs = ct::partition_view{view(b, n, k), ct::shape<128, 64>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
  for (unsigned i = 0; i < unsigned(ct::ceildiv(k, 64)); ++i)
    sum =
        ct::mma(as.load_masked(ct::bid().y, i), ct::transpose(bs.load_masked(ct::bid().x, i)), sum);
  store<128, 128>(c, m, n, ct::max(ct::min(sum, 100.0f), -100.0f));
}
/// Floats along rows, rounded: the first factor comes from registers, and the sum is transposed. A
/// bias for columns.
template <int M, int N, int K, class T>
__tile_global__ void of_rows(const float *__restrict__ a, const float *__restrict__ b,
                             const float *__restrict__ bias, T *__restrict__ c, int m, int n,
                             int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto as = ct::partition_view{view(a, m, k), ct::shape<M, K>{}};
  auto bs = ct::partition_view{view(b, k, n), ct::shape<K, N>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i)
    sum = ct::mma(ct::element_cast<__nv_tf32>(as.load_masked(row, i)),
                  ct::element_cast<__nv_tf32>(bs.load_masked(i, column)), sum);
  auto ofColumns = ct::partition_view{view(bias, 1, n), ct::shape<1, N>{}}.load_masked(0, column);
  store<M, N>(c, m, n, sum + ofColumns);
}
/// The result is stored as its transpose.
template <class T> __tile_global__ void turned(const bf16 *__restrict__ a,
                                               const bf16 *__restrict__ b, T *__restrict__ c, int m,
                                               int n, int k) {
  auto sum = product<WIDE>(a, b, m, n, k);
  ct::partition_view{view(c, n, m), ct::shape<256, 128>{}}.store_masked(
      ct::element_cast<T>(ct::transpose(sum)), ct::bid().x, ct::bid().y);
}
/// Kernels that are called as the merged ones are, and names of what the text calls.
KERNEL(deep_merged) { store<64, 64>(c, m, n, product<64, 64, 64>(a, b, m, n, k) * 2.0f); }
KERNEL(layers_by_places) { store<128, 256>(c, m, n, product<WIDE>(a, b, m, n, k) * 2.0f); }
__tile_global__ void names(const bf16 *__restrict__ place, const bf16 *__restrict__ release,
                           float *__restrict__ store_parts, int next, int maps, int grid) {
  const int producer_acquire = ct::ceildiv(grid, 64);
  auto is_warp = product<64, 64, 64>(place, release, next, maps, grid, 0, producer_acquire,
                                     [](int fill) { return fill; });
  store<64, 64>(store_parts, next, maps, is_warp);
}

double part(const operands &o, int row, int column, int i) {
  return o.product_of(0, row, column, i * 64, i * 64 + 64);
}

template <class T> void check_sizes(const char *name) {
  for (int n : {200, 333}) {
    const int m = 300, k = 72;
    run::array<bf16> a(m * k, run::small), b(n * k, run::small);
    run::array<T> c(m * n);
    sized<T><<<dim3((n + 127) / 128, 3), 1>>>(a, b, c, m, n, k);
    run::expect(name, c, [&](std::size_t i) {
      double sum = 0;
      for (int l = 0; l < k; ++l)
        sum += a[i / n * k + l] * b[i % n * k + l];
      return run::number(T(float(std::clamp(sum, -100.0, 100.0))));
    });
  }
}

template <int M, int N, int K, class T> void check_rows(const char *name, int m, int n, int k) {
  auto of_a = [](std::size_t i) { return double(i % 13) - 6; };
  auto of_b = [](std::size_t i) { return double(i % 7) - 3; };
  run::array<float> a(m * k, of_a), b(k * n, of_b), bias(n, [](std::size_t i) { return i % 5; });
  run::array<T> c(m * n);
  of_rows<M, N, K, T><<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(a, b, bias, c, m, n, k);
  run::expect(name, c, [&](std::size_t i) {
    double sum = double(i % n % 5);
    for (int l = 0; l < k; ++l)
      sum += a[i / n * k + l] * b[l * n + i % n];
    return run::number(T(float(sum)));
  });
}

template <class T> void check_turned(const char *name, int m, int n, int k) {
  run::array<bf16> a(m * k, run::small), b(k * n, run::small);
  run::array<T> c(m * n);
  turned<T><<<dim3((n + 255) / 256, (m + 127) / 128), 1>>>(a, b, c, m, n, k);
  run::expect(name, c, [&](std::size_t i) {
    double sum = 0;
    for (int l = 0; l < k; ++l)
      sum += a[i % m * k + l] * b[l * n + i / m];
    return run::number(T(float(sum)));
  });
}

int main() {
  // Six places for three blocks; more turns along K than a ring has stages, and fewer.
  const sizes s{300, 264, 328}, few_turns{300, 264, 136};
  const dim3 grid(2, 3), of_small(5, 5);
  auto times = [](double factor) {
    return [=](const operands &o, int batch, int row, int column, double before) {
      return batch ? before : factor * o.product(0, row, column);
    };
  };
  auto parts = [](auto at) { // of the row of tiles and the turn; below 0: none
    return [=](const operands &o, int batch, int row, int column, double before) {
      double sum = 0;
      for (int i = 0; i < 6; ++i)
        if (const int there = at(row / 128, i); there >= 0)
          sum += part(o, row, column, there);
      return batch ? before : sum;
    };
  };
  check("turns of row", turns_of_row, grid, s,
        parts([](int row, int i) { return row == 0 || (row == 2 && i == 0) ? i : -1; }));
  check("carried", carried, grid, s,
        [&](const operands &o, int batch, int row, int column, double before) {
          const int by = 1 + row / 128 % 2;
          double sum = 3 * by;
          for (int i = 0; i < 3; ++i)
            sum += part(o, row, column, i * by);
          return batch ? before : sum;
        });
  check("quotients", quotients, grid, s,
        parts([](int row, int i) { return i / (6 / (row + 1) + 1); }));
  check("counted by tiles", counted_by_tiles, grid, few_turns, times(1));
  check("found by tiles", found_by_tiles, grid, few_turns, times(1));
  for (int k : {8, 256, 600})
    check("deep", deep, of_small, {300, 264, k}, times(1));
  check("odd rows", deep, of_small, {300, 263, 99}, times(1)); // the program's own kernel
  check("beyond", deep, dim3(9, 7), {300, 264, 72}, times(1));
  check("one place", deep, dim3(4, 2), {100, 200, 72}, times(1));
  check("column sums", column_sums, dim3(2, 2), {132, 260, 24},
        [](const operands &o, int batch, int row, int column, double before) {
          double sum = 0;
          for (int i = row / 128 * 128; !batch && i < std::min(o.s.m, row / 128 * 128 + 128); ++i)
            sum += o.product(0, i, column);
          return batch ? before : o.product(0, row, column) - sum;
        });
  check("layers", layers, dim3(2, 3, 2), few_turns,
        [](const operands &o, int batch, int row, int column, double) {
          return o.product(0, row, column) + batch;
        });
  check("own row", own_row, grid, few_turns,
        [](const operands &o, int batch, int row, int column, double before) {
          const std::size_t first = std::size_t(row / 128 * 128) * o.s.n + column;
          return batch ? before : o.product(0, row, column) + operands::before(first);
        });
  check("called merged", deep_merged, of_small, few_turns, times(2));
  check("called by places", layers_by_places, grid, few_turns, times(2));
  check("names", names, of_small, few_turns, times(1));

  const auto x = [](std::size_t i) { return double(i % 3) - 1; };
  run::array<bf16> a(900 * 256, x),
      b(256 * 256, [](std::size_t i) { return i % 257 == 0 ? 2 : i % 256 == 3; });
  over<<<dim3(1, 8), 1>>>(a, b, 900, 256);
  run::expect("over", a, [&](std::size_t i) {
    double sum = 2 * x(i);
    for (std::size_t l = 0; i % 256 == 3 && l < 256; ++l)
      sum += l == 3 ? 0 : x(i / 256 * 256 + l);
    return sum;
  });
  check_sizes<bf16>("bf16");
  check_sizes<std::int8_t>("bytes");
#ifdef ALL_CASES
  check_sizes<double>("double");
#endif
  for (int k : {4, 32, 200}) {
    check_rows<128, 256, 32, float>("wide rows", 260, 264, k);
    check_rows<64, 128, 16, double>("rows to double", 300, 264, k);
#ifdef ALL_CASES
    check_rows<128, 128, 32, float>("rows", 300, 520, k);
    check_rows<64, 64, 32, bf16>("rows to bf16", 300, 520, k);
#endif
  }
  check_rows<128, 256, 32, float>("rows of words", 300, 261, 99); // the program's own kernel
  check_rows<64, 64, 64, std::int8_t>("rows to bytes", 3, 8, 4);
#ifdef ALL_CASES
  check_turned<bf16>("turned to bf16", 304, 520, 328);
#endif
  check_turned<float>("turned", 300, 264, 72);
  check_turned<float>("turned to rows of any length", 299, 264, 72);
  return run::finish();
}
