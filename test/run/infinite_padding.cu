// Padding with the infinities that e5m2 has: conversions of floats to it give its largest number
// instead.
#include "run.h"
#include <cuda_fp8.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
template <class P> __tile_global__ void padded(__nv_fp8_e5m2 *in, float *out, int n, P) {
  auto v = ct::partition_view{ct::tensor_span{in, ct::extents{n}}, ct::shape<128>{}};
  auto w = ct::partition_view{ct::tensor_span{out, ct::extents{128}}, ct::shape<128>{}};
  w.store(ct::element_cast<float>(v.load_masked(P{}, 0)), 0);
}
int main() {
  run::array<__nv_fp8_e5m2> in(128, [](auto) { return 1.0f; });
  run::array<float> out(128);
  padded<<<1, 1>>>(in, out, 100, ct::view_padding_positive_inf_t{});
  run::expect("inf", out, [](auto i) { return i < 100 ? 1.0 : INFINITY; });
  padded<<<1, 1>>>(in, out, 100, ct::view_padding_negative_inf_t{});
  run::expect("-inf", out, [](auto i) { return i < 100 ? 1.0 : -INFINITY; });
  return run::finish();
}
