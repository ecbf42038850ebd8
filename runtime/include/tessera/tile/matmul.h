// Matrix multiplication: mma adds to an accumulator, matmul starts from zero, scaled_mma takes
// operands with scales. [tile:matrix_multiplication]
//
// (M,K) x (K,N) + (M,N), or the same with a leading batch extent; a batch of 1 in an operand is
// repeated. Operands are not converted.
#pragma once

#include "arithmetic.h"
#include "create.h"
#include "shape_ops.h"

namespace cuda::tiles {

namespace __detail {
template <class T> inline constexpr bool is_byte = is_integral<T> && sizeof(lane_of<T>) == 1;
template <class T> inline constexpr bool is_fp8 = is_one_of<T, __nv_fp8_e4m3, __nv_fp8_e5m2>;

template <class L, class R, class A> consteval bool multiplies() {
  if constexpr (is_byte<L> && is_byte<R>)
    return is_same<A, int>;
  else if constexpr (!is_same<L, R>)
    return false;
  else if constexpr (is_same<L, __half> || is_fp8<L>)
    return is_one_of<A, __half, float>;
  else
    return (is_one_of<L, __nv_bfloat16, __nv_tf32, float> && is_same<A, float>) ||
           (is_same<L, double> && is_same<A, double>);
}

template <class L, class R> using product_element =
    conditional_t<is_byte<L>, int,
                  conditional_t<is_same<L, __half> || is_fp8<L>, __half,
                                conditional_t<is_same<L, double>, double, float>>>;

// The shape of the product; shape<0> if the operands do not match.
template <class L, class R> struct product_shape {
  using type = shape<0>;
};
template <size_t M, size_t K, size_t N> struct product_shape<shape<M, K>, shape<K, N>> {
  using type = shape<M, N>;
};
template <size_t B, size_t C, size_t M, size_t K, size_t N>
  requires(B == C || B == 1 || C == 1)
struct product_shape<shape<B, M, K>, shape<C, K, N>> {
  using type = shape<(B > C ? B : C), M, N>;
};
template <class L, class R> using product_shape_of =
    typename product_shape<shape_of<L>, shape_of<R>>::type;

// The accumulator has the batch of the operands, or its own if both operands have 1.
template <class P, class A> inline constexpr bool accumulates = is_same<P, A>;
template <size_t B, size_t M, size_t N>
inline constexpr bool accumulates<shape<1, M, N>, shape<B, M, N>> = true;
} // namespace __detail

// The element types are compatible: see the table of [tile:matrix_multiplication].
template <class L, class R, class A>
concept mma_compatible = numeric_tile<L> && numeric_tile<R> && numeric_tile<A> &&
                         __detail::multiplies<__detail::element_of<L>, __detail::element_of<R>,
                                              __detail::element_of<A>>();

// l * r + acc, in the type of acc.
template <numeric_tile L, numeric_tile R, numeric_tile A>
  requires mma_compatible<L, R, A> &&
           __detail::accumulates<__detail::product_shape_of<L, R>, tile_shape_t<A>>
TESSERA_API A mma(__prim::arg<L> l, __prim::arg<R> r, __prim::arg<A> acc) noexcept {
  return __detail::access::make<A>(TESSERA_IN_PLACE(__prim::mma<A, L, R>(
      __detail::access::lanes(l), __detail::access::lanes(r), __detail::access::lanes(acc))));
}

// l * r; half and fp8 give half, double gives double, 8-bit integers give int, all others float.
template <numeric_tile L, numeric_tile R>
  requires tile_shape<__detail::product_shape_of<L, R>> &&
           (__detail::multiplies<
               __detail::element_of<L>, __detail::element_of<R>,
               __detail::product_element<__detail::element_of<L>, __detail::element_of<R>>>())
TESSERA_API tile<__detail::product_element<__detail::element_of<L>, __detail::element_of<R>>,
                 __detail::product_shape_of<L, R>>
matmul(__prim::arg<L> l, __prim::arg<R> r) noexcept {
  return mma(l, r,
             zeros<tile<__detail::product_element<__detail::element_of<L>, __detail::element_of<R>>,
                        __detail::product_shape_of<L, R>>>());
}

// ---- operands of 8 and 4 bits with a scale for each run of K elements -------------------------
namespace __detail {
// The shape of an operand's scales if each covers Run elements along its dimension K, the last one
// of the left operand and the last but one of the right one; a batch of 1 is repeated.
template <class S, size_t Run, bool IsLeft> struct scales_shape {
  using type = void;
};
template <size_t M, size_t K, size_t Run> struct scales_shape<shape<M, K>, Run, true> {
  using type = shape<M, K / Run>;
};
template <size_t K, size_t N, size_t Run> struct scales_shape<shape<K, N>, Run, false> {
  using type = shape<K / Run, N>;
};
template <size_t B, size_t M, size_t K, size_t Run> struct scales_shape<shape<B, M, K>, Run, true> {
  using type = shape<B, M, K / Run>;
};
template <size_t B, size_t K, size_t N, size_t Run>
struct scales_shape<shape<B, K, N>, Run, false> {
  using type = shape<B, K / Run, N>;
};

template <class S, class T> inline constexpr bool same_but_batch = is_same<S, T>;
template <size_t B, size_t M, size_t N>
  requires(B != 1)
inline constexpr bool same_but_batch<shape<1, M, N>, shape<B, M, N>> = true;

template <class F, class S, size_t Run, bool IsLeft> inline constexpr bool scales_runs_of =
    same_but_batch<shape_of<S>, typename scales_shape<shape_of<F>, Run, IsLeft>::type>;

// The compatible elements, scales and runs.
template <class E, class S, size_t Run> inline constexpr bool is_scaled_by =
    is_same<S, __nv_fp8_e8m0>
        ? (is_fp8<E> && Run == 32) || (is_same<E, __nv_fp4_e2m1> && (Run == 16 || Run == 32))
        : is_same<S, __nv_fp8_e4m3> && is_same<E, __nv_fp4_e2m1> && Run == 16;

template <class L, class SL, class R, class SR, size_t Run> inline constexpr bool are_scaled_in =
    is_same<element_of<L>, element_of<R>> && is_same<element_of<SL>, element_of<SR>> &&
    is_scaled_by<element_of<L>, element_of<SL>, Run> && scales_runs_of<L, SL, Run, true> &&
    scales_runs_of<R, SR, Run, false>;

// The number of elements that a scale covers; 0 if the operands are not compatible.
template <class L, class SL, class R, class SR> inline constexpr size_t run_of_scales =
    are_scaled_in<L, SL, R, SR, 16>   ? 16
    : are_scaled_in<L, SL, R, SR, 32> ? 32
                                      : 0;

// Scales repeated for their runs.
template <size_t Run, bool IsLeft, class S, size_t M, size_t K>
TESSERA_API auto repeated(const tile<S, shape<M, K>> &scales) noexcept {
  const auto numbers = element_cast<float>(scales);
  if constexpr (IsLeft)
    return reshape<shape<M, K * Run>>(
        broadcast<shape<M, K, Run>>(reshape<shape<M, K, 1>>(numbers)));
  else
    return reshape<shape<M * Run, K>>(
        broadcast<shape<M, Run, K>>(reshape<shape<M, 1, K>>(numbers)));
}
template <size_t Run, bool IsLeft, class S, size_t B, size_t M, size_t K>
TESSERA_API auto repeated(const tile<S, shape<B, M, K>> &scales) noexcept {
  const auto numbers = element_cast<float>(scales);
  if constexpr (IsLeft)
    return reshape<shape<B, M, K * Run>>(
        broadcast<shape<B, M, K, Run>>(reshape<shape<B, M, K, 1>>(numbers)));
  else
    return reshape<shape<B, M * Run, K>>(
        broadcast<shape<B, M, Run, K>>(reshape<shape<B, M, 1, K>>(numbers)));
}

// The product of these elements and scales has six significant bits: bf16 holds it.
template <size_t Run, bool IsLeft, class F, class S>
TESSERA_API auto scaled(const F &operand, const S &scales) noexcept {
  return element_cast<__nv_bfloat16>(element_cast<float>(operand) * repeated<Run, IsLeft>(scales));
}
} // namespace __detail

// (l * its scales) * (r * its scales) + acc. Elements and scales: e4m3 or e5m2 with an e8m0 for 32
// of them, e2m1 with an e8m0 for 16 or 32 or an e4m3 for 16.
template <numeric_tile L, numeric_tile SL, numeric_tile R, numeric_tile SR, numeric_tile A>
  requires(__detail::run_of_scales<L, SL, R, SR> != 0) &&
          __detail::is_same<__detail::element_of<A>, float> &&
          __detail::accumulates<__detail::product_shape_of<L, R>, tile_shape_t<A>>
TESSERA_API A scaled_mma(__prim::arg<L> l, __prim::arg<SL> l_scales, __prim::arg<R> r,
                         __prim::arg<SR> r_scales, __prim::arg<A> acc) noexcept {
  constexpr __detail::size_t run = __detail::run_of_scales<L, SL, R, SR>;
  return mma(__detail::scaled<run, true>(l, l_scales), __detail::scaled<run, false>(r, r_scales),
             acc);
}

} // namespace cuda::tiles
