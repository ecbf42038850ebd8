// What an operation requires of its tile's layout, others that touch the tile do not override: two
// scans along different dimensions, a scan of sums of a product, a product added to a sum of
// products.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <class T, int... Extents> __tile__ auto all_of(const T *p) {
  return ct::partition_view{ct::tensor_span{p, ct::shape<Extents...>{}}, ct::shape<Extents...>{}};
}
template <class T, int... Extents> __tile__ auto all_of_mutable(T *p) {
  return ct::partition_view{ct::tensor_span{p, ct::shape<Extents...>{}}, ct::shape<Extents...>{}};
}

__tile_global__ void two_scans(const float *x, float *y, float *z) {
  auto value = all_of<float, 64, 64>(x).load(0, 0);
  auto down = ct::partial_sum<0>(value);
  all_of_mutable<float, 64, 64>(y).store(down, 0, 0);
  all_of_mutable<float, 1, 64>(z).store(ct::partial_sum<1>(ct::reduce_max<0>(down)), 0, 0);
}

__tile_global__ void scan_of_product(const __half *a, const __half *b, float *y) {
  auto zero = ct::full<ct::tile<float, ct::shape<64, 64>>>(0.0f);
  auto product =
      ct::mma(all_of<__half, 64, 32>(a).load(0, 0), all_of<__half, 32, 64>(b).load(0, 0), zero);
  all_of_mutable<float, 64, 1>(y).store(ct::partial_sum<0>(ct::sum<1>(product)), 0, 0);
}

__tile_global__ void product_on_sum(const __half *a, const __half *b, float *y) {
  auto zero = ct::full<ct::tile<float, ct::shape<2, 16, 16>>>(0.0f);
  auto batch = all_of<__half, 2, 16, 16>(a).load(0, 0, 0);
  auto square = all_of<__half, 16, 16>(b).load(0, 0);
  auto products = ct::mma(batch, batch, zero);
  auto sum = ct::reshape(ct::sum<0>(products), ct::shape<16, 16>{});
  all_of_mutable<float, 16, 16>(y).store(ct::mma(square, square, sum), 0, 0);
}

int main() {
  run::array<float> x(4096, [](auto i) { return run::small(i); }), y(4096), z(64);
  two_scans<<<1, 1>>>(x, y, z);
  std::vector<double> down(4096), most(64), along(64);
  for (int i = 0; i < 4096; ++i) {
    down[i] = x[i] + (i < 64 ? 0 : down[i - 64]);
    most[i % 64] = i < 64 ? down[i] : std::fmax(most[i % 64], down[i]);
  }
  for (int j = 0; j < 64; ++j)
    along[j] = most[j] + (j ? along[j - 1] : 0);
  run::expect("down", y, [&](auto i) { return down[i]; });
  run::expect("along", z, [&](auto i) { return along[i]; });

  run::array<__half> a(2048, [](auto i) { return run::small(i); }),
      b(2048, [](auto i) { return run::small(i + 7); });
  run::array<float> sums(64), c(256);
  scan_of_product<<<1, 1>>>(a, b, sums);
  auto row = [&](int i) {
    double sum = 0;
    for (int j = 0; j < 64; ++j)
      for (int k = 0; k < 32; ++k)
        sum += a[i * 32 + k] * b[k * 64 + j];
    return sum;
  };
  std::vector<double> rows(64);
  for (int i = 0; i < 64; ++i)
    rows[i] = row(i) + (i ? rows[i - 1] : 0);
  run::expect("scan_of_product", sums, [&](auto i) { return rows[i]; });

  product_on_sum<<<1, 1>>>(a, b, c);
  auto times = [](const run::array<__half> &m, int from, int i) {
    double sum = 0;
    for (int k = 0; k < 16; ++k)
      sum += m[from + i / 16 * 16 + k] * m[from + k * 16 + i % 16];
    return sum;
  };
  run::expect("product_on_sum", c,
              [&](auto i) { return times(a, 0, i) + times(a, 256, i) + times(b, 0, i); });
  return run::finish();
}
