// Rings for the loads of loops that multiply nothing: rows that are normalized, summed, scaled.
#pragma once

#include "plan/pipeline/ChooseRing.h"

namespace tessera::plan {

// What such a loop copies ahead; puts these tiles through shared memory. Nothing where enough
// blocks share an SM to keep memory busy, or where a ring would leave room for fewer blocks.
PipelinedLoop chooseLoadRing(mlir::scf::ForOp loop);

} // namespace tessera::plan
