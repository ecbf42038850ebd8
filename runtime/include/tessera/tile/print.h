// printf in tile code with tiles of one element among the arguments. Found by argument-dependent
// lookup only: cuda::tiles has no printf. [tile:general_principles, output]
#pragma once

#include "convert.h"

namespace cuda::tiles::detail::printing {

template <class A> TESSERA_API auto printable(const A &a) noexcept {
  if constexpr (!is_tile<A>) {
    return a;
  } else {
    static_assert(shape_of<A>::static_size() == 1,
                  "printf of a tile with more than one element is not supported yet");
    using element = element_of<A>;
    return to_scalar<conditional_t<is_float<element> && !is_same<element, double>, float, element>>(
        a);
  }
}

// Once per block. The format is a string literal; no conversion is checked against the type of its
// argument.
template <class... A>
  requires(is_tile<A> || ...)
TESSERA_API int printf(const char *format, const A &...arguments) noexcept {
  return __builtin_printf(format, printable(arguments)...);
}

} // namespace cuda::tiles::detail::printing
