// The pipeline, one call per stage: raise -> plan -> emit. (check ran on the AST, before there was
// a program.)
#include "Pipeline.h"

#include "emit/Emit.h"
#include "emit/Names.h"
#include "explain/Study.h"
#include "plan/memory/FewerRegisters.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "raise/Raise.h"
#include "tile/Attributes.h"
#include "tile/Refuse.h"

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
  FileLineColLoc loc = emit::sourceLocation(location);
  return loc ? frontend::Location{loc.getFilename().str(), loc.getLine(), loc.getColumn()}
             : frontend::Location();
}

// Converts MLIR's diagnostics: one that no stage marked as a refusal is an internal error.
DiagnosticEngine::HandlerTy forwardTo(Reports &reports) {
  return [&reports](mlir::Diagnostic &d) {
    bool isError = d.getSeverity() == DiagnosticSeverity::Error;
    if (!isError && d.getSeverity() != DiagnosticSeverity::Warning)
      return success();
    reports({!isError             ? Diagnostic::Warning
             : tile::isRefusal(d) ? Diagnostic::Unsupported
                                  : Diagnostic::Bug,
             locationOf(d.getLocation()), d.str()});
    for (mlir::Diagnostic &note : d.getNotes())
      reports({Diagnostic::Note, locationOf(note.getLocation()), note.str()});
    return success();
  };
}

// Names the current pass and kernel for a crash report, and the pass that failed.
class PassTrace : public PassInstrumentation {
public:
  explicit PassTrace(std::string &failed) : failed(failed) {}
  void runBeforePass(Pass *pass, Operation *op) override {
    steps.push_back(std::make_unique<Step>("plan, pass " + name(pass), kernelName(op)));
  }
  void runAfterPass(Pass *, Operation *) override { steps.pop_back(); }
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    steps.pop_back();
    if (failed.empty())
      failed = "plan, pass " + name(pass) + ", kernel '" + kernelName(op) + "'";
  }

private:
  static std::string name(Pass *pass) {
    return (pass->getArgument().empty() ? pass->getName() : pass->getArgument()).str();
  }
  static std::string kernelName(Operation *op) {
    auto kernel = op->getAttrOfType<StringAttr>(tile::kernelAttr);
    return kernel ? kernel.str() : "";
  }

  std::string &failed;
  std::vector<std::unique_ptr<Step>> steps; // innermost last
};

// Printing after passes and timing, as the options request.
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

// As the program writes it: "matmul<128, 128, 64>".
StringRef spelledName(const frontend::TileProgram &program, StringRef symbol) {
  auto kernel =
      llvm::find_if(program.kernels, [&](const auto &kernel) { return kernel.symbol == symbol; });
  return kernel == program.kernels.end() ? symbol : StringRef(kernel->displayName);
}

// A hint is for one architecture, or for all: this one's takes precedence, and others' are dropped.
void dropHintsOfOthers(frontend::Kernel &kernel, const GpuTarget &target) {
  const unsigned arch = target.number * 10;
  std::vector<frontend::Hint> own, ofAll;
  for (const frontend::Hint &hint : kernel.hints)
    if (hint.arch == arch)
      own.push_back(hint);
    else if (hint.arch == 0)
      ofAll.push_back(hint);
  for (const frontend::Hint &hint : ofAll)
    if (llvm::none_of(own, [&](const auto &other) { return other.key == hint.key; }))
      own.push_back(hint);
  kernel.hints = std::move(own);
}

// The cost of a kernel's block, by its symbol.
uint64_t cyclesOf(ModuleOp module, StringRef symbol) {
  auto kernel = module.lookupSymbol<func::FuncOp>(symbol);
  return uint64_t(kernel->getAttrOfType<IntegerAttr>(tile::cyclesAttr).getInt());
}

} // namespace

ArrayRef<StringLiteral> dumpStages() {
  static constexpr StringLiteral stages[] = {"llvm", "tile", "plan", "simt"};
  return stages;
}

bool isStage(StringRef name) { return llvm::is_contained(dumpStages(), name); }

