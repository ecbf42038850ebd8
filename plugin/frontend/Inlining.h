// Brings the module of a tile program into the form that raising expects: kernels only, everything
// inlined, tiles as SSA values.
#pragma once

#include "Pipeline.h"
#include "Target.h"
#include "frontend/Program.h"

namespace tessera::frontend {

// Returns false after reporting what cannot be brought into that form: recursion, calls through
// pointers, functions without a body, elements that the target has not.
bool inlineCalls(TileProgram &program, const GpuTarget &target, const DiagnosticSink &diagnose);

} // namespace tessera::frontend
