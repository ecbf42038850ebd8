// sum, reduce_max and reduce_min along each dimension of tiles of rank 1 to 3; the reduced
// dimension stays, with extent 1.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

// A tile of bool: true is greater.
__tile_global__ void truths(const int *x, int *o) {
  auto m = ct::load(x + ct::iota<ct::tile<int, ct::shape<64>>>()) > 3;
  o[0] = static_cast<bool>(ct::reduce_max<0>(m));
  o[1] = static_cast<bool>(ct::reduce_min<0>(m));
  o[2] = static_cast<int>(ct::max_element<0>(m));
}

template <int R, int C>
__tile_global__ void both_axes(const float *x, float *rows, float *columns) {
  auto in = ct::partition_view{ct::tensor_span{x, ct::shape<R, C>{}}, ct::shape<R, C>{}};
  auto value = in.load(0, 0);
  auto by_row = ct::partition_view{ct::tensor_span{rows, ct::shape<R, 3>{}}, ct::shape<R, 1>{}};
  by_row.store(ct::sum<1>(value), 0, 0);
  by_row.store(ct::reduce_max<1>(value), 0, 1);
  by_row.store(ct::reduce_min<1>(value), 0, 2);
  auto by_column =
      ct::partition_view{ct::tensor_span{columns, ct::shape<3, C>{}}, ct::shape<1, C>{}};
  by_column.store(ct::sum<0>(value), 0, 0);
  by_column.store(ct::reduce_max<0>(value), 1, 0);
  by_column.store(ct::reduce_min<0>(value), 2, 0);
}

__tile_global__ void middle(const int *x, int *y) {
  auto in = ct::partition_view{ct::tensor_span{x, ct::shape<4, 8, 16>{}}, ct::shape<4, 8, 16>{}};
  auto out = ct::partition_view{ct::tensor_span{y, ct::shape<4, 1, 16>{}}, ct::shape<4, 1, 16>{}};
  out.store(ct::sum<1>(in.load(0, 0, 0)), 0, 0, 0);
}

__tile_global__ void total(const float *x, float *y) {
  auto in = ct::partition_view{ct::tensor_span{x, ct::shape<1024>{}}, ct::shape<1024>{}};
  y[0] = static_cast<float>(ct::sum<0>(in.load(0)));
}

template <int R, int C> void check(const char *name) {
  run::array<float> x(R * C, [](auto i) { return run::small(i); }), rows(R * 3), columns(3 * C);
  both_axes<R, C><<<1, 1>>>(x, rows, columns);
  auto reduced = [&](int which, int start, int step, int n) {
    double result = x[start];
    for (int k = 1; k < n; ++k) {
      double value = x[start + k * step];
      result = which == 0   ? result + value
               : which == 1 ? std::fmax(result, value)
                            : std::fmin(result, value);
    }
    return result;
  };
  std::printf("%s\n", name);
  run::expect("rows", rows, [&](auto i) { return reduced(i % 3, i / 3 * C, 1, C); });
  run::expect("columns", columns, [&](auto i) { return reduced(i / C, i % C, C, R); });
}

int main() {
  check<1, 256>("1x256");
  check<64, 2>("64x2");
  check<32, 64>("32x64");
  check<128, 16>("128x16");

  run::array<int> x(4 * 8 * 16, [](auto i) { return int(i * 7 % 23) - 11; }), y(4 * 16);
  middle<<<1, 1>>>(x, y);
  run::expect("middle", y, [&](auto i) {
    double sum = 0;
    for (int k = 0; k < 8; ++k)
      sum += x[i / 16 * 128 + k * 16 + i % 16];
    return sum;
  });

  run::array<int> some(64, [](auto i) { return i; }), truth(3);
  truths<<<1, 1>>>(some, truth);
  run::expect("truths", truth, [](auto i) { return i == 0 ? 1 : i == 1 ? 0 : 4; });

  run::array<float> v(1024, [](auto i) { return run::small(i); }), t(1);
  total<<<1, 1>>>(v, t);
  run::expect("total", t, [&](auto) {
    double sum = 0;
    for (int k = 0; k < 1024; ++k)
      sum += v[k];
    return sum;
  });
  return run::finish();
}