std::string EmittedKernel::displayName(StringRef ofProgram) const {
  if (coarsenedFrom.empty())
    return ofProgram.str();
  if (coarsenedColumns * coarsenedRows == 1)
    return (ofProgram + ", for large grids").str();
  return (ofProgram + ", " + llvm::Twine(coarsenedColumns) + " x " + llvm::Twine(coarsenedRows) +
          " blocks at a time")
      .str();
}

Result<std::vector<EmittedKernel>> compile(frontend::TileProgram program,
                                           const PipelineOptions &options, Reports &reports) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
                      LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect, tile::TileDialect,
                      ub::UBDialect>();
  ScopedDiagnosticHandler handler(&context, forwardTo(reports));

  for (frontend::Kernel &kernel : program.kernels)
    dropHintsOfOthers(kernel, *options.target);

  // LLVM IR with calls of primitives -> structured control flow on tiles.
  Result<OwningOpRef<ModuleOp>> raised = raise(program, context, reports, options.checks);
  if (!raised)
    return raised.failure();
  ModuleOp module = **raised;
  dump(module, "tile", options);

  // Layouts, tensor cores, pipelines, shared memory, barriers: every decision becomes an attribute
  // or an op.
  module->setAttr(tile::targetAttr, tile::TargetAttr::get(&context, options.target->name));
  if (!options.isImage)
    module->setAttr(tile::launchedAttr, UnitAttr::get(&context));
  plan::setPolicy(module, options.policy);
  for (auto kernel : module.getOps<func::FuncOp>())
    if (auto own = options.ofKernels.find({kernel.getName().str(), options.target->name.str()});
        own != options.ofKernels.end())
      plan::setPolicy(kernel, own->second);
  std::string failedPass;
  PassManager manager(&context);
  plan::buildPipeline(manager, options.checks, options.forgottenBarrier);
  manager.addInstrumentation(std::make_unique<PassTrace>(failedPass));
  instrument(manager, options);
  if (failed(manager.run(module)) || reports.any())
    return reports.failure(failedPass.empty() ? "plan" : failedPass);
  dump(module, "plan", options);

  // Generated code.
  std::vector<EmittedKernel> kernels;
  for (auto kernel : module.getOps<func::FuncOp>()) {
    if (kernel->hasAttr(tile::tilesOfAttr))
      continue;
    Step step("emit", kernel->getAttrOfType<StringAttr>(tile::kernelAttr).getValue());
    emit::Listing listing;
    bool isCoarsened = kernel->hasAttr(tile::coarseningAttr); // reported with the other kernel
    bool isStudied = options.explanation == Explanation::Study && !isCoarsened;
    EmittedKernel &emitted =
        kernels.emplace_back(emit::emit(kernel, options, isStudied ? &listing : nullptr));
    emitted.policy = plan::policyOf(kernel);
    emitted.againstSpills = plan::policyAgainstSpills(kernel);
    emitted.againstWaits = plan::policyAgainstWaits(kernel);
    StringRef symbol = isCoarsened ? StringRef(emitted.coarsenedFrom) : kernel.getName();
    std::string name = emitted.displayName(spelledName(program, symbol));
    if (isStudied)
      emitted.study = explain::studyOf(kernel, name, listing);
    if (options.explanation == Explanation::Remarks)
      for (const explain::Remark &remark :
           isCoarsened ? explain::kernelRemark(kernel, name) : explain::remarksOf(kernel, name))
        reports({Diagnostic::Remark, remark.location, remark.message()});
  }
  for (EmittedKernel &kernel : kernels)
    if (!kernel.coarsenedFrom.empty()) {
      kernel.cyclesOfOther = cyclesOf(module, kernel.coarsenedFrom);
      for (auto list : module.getOps<func::FuncOp>())
        if (auto of = list->getAttrOfType<StringAttr>(tile::tilesOfAttr); of && of == kernel.symbol)
          kernel.tiles = emit::listTiles(list, options);
    }
  if (reports.any())
    return reports.failure("emit");
  return kernels;
}

} // namespace tessera
