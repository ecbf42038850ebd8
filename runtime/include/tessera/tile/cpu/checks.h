// The checks of --check on the CPU: TESSERA_CHECK_BOUNDS (__prim::checks_bounds),
// TESSERA_CHECK_NAN, TESSERA_CHECK_INF.
#pragma once

#include "../checked.h"
#include "../../host/check.h"
#include "../config.h"

namespace cuda::tiles::__prim::cpu {

#ifdef TESSERA_CHECK_NAN
inline constexpr bool checks_nan = true;
#else
inline constexpr bool checks_nan = false;
#endif
#ifdef TESSERA_CHECK_INF
inline constexpr bool checks_inf = true;
#else
inline constexpr bool checks_inf = false;
#endif

// The message has a conversion for each number.
template <class... T>
TESSERA_CHECKED void check_assumed(bool holds, const char *message, T... numbers) {
  if constexpr (checks_bounds)
    if (!holds) {
      const long long values[] = {(long long)numbers...};
      tessera::host::fail_check({message, values, sizeof...(T)});
    }
}

} // namespace cuda::tiles::__prim::cpu
