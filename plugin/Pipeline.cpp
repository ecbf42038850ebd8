// The pipeline, one call per stage: raise -> plan -> emit. (check ran on the AST, before there was
// a program.)
#include "Pipeline.h"

#include "emit/Emit.h"
#include "emit/Names.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "raise/Raise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/PassManager.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera {

namespace {

frontend::Location locationOf(Location location) {
  FileLineColLoc place = emit::sourcePlace(location);
  return place ? frontend::Location{place.getFilename().str(), place.getLine(), place.getColumn()}
               : frontend::Location();
}

// MLIR's diagnostics, as ours: an error at a source line speaks to the user, one without is a bug
// of the compiler.
DiagnosticEngine::HandlerTy forwardTo(const DiagnosticSink &diagnose) {
  return [&diagnose](mlir::Diagnostic &d) {
    frontend::Location place = locationOf(d.getLocation());
    auto kind = d.getSeverity() == DiagnosticSeverity::Error
                    ? (place.line ? Diagnostic::Unsupported : Diagnostic::Bug)
                : d.getSeverity() == DiagnosticSeverity::Warning ? Diagnostic::Warning
                                                                 : Diagnostic::Note;
    if (kind != Diagnostic::Note)
      diagnose({kind, place, d.str()});
    return success();
  };
}

// Printing after passes, timing: what the options ask for.
void instrument(PassManager &manager, const PipelineOptions &options) {
  if (!options.dumpAfter.empty()) {
    manager.getContext()->disableMultithreading();
    manager.enableIRPrinting([](Pass *, Operation *) { return false; },
                             [&options](Pass *pass, Operation *) {
                               return options.dumpAfter == "all" ||
                                      pass->getArgument() == options.dumpAfter;
                             },
                             /*printModuleScope=*/false, /*printAfterOnlyOnChange=*/false,
                             /*printAfterOnlyOnFailure=*/false, *options.dumpStream);
  }
  if (options.timing)
    manager.enableTiming();
}

void dump(ModuleOp module, StringRef stage, const PipelineOptions &options) {
  if (options.dumpStage == stage)
    module.print(*options.dumpStream);
}

} // namespace

std::optional<std::vector<EmittedKernel>> compile(frontend::TileProgram program,
                                                  const PipelineOptions &options,
                                                  const DiagnosticSink &diagnose) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
                      LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect, tile::TileDialect,
                      ub::UBDialect>();
  bool refused = false;
  DiagnosticSink counting = [&](const Diagnostic &d) {
    refused |= d.kind != Diagnostic::Warning && d.kind != Diagnostic::Note;
    diagnose(d);
  };
  ScopedDiagnosticHandler handler(&context, forwardTo(counting));

  // LLVM IR with calls of primitives -> structured control flow on tiles.
  OwningOpRef<ModuleOp> module = raise(program, context, counting);
  if (!module || refused)
    return std::nullopt;
  dump(*module, "tile", options);

  // Layouts, matrix units, pipelines, shared memory, barriers: every decision an attribute or an
  // op.
  (*module)->setAttr(plan::archAttr,
                     IntegerAttr::get(IntegerType::get(&context, 64), options.arch));
  PassManager manager(&context);
  plan::buildPipeline(manager);
  instrument(manager, options);
  if (failed(manager.run(*module)) || refused)
    return std::nullopt;
  dump(*module, "plan", options);

  // Text.
  std::vector<EmittedKernel> kernels;
  for (auto kernel : module->getOps<func::FuncOp>())
    kernels.push_back(emit::emit(kernel, options));
  if (refused)
    return std::nullopt;
  return kernels;
}

} // namespace tessera
