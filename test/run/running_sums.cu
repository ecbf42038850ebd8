// Sums along rows that are longer than a tile: the last column of one tile is where the next one
// starts. Parts of one element, of a row, of a column, at both ends of a tile.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void along_rows(const int *x, long long *y, int rows, int n) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, n}}, ct::shape<4, 64>{}};
  auto ys = ct::partition_view{ct::tensor_span{y, ct::extents{rows, n}}, ct::shape<4, 64>{}};
  auto carry = ct::zeros<ct::tile<long long, ct::shape<4, 1>>>();
  const int row = ct::bid().x;
  for (auto i : ct::irange(0, ct::ceildiv(n, 64))) {
    auto sums = ct::partial_sum<1>(ct::element_cast<long long>(xs.load_masked(row, i))) + carry;
    ys.store_masked(sums, row, i);
    carry = ct::extract(sums, ct::shape<4, 1>{}, 0, 63);
  }
}

__tile_global__ void ends(const float *x, float *y) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::shape<16, 32>{}}, ct::shape<16, 32>{}};
  auto tile = xs.load(0, 0);
  y[0] = float(ct::extract(tile, ct::shape<1, 1>{}, 15, 31));
  y[1] = float(ct::sum<1>(ct::extract(tile, ct::shape<1, 32>{}, 15, 0)));
  y[2] = float(ct::sum<0>(ct::extract(tile, ct::shape<16, 1>{}, 0, 31)));
  auto half = ct::extract(tile, ct::shape<16, 16>{}, 0, 1);
  y[3] = float(ct::sum<0>(ct::sum<1>(half)));
}

int main() {
  constexpr int rows = 6, n = 150;
  run::array<int> x(rows * n, [](auto i) { return 1000000000 - int(i); });
  run::array<long long> sums(rows * n);
  std::vector<long long> wanted(rows * n);
  for (int i = 0; i < rows * n; ++i)
    wanted[i] = (i % n ? wanted[i - 1] : 0) + (1000000000 - i);
  along_rows<<<2, 1>>>(x, sums, rows, n);
  run::expect("along rows", sums, [&](auto i) { return wanted[i]; });

  run::array<float> y(16 * 32, [](auto i) { return run::small(i); }), z(4);
  double some[4] = {y[511]};
  for (int i = 0; i < 32; ++i)
    some[1] += y[15 * 32 + i];
  for (int i = 0; i < 16; ++i) {
    some[2] += y[32 * i + 31];
    for (int j = 16; j < 32; ++j)
      some[3] += y[32 * i + j];
  }
  ends<<<1, 1>>>(y, z);
  run::expect("ends", z, [&](auto i) { return some[i]; });
  return run::finish();
}
