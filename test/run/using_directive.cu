// `using namespace cuda::tiles` in the program's own global namespace: what the header keeps for
// itself has reserved names, so the program's own `detail` and `prim` are the only ones.
#include <cstdio>
#include <cuda_tile.h>

using namespace cuda::tiles;

namespace detail {
__tile__ float twice(float x) { return 2 * x; }
} // namespace detail

namespace prim {
template <class T> __tile__ auto half(T x) { return x * 0.5f; }
namespace cpu {
inline constexpr int width = 32;
}
} // namespace prim

namespace arch {
using element = float;
}
namespace host {
constexpr int count = 4 * prim::cpu::width;
}

__tile_global__ void scale(arch::element *out, const arch::element *in) {
  const auto i = int(bid().x) * prim::cpu::width + iota<tile<int, shape<prim::cpu::width>>>();
  const auto x = load(in + i);
  store(out + i, prim::half(x * x) + detail::twice(3));
}

int main() {
  float *in, *out;
  cudaMallocManaged(&in, host::count * sizeof(float));
  cudaMallocManaged(&out, host::count * sizeof(float));
  for (int i = 0; i < host::count; i++)
    in[i] = float(i);
  scale<<<host::count / prim::cpu::width, 1>>>(out, in);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < host::count; i++)
    wrong += out[i] != float(i) * float(i) / 2 + 6;
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
