// The pipeline: check -> raise -> plan -> emit. Pipeline.cpp reads as the picture of
// docs/design.md.
#pragma once

#include "Checks.h"
#include "PlanPolicy.h"
#include "Report.h"
#include "Target.h"
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

// What is told of the plan's decisions: remarks go to the reports; a study is data for the page.
enum class Explanation { Nothing, Remarks, Study };

struct PipelineOptions {
  const GpuTarget *target = &defaultGpuTarget();
  std::string dumpStage; // one of dumpStages() or empty: printed to `dumpStream`
  std::string dumpAfter; // a pass name or "all"
  bool timing = false;   // print the time of every stage and pass
  Explanation explanation = Explanation::Nothing;
  Checks checks;                // what kernels are to find out while they run
  PlanPolicy policy;            // what the plan may do
  KernelPolicies ofKernels;     // in its place, of those that are planned once more
  int64_t forgottenBarrier = 0; // see the pass tile-insert-barriers
  bool isImage = false; // kernels under their symbols, for hosts that load them by themselves
  std::string sourceName, optionsText; // for the header comment of the emitted text
  llvm::raw_ostream *dumpStream = &llvm::errs();
};

// A function of host code that tells which tiles the blocks of a launch compute: its definition for
// namespace tessera::kernels, and of which parameters that depends, a bit for each.
struct TileLister {
  std::string name, text;
  uint64_t needed = 0;
};

// One kernel as SIMT CUDA C++.
struct EmittedKernel {
  std::string symbol, name; // of the tile kernel, see frontend::Kernel
  // The definition, for namespace tessera::kernels, is head, declarator and body: a header comment
  // and attributes; "void NAME_simt(float *a, int n", of an image "void SYMBOL(..."; and the rest.
  // A kernel that bulk copies go by maps in has a parameter more, behind the program's.
  std::string head, declarator, body;
  unsigned mapCount = 0;   // that a launch gives it
  unsigned neededMaps = 0; // bit i: where map i cannot be made, the other kernel runs
  std::string mapsName;    // of the parameter
  // The definition of a function that makes the maps of the kernel's arguments, and its name.
  std::string mapMaker, mapMakerName;
  // Name -> definition of a variable for namespace tessera::kernels::variables; the same for every
  // kernel that uses it.
  std::map<std::string, std::string> variables;
  unsigned threads = 0;
  size_t sharedMemory = 0; // dynamic, bytes
  unsigned parameters = 0; // the program's
  // By which it was planned, and is to be once more where the compiler of the text spills registers
  // or makes multiplies wait: nothing where that helps nobody.
  PlanPolicy policy;
  std::optional<PlanPolicy> againstSpills, againstWaits;
  // Of a kernel that launches run in place of another where its grid is large: the symbol of the
  // other, how many of its blocks along x and y a block does, and what a block costs of both. It
  // takes the size of the grid behind the program's parameters.
  std::string mergedOf;
  unsigned mergedColumns = 1, mergedRows = 1;
  uint64_t cycles = 0, cyclesOfOther = 0;
  bool takesPlaces =
      false;        // a block for each SM, each of which does one place's work after another
  TileLister tiles; // where its blocks are tiles that the program numbers; else it has no name
  llvm::json::Value study = nullptr; // where it is asked for, see explain/Study.h

  // As people read it, of the other's: "matmul<64, 64, 64>, 4 x 2 blocks at a time", or of one
  // block at a time "matmul<128, 256, 64>, for large grids".
  std::string displayName(llvm::StringRef ofProgram) const;
  // "void NAME_simt(float *a, int n)". Kernels of one name for several architectures have one
  // signature, with room for the maps of each.
  std::string signature(unsigned maps, llvm::StringRef mapsName = "") const;
  std::string text(unsigned maps) const;
};

// All kernels of the program.
Result<std::vector<EmittedKernel>> compile(frontend::TileProgram program,
                                           const PipelineOptions &options, Reports &reports);

} // namespace tessera
