// [tile:language_and_architecture_support] What is refused after the parse, by the stages that
// raise and plan kernels.
#include <cstdio>
#include <cstring>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;
__tile__ auto places() { return ct::iota<ct::tile<int, ct::shape<64>>>(); }

typedef float four __attribute__((vector_size(16)));
__tile_global__ void vectors(float *p) {
  four a = *(four *)p;
  *(four *)p = a + a;
  //             ^ error: not supported yet: arithmetic on the lanes of a tile (fadd); use the
  //               operators of tiles [tile:tile/lane-arithmetic]
  // right: *(four *)p = a;
}
__tile_global__ void call(int *p) {
  p[0] = __builtin_elementwise_add_sat(p[0], p[1]);
  //     ^ error: not supported yet: a call of 'llvm.sadd.sat.i32' in tile code; use a function of
  //       cuda::tiles, or write a __tile__ function [tile:functions/call-of]
  // right: p[0] = p[0] + p[1];
}
__tile_global__ void width(float *p, unsigned n) {
  p[0] = (unsigned _BitInt(100))n;
  //                            ^ error: not supported yet: a value of type 'i100' in tile code; use
  //                integers of 8 to 64 bits, floating-point numbers and pointers
  //                [tile:types/value-type]
  // right: p[0] = n;
}
