// The stage in order: prepare, translate, structure, clean up, verify; see Raise.h.
#include "raise/Raise.h"

#include "raise/CleanUp.h"
#include "raise/CountedLoops.h"
#include "raise/Prepare.h"
#include "raise/Primitives.h"
#include "raise/Structure.h"
#include "raise/Translator.h"
#include "tile/Attributes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

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

// The steps on the tile IR of one kernel, by their names in the report of a fault.
struct KernelStep {
  StringLiteral name;
  LogicalResult (*run)(func::FuncOp);
};
constexpr KernelStep kernelSteps[] = {
    {"verify", [](func::FuncOp kernel) { return verify(kernel); }},
    {"simplify conditions",
     [](func::FuncOp kernel) {
       raising::simplifyConditions(kernel);
       return success();
     }},
    {"counted loops", raising::raiseCountedLoops},
    {"structure", [](func::FuncOp kernel) { return raising::structure(kernel.getBody()); }},
    {"clean up", raising::cleanUp},
    {"verify", [](func::FuncOp kernel) { return verify(kernel); }},
};

} // namespace

Result<OwningOpRef<ModuleOp>> raise(const frontend::TileProgram &program, MLIRContext &context,
                                    Reports &reports, const Checks &checks) {
  context.loadDialect<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
                      LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect, tile::TileDialect,
                      ub::UBDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  if (checks.bounds)
    module->getOperation()->setAttr(tile::promisesAttr, UnitAttr::get(&context));
  std::string refused;
  for (const frontend::Kernel &kernel : program.kernels)
    if (!translate(program, kernel, *module, reports))
      refused = kernel.displayName;
  if (!refused.empty())
    return reports.failure("raise, translate, kernel '" + refused + "'");
  for (auto kernel : module->getOps<func::FuncOp>()) {
    StringRef name = kernel->getAttrOfType<StringAttr>(tile::kernelAttr).getValue();
    for (const KernelStep &kernelStep : kernelSteps) {
      Step step("raise, " + kernelStep.name, name);
      if (failed(kernelStep.run(kernel)))
        return reports.failure("raise, " + kernelStep.name + ", kernel '" + name + "'",
                               raising::sourceOf(kernel.getLoc()));
    }
  }
  if (failed(verify(*module)))
    return reports.failure("raise, verify");
  return module;
}

} // namespace tessera
