// targets: cpu,emulate
// A product and a sum are rounded one after the other, for scalars and tiles alike, in one
// expression, across statements and through functions; fma is rounded once. A GPU may contract what
// is not written as fma (docs/user/numerics.md).
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <class T> __tile__ T cross(T a, T b, T c, T d) { return a * b - c * d; }

// What a product has lost by rounding is seen where the same product is taken from it.
template <class T> __tile_global__ void differences(const T *in, T *out) {
  const T a = in[0], b = in[1];
  out[0] = a * b - b * a;
  const T product = a * b;
  out[1] = product - b * a;
  out[2] = cross(a, b, b, a);
  T sum = -(a * b);
  for (int i = 2; i < 4; ++i)
    sum += in[i] * b;
  out[3] = sum;
  const auto x = ct::full<ct::tile<T, ct::shape<4>>>(a), y = ct::full<ct::tile<T, ct::shape<4>>>(b);
  auto places = out + (4 + ct::iota<ct::tile<int, ct::shape<4>>>());
  ct::store(places, x * y - y * x);
  out[8] = ct::fma(a, b, -(b * a));
}

template <class T> void test(const char *name, T a, T b) {
  const T given[] = {a, b, a, T(0)};
  run::array<T> in(4, [&](std::size_t i) { return given[i]; }), out(9);
  differences<<<1, 1>>>(in.device, out.device);
  out.fetch();
  for (int i = 0; i < 8; ++i)
    if (out.host[i] != 0) {
      std::printf("%s: result %d is %g\n", name, i, double(out.host[i]));
      ++run::failures;
    }
  if (out.host[8] == 0) {
    std::printf("%s: fma has rounded the product\n", name);
    ++run::failures;
  }
}

int main() {
  test("float", 1.1f, 1.3f);
  test("double", 1.1, 1.3);
  return run::finish();
}
