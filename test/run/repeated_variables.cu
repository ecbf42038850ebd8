// Variables of tile code that are declared beside their definitions, which nvcc refuses in a whole
// program where both are left.
#include "run.h"
#include <cuda_tile.h>

extern __tile__ int later;
extern __tile__ int later, other;
__tile__ int earlier = 1;
extern __tile__ int earlier;
extern __tile__ int of_no_length[];
extern __tile__ const int constant;
__tile__ extern int mark_first;
extern "C" __tile__ int of_c;
extern "C" {
extern __tile__ int of_c_too;
}
#define DECLARE extern __tile__
DECLARE int by_macro;
struct pair {
  int a, b;
};
extern __tile__ pair two;
namespace named {
extern __tile__ int inside;
}
namespace {
extern __tile__ int unnamed;
}
struct local_type {
  int n;
};

__tile_global__ void sum(int *o) {
  extern __tile__ int later;
  *o = later + other + earlier + of_no_length[1] + constant + mark_first + of_c + of_c_too +
       by_macro + two.b + named::inside + unnamed;
}

__tile__ int later = 2, other = 4;
__tile__ int of_no_length[2] = {0, 8};
__tile__ const int constant = 16;
__tile__ int mark_first = 32;
__tile__ int of_c = 64;
extern "C" {
__tile__ int of_c_too = 128;
}
__tile__ int by_macro = 256;
__tile__ pair two = {0, 512};
namespace named {
__tile__ int inside = 1024;
}
namespace {
__tile__ int unnamed = 2048;
}
int main() {
  run::array<int> out(1);
  sum<<<1, 1>>>(out);
  run::expect("sum", out, [](auto) { return 4095; });
  local_type type = {4};
  run::require(cudaMemcpyToSymbol(later, &type.n, sizeof type.n));
  sum<<<1, 1>>>(out);
  run::expect("sum", out, [](auto) { return 4097; });
  return run::finish();
}
