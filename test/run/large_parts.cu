// cat, insert and extract at a run-time index of tiles that no block's shared memory holds.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <size_t... D> using tile = ct::tile<double, ct::shape<D...>>;
template <size_t... D> using places = ct::tile<int, ct::shape<D...>>;

__tile_global__ void cat(const double *in, double *out) {
  auto x = ct::load(in + ct::iota<places<128, 128>>());
  ct::store(out + ct::iota<places<128, 256>>(), ct::cat(x, -x, 1_ic));
}
__tile_global__ void insert(const double *in, double *out, int i, int j) {
  auto x = ct::load(in + ct::iota<places<128, 256>>());
  auto part = ct::full<tile<32, 64>>(i) + ct::element_cast<double>(ct::iota<places<64>>());
  ct::store(out + ct::iota<places<128, 256>>(), ct::insert(x, part, i, j));
}
__tile_global__ void extract(const double *in, double *out, int i, int j) {
  auto x = ct::load(in + ct::iota<places<128, 256>>());
  ct::store(out + ct::iota<places<32, 64>>(), ct::extract(x, ct::shape<32, 64>(), i, j));
}

int main() {
  constexpr int rows = 128, columns = 256;
  run::array<double> in(rows * columns, [](auto i) { return int(i) % 1000 - 300; });
  run::array<double> out(rows * columns), part(32 * 64);
  auto row = [](int i) { return i / columns; };
  auto column = [](int i) { return i % columns; };
  cat<<<1, 1>>>(in, out);
  run::expect("cat", out, [&](int i) {
    double x = in[row(i) * 128 + column(i) % 128];
    return column(i) < 128 ? x : -x;
  });
  insert<<<1, 1>>>(in, out, 2, 3);
  run::expect("insert", out, [&](int i) {
    return row(i) / 32 == 2 && column(i) / 64 == 3 ? 2 + column(i) % 64 : in[i];
  });
  extract<<<1, 1>>>(in, part, 3, 1);
  run::expect("extract", part, [&](int i) { return in[(96 + i / 64) * columns + 64 + i % 64]; });
  return run::finish();
}
