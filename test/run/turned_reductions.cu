// Reductions of what a product turns on its way to shared memory: threads have it along diagonals,
// which have neither rows nor columns. Sums, scans and places of extremes, of floats that become
// tf32, of what is computed of them, and of fp8.
#include "run.h"

#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using fp8 = __nv_fp8_e4m3;

template <int R, int C, class T> __tile__ auto view(T *p, int rows, int columns) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, columns}}, ct::shape<R, C>{}};
}
template <class Tile> __tile__ auto rounded(Tile x) { return ct::element_cast<__nv_tf32>(x); }

enum class of { read, computed, scaled };

// Columns of B beside A * B, whose first factor runs across K, or whose sum is scaled in each turn:
// neither is made as its transpose.
template <int M, int N, int K, of Kind>
__tile_global__ void floats(const float *__restrict__ a, const float *__restrict__ b,
                            float *__restrict__ c, float *__restrict__ columns, int m, int n,
                            int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  auto total = ct::zeros<ct::tile<float, ct::shape<1, N>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i) {
    auto y = view<K, N>(b, k, n).load_masked(i, column);
    auto x = rounded(view<M, K>(a, m, k).load_masked(row, i));
    if constexpr (Kind == of::read) {
      sum = ct::mma(x, rounded(y), sum);
      total = total + ct::sum<0>(y);
    } else {
      auto z = rounded(ct::max(y, 0.0f));
      sum = ct::mma(x, z, sum);
      if constexpr (Kind == of::scaled)
        sum = sum * 0.5f;
      total = total + ct::sum<0>(ct::element_cast<float>(z));
    }
  }
  view<M, N>(c, m, n).store_masked(sum, row, column);
  if (row == 0)
    view<1, N>(columns, 1, n).store_masked(total, 0, column);
}

enum class kind { sums, scans, places };

template <kind Kind> __tile_global__ void bytes(const fp8 *__restrict__ a,
                                                const fp8 *__restrict__ b, float *__restrict__ c,
                                                float *__restrict__ result, int k) {
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  auto rows = ct::zeros<ct::tile<float, ct::shape<32, 1>>>();
  auto columns = ct::zeros<ct::tile<float, ct::shape<1, 64>>>();
  for (int i = 0; i < k / 32; ++i) {
    auto y = view<32, 64>(b, k, 64).load_masked(i, 0);
    auto x = ct::element_cast<float>(y);
    sum = ct::mma(view<64, 32>(a, 64, k).load_masked(0, i), y, sum);
    if constexpr (Kind == kind::sums)
      rows = rows + ct::sum<1>(x);
    else if constexpr (Kind == kind::scans)
      columns = columns + ct::sum<0>(ct::partial_sum<0>(x));
    else
      rows = rows + ct::element_cast<float>(ct::max_element<1>(x));
  }
  view<64, 64>(c, 64, 64).store_masked(sum, 0, 0);
  if constexpr (Kind == kind::scans)
    view<1, 64>(result, 1, 64).store_masked(columns, 0, 0);
  else
    view<32, 1>(result, 32, 1).store_masked(rows, 0, 0);
}

// Small numbers, of which all formats hold every bit; in no order.
double element(std::size_t i) { return double(int(unsigned(i * 2654435761u) >> 28) - 8) / 4; }

template <int M, int N, int K, of Kind> void check_floats(const char *name) {
  const int m = 132, n = 68, k = 100;
  run::array<float> a(m * k, element), b(k * n, element), c(m * n), columns(n);
  floats<M, N, K, Kind><<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(a, b, c, columns, m, n, k);
  run::expect(name, columns, [&](std::size_t j) {
    double total = 0;
    for (int i = 0; i < k; ++i) {
      const double x = b[std::size_t(i) * n + j];
      total += Kind == of::read ? x : std::fmax(x, 0.0);
    }
    return total;
  });
}

template <kind Kind> void check_bytes(const char *name) {
  const int k = 128;
  run::array<fp8> a(64 * k, element), b(k * 64, element);
  run::array<float> c(64 * 64), result(Kind == kind::scans ? 64 : 32);
  bytes<Kind><<<1, 1>>>(a, b, c, result, k);
  run::expect(name, result, [&](std::size_t j) {
    double total = 0;
    auto at = [&](int row, int column) {
      return run::number(b.host[std::size_t(row) * 64 + column]);
    };
    for (int first = 0; first < k; first += 32) {
      int best = 0;
      for (int i = 1; i < 64; ++i)
        if (at(first + int(j % 32), i) > at(first + int(j % 32), best))
          best = i;
      if (Kind == kind::places)
        total += best;
      for (int i = 0; i < 64; ++i)
        if (Kind == kind::sums)
          total += at(first + int(j), i);
      for (int i = 0; i < 32; ++i)
        if (Kind == kind::scans)
          total += (32 - i) * at(first + i, int(j));
    }
    return total;
  });
}

int main() {
  check_floats<128, 128, 32, of::read>("read");
  check_floats<128, 128, 32, of::computed>("computed");
  check_floats<64, 64, 32, of::computed>("computed, small");
  check_floats<128, 128, 32, of::scaled>("scaled sums");
  check_bytes<kind::sums>("sums");
  check_bytes<kind::scans>("scans");
  check_bytes<kind::places>("places");
  return run::finish();
}
