// [tile:language_and_architecture_support] What is refused after the parse, by the stages that
// raise and plan kernels.
#include <cstdio>
#include <cstring>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;
__tile__ auto places() { return ct::iota<ct::tile<int, ct::shape<64>>>(); }

struct large {
  int numbers[1000];
};
__tile_global__ void copies(large *p, const large *q) {
  *p = *q;
  // ^ error: not supported yet: a copy of a large object or of a size known only at run time; copy
  //   its members in a loop [tile:memory/large-copy]
  // right: p->numbers[0] = q->numbers[0];
}
__tile_global__ void fills(large *p) {
  std::memset(p, 0, sizeof *p);
//^ error: not supported yet: filling a large object or a size known only at run time; fill it in a
//  loop [tile:memory/large-fill]
  // right: p->numbers[0] = 0;
}
__tile_global__ void sizes(int *p, int n) {
  int *a = (int *)__builtin_alloca(n);
  //              ^ error: not supported yet: local memory of a size known only at run time; give it
  //                the largest size [tile:types/local-size]
  // right: int a[16];
  a[0] = p[0];
  p[1] = a[0];
}
__tile_global__ void bits(long *p, __half *q) {
  auto a = ct::load(q + ct::iota<ct::tile<int, ct::shape<4>>>());
  p[0] = __builtin_bit_cast(long, a);
  //     ^ error: not supported yet: the bits of a tile read as another type; use element_bitcast
  //       [tile:tile/tile-bits]
  // right: p[0] = static_cast<long>(ct::element_bitcast<short>(ct::extract(a, ct::shape<1>{}, 0)));
}
__tile_global__ void element(float *p, int n) {
  row a = ct::load(p + places());
  p[0] = reinterpret_cast<float *>(&a)[n];
  //     ^ error: not supported yet: local memory that holds tiles and is used in another way than
  //       tile by tile; copy the tiles one by one [tile:tile/local-tile-memory]
  // right: p[0] = static_cast<float>(ct::extract(a, ct::shape<1>{}, n));
}
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
  //     ^ error: not supported yet: a call of 'llvm.sadd.sat.i32' in tile code; use what
  //       cuda::tiles has, or write it as a __tile__ function [tile:functions/call-of]
  // right: p[0] = p[0] + p[1];
}
__tile_global__ void width(float *p, unsigned n) {
  p[0] = (unsigned _BitInt(100))n;
  //                            ^ error: not supported yet: a value of type 'i100' in tile code; use
  //                integers of 8 to 64 bits, floating point and pointers [tile:types/value-type]
  // right: p[0] = n;
}
__tile_global__ void lanes(float *p) {
  row a = ct::load(p + places());
  p[0] = reinterpret_cast<float *>(&a)[3];
  //     ^ error: not supported yet: access to single lanes of a tile; use extract and insert
  //       [tile:tile/lane-access]
  // right: p[0] = static_cast<float>(ct::extract(a, ct::shape<1>{}, 3));
}
__tile_global__ void pointers(const int *x, int n, int *o) {
  using numbers = ct::tile<int, ct::shape<16>>;
  int a[16] = {n, x[0]};
  ct::store(o + ct::iota<numbers>(), ct::load(a + ct::iota<numbers>()));
  //                                            ^ error: not supported yet: a view or a tile of
  //                pointers over a local variable; use memory that the kernel is given, or a tile
  //                [tile:memory_operations/local-in-tiles]
  // right: ct::store(o + ct::iota<numbers>(), ct::load(x + ct::iota<numbers>()));
}
__tile_global__ void mixed(int w, int n, int *o) {
  int a[4] = {1, 2, 3, 4};
  int *p = w ? a : o;
  p[n & 3] = 7;
  //       ^ error: not supported yet: a store through a pointer that is to a local variable or to
  //         other memory; store through one pointer for each [tile:memory/local-or-global]
  // right: if (w) a[n & 3] = 7; else o[n & 3] = 7;
  o[5] = a[n & 3];
}
__tile_global__ void stored(int **o, int n) {
  int a[4] = {n, n};
  o[0] = a;
  //   ^ error: not supported yet: the address of a local variable in memory that other threads see;
  //     store its value [tile:memory/local-address]
  // right: *o[0] = a[n & 3];
}
