// Brings the module of a tile program into the form that the stage raise expects: kernels only,
// everything inlined, tiles as SSA values.
#pragma once

#include "support/Report.h"
#include "target/Target.h"
#include "frontend/Program.h"

namespace tessera::frontend {

// Returns false after reporting what prevents that form: recursion, calls through pointers,
// functions without a body, elements that the target lacks. Without speculation, conditional
// computations stay conditional: checks in kernels would otherwise report x / 0 in `x ? 1 / x : 0`.
bool inlineCalls(TileProgram &program, const GpuTarget &target, bool speculates,
                 const DiagnosticSink &diagnose);

} // namespace tessera::frontend
