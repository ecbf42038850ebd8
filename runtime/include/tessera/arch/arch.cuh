// Tier arch: one function per instruction, no logic. The emulator replaces functions that touch
// memory or other threads (emulate/arch.h has the same functions in the same namespace); arithmetic
// and atomics need no other thread and have host bodies here.
#pragma once

#include "../types.cuh"

#if defined(TESSERA_EMULATE)
#include <tessera/emulate/arch.h>

#include "atomic_host.cuh"
#include "numeric_host.cuh"
#else
#include "async.cuh"
#include "atomic.cuh"
#include "global.cuh"
#include "matrix.cuh"
#include "numeric.cuh"
#include "shared.cuh"
#include "thread.cuh"
#endif
