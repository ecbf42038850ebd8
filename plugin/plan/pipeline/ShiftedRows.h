// Rows of views that are not known to be aligned to 16 bytes, for copies ahead: the copy includes
// the bytes next to them, and they are shifted when they are due (runtime, ops/shifted_rows.cuh).
#pragma once

#include "plan/analysis/PipelinedLoads.h"

namespace tessera::plan {

// For the end of each row of a pipelined load's box, or of each part of it that a warp copies: the
// 16 bytes that its aligned groups have in addition to the tile. Null where rows are known to be
// aligned or cannot be shifted: elements of more than 16 bits are copied one by one.
tile::SharedType endsOf(const PipelinedLoad &pipelined);

// The same for a ring's stage, which takes its parts in turn: for each tile of a part, null where
// no part needs it.
llvm::SmallVector<tile::SharedType> endsOf(llvm::ArrayRef<llvm::SmallVector<PipelinedLoad>> parts);

} // namespace tessera::plan
