// [tile:math_operations] Functions of floating point, and the modes that they take.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile__ void numbers(tile<int, 8> i, tile<float, 8> f, tile<__nv_fp8_e5m2, 8> e,
                      tile<double, 8> d, tile<__half, 8> h, tile<float *, 8> p) {
  auto x1 = ct::exp(i);
  //        ^ error: 'exp' of tile<int, 8>: the operand must be floating point; write
  //          ct::element_cast<float>(i) [tile:math_operations/not-float]
  // fix: auto x1 = ct::exp(ct::element_cast<float>(i));
  auto x2 = ct::sqrt(i + 1);
  //        ^ error: 'sqrt' of tile<int, 8>: the operand must be floating point; write
  //          ct::element_cast<float>(i + 1) [tile:math_operations/not-float]
  // fix: auto x2 = ct::sqrt(ct::element_cast<float>(i + 1));
  auto x3 = ct::sin(3);
  //        ^ error: 'sin' of int: the operand must be floating point; write 3.0f
  //          [tile:math_operations/not-float]
  // fix: auto x3 = ct::sin(3.0f);
  auto x4 = ct::isnan(i);
  //        ^ error: 'isnan' of tile<int, 8>: the operand must be floating point; write
  //          ct::element_cast<float>(i) [tile:math_operations/not-float]
  // fix: auto x4 = ct::isnan(ct::element_cast<float>(i));
  auto x5 = ct::tanh(e);
  //        ^ error: 'tanh' of tile<__nv_fp8_e5m2, 8>: __nv_fp8_e5m2 has no arithmetic; convert it
  //          with element_cast<float> [tile:arithmetic_operations/not-arithmetic]
  // right: auto x5 = ct::tanh(ct::element_cast<float>(e));
  auto x6 = ct::fma(i, i, i);
  //        ^ error: 'fma' of tile<int, 8>: the operand must be floating point
  //          [tile:math_operations/not-float]
  auto x7 = ct::fma(f, f, h);
  //        ^ error: 'fma' with the addend tile<__half, 8>: float would narrow to its element type
  //          __half; write ct::element_cast<float>(h) [tile:arithmetic_operations/fma-narrows]
  // fix: auto x7 = ct::fma(f, f, ct::element_cast<float>(h));
  auto x8 = ct::fma(f, f, 1.0f);
  //        ^ error: 'fma' of tile<float, 8> with the addend float: the result has the type of the
  //          addend; make the addend a tile [tile:arithmetic_operations/fma-addend]
  // right: auto x8 = f * f + 1.0f;
  auto x9 = ct::fma(f, tile<float, 4>(), f);
  //        ^ error: 'fma': tile<float, 4> does not broadcast to the shape 8; its extent 4 along
  //          dimension 0 is neither 8 nor 1 [tile:general_principles/broadcast-to]
  auto x10 = ct::add(p, i);
  //         ^ error: 'add' of tile<float *, 8>: the function takes numbers; pointers have the
  //           operators + and - [tile:arithmetic_operations/function-of-pointers]
  // right: auto x10 = p + i;
  auto x11 = ct::abs(p);
  //         ^ error: 'abs' of tile<float *, 8>: the operand must be floating point
  //           [tile:math_operations/not-float]
  auto x12 = ct::log(p);
  //         ^ error: 'log' of tile<float *, 8>: the operand must be floating point
  //           [tile:math_operations/not-float]
}
__tile__ void modes(tile<int, 8> i, tile<float, 8> f, tile<double, 8> d, tile<__half, 8> h) {
  auto x1 = ct::add(f, f, ct::round_approximate_t{});
  //        ^ error: 'add' of float does not take round_approximate_t; its modes are
  //          round_ties_to_even_t and round_toward_zero_t, _positive_t, _negative_t
  //          [tile:general_principles/no-mode]
  // right: auto x1 = ct::add(f, f, ct::round_toward_zero_t{});
  auto x2 = ct::add(i, i, ct::round_toward_zero_t{});
  //        ^ error: 'add' of tile<int, 8> with round_toward_zero_t: only floating-point operations
  //          take a mode [tile:general_principles/mode-of-integers]
  // right: auto x2 = ct::add(i, i);
  auto x3 = ct::div(h, h, ct::round_approximate_t{});
  //        ^ error: 'div' of __half does not take round_approximate_t; its modes are the rounding
  //          modes, and for float round_approximate_t and round_full_t
  //          [tile:general_principles/no-mode]
  auto x4 = ct::exp(d, ct::round_approximate_t{});
  //        ^ error: 'exp' of double does not take round_approximate_t; its modes are round_full_t,
  //          and round_approximate_t for float [tile:general_principles/no-mode]
  auto x5 = ct::exp(f, ct::round_ties_to_even_t{});
  //        ^ error: 'exp' of float does not take round_ties_to_even_t; its modes are round_full_t,
  //          and round_approximate_t for float [tile:general_principles/no-mode]
  auto x6 = ct::exp<double>(d);
  //        ^ error: 'exp' does not take <double>(tile<double, 8>); write exp(x) or exp(x,
  //          round_approximate_t{}) [tile:general_principles/form]
  auto x7 = ct::max(i, i, ct::propagate_nan_t{});
  //        ^ error: 'max' of tile<int, 8> with propagate_nan_t: only floating-point operations take
  //          a mode [tile:general_principles/mode-of-integers]
}
