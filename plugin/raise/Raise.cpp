// The stage in order: prepare, translate, and what all front ends end with; see Raise.h.
#include "raise/Raise.h"

#include "raise/Prepare.h"
#include "raise/Primitives.h"
#include "raise/Translator.h"
#include "structure/Finish.h"
#include "tile/Attributes.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace tessera {

namespace {

func::FuncOp translate(const frontend::TileProgram &program, const frontend::Kernel &kernel,
                       ModuleOp module, Reports &reports) {
  Step step("raise, translate", kernel.displayName);
  llvm::Function *function = program.module->getFunction(kernel.symbol);
  if (!function || function->isDeclaration()) {
    reports(
        {Diagnostic::Bug, kernel.location, "kernel '" + kernel.displayName + "' has no LLVM IR"});
    return {};
  }
  raising::letTrapsFallThrough(*function);
  raising::widenOddIntegers(*function);
  raising::indexLocalArrays(*function);
  raising::splitLocalStructs(*function);
  raising::putLanesInMemory(*function);
  raising::expandLongCopies(*function);
  DiagnosticSink diagnose = [&](const Diagnostic &diagnostic) { reports(diagnostic); };
  return raising::Translator(program, kernel, *function, module, diagnose).translate();
}

} // namespace

Result<OwningOpRef<ModuleOp>> raise(const frontend::TileProgram &program, MLIRContext &context,
                                    Reports &reports, const Checks &checks) {
  structuring::loadDialects(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  if (checks.bounds)
    module->getOperation()->setAttr(tile::promisesAttr, UnitAttr::get(&context));
  std::string refused;
  for (const frontend::Kernel &kernel : program.kernels)
    if (!translate(program, kernel, *module, reports))
      refused = kernel.displayName;
  if (!refused.empty())
    return reports.failure("raise, translate, kernel '" + refused + "'");
  if (Result<ModuleOp> finished = structuring::finish(*module, "raise", reports); !finished)
    return finished.failure();
  return module;
}

} // namespace tessera
