// [tile:reductions_and_scans] Reductions and scans by functions, with --extensions.
// options: --extensions
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void functions(int *p) {
  auto x = ct::zeros<ct::tile<int, ct::shape<4, 8>>>();
  auto y = ct::zeros<ct::tile<float, ct::shape<4, 8>>>();
  auto z = ct::zeros<ct::tile<float, ct::shape<8>>>();
  auto add = [](int a, int b) { return a + b; };
  auto none = [](int a, int b) {};
  auto two = [](int a, float f, int b, float g) { return ct::pack{a + b, f * g}; };
  auto a = ct::reduce(x, 2_ic, add);
  //       ^ error: 'reduce' of tile<int, 4x8> along dimension 2: the tile has dimensions 0 to 1
  //         [tile:general_principles/no-dimension]
  // right: auto a = ct::reduce(x, 1_ic, add);
  auto b = ct::reduce(x, add);
  //       ^ error: 'reduce' of tile<int, 4x8> names no dimension; write reduce(x, 0_ic, function)
  //         [tile:reductions_and_scans/reduction-without-dimension]
  // right: auto b = ct::reduce(x, 1_ic, add);
  auto c = ct::reduce(7, 0_ic, add);
  //       ^ error: 'reduce' of int: the operand must be a tile
  //         [tile:reductions_and_scans/reduction-of-no-tile]
  // right: auto c = ct::reduce(x, 0_ic, add);
  auto d = ct::scan(x, 0_ic, none);
  //       ^ error: 'scan' of tile<int, 4x8>: the function must take what is combined so far of each
  //         tile, then an element of each, (int, int), and return a number
  //         [tile:reductions_and_scans/function-of-fold]
  // right: auto d = ct::scan(x, 0_ic, add);
  auto e = ct::scan(x, 0_ic, 0, two);
  //       ^ error: 'scan' of tile<int, 4x8>: the function must take what is combined so far of each
  //         tile, then an element of each, (int, int), and return a number
  //         [tile:reductions_and_scans/function-of-fold]
  // right: auto e = ct::scan(x, 0_ic, 0, add);
  auto f = ct::reduce(ct::pack{x, y}, 0_ic, add);
  //       ^ error: 'reduce' of pack<tile<int, 4x8>, tile<float, 4x8>>: the function must take what
  //         is combined so far of each tile, then an element of each, (int, float, int, float), and
  //         return a pack of as many numbers [tile:reductions_and_scans/function-of-fold]
  // right: auto f = ct::reduce(ct::pack{x, y}, 0_ic, two);
  auto g = ct::reduce(ct::pack{x, z}, 0_ic, two);
  //       ^ error: 'reduce' of tile<int, 4x8> and tile<float, 8>: tiles that are combined together
  //         must have one shape [tile:reductions_and_scans/shapes-of-fold]
  // right: auto g = ct::reduce(ct::pack{x, y}, 0_ic, two);
  int count = 0;
  auto counted = [&](int a, int b) { return ++count, a * b; };
  //                                          ^ error: the function of 'reduce' writes 'count'; it
  //                is called any number of times, and may compute its result alone
  //                [tile:reductions_and_scans/combiner-writes]
  // right: auto counted = [&](int a, int b) { return a * b; };
  auto generic = [&](auto a, auto b) {
    count = a;
 // ^ error: the function of 'reduce' writes 'count'; it is called any number of times, and may
 //   compute its result alone [tile:reductions_and_scans/combiner-writes]
    // right: ;
    return a * b;
  };
  auto k = ct::reduce(x, 0_ic, counted) + ct::reduce(x, 0_ic, generic);
  auto h = ct::scan(ct::pack{x, y}, 1_ic, ct::pack{0, 1.0f}, two, ct::scan_backward_t{});
}

int main() {}
