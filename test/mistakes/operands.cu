// [tile:arithmetic_operations] What operators compute with: integers alone, numbers, pointers and
// their distances.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile__ void others(tile<__nv_fp8_e4m3, 8> e, tile<float, 8> x, tile<int, 8> i) {
  enum color { red };
  auto a = e * e;
  //         ^ error: '*' of tile<__nv_fp8_e4m3, 8>: __nv_fp8_e4m3 has no arithmetic; convert it
  //           with element_cast<float> [tile:arithmetic_operations/not-arithmetic]
  auto b = x & 1;
  //         ^ error: '&' of tile<float, 8>: only integers are allowed
  //           [tile:arithmetic_operations/integers-only]
  auto c = x % 2.0f;
  //         ^ error: '%' of tile<float, 8>: only integers are allowed; ct::remainder takes floating
  //           point [tile:arithmetic_operations/integers-only]
  auto d = i << 1.0f;
  //         ^ error: '<<' of float: only integers are allowed
  //           [tile:arithmetic_operations/integers-only]
  auto f = i + red;
  //         ^ error: '+' of tile<int, 8> and color: color cannot be an operand of a tile operator;
  //           convert an enumeration with static_cast [tile:general_principles/no-operand]
  // right: auto f = i + static_cast<int>(red);
  auto g = i * 4_ic;
  //         ^ error: '*' of tile<int, 8> and 4_ic: the constant 4_ic cannot be an operand of a tile
  //           operator, but its value can; write the number, or () after the constant
  //           [tile:general_principles/constant-operand]
  // fix: auto g = i * 4_ic();
  auto h = ct::floordiv(x, x);
  //       ^ error: 'floordiv' of tile<float, 8>: only integers are allowed
  //         [tile:arithmetic_operations/integers-only]
  auto k = i <=> (i + 1);
  //         ^ error: '<=>' of tile<int, 8> and tile<int, 8>: tiles have no such operator
  //           [tile:tile/no-operator]
  // right: auto k = i < i + 1;
}
__tile__ void pointers(float *p, void *v, tile<int, 8> n, tile<float, 8> x) {
  auto a = p + x;
  //         ^ error: '+' of float * and tile<float, 8>: the offset of a pointer must be an integer
  //           [tile:memory_operations/pointer-offset]
  // right: auto a = p + ct::element_cast<int>(x);
  auto b = n - (p + n);
  //         ^ error: '-' of tile<int, 8> and tile<float *, 8>: pointers have +, - and comparisons,
  //           and the left operand of - must be a pointer
  //           [tile:memory_operations/pointer-arithmetic]
  // right: auto b = (p + n) - n;
  auto c = v + n;
  //         ^ error: '+' of void * and tile<int, 8>: a pointer to void has no element size; cast it
  //           to a pointer to elements [tile:memory_operations/void-pointer]
  // right: auto c = static_cast<char *>(v) + n;
  auto d = (p + n) * 2;
  //               ^ error: '*' of tile<float *, 8> and int: pointers have +, - and comparisons, and
  //                the left operand of - must be a pointer
  //                [tile:memory_operations/pointer-arithmetic]
  auto e = (p + n) - (static_cast<const int *>(v) + n);
  //               ^ error: '-' of tile<float *, 8> and tile<const int *, 8>: the pointers point to
  //                different types [tile:memory_operations/pointees-differ]
  // right: auto e = (p + n) - (static_cast<float *>(v) + n);
}
