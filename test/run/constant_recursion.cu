// Functions that call themselves are computed while the program is compiled: in constants of
// kernels and of the host, and in code where their arguments are constants.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;

__tile__ constexpr int power(int n) { return n == 0 ? 1 : 2 * power(n - 1); }
__tile__ constexpr int log2_of(int n) { return n <= 1 ? 0 : 1 + log2_of(n / 2); }
template <int N> struct config {
  static constexpr int block = power(N);
};
constexpr int rows = log2_of(32);

// Nothing comes to them.
__tile__ int unused(int n) { return n ? unused(n - 1) : 0; }
__tile__ inline int also_unused(int n) { return unused(n); }

template <int N> __tile_global__ void fill(int *out, int n) {
  constexpr int extent = config<N>::block;
  using row = ct::tile<int, ct::shape<extent>>;
  int sum = power(3);
  if (n > 1)
    sum += log2_of(1024) + int(sizeof(unused(3)));
  if constexpr (log2_of(extent) == N)
    for (int i = 0; i < rows; ++i)
      ct::store(out + i * extent + ct::iota<row>(), ct::iota<row>() + (sum + i));
}

int main() {
  run::array<int> out(8 * rows);
  fill<3><<<1, 1>>>(out.device, 2);
  run::expect("fill", out, [](size_t i) { return int(i % 8) + 8 + 10 + 4 + int(i / 8); });
  return run::finish();
}
