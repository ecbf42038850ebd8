// same<T, U>, and a value of a type for unevaluated operands: what the tests of this folder share.
#pragma once

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

template <class T, class U> inline constexpr bool same = false;
template <class T> inline constexpr bool same<T, T> = true;

template <class T> __tile__ T a();

template <class E, ct::__detail::size_t... D> using tile = ct::tile<E, ct::shape<D...>>;
