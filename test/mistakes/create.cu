// [tile:tile_operations] What makes tiles, converts elements, and chooses between tiles.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

enum color { red };

__tile__ void making(tile<int, 8> x, tile<float, 1> one) {
  auto x1 = ct::full<tile<int, 8>>(1, ct::shape<8>{});
  //        ^ error: 'full' does not take <tile<int, 8>>(int, shape<8>); write full<tile<...>>(x)
  //          [tile:general_principles/form]
  // right: auto x1 = ct::full<tile<int, 8>>(1);
  auto x2 = ct::full<tile<float, 8>>(one);
  //        ^ error: 'full' of float elements takes a single element, not a tile<float, 1>
  //          [tile:tile_operations/full-of-tile]
  // right: auto x2 = ct::broadcast(one, ct::shape<8>{});
  auto x3 = ct::full<tile<__nv_fp8_e4m3, 8>>(1.0f);
  //        ^ error: 'full' of __nv_fp8_e4m3 elements takes a single element, not a float; write
  //          ct::element_cast<__nv_fp8_e4m3>(1.0f) [tile:tile_operations/full-value]
  // fix: auto x3 = ct::full<tile<__nv_fp8_e4m3, 8>>(ct::element_cast<__nv_fp8_e4m3>(1.0f));
  auto x4 = ct::zeros<tile<int *, 8>>();
  //        ^ error: 'zeros' makes no pointers, so it cannot make a tile<int *, 8>
  //          [tile:tile_operations/filled-pointers]
  // right: auto x4 = ct::full<tile<int *, 8>>(nullptr);
  auto x5 = ct::ones<tile<int, 8>>(1);
  //        ^ error: 'ones' does not take <tile<int, 8>>(int); write ones<tile<...>>()
  //          [tile:general_principles/form]
  auto x6 = ct::iota<tile<float, 8>>();
  //        ^ error: 'iota' of tile<float, 8>: only integers are allowed
  //          [tile:arithmetic_operations/integers-only]
  // right: auto x6 = ct::element_cast<float>(ct::iota<tile<int, 8>>());
  auto x7 = ct::iota<tile<signed char, 256>>();
  //        ^ error: 'iota' of tile<signed char, 256> counts to 255, which does not fit in signed
  //          char [tile:tile_operations/iota-range]
  // right: auto x7 = ct::iota<tile<short, 256>>();
  auto x8 = ct::zeros<ct::shape<8>>();
  //        ^ error: 'zeros' cannot make a shape<8>, which is neither a tile nor a number; write
  //          'zeros' with the type of the result [tile:tile_operations/made-of-no-tile]
  // right: auto x8 = ct::zeros<tile<int, 8>>();
}
__tile__ void elements(tile<int, 8> x, tile<float, 8> f, tile<int *, 8> p,
                       tile<__nv_tf32, 8> t) {
  auto x1 = ct::element_cast<float *>(p);
  //        ^ error: 'element_cast' of tile<int *, 8> to float *: a pointer converts to bool, to a
  //          pointer to void, or to a pointer to const; element_bitcast reads the bits as another
  //          pointer [tile:tile_operations/cast-of-pointers]
  // right: auto x1 = ct::element_bitcast<float *>(p);
  auto x2 = ct::element_cast<color>(x);
  //        ^ error: 'element_cast' of tile<int, 8> to color: elements must be numbers or pointers
  //          to numbers [tile:tile_operations/cast-to-no-scalar]
  // right: auto x2 = ct::element_cast<int>(x);
  auto x3 = ct::element_cast<float>(x, ct::round_toward_zero_t{});
  //        ^ error: 'element_cast' of tile<int, 8> to float with round_toward_zero_t: modes are for
  //          conversions between floating-point types [tile:tile_operations/cast-mode-of-integers]
  // right: auto x3 = ct::element_cast<float>(x);
  auto x4 = ct::element_cast<__nv_bfloat16>(f, ct::round_toward_positive_t{});
  //        ^ error: 'element_cast' of tile<float, 8> to __nv_bfloat16 does not take
  //          round_toward_positive_t [tile:tile_operations/cast-mode]
  // right: auto x4 = ct::element_cast<__nv_bfloat16>(f);
  auto x5 = ct::element_bitcast<short>(x);
  //        ^ error: 'element_bitcast' of tile<int, 8> to short: the source has 32 bits and the
  //          result has 16 [tile:tile_operations/bitcast-size]
  // right: auto x5 = ct::element_bitcast<float>(x);
  auto x6 = ct::element_bitcast<int>(t);
  //        ^ error: 'element_bitcast' of tile<__nv_tf32, 8> to int: the bits of __nv_tf32 are not
  //          specified; use element_cast [tile:tile_operations/bitcast-of-tf32]
  // right: auto x6 = ct::element_bitcast<int>(ct::element_cast<float>(t));
  auto x7 = ct::element_cast(x);
  //        ^ error: 'element_cast' does not take tile<int, 8>; write element_cast<type>(x)
  //          [tile:general_principles/form]
}
__tile__ void choices(tile<bool, 8> m, tile<int, 8> x, tile<float, 8> f, tile<bool, 16> wide) {
  auto x1 = ct::select(m, x, 0);
  //        ^ error: 'select' between tile<int, 8> and int: both values must have the same type;
  //          make the scalar a tile with full<...> [tile:tile_operations/select-scalar]
  // right: auto x1 = ct::select(m, x, ct::full<tile<int, 8>>(0));
  auto x2 = ct::select(m, x, f);
  //        ^ error: 'select' between tile<int, 8> and tile<float, 8>: both values must have the
  //          same element type and the same shape [tile:tile_operations/select-types]
  // right: auto x2 = ct::select(m, ct::element_cast<float>(x), f);
  auto x3 = ct::select(wide, x, x);
  //        ^ error: 'select': tile<bool, 16> does not broadcast to the shape 8; its extent 16 along
  //          dimension 0 is neither 8 nor 1 [tile:general_principles/broadcast-to]
  // right: auto x3 = ct::select(m, x, x);
  auto x4 = ct::select(m, x);
  //        ^ error: 'select' does not take tile<bool, 8>, tile<int, 8>; write select(condition, x,
  //          y) [tile:general_principles/form]
}
