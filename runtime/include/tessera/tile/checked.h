// Do kernels check bounds (--check)? Positions then have 64 bits, so that an index that is too
// large is detected.
#pragma once

#include "config.h"

namespace cuda::tiles::__prim {
#ifdef TESSERA_CHECK_BOUNDS
inline constexpr bool checks_bounds = true;
#else
inline constexpr bool checks_bounds = false;
#endif
} // namespace cuda::tiles::__prim
