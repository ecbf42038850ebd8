// The pipeline of CUDA Tile C++: check -> raise -> plan -> emit. Pipeline.cpp mirrors the figure of
// docs/internals/design.md.
#pragma once

#include "CompileRaised.h"
#include "frontend/Program.h"

namespace tessera {

// All kernels of the program.
Result<std::vector<EmittedKernel>> compile(const frontend::TileProgram &program,
                                           const PipelineOptions &options, Reports &reports);

} // namespace tessera
