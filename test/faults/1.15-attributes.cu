// Function attributes, arrays of length zero: text that does not compile.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

struct header {
  int n;
  int values[0];
};
__attribute__((noinline)) [[nodiscard]] __tile__ int at(const header *h, int i) {
  return h->values[i];
}
[[gnu::used]] __tile_global__ void read(const header *h, int *o) { o[0] = h->n + at(h, 2); }

int main() {
  run::array<int> x(4, [](auto i) { return 10 + i; }), o(1);
  read<<<1, 1>>>(reinterpret_cast<const header *>(x.device), o);
  run::expect("o", o, [](auto) { return 23; });
  return run::finish();
}
