// A masked box wholly outside its view read out of bounds: one row of extent 1, before the first.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void above(const float *in, float *out, int rows) {
  ct::partition_view view{ct::tensor_span{in, ct::extents{rows, 128_ic}}, ct::shape{1_ic, 128_ic}};
  ct::partition_view to{ct::tensor_span{out, ct::extents{rows, 128_ic}}, ct::shape{1_ic, 128_ic}};
  int row = ct::bid().x;
  to.store(view.load_masked(row - 1, 0), row, 0);
}

int main() {
  run::array<float> in(5 * 128, [](auto i) { return i + 1; }), out(4 * 128);
  above<<<4, 1>>>(in + 128, out, 4);
  run::expect("above", out, [](auto i) { return i < 128 ? 0 : i + 1; });
  return run::finish();
}
