// Reads whose elements a loop computes on before it multiplies: weights that are dequantised,
// factors that are scaled or activated.
#pragma once

#include "plan/Streams.h"

namespace tessera::plan {

// Puts a shared tile between each read of the loop that factors of its multiplies are computed of
// and those who take it, so that the read can be copied ahead as it is in memory:
//   %x = view_load  ->  %v = view_load; %s = shared_alloc; shared_store %v, %s; %x = shared_load %s
// Returns these; of the reads that cannot be copied ahead, none.
llvm::SmallVector<Stream> throughShared(mlir::scf::ForOp loop);

// Takes that back, where a ring of what throughShared returned is not made.
void withoutShared(Stream stream);

} // namespace tessera::plan
