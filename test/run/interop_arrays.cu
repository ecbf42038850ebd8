// options: --extensions
// Arrays from elsewhere as parameters of kernels: descriptors of every rank that views take, const
// and not, with strides of any kind; read as spans, contiguous ones, and element by element; in
// SIMT code as mdspans; made of mdspans and spans on the host.
#include "run.h"

#include <cuda/std/mdspan>
#include <cuda_tile.h>
#include <tessera/interop/tensor_span.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class T, int N> using array = cuda::interoperable_array_descriptor<T, N>;

// Any strides: a transposed source, padded rows of a target.
template <class T> __tile_global__ void scale(array<const T, 2> x, array<T, 2> y, T factor) {
  auto from = ct::partition_view{ct::tensor_span{x}, ct::shape{4_ic, 8_ic}};
  auto to = ct::partition_view{ct::tensor_span{y}, ct::shape{4_ic, 8_ic}};
  auto [column, row, _] = ct::bid();
  to.store_masked(from.load_masked(row, column) * factor, row, column);
}

// The last dimension is contiguous, by the program's promise.
__tile_global__ void row_sums(array<const float, 2> x, array<float, 1> y) {
  namespace interop = tessera::interop;
  auto rows = ct::partition_view{interop::contiguous_last(x), ct::shape{1_ic, 32_ic}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<1, 32>>>();
  for (auto i : ct::irange(0, int((x.shape[1] + 31) / 32)))
    sum = sum + rows.load_masked(ct::bid().x, i);
  auto out = ct::partition_view{interop::contiguous_last(y), ct::shape{1_ic}};
  out.store(ct::reshape<ct::shape<1>>(ct::sum(sum, 1_ic)), ct::bid().x);
}

// Three dimensions, by pointers; sizes that are not 32 bits wide in a descriptor are so here.
__tile_global__ void flatten(array<const int, 3> x, array<long, 1> y, array<long, 0> total) {
  auto i = ct::iota<ct::tile<long, ct::shape<64>>>();
  const long plane = x.shape[1] * x.shape[2], all = plane * x.shape[0];
  auto at = i / plane * long(x.strides[0]) + i % plane / long(x.shape[2]) * long(x.strides[1]) +
            i % long(x.shape[2]) * long(x.strides[2]);
  auto values = ct::load_masked(x.data + at, i < all, 0);
  ct::store_masked(y.data + i * long(y.strides[0]), ct::element_cast<long>(values), i < all);
  *total.data = all;
}

// SIMT code sees mdspans.
__global__ void simt_scale(array<const float, 2> x, array<float, 2> y) {
  cuda::std::mdspan<const float, cuda::std::dims<2>, cuda::std::layout_stride> from = x;
  cuda::std::mdspan<float, cuda::std::dims<2>, cuda::std::layout_stride> to = y;
  for (std::size_t j = threadIdx.x; j < from.extent(1); j += blockDim.x)
    *(to.data_handle() + to.mapping()(blockIdx.x, j)) =
        -*(from.data_handle() + from.mapping()(blockIdx.x, j));
}

int main() {
  const unsigned rows = 10, columns = 13;
  run::array<float> x(rows * columns, run::small), y(rows * 16);
  // The source is column-major, the target has rows of 16.
  array<const float, 2> from{x.device, {rows, columns}, {1, rows}};
  array<float, 2> to{y.device, {rows, columns}, {16, 1}};
  auto at = [&](auto row, auto column) { return run::small(column * rows + row); };
  scale<float><<<dim3(2, 3), 1>>>(from, to, 2.0f);
  run::expect("scaled", y, [&](auto i) { return i % 16 < columns ? 2 * at(i / 16, i % 16) : 0.0; });
  array<const float, 2> readable = to; // its elements const
  run::array<float> sums(rows);
  row_sums<<<rows, 1>>>(readable, array<float, 1>{sums.device, {rows}, {1}});
  run::expect("sums", sums, [&](auto row) {
    double sum = 0;
    for (unsigned column = 0; column < columns; ++column)
      sum += 2 * at(row, column);
    return sum;
  });

  // Every other element, each row again and again.
  run::array<int> z(64, [](auto i) { return i; });
  run::array<long> flat(80), total(1);
  flatten<<<1, 1>>>({z.device, {3, 2, 5}, {16, 0, 2}}, {flat.device, {30}, {2}},
                    array<long, 0>(total.device));
  run::expect("flat", flat,
              [](auto i) { return i % 2 == 0 && i < 60 ? i / 2 / 10 * 16 + i / 2 % 5 * 2 : 0; });
  run::expect("total", total, [](auto) { return 30; });

  // Of an mdspan, of a span; to an mdspan on the host.
  using layout = cuda::std::layout_right::mapping<cuda::std::extents<int, 10, 16>>;
  cuda::std::mdspan plain(y.device, layout());
  array<float, 2> whole = plain;
  cuda::interoperable_array_descriptor deduced(plain);
  static_assert(std::is_same_v<decltype(deduced), array<float, 2>>);
  array<const float, 2> part = ct::tensor_span{
      y.device, ct::layout_strided_mapping{ct::extents{rows, columns}, ct::extents{16_ic, 1_ic}}};
  simt_scale<<<rows, 4>>>(part, whole);
  run::expect("negated", y,
              [&](auto i) { return i % 16 < columns ? -2 * at(i / 16, i % 16) : 0.0; });
  cuda::std::mdspan<const float, cuda::std::dims<2>, cuda::std::layout_stride> back = part;
  if (back.extent(1) != columns || back.stride(0) != 16 || back.data_handle() != y.device ||
      deduced.shape[1] != 16 || deduced.strides[0] != 16)
    ++run::failures, std::printf("wrong: the mdspan of a descriptor\n");
  return run::finish();
}
