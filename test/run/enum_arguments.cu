// Template arguments of kernels that are values of enumerations, with a name and without.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;

namespace epilogue::inner {
enum flags : unsigned { none = 0, relu = 1, negate = 2 };
enum class level : signed char { low = -1, high = 1 };
constexpr flags operator|(flags a, flags b) { return flags(unsigned(a) | unsigned(b)); }
} // namespace epilogue::inner
using namespace epilogue;

template <inner::flags F, inner::level... L> __tile_global__ void apply(float *p) {
  const auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  auto x = ct::load(p + i) - 4.0f;
  if constexpr (bool(F & inner::relu))
    x = ct::max(x, 0.0f);
  if constexpr (bool(F & inner::negate))
    x = -x;
  ct::store(p + i, x + float((int(L) + ... + 0)));
}

template <inner::flags F, inner::level... L> void check(const char *name) {
  run::array<float> x(8, [](size_t i) { return i; });
  apply<F, L...><<<1, 1>>>(x.device);
  run::expect(name, x, [](size_t i) {
    double y = double(i) - 4;
    y = F & inner::relu && y < 0 ? 0 : y;
    return (F & inner::negate ? -y : y) + (int(L) + ... + 0);
  });
}

int main() {
  check<inner::none>("none");
  check<inner::relu, inner::level::high>("relu");
  check<inner::relu | inner::negate, inner::level(5), inner::level::low>("both");
  check<inner::flags(6), inner::level(-7)>("unnamed");
  return run::finish();
}
