// The pipeline, one call per stage: raise -> plan -> emit. Before it, frontend parsed the program,
// check ran on the AST, and driver/Session called both.
#include "Pipeline.h"

#include "RunPlan.h"
#include "emit/Emit.h"
#include "explain/Study.h"
#include "raise/Raise.h"
#include "tile/Refuse.h"

using namespace mlir;

namespace tessera {

namespace {

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

// The decisions of the plan, as remarks or as the data of the page. A coarsened kernel has a remark
// about itself alone: the rest is said of the other one.
void explainKernels(ModuleOp module, const frontend::TileProgram &program, emit::Emission &emission,
                    Explanation explanation, Reports &reports) {
  for (auto [emitted, listing] : llvm::zip_equal(emission.kernels, emission.listings)) {
    auto kernel = module.lookupSymbol<func::FuncOp>(emitted.symbol);
    bool isCoarsened = !emitted.coarsenedFrom.empty();
    std::string name = emitted.displayName(
        spelledName(program, isCoarsened ? emitted.coarsenedFrom : emitted.symbol));
    if (explanation == Explanation::Study && !isCoarsened)
      emitted.study = explain::studyOf(kernel, name, listing);
    if (explanation == Explanation::Remarks)
      for (const explain::Remark &remark :
           isCoarsened ? explain::kernelRemark(kernel, name) : explain::remarksOf(kernel, name))
        reports({Diagnostic::Remark, remark.location, remark.message()});
  }
}

} // namespace

ArrayRef<StringLiteral> dumpStages() {
  static constexpr StringLiteral stages[] = {"llvm", "tile", "plan", "simt"};
  return stages;
}

bool isStage(StringRef name) { return llvm::is_contained(dumpStages(), name); }

Result<std::vector<EmittedKernel>> compile(const frontend::TileProgram &program,
                                           const PipelineOptions &options, Reports &reports) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, tile::forwardTo(reports));

  // LLVM IR with calls of primitives -> structured control flow on tiles.
  Result<OwningOpRef<ModuleOp>> raised = raise(program, context, reports, options.checks);
  if (!raised)
    return raised.failure();
  dump(**raised, "tile", options);

  // Layouts, tensor cores, pipelines, shared memory, barriers: every decision becomes an attribute
  // or an op.
  Result<ModuleOp> planned = runPlan(**raised, options, reports);
  if (!planned)
    return planned.failure();
  dump(*planned, "plan", options);

  // Generated code, and what there is to say of it.
  emit::Emission emission =
      emit::emitKernels(*planned, {options.target, options.sourceName, options.isImage,
                                   options.explanation == Explanation::Study});
  if (options.explanation != Explanation::Nothing)
    explainKernels(*planned, program, emission, options.explanation, reports);
  if (reports.any())
    return reports.failure("emit");
  return std::move(emission.kernels);
}

} // namespace tessera
