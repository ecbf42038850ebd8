// Brings the module of a tile program into the form that raising expects: kernels only, everything
// inlined, tiles as SSA values.
#pragma once

#include "Pipeline.h"
#include "Target.h"
#include "frontend/Program.h"

namespace tessera::frontend {

// Returns false after reporting what cannot be brought into that form: recursion, calls through
// pointers, functions without a body, elements that the target has not. Without speculation, what
// the program computes under a condition is computed under it: kernels that look at their numbers
// would look at those of x / 0 in `x ? 1 / x : 0`.
bool inlineCalls(TileProgram &program, const GpuTarget &target, bool speculates,
                 const DiagnosticSink &diagnose);

} // namespace tessera::frontend
