// Stands in for Pipeline.cpp in a tree without the later stages: every kernel is refused.
#include "Pipeline.h"

namespace tessera {

std::optional<std::vector<EmittedKernel>> compile(frontend::TileProgram program, const PipelineOptions &, const DiagnosticSink &diagnose) {
  diagnose({Diagnostic::Unsupported, program.kernels.front().location, "this build has no stages behind the front end"});
  return std::nullopt;
}

} // namespace tessera
