// Matrix multiplication: mma adds to an accumulator, matmul starts from zero.
// [tile:matrix_multiplication]
//
// (M,K) x (K,N) + (M,N), or the same with a leading batch extent; in the factors a batch of 1 is
// repeated. Operands are not converted.
#pragma once

#include "create.h"

namespace cuda::tiles {

namespace detail {
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

// The shape of the product, shape<0> where the factors do not fit.
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

// The accumulator has the batch of the factors, or one of its own where both factors have 1.
template <class P, class A> inline constexpr bool accumulates = is_same<P, A>;
template <size_t B, size_t M, size_t N>
inline constexpr bool accumulates<shape<1, M, N>, shape<B, M, N>> = true;
} // namespace detail

// The element types go together: see the table of [tile:matrix_multiplication].
template <class L, class R, class A>
concept mma_compatible =
    numeric_tile<L> && numeric_tile<R> && numeric_tile<A> &&
    detail::multiplies<detail::element_of<L>, detail::element_of<R>, detail::element_of<A>>();

// l * r + acc, in the type of acc.
template <numeric_tile L, numeric_tile R, numeric_tile A>
  requires mma_compatible<L, R, A> &&
           detail::accumulates<detail::product_shape_of<L, R>, tile_shape_t<A>>
TESSERA_API A mma(prim::arg<L> l, prim::arg<R> r, prim::arg<A> acc) noexcept {
  return detail::access::make<A>(TESSERA_IN_PLACE(prim::mma<A, L, R>(
      detail::access::lanes(l), detail::access::lanes(r), detail::access::lanes(acc))));
}

// l * r; half and fp8 give half, double gives double, bytes give int, all others float.
template <numeric_tile L, numeric_tile R>
  requires tile_shape<detail::product_shape_of<L, R>> &&
           (detail::multiplies<
               detail::element_of<L>, detail::element_of<R>,
               detail::product_element<detail::element_of<L>, detail::element_of<R>>>())
TESSERA_API tile<detail::product_element<detail::element_of<L>, detail::element_of<R>>,
                 detail::product_shape_of<L, R>>
matmul(prim::arg<L> l, prim::arg<R> r) noexcept {
  return mma(l, r,
             zeros<tile<detail::product_element<detail::element_of<L>, detail::element_of<R>>,
                        detail::product_shape_of<L, R>>>());
}

} // namespace cuda::tiles
