// [tile:general_principles] The element type of a tile stays beside a scalar; two tiles, or two
// scalars, meet in their common type. Nothing narrows but integers to floating point.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile__ void literals(tile<float, 4, 8> x, tile<int, 8> i, tile<__half, 8> h, tile<unsigned, 8> u,
                       tile<unsigned char, 8> byte) {
  auto a = x * 2.0;
  //         ^ error: '*' of tile<float, 4x8> and double: the double would narrow to float, the
  //           element type of the tile; write 2.0f [tile:general_principles/scalar-narrows]
  // fix: auto a = x * 2.0f;
  auto b = 1e-6 + x;
  //            ^ error: '+' of double and tile<float, 4x8>: the double would narrow to float, the
  //              element type of the tile; write 1e-6f [tile:general_principles/scalar-narrows]
  // fix: auto b = 1e-6f + x;
  auto c = i + 1u;
  //         ^ error: '+' of tile<int, 8> and unsigned int: the unsigned int would narrow to int,
  //           the element type of the tile; write 1 [tile:general_principles/scalar-narrows]
  // fix: auto c = i + 1;
  auto d = i == 0u;
  //         ^ error: '==' of tile<int, 8> and unsigned int: their common type unsigned int would
  //           narrow the int; write 0 [tile:general_principles/common-type-narrows-tile]
  // fix: auto d = i == 0;
  auto e = h * 0.5f;
  //         ^ error: '*' of tile<__half, 8> and float: the float would narrow to __half, the
  //           element type of the tile; write ct::element_cast<__half>(0.5f)
  //           [tile:general_principles/scalar-narrows]
  // fix: auto e = h * ct::element_cast<__half>(0.5f);
  auto f = i / 10l;
  //         ^ error: '/' of tile<int, 8> and long: the long would narrow to int, the element type
  //           of the tile; write 10 [tile:general_principles/scalar-narrows]
  // fix: auto f = i / 10;
  auto g = 0.5f * i;
  //            ^ error: '*' of float and tile<int, 8>: the float would narrow to int, the element
  //              type of the tile; write ct::element_cast<float>(i)
  //              [tile:general_principles/scalar-narrows]
  // fix: auto g = 0.5f * ct::element_cast<float>(i);
  auto k = u - 1;
  //         ^ error: '-' of tile<unsigned int, 8> and int: the int would narrow to unsigned int,
  //           the element type of the tile; write 1u [tile:general_principles/scalar-narrows]
  // fix: auto k = u - 1u;
  auto l = byte + 1;
  //            ^ error: '+' of tile<unsigned char, 8> and int: the int would narrow to unsigned
  //              char, the element type of the tile; write ct::element_cast<unsigned char>(1)
  //              [tile:general_principles/scalar-narrows]
  // fix: auto l = byte + ct::element_cast<unsigned char>(1);
}
__tile__ void scalars(tile<float, 8> x, tile<int, 8> i, double eps, long n, float scale) {
  auto a = x + eps;
  //         ^ error: '+' of tile<float, 8> and double: the double would narrow to float, the
  //           element type of the tile; write ct::element_cast<float>(eps)
  //           [tile:general_principles/scalar-narrows]
  // fix: auto a = x + ct::element_cast<float>(eps);
  auto c = i * (n + 1);
  //         ^ error: '*' of tile<int, 8> and long: the long would narrow to int, the element type
  //           of the tile; write ct::element_cast<int>(n + 1)
  //           [tile:general_principles/scalar-narrows]
  // fix: auto c = i * ct::element_cast<int>(n + 1);
  auto d = ct::min(i, scale);
  //       ^ error: 'min' of tile<int, 8> and float: the float would narrow to int, the element type
  //         of the tile; write ct::element_cast<float>(i) [tile:general_principles/scalar-narrows]
  // fix: auto d = ct::min(ct::element_cast<float>(i), scale);
  auto e = ct::max(1, 2u);
  //       ^ error: 'max' of int and unsigned int: their common type unsigned int would narrow the
  //         int; convert one of them with element_cast
  //         [tile:general_principles/common-type-narrows]
  // right: auto e = ct::max(1u, 2u);
  auto f = (x > 0.5f) + 1;
  //                  ^ error: '+' of tile<bool, 8> and int: the int would narrow to bool, the
  //                element type of the tile; write ct::element_cast<int>(x > 0.5f)
  //                [tile:general_principles/scalar-narrows]
  // fix: auto f = ct::element_cast<int>(x > 0.5f) + 1;
}
__tile__ void tiles(tile<int, 8> i, tile<unsigned, 8> u, tile<char, 8> c, tile<unsigned char, 8> b,
                    tile<__half, 8> h, tile<__nv_bfloat16, 8> bf) {
  auto x = i + u;
  //         ^ error: '+' of tile<int, 8> and tile<unsigned int, 8>: their common type unsigned int
  //           would narrow the int; convert one of them with element_cast
  //           [tile:general_principles/common-type-narrows]
  auto y = c * b;
  //         ^ error: '*' of tile<char, 8> and tile<unsigned char, 8>: their common type unsigned
  //           char would narrow the char; convert one of them with element_cast
  //           [tile:general_principles/common-type-narrows]
  auto z = h + bf;
  //         ^ error: '+' of tile<__half, 8> and tile<__nv_bfloat16, 8>: neither __half nor
  //           __nv_bfloat16 holds all values of the other; convert one of them with element_cast,
  //           or both to float [tile:general_principles/no-common-type]
  // right: auto z = ct::element_cast<float>(h) + ct::element_cast<float>(bf);
  auto w = h < bf;
  //         ^ error: '<' of tile<__half, 8> and tile<__nv_bfloat16, 8>: neither __half nor
  //           __nv_bfloat16 holds all values of the other; convert one of them with element_cast,
  //           or both to float [tile:general_principles/no-common-type]
}
