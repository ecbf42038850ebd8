// Atomic loads and stores of every view, inside and across the edge of its span, with every form of
// their arguments.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

using relaxed = ct::memory_order_relaxed_t;
using acquire = ct::memory_order_acquire_t;
using release = ct::memory_order_release_t;
using device = ct::thread_scope_device_t;
using T = ct::tile<float, ct::shape<4, 4>>;

template <class V, class I> __tile__ void copy(V from, V to, I i, int j, float *out) {
  auto places = out + ct::iota<ct::tile<int, ct::shape<4, 4>>>();
  auto x = from.atomic_load_masked(ct::view_padding_negative_inf_t(), relaxed(), i, j);
  ct::store(places, ct::max(x, -1.0f));
  auto y = from.template atomic_load_masked<ct::view_padding::zero, ct::memory_order::acquire,
                                            ct::thread_scope::device>(i, j);
  ct::store(places + 16, y);
  to.atomic_store_masked(y + 1, release(), device(), i, j);
  auto z = from.atomic_load(acquire(), device(), i, 0) + from.atomic_load(relaxed(), i, 0);
  to.atomic_store(z, relaxed(), i, 0);
  to.template atomic_store_masked<ct::memory_order::relaxed>(
      to.template atomic_load<ct::memory_order::relaxed>(i, 0) + 1, i, 0);
}

__tile_global__ void k(float *in, float *out) {
  auto at = [](float *p) { return ct::tensor_span{p, ct::extents<int, 6, 6>{}}; };
  auto s = ct::shape<4, 4>();
  auto steps = ct::strides<int, 2, 5>();
  copy(ct::partition_view{at(in), s}, ct::partition_view{at(out), s}, 0, 1, out + 200);
  copy(ct::strided_view{at(in), s, steps}, ct::strided_view{at(out + 50), s, steps}, 1, 1,
       out + 250);
  auto rows = 5 - ct::iota<ct::tile<int, ct::shape<4>>>();
  copy(ct::gather_scatter_view{at(in), s, 0_ic}, ct::gather_scatter_view{at(out + 100), s, 0_ic},
       rows, 4, out + 300);
}

int main() {
  run::array<float> in(36, [](auto i) { return i; }), out(350);
  k<<<1, 1>>>(in, out);
  std::vector<double> wanted(350);
  auto expect = [&](int to, int row, int step, int column, int first) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        bool isInside = column + j < 6;
        double x = in.host[(row + step * i) * 6 + (isInside ? column + j : 0)];
        wanted[first + 4 * i + j] = isInside ? x : -1;
        wanted[first + 16 + 4 * i + j] = isInside ? x : 0;
        if (isInside)
          wanted[to + (row + step * i) * 6 + column + j] = x + 1;
      }
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        wanted[to + (row + step * i) * 6 + j] = 2 * in.host[(row + step * i) * 6 + j] + 1;
  };
  expect(0, 0, 1, 4, 200);
  expect(50, 2, 1, 5, 250);
  expect(100, 5, -1, 4, 300);
  run::expect("views", out, [&](auto i) { return wanted[i]; });
  return run::finish();
}
