// printf in tile code with tiles or class-type scalars among the arguments. Argument-dependent
// lookup finds it for tiles, its name for scalars: cuda::tiles has no printf.
// [tile:general_principles, output]
//
// The elements of a tile are printed in brackets, one pair for each dimension, with ", " between
// them, each by the tile's conversion. A tile of rank 0 is printed like a scalar.
#pragma once

#include "convert.h"
#ifdef TESSERA_TARGET_CPU
#include "cpu/print.h"
#endif

namespace cuda::tiles::__detail::printing {

// The type of an element for printf, which does not know half and would sign-extend a short.
template <class E> using printable_element =
    conditional_t<is_float<E> && !is_same<E, double>, float,
                  conditional_t<is_integral<E> && (bit_width<E> < 32), int, E>>;

template <class A>
concept scalar_class = is_float<A> && __is_class(A);

template <class A> TESSERA_API auto printable(const A &a) noexcept {
  if constexpr (scalar_class<A>) {
    return static_cast<float>(a);
  } else if constexpr (!is_tile<A>) {
    return a;
  } else if constexpr (A::shape_type::rank() == 0) {
    return to_scalar<printable_element<element_of<A>>>(a);
  } else {
    using printed = tile<printable_element<element_of<A>>, shape_of<A>>;
#ifdef TESSERA_TARGET_CPU
    return access::make<printed>(TESSERA_IN_PLACE(operand<printed>(a)));
#else
    return __prim::printed<printed>(operand<printed>(a));
#endif
  }
}

// Once per block. The format is a string literal; no conversion is checked against the type of its
// argument.
template <class... A>
  requires((is_tile<A> || scalar_class<A>) || ...)
TESSERA_API int printf(const char *format, const A &...arguments) noexcept {
#ifdef TESSERA_TARGET_CPU
  return __prim::cpu::print(format, printable(arguments)...);
#else
  return __builtin_printf(format, printable(arguments)...);
#endif
}

} // namespace cuda::tiles::__detail::printing

#ifndef TESSERA_SIMT
using cuda::tiles::__detail::printing::printf;
#endif
