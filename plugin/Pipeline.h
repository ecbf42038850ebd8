// The pipeline: check -> raise -> plan -> emit. Pipeline.cpp mirrors the figure of
// docs/internals/design.md.
#pragma once

#include "emit/EmittedKernel.h"
#include "frontend/Program.h"
#include "support/Checks.h"
#include "support/PlanPolicy.h"
#include "support/Report.h"
#include "target/Target.h"

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace tessera {

// The stages that are printed, in their order.
llvm::ArrayRef<llvm::StringLiteral> dumpStages();
bool isStage(llvm::StringRef name);

// How the plan's decisions are reported: remarks go to the reports; a study is data for the page.
enum class Explanation { Nothing, Remarks, Study };

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
  std::string sourceName;       // for comments in the generated code
  llvm::raw_ostream *dumpStream = &llvm::errs();
};

// All kernels of the program.
Result<std::vector<EmittedKernel>> compile(const frontend::TileProgram &program,
                                           const PipelineOptions &options, Reports &reports);

} // namespace tessera
