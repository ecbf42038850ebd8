// The pipeline of CUDA Tile C++, one call per stage: raise, then what all front ends share. Before
// it, frontend parsed the program, check ran on the AST, and driver/Session called both.
#include "Pipeline.h"

#include "raise/Raise.h"
#include "tile/Refuse.h"

using namespace mlir;

namespace tessera {

Result<std::vector<EmittedKernel>> compile(const frontend::TileProgram &program,
                                           const PipelineOptions &options, Reports &reports) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, tile::forwardTo(reports));

  // LLVM IR with calls of primitives -> structured control flow on tiles.
  Result<OwningOpRef<ModuleOp>> raised = raise(program, context, reports, options.checks);
  if (!raised)
    return raised.failure();

  // Tile IR -> generated code.
  KernelNames names; // as the program writes them
  for (const frontend::Kernel &kernel : program.kernels)
    names[kernel.symbol] = kernel.displayName;
  return compileRaised(**raised, names, options, reports);
}

} // namespace tessera
