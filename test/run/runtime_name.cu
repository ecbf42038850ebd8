// The runtime's namespace has a name that a program may use for what it likes: here for a function
// and a class.
#include "run.h"
#include <cuda_tile.h>

struct tessera {
  int n = 3;
};
__tile__ int tessera(int x) { return x + 1; }

__tile_global__ void kernel(int *o, int n) { *o = ::tessera(n); }
__global__ void simt(int *o, int n) { *o += n; }

int main() {
  run::array<int> out(1);
  struct tessera object;
  kernel<<<1, 1>>>(out, object.n);
  simt<<<1, 1>>>(out, 4);
  run::expect("sum", out, [](auto) { return 8; });
  return run::finish();
}
