// What is known of a box differs by dimension and by place: rows cut by a run-time extent, columns
// a whole number of boxes; an index that is compared before the access; loops that start before the
// view and end behind it.
#include "run.h"
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Columns are 96 = 3 boxes; rows end where they end.
__tile_global__ void ragged_rows(const float *in, float *out, int rows) {
  auto from = ct::partition_view{
      ct::tensor_span{in, ct::extents<unsigned, ct::dynamic_extent, 96>{unsigned(rows)}},
      ct::shape<8, 32>{}};
  auto to = ct::partition_view{ct::tensor_span{out, ct::extents<unsigned, 32, 128>{}},
                               ct::shape<8, 32>{}};
  for (auto i : ct::irange(0, 4))
    for (auto j : ct::irange(0, 4))
      to.store_masked(from.load_masked(i, j) + 1.0f, i, j);
}

// The loop's last box, the 40th, is not one of the view's. Too many iterations to be unrolled.
__tile_global__ void one_beyond(const float *in, float *out) {
  auto from = ct::partition_view{ct::tensor_span{in, ct::extents<unsigned, 8, 39 * 32>{}},
                                 ct::shape<8, 32>{}};
  auto to = ct::partition_view{ct::tensor_span{out, ct::extents<unsigned, 8, 40 * 32>{}},
                               ct::shape<8, 32>{}};
  for (auto j : ct::irange(0, 40))
    to.store(from.load_masked(0, j) + 1.0f, 0, j);
}

// The comparison proves a column; the other branch proves nothing.
__tile_global__ void compared(const int *in, int *out, int from, int to, unsigned chosen) {
  auto boxes =
      ct::partition_view{ct::tensor_span{in, ct::extents<unsigned, 16, 64>{}}, ct::shape<16, 16>{}};
  auto results = ct::partition_view{ct::tensor_span{out, ct::extents<unsigned, 16, 64>{}},
                                    ct::shape<16, 16>{}};
  auto sum = ct::zeros<ct::tile<int, ct::shape<16, 16>>>();
  for (auto j : ct::irange(from, to)) {
    if (j >= 0 && j < 4)
      sum = sum + boxes.load_masked(0, j);
    else
      sum = sum + boxes.load_masked(0, j) * 1000 + 1;
    if (j + 1 < 4)
      sum = sum + boxes.load_masked(0, j + 1);
  }
  if (chosen < 4)
    results.store_masked(sum, 0, chosen);
  else
    results.store_masked(sum + 5, 0, chosen - 4);
}

