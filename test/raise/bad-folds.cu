// What the function of a reduction or scan may not do.
// RUN: not %tessera --extensions --dump=tile -DREADS %s 2>&1 | FileCheck %s -check-prefix=READS
// RUN: not %tessera --extensions --dump=tile -DWRITES %s 2>&1 | FileCheck %s -check-prefix=WRITES
// RUN: not %tessera --extensions --dump=tile -DGIVES %s 2>&1 | FileCheck %s -check-prefix=GIVES
// RUN: not %tessera --extensions --dump=tile -DTILES %s 2>&1 | FileCheck %s -check-prefix=TILES
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;
using tile = ct::tile<int, ct::shape<64>>;

#ifdef READS
__tile_global__ void reads(int *x) {
  auto i = ct::iota<tile>();
  // READS: [[@LINE+1]]:{{.*}}the function of a reduction or scan accesses memory
  ct::store(x + i, ct::scan(ct::load(x + i), 0_ic, [=](int a, int b) { return a + x[b]; }));
}
#endif

#ifdef WRITES
__tile_global__ void writes(int *x) {
  auto i = ct::iota<tile>();
  ct::store(x + i, ct::scan(ct::load(x + i), 0_ic, [=](int a, int b) {
              // WRITES: [[@LINE+1]]:{{.*}}the function of a reduction or scan accesses memory
              *x = a;
              return a * b;
            }));
}
#endif

#ifdef GIVES
__tile_global__ void gives(int *x) {
  auto i = ct::iota<tile>();
  int last = 0;
  auto y = ct::scan(ct::load(x + i), 0_ic, [to = &last](int a, int b) {
    *to = b;
    return a - b;
  });
  // GIVES: {{.*}}the function of a reduction or scan gives a value away
  ct::store(x + i, y + last);
}
#endif

#ifdef TILES
__tile_global__ void tiles(int *x) {
  auto i = ct::iota<tile>();
  auto y = ct::load(x + i);
  ct::store(x + i, ct::scan(y, 0_ic, [=](int a, int b) {
              // TILES: [[@LINE+1]]:{{.*}}the function of a reduction or scan computes with tiles
              return int(ct::sum<0>(y + a)) - b;
            }));
}
#endif
