// Rows of views that nothing says are aligned to 16 bytes, as copies ahead need them: they are
// copied with what is beside them, and shifted when they are due (runtime, ops/shifted_rows.cuh).
#pragma once

#include "plan/Streams.h"

namespace tessera::plan {

// For the end of each row of a stream's box: 16 bytes that its aligned groups have more than its
// tile. Null where rows are known to be aligned or cannot be shifted: what is larger than 16 bits
// is copied element by element, and a warp must have whole rows.
tile::SharedType endsOf(const Stream &stream);

// The same of a ring's stage, which takes its parts in turn: for each tile of a part, null where no
// part needs them.
llvm::SmallVector<tile::SharedType> endsOf(llvm::ArrayRef<llvm::SmallVector<Stream>> parts);

} // namespace tessera::plan
