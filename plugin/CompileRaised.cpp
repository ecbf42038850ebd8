// One call per stage; see CompileRaised.h.
#include "CompileRaised.h"

#include "RunPlan.h"
#include "emit/Emit.h"
#include "explain/Study.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tessera {

namespace {

void dump(ModuleOp module, StringRef stage, const PipelineOptions &options) {
  if (options.dumpStage == stage)
    module.print(*options.dumpStream);
}

StringRef spelledName(const KernelNames &names, StringRef symbol) {
  auto name = names.find(symbol);
  return name == names.end() ? symbol : StringRef(name->second);
}

// The decisions of the plan, as remarks or as the data of the page. A coarsened kernel has a remark
// about itself alone: the rest is said of the other one.
void explainKernels(ModuleOp module, const KernelNames &names, emit::Emission &emission,
                    Explanation explanation, Reports &reports) {
  for (auto [emitted, listing] : llvm::zip_equal(emission.kernels, emission.listings)) {
    auto kernel = module.lookupSymbol<func::FuncOp>(emitted.symbol);
    bool isCoarsened = !emitted.coarsenedFrom.empty();
    std::string name = emitted.displayName(
        spelledName(names, isCoarsened ? emitted.coarsenedFrom : emitted.symbol));
    if (explanation == Explanation::Study && !isCoarsened)
      emitted.study = explain::studyOf(kernel, name, listing);
    const bool isAdvised = explanation == Explanation::Remarks;
    if (isAdvised || explanation == Explanation::RemarksWithoutAdvice)
      for (const explain::Remark &remark :
           isCoarsened ? explain::kernelRemark(kernel, name) : explain::remarksOf(kernel, name))
        reports({Diagnostic::Remark, remark.location,
                 isAdvised ? remark.message() : remark.statement()});
  }
}

} // namespace

ArrayRef<StringLiteral> dumpStages() {
  static constexpr StringLiteral stages[] = {"llvm", "tile", "plan", "simt"};
  return stages;
}

bool isStage(StringRef name) { return llvm::is_contained(dumpStages(), name); }

Result<std::vector<EmittedKernel>> compileRaised(ModuleOp module, const KernelNames &names,
                                                 const PipelineOptions &options, Reports &reports) {
  dump(module, "tile", options);

  // Layouts, tensor cores, pipelines, shared memory, barriers: every decision becomes an attribute
  // or an op. For the CPU there are none.
  Result<ModuleOp> planned = runPlan(module, options, reports);
  if (!planned)
    return planned.failure();
  dump(*planned, "plan", options);

  // Generated code, and what there is to say of it.
  emit::Emission emission =
      emit::emitKernels(*planned, {options.target, options.sourceName, options.isImage,
                                   options.explanation == Explanation::Study, options.isWhole});
  // Of the CPU's kernels nothing is decided.
  if (options.explanation != Explanation::Nothing && !options.isWhole)
    explainKernels(*planned, names, emission, options.explanation, reports);
  if (reports.any())
    return reports.failure("emit");
  return std::move(emission.kernels);
}

} // namespace tessera
