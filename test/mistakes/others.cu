// [tile:language_and_architecture_support] What Clang finds first, said once and in our words.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile__ void values(tile<float, 4> x, int n, __half h) {
  constexpr int a = ct::ceildiv(7, 2);
  //            ^ error: 'a' is constexpr and calls 'ceildiv', but functions of the library run when
  //              the kernel runs; write const [tile:general_principles/constant-of-library]
  // right: const int a = ct::ceildiv(7, 2);
  x->size();
  // ^ error: tile<float, 4> has no member 'size'; tile_element_t<T> and tile_shape_t<T> give the
  //   element type and the shape of a tile [tile:tile/no-member-of-tile]
  // right: constexpr auto size = ct::tile_shape_t<decltype(x)>::rank();
  int c[n];
  //  ^ error: 'c' has a length that is not constant; a local array has a constant length
  //    [tile:types/variable-length]
  // right: int c[16];
  try { n = 1; } catch (...) {}
//^ error: try in tile code; tile code has no exceptions [tile:statements/exceptions]
  // right: n = 1;
  throw 1;
//^ error: throw in tile code; tile code has no exceptions [tile:statements/exceptions]
  // right: n = 1;
  n = h.__x;
  //    ^ error: '__x' is the storage of '__half', which is private; use a conversion
  //      [tile:classes/private-storage]
  // right: n = static_cast<int>(h);
}
__tile__ void spans(ct::tensor_span<float, ct::extents<unsigned, 4, 8>> span) {
  ct::tensor_span<float, ct::extents<unsigned, 8, 4>> a = span;
  //                                                  ^ error: tensor_span<float, 4x8> does not
  //                convert to tensor_span<float, 8x4>; make a span from the pointer, and from the
  //                extents or a mapping [tile:tensor_span/span-conversion]
  // right: ct::tensor_span<float, ct::extents<unsigned, 4, 8>> a = span;
  ct::extents<int, 4> b(5, 6);
  //                  ^ error: 'extents' cannot be made from these arguments; write extents{4_ic, n}
  //                [tile:tensor_span/not-made-of]
  // right: ct::extents b{4_ic, 6};
}
__tile__ void misspelled(tile<float, 4> x) {
  ct::tensr_span a{};
  //  ^ error: cuda::tiles has no 'tensr_span' [tile:header_and_namespace/no-name]
  ct::shap<4> b;
  //  ^ error: cuda::tiles has no 'shap'; did you mean 'shape'? [tile:header_and_namespace/no-name]
  // fix: ct::shape<4> b;
  auto c = ct::element_cas<int>(x);
  //           ^ error: cuda::tiles has no 'element_cas'; did you mean 'element_cast'?
  //             [tile:header_and_namespace/no-name]
  // fix: auto c = ct::element_cast<int>(x);
}
void host() { auto a = ct::ceildiv(7, 2); }
//                     ^ error: 'ceildiv' is tile code, and is called from other code; call it in a
//                  kernel or in a __tile__ function [tile:spaces/tile-code-called]
// right: __tile__ void host() { auto a = ct::ceildiv(7, 2); }

// A class of the program says what its arguments are as users write them.
template <class T> struct adds {
  T value;
  __tile__ void run(tile<float, 4, 16> y) { auto a = value + y; }
  //                                                       ^ error: '+' of tile<float, 4x8> and
  //                tile<float, 4x16>: the shapes do not broadcast; along dimension 1 the extents
  //                are 8 and 16, and neither is 1 [tile:general_principles/shapes-do-not-broadcast]
  // right: __tile__ void run(tile<float, 4, 16> y) { auto a = y + y; }
};
__tile__ void members(adds<tile<float, 4, 8>> x) { x.run({}); }
//                                                   ^ note: in adds<tile<float, 4x8>>::run, called
//                  at others.cu:*
