// accept: enumerators of every kind
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

enum { one = 1 };
enum plain { two = 2 };
enum class scoped { three = 3 };
struct S {
  enum { four = 4 };
};

__tile_global__ void k(int *out) {
  using enum scoped;
  out[0] = one + two + int(scoped::three) + S::four + int(three);
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
