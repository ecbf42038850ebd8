// A namespace of the program's own that is called as the runtime's, with kernels, types and
// parts of
// the runtime's names in it.
#include "run.h"
#include <cuda_tile.h>

namespace tessera {
struct host {
  int n = 3;
};
namespace kernels {
template <class T> __tile_global__ void kernel_simt(int *tessera, T n) { *tessera = int(n); }
} // namespace kernels
template <class T> struct tile {};
int tessera = 4;
namespace {
__tile_global__ void layout(int *layout) { *layout = *layout + 1; }
} // namespace
} // namespace tessera
using namespace tessera::kernels;

int main() {
  run::array<int> out(1);
  kernel_simt<<<1, 1>>>(out, tessera::host().n + tessera::tessera);
  tessera::layout<<<1, 1>>>(out);
  run::expect("sum", out, [](auto) { return 8; });
  return run::finish();
}
