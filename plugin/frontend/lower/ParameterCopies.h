// Structs that kernels take by value.
#pragma once

#include "frontend/Program.h"

namespace tessera::frontend {

// Before: tile code reads and writes a struct parameter's memory. After: it writes to a copy, whose
// members SROA makes values; the parameter itself is only read.
void copyParameters(TileProgram &program);

// Copies that SROA leaves in memory, because of a run-time index, are replaced by the parameter
// again if they are never written or are large. A parameter that is only read is `readonly`.
void dropCopies(TileProgram &program);

} // namespace tessera::frontend
