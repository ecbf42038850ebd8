// What cannot be raised is refused at its line, all of it in one run, each place once.
// RUN: not %tessera --dump=tile %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:
#include <cstdio>
#include <cstring>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;
__tile__ auto places() { return ct::iota<ct::tile<int, ct::shape<64>>>(); }

// CHECK: bad-constructs.cu:[[@LINE+2]]:{{.*}}error: not supported yet: a copy of a large object or of a size known only at run time
struct large { int numbers[1000]; };
__tile_global__ void copies(large *p, const large *q) { *p = *q; }

// CHECK: bad-constructs.cu:[[@LINE+1]]:{{.*}}error: not supported yet: filling a large object or a size known only at run time
__tile_global__ void fills(large *p) { std::memset(p, 0, sizeof *p); }

// CHECK: bad-constructs.cu:[[@LINE+2]]:{{.*}}error: not supported yet: local memory of a size known only at run time; give it the largest size
__tile_global__ void sizes(int *p, int n) {
  int *a = (int *)__builtin_alloca(n);
  a[0] = p[0];
  p[1] = a[0];
}

// CHECK: bad-constructs.cu:[[@LINE+3]]:{{.*}}error: not supported yet: the bits of a tile read as another type
// CHECK: bad-constructs.cu:[[@LINE+4]]:{{.*}}error: not supported yet: access to single lanes of a tile
__tile_global__ void lanes(float *p) {
  row a = ct::load(p + places());
  double d[32];
  std::memcpy(d, &a, sizeof a);
  p[0] = float(d[3] + d[5]);
}

// CHECK: bad-constructs.cu:[[@LINE+2]]:{{.*}}error: not supported yet: the bits of a tile read as another type
__tile_global__ void bits(float *p) {
  row a = ct::load(p + places());
  ct::tile<double, ct::shape<32>> d;
  std::memcpy(&d, &a, sizeof a);
  p[0] = float(static_cast<double>(ct::sum<0>(d)));
}

// CHECK: bad-constructs.cu:[[@LINE+3]]:{{.*}}error: not supported yet: local memory that holds tiles and is used in another way than tile by tile
__tile_global__ void element(float *p, int n) {
  row a = ct::load(p + places());
  p[0] = reinterpret_cast<float *>(&a)[n];
}

// CHECK: bad-constructs.cu:[[@LINE+4]]:{{.*}}error: not supported yet: arithmetic on the lanes of a tile (fadd)
typedef float four __attribute__((vector_size(16)));
__tile_global__ void vectors(float *p) {
  four a = *(four *)p;
  *(four *)p = a + a;
}

// CHECK: bad-constructs.cu:[[@LINE+1]]:{{.*}}error: not supported yet: a call of 'llvm.sadd.with.overflow.i32' in tile code
__tile_global__ void call(int *p) { p[0] = __builtin_add_overflow(p[0], p[1], p + 2); }

// CHECK: bad-constructs.cu:[[@LINE+1]]:{{.*}}error: not supported yet: a value of type 'i100' in tile code
__tile_global__ void width(float *p, unsigned n) { p[0] = (unsigned _BitInt(100))n; }
