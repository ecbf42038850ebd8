// The steps in order; see Finish.h.
#include "structure/Finish.h"

#include "structure/CleanUp.h"
#include "structure/CountedLoops.h"
#include "structure/FormFolds.h"
#include "structure/Structure.h"
#include "tile/Attributes.h"
#include "tile/SourceNames.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace tessera::structuring {

namespace {

// The steps on one kernel, by their names in the report of a fault.
struct KernelStep {
  StringLiteral name;
  LogicalResult (*run)(func::FuncOp);
};
constexpr KernelStep kernelSteps[] = {
    {"verify", [](func::FuncOp kernel) { return verify(kernel); }},
    {"simplify conditions",
     [](func::FuncOp kernel) {
       simplifyConditions(kernel);
       return success();
     }},
    {"counted loops", raiseCountedLoops},
    {"structure", [](func::FuncOp kernel) { return structure(kernel.getBody()); }},
    {"form folds", formFolds},
    {"clean up", cleanUp},
    {"verify", [](func::FuncOp kernel) { return verify(kernel); }},
};

} // namespace

void loadDialects(MLIRContext &context) {
  context.loadDialect<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
                      LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect, tile::TileDialect,
                      ub::UBDialect>();
}

Result<ModuleOp> finish(ModuleOp module, StringRef stage, Reports &reports) {
  std::optional<Failure> failure; // the other kernels may be refused, too
  for (auto kernel : module.getOps<func::FuncOp>()) {
    StringRef name = kernel->getAttrOfType<StringAttr>(tile::kernelAttr).getValue();
    for (const KernelStep &kernelStep : kernelSteps) {
      Step step(stage + ", " + kernelStep.name, name);
      if (succeeded(kernelStep.run(kernel)))
        continue;
      failure = reports.failure(stage + ", " + kernelStep.name + ", kernel '" + name + "'",
                                tile::fileLocation(kernel.getLoc()));
      break;
    }
  }
  if (failure)
    return *failure;
  if (failed(verify(module)))
    return reports.failure(stage + ", verify");
  return module;
}

} // namespace tessera::structuring
