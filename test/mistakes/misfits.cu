// [tile:memory_operations] Values that no store takes, masks and operands that are none.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cmath>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

struct pair {
  int a, b;
};
__tile__ void memory(float *p, tile<float *, 8> ps, tile<int *, 8> qs, tile<int, 8> x) {
  ct::store_masked(ps, ct::load(ps), pair{});
//^ error: 'store_masked' with the mask pair, which is not a tile of bool
//  [tile:memory_operations/mask-of-no-tile]
  // right: ct::store_masked(ps, ct::load(ps), x > 1);
  ct::store(p, pair{});
//^ error: 'store' of pair, which is neither a tile nor a number
//  [tile:memory_operations/value-of-no-tile]
  // right: ct::store(p, 1.0f);
  ct::store(ps, qs);
//^ error: 'store': int * does not convert to float, the element type of tile<float *, 8>
//  [tile:memory_operations/value-converts]
  // right: ct::store(ps, ct::element_cast<float>(x));
}
__tile__ void products(tile<int, 16, 16> x, tile<bool, 16, 16> m, tile<__nv_fp8_e8m0, 16, 16> e) {
  auto c = ct::matmul(e, e);
  //       ^ error: 'matmul' of tile<__nv_fp8_e8m0, 16x16> and tile<__nv_fp8_e8m0, 16x16>: operands
  //         of __nv_fp8_e8m0 cannot be multiplied; operands must be 8-bit integers or floating
  //         point [tile:matrix_multiplication/mma-elements]
  // right: auto c = ct::matmul(ct::element_cast<float>(e), ct::element_cast<float>(e));
  auto b = ct::matmul(m, m);
  // right: auto b = ct::matmul(ct::element_cast<__half>(m), ct::element_cast<__half>(m));
  auto a = ct::matmul(x, x);
  //       ^ error: 'matmul' of tile<int, 16x16> and tile<int, 16x16>: both operands must have the
  //         same element type, or must be 8-bit integers [tile:matrix_multiplication/mma-operands]
  // right: auto a = ct::matmul(ct::element_cast<__half>(x), ct::element_cast<__half>(x));
}

// A macro is an operand, or its end.
__tile__ void macros() {
  auto least = tile<__half, 4>() * -INFINITY;
  //                             ^ error: '*' of tile<__half, 4> and float: the float would narrow
  //                to __half, the element type of the tile; write
  //                ct::element_cast<__half>(-INFINITY) [tile:general_principles/scalar-narrows]
  // fix: auto least = tile<__half, 4>() * ct::element_cast<__half>(-INFINITY);
}
