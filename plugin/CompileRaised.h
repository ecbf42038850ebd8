// The pipeline behind the front ends: plan -> emit, on structured tile IR.
#pragma once

#include "emit/EmittedKernel.h"
#include "support/Checks.h"
#include "support/PlanPolicy.h"
#include "support/Report.h"
#include "target/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <string>
#include <vector>

namespace tessera {

// The stages that are printed, in their order.
llvm::ArrayRef<llvm::StringLiteral> dumpStages();
bool isStage(llvm::StringRef name);

// How the plan's decisions are reported: remarks go to the reports, to programs of other languages
// without what to write in CUDA Tile C++; a study is data for the page.
enum class Explanation { Nothing, Remarks, RemarksWithoutAdvice, Study };

struct PipelineOptions {
  const GpuTarget *target = &defaultGpuTarget();
  std::string dumpStage; // one of dumpStages() or empty: printed to `dumpStream`
  std::string dumpAfter; // a pass name or "all"
  bool timing = false;   // print the time of every stage and pass
  Explanation explanation = Explanation::Nothing;
  Checks checks;                // run-time checks of kernels
  PlanPolicy policy;            // what the plan may do
  KernelPolicies ofKernels;     // per-kernel replacements, for kernels that are planned again
  int64_t forgottenBarrier = 0; // see the pass tile-insert-barriers
  bool isImage = false;         // kernels under their symbols, for hosts that load them themselves
  bool isWhole = false;         // kernels for the CPU: a block is one thread, tiles are whole
  std::string sourceName;       // for comments in the generated code
  llvm::raw_ostream *dumpStream = &llvm::errs();
};

// What messages call a kernel, by its symbol: "matmul<128, 128, 64>". One that is not here is
// called by its symbol.
using KernelNames = std::map<std::string, std::string, std::less<>>;

// All kernels of a module that structuring::finish has finished.
Result<std::vector<EmittedKernel>> compileRaised(mlir::ModuleOp module, const KernelNames &names,
                                                 const PipelineOptions &options, Reports &reports);

} // namespace tessera