// A ring of copies over a known number of boxes, its rows given at run time.
__tile_global__ void multiply(const __half *a, const __half *b, float *c) {
  auto rows =
      ct::partition_view{ct::tensor_span{a, ct::extents<unsigned, 64, 128>{}}, ct::shape<32, 32>{}};
  auto columns =
      ct::partition_view{ct::tensor_span{b, ct::extents<unsigned, 128, 32>{}}, ct::shape<32, 32>{}};
  auto results =
      ct::partition_view{ct::tensor_span{c, ct::extents<unsigned, 96, 32>{}}, ct::shape<32, 32>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<32, 32>>>();
  int row = ct::bid().x;
  for (auto k : ct::irange(0, 4))
    sum = ct::mma(rows.load_masked(row, k), columns.load_masked(k, 0), sum);
  results.store_masked(sum, row, 0);
}

// What the program promises of an index leaves the box before the first one.
__tile_global__ void promised(const float *in, float *out, int k) {
  k = ct::assume_bounded<-1, 1>(k);
  auto from =
      ct::partition_view{ct::tensor_span{in, ct::extents<int, 16, 64>{}}, ct::shape<16, 16>{}};
  auto to =
      ct::partition_view{ct::tensor_span{out, ct::extents<int, 16, 16>{}}, ct::shape<16, 16>{}};
  to.store(from.load_masked(0, k), 0, 0);
}

// A pointer that is moved is as aligned as it was, and as far as it is moved: not more than either.
template <bool Aligned> __tile_global__ void moved(const float *in, float *out, int by) {
  if constexpr (Aligned)
    in = ct::assume_aligned<16>(in);
  else
    by = ct::assume_divisible<4>(by);
  auto from =
      ct::partition_view{ct::tensor_span{in + by, ct::extents<int, 16, 16>{}}, ct::shape<16, 16>{}};
  auto to =
      ct::partition_view{ct::tensor_span{out, ct::extents<int, 16, 16>{}}, ct::shape<16, 16>{}};
  to.store(from.load(0, 0), 0, 0);
}

// The distance by which it is moved is one of two, of which only the first keeps it aligned.
__tile_global__ void chosen(const float *in, float *out, bool isFirst) {
  in = ct::assume_aligned<16>(in);
  int by = isFirst ? 4 : 1;
  auto from =
      ct::partition_view{ct::tensor_span{in + by, ct::extents<int, 16, 16>{}}, ct::shape<16, 16>{}};
  auto to =
      ct::partition_view{ct::tensor_span{out, ct::extents<int, 16, 16>{}}, ct::shape<16, 16>{}};
  to.store(from.load(0, 0), 0, 0);
}

// Two boxes of the rows that a mapping describes, of an array that begins where vectors do.
template <class Rows> __tile__ void copy_boxes(const float *in, Rows rows, float *out) {
  in = ct::assume_aligned<16>(in);
  auto from = ct::partition_view{ct::tensor_span{in, rows}, ct::shape<16, 16>{}};
  auto to =
      ct::partition_view{ct::tensor_span{out, ct::extents<int, 16, 32>{}}, ct::shape<16, 16>{}};
  for (auto j : ct::irange(0, 2))
    to.store(from.load_masked(0, j), 0, j);
}

// Rows lie as far apart as the launch says, and end where it says.
__tile_global__ void apart(const float *in, float *out, int columns, int stride) {
  copy_boxes(in, ct::layout_strided_mapping{ct::extents{16, columns}, ct::strides{stride, 1_ic}},
             out);
}

// The same where columns are a whole number of boxes: they alone are known.
__tile_global__ void far_apart(const float *in, float *out, int stride) {
  copy_boxes(in, ct::layout_strided_mapping{ct::extents{16_ic, 32_ic}, ct::strides{stride, 1_ic}},
             out);
}

// The same where their stride is known: all but where they end.
__tile_global__ void cut(const float *in, float *out, int columns) {
  copy_boxes(in, ct::layout_strided_mapping{ct::extents{16_ic, columns}, ct::strides{36_ic, 1_ic}},
             out);
}

// Of conditions that hold, those that do not and those without a sign no more is known than they
// say: all boxes are 4, and each of the three indices is also one beyond.
__tile_global__ void bounded(const int *in, int *out, unsigned large) {
  auto boxes =
      ct::partition_view{ct::tensor_span{in, ct::extents<int, 16, 64>{}}, ct::shape<16, 16>{}};
  auto results =
      ct::partition_view{ct::tensor_span{out, ct::extents<int, 48, 16>{}}, ct::shape<16, 16>{}};
  auto below = ct::zeros<ct::tile<int, ct::shape<16, 16>>>(), otherwise = below, unsign = below;
  for (auto j : ct::irange(0, 6)) {
    if (j < 5)
      below = below + boxes.load_masked(0, j) + j;
    if (j < 4)
      otherwise = otherwise + 100;
    else
      otherwise = otherwise + boxes.load_masked(0, j) + j;
  }
  for (auto j : ct::irange(-2, 4))
    if (unsigned(j) < large)
      unsign = unsign + boxes.load_masked(0, j) + j;
  results.store(below, 0, 0);
  results.store(otherwise, 1, 0);
  results.store(unsign, 2, 0);
}

int main() {
  {
    run::array<float> in(16 * 16 + 5, [](auto i) { return i; }), out(16 * 16);
    moved<true><<<1, 1>>>(in, out, 1);
    run::expect("moved by one", out, [](auto i) { return i + 1; });
    moved<false><<<1, 1>>>(in + 1, out, 4);
    run::expect("moved by four", out, [](auto i) { return i + 5; });
  }
  for (bool is_first : {true, false}) {
    run::array<float> in(16 * 16 + 4, [](auto i) { return i; }), out(16 * 16);
    chosen<<<1, 1>>>(in, out, is_first);
    run::expect("moved by one of two", out, [&](auto i) { return i + (is_first ? 4 : 1); });
  }
  for (auto [columns, stride] : {std::pair{27, 28}, {27, 29}, {27, 36}, {32, 33}, {32, 36}}) {
    run::array<float> in(16 * 36, [](auto i) { return i + 1; }), out(16 * 32);
    auto expected = [&](auto i) {
      return int(i % 32) < columns ? in[i / 32 * stride + i % 32] : 0;
    };
    apart<<<1, 1>>>(in, out, columns, stride);
    run::expect("rows apart", out, expected);
    if (stride == 36) {
      cut<<<1, 1>>>(in, out, columns);
      run::expect("rows cut", out, expected);
    }
    if (columns == 32) {
      far_apart<<<1, 1>>>(in, out, stride);
      run::expect("rows far apart", out, expected);
    }
  }
  {
    run::array<int> in(16 * 64, [](auto i) { return i + 1; }), out(48 * 16);
    bounded<<<1, 1>>>(in, out, 0xffffffff);
    run::expect("bounded", out, [&](auto i) {
      int row = int(i / 16 % 16), column = int(i % 16);
      auto at = [&](int j) { return j >= 0 && j < 4 ? in[row * 64 + j * 16 + column] : 0; };
      if (i / 256 == 0)
        return at(0) + at(1) + at(2) + at(3) + 10;
      return i / 256 == 1 ? 400 + 9 : at(0) + at(1) + at(2) + at(3) + 4;
    });
  }
  for (int k : {-1, 1}) {
    run::array<float> in(16 * 64, [](auto i) { return i % 7 + 1; }), out(16 * 16);
    promised<<<1, 1>>>(in, out, k);
    run::expect("promised", out,
                [&](auto i) { return k < 0 ? 0 : double((i / 16 * 64 + 16 + i % 16) % 7 + 1); });
  }
  for (int first : {0, 1}) { // elements of an array that begins where vectors do, or one behind
    const int rows = 27;
    run::array<float> in(rows * 96 + 1, [](auto i) { return i; }), out(32 * 128 + 1);
    ragged_rows<<<1, 1>>>(in + first, out + first, rows);
    run::expect("ragged rows", out, [&](auto i) {
      std::size_t row = (i - first) / 128, column = (i - first) % 128;
      if (i - first >= 32 * 128)
        return 0.0;
      return row < rows && column < 96 ? in[row * 96 + column + first] + 1.0 : 1.0;
    });
  }
  {
    run::array<float> in(8 * 39 * 32, [](auto i) { return i % 11; }), out(8 * 40 * 32);
    one_beyond<<<1, 1>>>(in, out);
    run::expect("one beyond", out, [&](auto i) {
      const auto row = i / (40 * 32), column = i % (40 * 32);
      return column < 39 * 32 ? in[row * 39 * 32 + column] + 1.0 : 1.0;
    });
  }
  for (unsigned chosen : {2u, 5u, 9u}) {
    run::array<int> in(16 * 64, [](auto i) { return i; }), out(16 * 64);
    compared<<<1, 1>>>(in, out, -2, 6, chosen);
    run::expect("compared", out, [&](auto i) {
      std::size_t row = i / 64, column = i % 64;
      unsigned box = chosen < 4 ? chosen : chosen - 4;
      if (column / 16 != box)
        return 0.0;
      double sum = chosen < 4 ? 0 : 5;
      auto at = [&](int j) { return j >= 0 && j < 4 ? in[row * 64 + j * 16 + column % 16] : 0; };
      for (int j = -2; j < 6; ++j)
        sum += (j >= 0 && j < 4 ? at(j) : 1) + (j + 1 < 4 ? at(j + 1) : 0);
      return sum;
    });
  }
  {
    run::array<__half> a(64 * 128, [](auto i) { return float(i % 7) - 3; }),
        b(128 * 32, [](auto i) { return float(i % 5) - 2; });
    run::array<float> c(96 * 32);
    multiply<<<3, 1>>>(a, b, c);
    run::expect("multiply", c, [&](auto i) {
      double sum = 0;
      for (std::size_t k = 0; k < 128 && i / 32 < 64; ++k)
        sum += run::number(a[i / 32 * 128 + k]) * run::number(b[k * 32 + i % 32]);
      return sum;
    });
  }
  return run::finish();
}
