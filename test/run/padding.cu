// Masked view loads fill what lies outside with zero, infinities, NaN or minus zero; masked stores
// leave it alone.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <ct::view_padding Padding>
__tile_global__ void load_padded(const float *x, float *y, int rows, int columns) {
  auto in = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}}, ct::shape<8, 16>{}};
  auto out = ct::partition_view{ct::tensor_span{y, ct::shape<8, 16>{}}, ct::shape<8, 16>{}};
  out.store(in.template load_masked<Padding>(1, 1), 0, 0);
}

__tile_global__ void store_part(float *y, int rows, int columns) {
  auto out = ct::partition_view{ct::tensor_span{y, ct::extents{rows, columns}}, ct::shape<8, 16>{}};
  int row = ct::bid().y, column = ct::bid().x;
  out.store_masked(ct::full<ct::tile<float, ct::shape<8, 16>>>(float(10 * row + column + 1)), row,
                   column);
}

// Rows of a factor that are not there: by a view, by pointers under a mask; and by pointers whose
// mask cuts what lies side by side.
using bf16 = __nv_bfloat16;
constexpr int T = 64;
enum class factor { of_view, of_pointers, cut };
template <factor How> __tile_global__ void padded_factor(const bf16 *__restrict__ x,
                                                         const bf16 *__restrict__ w,
                                                         float *__restrict__ y, int rows, int k) {
  x = ct::assume_aligned<16>(x);
  k = ct::assume_divisible<64>(k);
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, k}}, ct::shape<T, T>{}};
  auto ws = ct::partition_view{ct::tensor_span{w, ct::extents{k, ct::integral_constant<T>{}}},
                               ct::shape<T, T>{}};
  auto row = ct::iota<ct::tile<int, ct::shape<T, 1>>>();
  auto column = ct::iota<ct::tile<int, ct::shape<1, T>>>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<T, T>>>();
  for (int i = 0; i < k / T; ++i) {
    if constexpr (How == factor::cut)
      sum = ct::mma(ct::load_masked(x + (row * k + (column + i * T)), row < rows && column % 3 != 1,
                                    bf16(0.0f)),
                    ws.load_masked(i, 0), sum);
    else if constexpr (How == factor::of_pointers)
      sum = ct::mma(ct::load_masked(x + (row * k + (column + i * T)), row < rows, bf16(2.0f)),
                    ws.load_masked(i, 0), sum);
    else
      sum = ct::mma(xs.template load_masked<ct::view_padding::positive_inf>(0, i),
                    ws.load_masked(i, 0), sum);
  }
  ct::partition_view{ct::tensor_span{y, ct::shape<T, T>{}}, ct::shape<T, T>{}}.store(sum, 0, 0);
}

template <factor How> void check_factor(const char *name, double beyond) {
  constexpr int rows = 50, k = 5 * T;
  run::array<bf16> x(rows * k, [](auto i) { return i % 3; }), w(k * T, [](auto) { return 1; });
  run::array<float> y(T * T);
  padded_factor<How><<<1, 1>>>(x, w, y, rows, k);
  run::expect(name, y, [&](auto i) {
    double sum = 0;
    for (int j = 0; j < k; ++j)
      sum += int(i) / T >= rows                     ? beyond
             : How == factor::cut && j % T % 3 == 1 ? 0
                                                    : (int(i) / T * k + j) % 3;
    return sum;
  });
}

template <ct::view_padding Padding> void check(const char *name, double padding) {
  constexpr int rows = 13, columns = 21;
  run::array<float> x(rows * columns, [](auto i) { return run::small(i); }), y(8 * 16);
  load_padded<Padding><<<1, 1>>>(x, y, rows, columns);
  run::expect(name, y, [&](auto i) {
    auto row = i / 16 + 8, column = i % 16 + 16;
    return row < rows && column < columns ? x[row * columns + column] : padding;
  });
}

int main() {
  check<ct::view_padding::zero>("zero", 0);
  check<ct::view_padding::negative_zero>("negative_zero", -0.0);
  check<ct::view_padding::positive_inf>("positive_inf", INFINITY);
  check<ct::view_padding::negative_inf>("negative_inf", -INFINITY);
  check<ct::view_padding::nan>("nan", NAN);

  run::array<float> y(13 * 21 + 20);
  store_part<<<dim3(2, 2), 1>>>(y, 13, 21);
  run::expect("store_part", y,
              [](auto i) { return i >= 13 * 21 ? 0 : i / 21 / 8 * 10 + i % 21 / 16 + 1; });
  check_factor<factor::of_view>("rows of infinities", INFINITY);
  check_factor<factor::of_pointers>("rows of twos", 2);
  check_factor<factor::cut>("rows that are cut", 0);
  return run::finish();
}
