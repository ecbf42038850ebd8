// The pipeline: check -> raise -> plan -> emit. Pipeline.cpp mirrors the figure of
// docs/internals/design.md.
#pragma once

#include "Checks.h"
#include "PlanPolicy.h"
#include "Report.h"
#include "target/Target.h"
#include "frontend/Program.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
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
  std::string sourceName, optionsText; // for the header comment of the generated code
  llvm::raw_ostream *dumpStream = &llvm::errs();
};

// A host function that lists the tiles that the blocks of a launch compute: its definition for
// namespace tessera::kernels, and the parameters on which it depends, one bit for each.
struct TileLister {
  std::string name, text;
  uint64_t needed = 0;
};

// One kernel as SIMT CUDA C++.
struct EmittedKernel {
  std::string symbol, name; // of the tile kernel, see frontend::Kernel
  // The definition, for namespace tessera::kernels, is head, declarator and body: a header comment
  // and attributes; "void NAME_simt(float *a, int n", of an image "void SYMBOL(..."; and the rest.
  // A kernel with bulk copies has a parameter for tensor maps after the program's.
  std::string head, declarator, body;
  unsigned mapCount = 0;           // passed by a launch
  unsigned requiredTensorMaps = 0; // bit i: if tensor map i cannot be made, the other kernel runs
  std::string tensorMapsName;      // of the parameter
  // The definition of a function that makes the tensor maps of the kernel's arguments, and its
  // name.
  std::string tensorMapMaker, tensorMapMakerName;
  // Name -> definition of a variable for namespace tessera::kernels::variables; the same for every
  // kernel that uses it.
  std::map<std::string, std::string> variables;
  unsigned threads = 0;
  size_t sharedMemory = 0; // dynamic, bytes
  unsigned parameters = 0; // the program's
  // Its policy, and the policies for planning it again if the compiler of the generated code spills
  // registers or makes multiplies wait: nothing if that would not help.
  PlanPolicy policy;
  std::optional<PlanPolicy> againstSpills, againstWaits;
  // For a kernel that runs in place of another for large grids: the symbol of the other, the number
  // of its blocks along x and y that one block processes, and a block's cost in both. It takes the
  // size of the grid after the program's parameters.
  std::string coarsenedFrom;
  unsigned coarsenedColumns = 1, coarsenedRows = 1;
  uint64_t cycles = 0, cyclesOfOther = 0;
  bool isPersistent =
      false;        // persistent: one block per SM, which processes one work tile after another
  TileLister tiles; // if its blocks are tiles that the program numbers; else its name is empty
  llvm::json::Value study = nullptr; // if requested, see explain/Study.h

  // For messages, from the other's name: "matmul<64, 64, 64>, 4 x 2 blocks at a time", or without
  // coarsening "matmul<128, 256, 64>, for large grids".
  std::string displayName(llvm::StringRef ofProgram) const;
  // "void NAME_simt(float *a, int n)". Kernels of one name for several architectures have one
  // signature, with room for the tensor maps of each.
  std::string signature(unsigned maps, llvm::StringRef tensorMapsName = "") const;
  std::string text(unsigned maps) const;
};

// All kernels of the program.
Result<std::vector<EmittedKernel>> compile(frontend::TileProgram program,
                                           const PipelineOptions &options, Reports &reports);

} // namespace tessera
