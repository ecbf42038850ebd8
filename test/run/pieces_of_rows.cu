// Rows in pieces, in loops of a few constant iterations that are unrolled, and whose second reads
// of a piece are found again: unless something may have written it in between, through another
// pointer, or through a view of the same array.
#include "run.h"

#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int piece = 128, pieces = 4, columns = piece * pieces;

template <class T> __tile__ auto rows_of(T *x, unsigned rows, unsigned stride) {
  auto mapping = ct::layout_strided_mapping{ct::extents{rows, ct::integral_constant<columns>{}},
                                            ct::strides{stride, ct::integral_constant<1>{}}};
  return ct::partition_view{ct::tensor_span{x, mapping}, ct::shape<1, piece>{}};
}

// Each element by the sum of its row. `out` may be `in`.
template <class T> __tile__ void scale(const T *in, T *out, unsigned rows, unsigned stride) {
  auto from = rows_of(in, rows, stride);
  auto to = rows_of(out, rows, stride);
  const int row = ct::bid().x;
  auto sum = ct::zeros<ct::tile<float, ct::shape<1, piece>>>();
  for (int i = 0; i < pieces; ++i)
    sum = sum + ct::element_cast<float>(from.load_masked(row, i));
  auto whole = ct::sum<1>(sum);
  for (int i = 0; i < pieces; ++i)
    to.store_masked(ct::element_cast<T>(ct::element_cast<float>(from.load_masked(row, i)) +
                                        ct::broadcast<ct::shape<1, piece>>(whole)),
                    row, i);
}

template <class T> __tile_global__ void apart(const T *__restrict__ in, T *__restrict__ out,
                                              unsigned rows, unsigned stride) {
  scale(in, out, rows, stride);
}
template <class T>
__tile_global__ void maybe_same(const T *in, T *out, unsigned rows, unsigned stride) {
  scale(in, out, rows, stride);
}

// What a block reads again after it has written: each piece and the one before it, which is new.
__tile_global__ void running(float *x, unsigned rows, unsigned stride) {
  auto all = rows_of(x, rows, stride);
  const int row = ct::bid().x;
  for (int i = 1; i < pieces; ++i)
    all.store_masked(all.load_masked(row, i) + all.load_masked(row, i - 1), row, i);
  for (int i = 0; i < pieces; ++i)
    all.store_masked(all.load_masked(row, i) + all.load_masked(row, i), row, i);
}

// The same by pointers, through two that are equal.
__tile_global__ void by_pointers(float *x, float *same, unsigned stride) {
  auto column = ct::iota<ct::tile<int, ct::shape<piece>>>();
  float *row = x + ct::bid().x * stride, *other = same + ct::bid().x * stride;
  auto sum = ct::zeros<ct::tile<float, ct::shape<piece>>>();
  for (int i = 0; i < pieces; ++i) {
    sum = sum + ct::load(row + (column + i * piece));
    ct::store(other + (column + i * piece), sum);
  }
  for (int i = 0; i < pieces; ++i)
    ct::store(other + (column + i * piece), ct::load(row + (column + i * piece)) * 2.0f);
}

template <class T, class Kernel>
void test_scale(const char *name, Kernel kernel, unsigned rows, unsigned stride, bool in_place) {
  auto first = [](auto i) { return run::small(i) / 4; };
  run::array<T> in(std::size_t(rows) * stride, first), out(std::size_t(rows) * stride, first);
  T *from = in, *to = in_place ? from : static_cast<T *>(out);
  kernel<<<rows, 1>>>(from, to, rows, stride);
  run::array<T> &result = in_place ? in : out;
  run::expect(
      name, result,
      [&](auto i) {
        if (i % stride >= columns)
          return double(T(float(first(i))));
        double sum = 0;
        for (unsigned j = 0; j < columns; ++j)
          sum += double(T(float(first(i / stride * stride + j))));
        return sum + double(T(float(first(i))));
      },
      run::tolerance<T>);
}

int main() {
  test_scale<float>("apart", apart<float>, 3, columns, false);
  test_scale<float>("apart, odd rows", apart<float>, 3, columns + 5, false);
  test_scale<__half>("apart, halves", apart<__half>, 5, columns + 8, false);
  test_scale<float>("may be the same array", maybe_same<float>, 3, columns, false);
  test_scale<float>("is the same array", maybe_same<float>, 4, columns + 4, true);
  test_scale<double>("is the same array, doubles", maybe_same<double>, 2, columns, true);

  const unsigned rows = 3, stride = columns + 4;
  auto first = [](auto i) { return run::small(i); };
  run::array<float> x(std::size_t(rows) * stride, first), y(std::size_t(rows) * stride, first);
  running<<<rows, 1>>>(x, rows, stride);
  float *pointer = y;
  by_pointers<<<rows, 1>>>(pointer, pointer, stride);
  auto prefix = [&](auto i) {
    if (i % stride >= columns)
      return first(i);
    double sum = 0;
    for (long j = long(i % stride); j >= 0; j -= piece)
      sum += first(i / stride * stride + j);
    return 2 * sum;
  };
  run::expect("pieces that were written", x, prefix);
  run::expect("the same by pointers", y, prefix);
  return run::finish();
}
