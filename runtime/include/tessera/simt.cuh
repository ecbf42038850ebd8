// The vocabulary of generated kernels; docs/internals/runtime.md describes it. Tiers: arch/
// (instructions), layout and fragment (types), ops/ (algorithms).
#pragma once

#include "macros_begin.h"

#include "config.cuh"
#include "types.cuh"

#ifdef TESSERA_HAS_TILES
#include "fragment.cuh"
#ifdef TESSERA_IMAGE
#include "image.cuh"
#endif
#include "layout.cuh"
#include "ops/atomics.cuh"
#include "ops/block_memory.cuh"
#include "ops/block_swizzle.cuh"
#include "ops/bulk_ring.cuh"
#include "ops/bulk_store.cuh"
#include "ops/copy_async.cuh"
#include "ops/elementwise.cuh"
#include "ops/fold.cuh"
#include "ops/global_memory.cuh"
#include "ops/mma.cuh"
#include "ops/mma_fma.cuh"
#include "ops/work_tiles.cuh"
#include "ops/print.cuh"
#include "ops/reduce.cuh"
#include "ops/rotated_rows.cuh"
#include "ops/scan.cuh"
#include "ops/shape.cuh"
#include "ops/shared_memory.cuh"
#include "ops/shifted_rows.cuh"
#include "ops/transposed_stage.cuh"
#include "ops/warpgroup_mma.cuh"

#ifdef TESSERA_WHOLE_TILES
#include "whole/elementwise.h"
#include "whole/memory.h"
#include "whole/mma.h"
#include "whole/reduce.h"
#include "whole/shape.h"
#endif

namespace tessera {

using arch::block_index;
using arch::grid_size;
using arch::lane_index;
using arch::launched_warps;
using arch::thread_index;
using arch::warp_index;

} // namespace tessera
#endif

// Launches, and the part of cuda_tile.h that rewritten code always needs; code that needs more
// includes host/tile.h.
#ifndef __CUDACC_RTC__
#include "host/launch.h"
#endif
#ifdef TESSERA_SIMT
#include "tile/names.h"
#endif

#include "macros_end.h"
