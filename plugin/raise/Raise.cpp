// The stage in order: prepare, translate, structure, clean up, verify; see Raise.h.
#include "raise/Raise.h"

#include "raise/CleanUp.h"
#include "raise/Prepare.h"
#include "raise/Structure.h"
#include "raise/Translator.h"

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
                       ModuleOp module, const DiagnosticSink &diagnose) {
  llvm::Function *function = program.module->getFunction(kernel.symbol);
  if (!function || function->isDeclaration()) {
    diagnose(
        {Diagnostic::Bug, kernel.location, "kernel '" + kernel.displayName + "' has no LLVM IR"});
    return {};
  }
  raising::letTrapsFallThrough(*function);
  raising::indexLocalArrays(*function);
  return raising::Translator(program, kernel, *function, module, diagnose).translate();
}

LogicalResult structureAll(ModuleOp module) {
  raising::simplifyConditions(module);
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(raising::raiseCountedLoops(function)) ||
        failed(raising::structure(function.getBody())))
      return failure();
  return success();
}

} // namespace

OwningOpRef<ModuleOp> raise(const frontend::TileProgram &program, MLIRContext &context,
                            const DiagnosticSink &diagnose) {
  context.loadDialect<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
                      LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect, tile::TileDialect,
                      ub::UBDialect>();
  // What MLIR has to complain about is a bug of this stage.
  ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &mlirDiagnostic) {
    diagnose({Diagnostic::Bug, raising::sourceOf(mlirDiagnostic.getLocation()),
              "raise: " + mlirDiagnostic.str()});
    return success();
  });
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  bool failedAny = false;
  for (const frontend::Kernel &kernel : program.kernels)
    failedAny |= !translate(program, kernel, *module, diagnose);
  if (failedAny)
    return {};
  if (failed(verify(*module)) || failed(structureAll(*module)) ||
      failed(raising::cleanUp(*module)) || failed(verify(*module)))
    return {};
  return module;
}

} // namespace tessera
