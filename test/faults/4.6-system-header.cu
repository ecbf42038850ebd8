// A kernel template in a header of the system was not rewritten.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

#include "Inputs/system.h"
struct twice {
  __tile__ int operator()(int x) const { return 2 * x; }
};

int main() {
  run::array<int> x(1, [](auto) { return 21; });
  apply<<<1, 1>>>(x.device, twice{});
  run::expect("x", x, [](auto) { return 42; });
  return run::finish();
}
