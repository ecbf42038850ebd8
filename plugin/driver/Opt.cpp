// tessera-opt: any pass on textual tile IR, and the generated code for it.
#include "emit/Emit.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "tile/Attributes.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

namespace {

// The output of the stage emit for each function.
struct PrintText : mlir::PassWrapper<PrintText, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintText)
  llvm::StringRef getArgument() const override { return "tile-text"; }
  llvm::StringRef getDescription() const override {
    return "print the text of planned kernels to standard error";
  }
  void runOnOperation() override {
    mlir::func::FuncOp kernel = getOperation();
    if (!kernel->hasAttr(tessera::tile::configAttr)) {
      kernel.emitError() << "is not planned: it has no " << tessera::tile::configAttr;
      return signalPassFailure();
    }
    bool hasFailed = false;
    mlir::ScopedDiagnosticHandler handler(&getContext(), [&](mlir::Diagnostic &diagnostic) {
      hasFailed |= diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
      return mlir::failure(); // printed elsewhere
    });
    if (!kernel->hasAttr(tessera::tile::kernelAttr))
      kernel->setAttr(tessera::tile::kernelAttr,
                      mlir::StringAttr::get(&getContext(), kernel.getName()));
    tessera::EmittedKernel text = tessera::emit::emit(kernel, {});
    if (hasFailed)
      return signalPassFailure();
    llvm::errs() << text.text(text.mapCount);
  }
};

} // namespace

int main(int argc, char **argv) {
  mlir::DialectRegistry dialects;
  dialects.insert<tessera::tile::TileDialect, mlir::arith::ArithDialect,
                  mlir::cf::ControlFlowDialect, mlir::func::FuncDialect, mlir::LLVM::LLVMDialect,
                  mlir::math::MathDialect, mlir::scf::SCFDialect, mlir::ub::UBDialect>();
  tessera::plan::registerPasses();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::PassRegistration<PrintText>();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "tile IR optimizer\n", dialects));
}
