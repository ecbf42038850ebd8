// [tile:reductions_and_scans] What the function of a reduction or scan may not do.
// options: --extensions
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
using line = ct::tile<int, ct::shape<64>>;

__tile_global__ void reads(int *x) {
  auto i = ct::iota<line>();
  auto combine = [=](int a, int b) { return a * x[b]; };
  //                                            ^ error: not supported yet: the function of a
  //                reduction or scan accesses memory here; it may compute with its arguments and
  //                with captured scalars [tile:reductions_and_scans/function-accesses-memory]
  // right: auto combine = [=](int a, int b) { return a * b; };
  ct::store(x + i, ct::scan(ct::load(x + i), 0_ic, combine));
}
__tile_global__ void gives(int *x) {
  auto i = ct::iota<line>();
  int last = 0;
  auto combine = [to = &last](int a, int b) { return a * (*to = b); };
  auto y = ct::scan(ct::load(x + i), 0_ic, combine);
  ct::store(x + i, y + last);
  //                 ^ error: not supported yet: the function of a reduction or scan gives a value
  //                away here; what it computes of its arguments is its result alone
  //                [tile:reductions_and_scans/function-value-leaves]
  // right: ct::store(x + i, y);
}
__tile_global__ void tiles(int *x) {
  auto i = ct::iota<line>();
  auto y = ct::load(x + i);
  auto combine = [=](int a, int b) { return a * int(ct::sum<0>(y + b)); };
  //                                                ^ error: not supported yet: the function of a
  //                reduction or scan computes with tiles here; it may compute with its arguments
  //                and with captured scalars [tile:reductions_and_scans/function-of-tiles]
  // right: auto combine = [=](int a, int b) { return a * b; };
  ct::store(x + i, ct::scan(y, 0_ic, combine));
}
