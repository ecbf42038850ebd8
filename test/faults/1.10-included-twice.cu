// A header under two inclusions got the text of the last.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

#define NAME add3
#define VALUE out[0] + 3
#include "Inputs/named.h"
#undef NAME
#undef VALUE
#define NAME mul3
#define VALUE out[0] * 3
#include "Inputs/named.h"

int main() {
  run::array<int> x(1, [](auto) { return 1; });
  add3<<<1, 1>>>(x);
  mul3<<<1, 1>>>(x);
  run::expect("x", x, [](auto) { return 12; });
  return run::finish();
}
