// Whether kernels check bounds (--check): positions are counted in 64 bits then, so that an index
// that is too large is seen.
#pragma once

#include "config.h"

namespace cuda::tiles::__prim {
#ifdef TESSERA_CHECK_BOUNDS
inline constexpr bool checks_bounds = true;
#else
inline constexpr bool checks_bounds = false;
#endif
} // namespace cuda::tiles::__prim
