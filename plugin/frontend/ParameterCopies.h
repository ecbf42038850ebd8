// Structs that kernels take by value.
#pragma once

#include "frontend/Program.h"

namespace tessera::frontend {

// Before: tile code reads and writes a struct parameter's memory. After: what it writes is a copy,
// whose members SROA makes values; the parameter itself is only read.
void copyParameters(TileProgram &program);

// Copies that SROA has left in memory, for an index of run time, are the parameter again where
// nobody writes to them, or where they are large. A parameter that is only read is `readonly`.
void dropCopies(TileProgram &program);

} // namespace tessera::frontend
