// Chooses what a loop copies ahead, and by which ring. The pass pipeline-loops does it.
#pragma once

#include "plan/analysis/PipelinedLoads.h"

namespace tessera::plan {

// Of a block that is alone on its SM, by the program's hint or because there are few blocks: as
// many as hide the latency of a copy where nothing else does.
constexpr int64_t maxStagesAlone = 8;

// A ring of copies ahead: the multiplies of a loop read one stage while others are filled.
struct Ring {
  int64_t stages;
  bool isInFlight, isBulk = false;
  bool isStepBehind = false; // of mma.sync
  bool hasEnds = false;      // of rows that are shifted when they are due
  bool isFilledByWarp = false;
  bool startsFirst = false; // the multiply starts before the copies, and is waited for after them
};

// Loads that have one stage each (SingleStages.h), in the order in which an iteration first uses
// them, by the multiplies that read them.
struct SingleStages {
  llvm::SmallVector<llvm::SmallVector<PipelinedLoad>> parts;
  // The part whose stage it is: itself, or an earlier one, which has been read before it is due.
  llvm::SmallVector<size_t> stageOf;
  int64_t bytes = 0;

  bool areShared() const {
    return llvm::any_of(llvm::enumerate(stageOf), [](auto it) { return it.index() != it.value(); });
  }
};

// What is copied ahead for a loop, and how.
struct PipelinedLoop {
  llvm::SmallVector<PipelinedLoad> pipelinedLoads;
  // What is copied at a time, in the order in which an iteration uses it.
  llvm::SmallVector<llvm::SmallVector<PipelinedLoad>> parts;
  // The multiplies that use the parts, where there are several parts; or several accumulators of
  // one part.
  llvm::SmallVector<tile::SharedMmaOp> accumulator;
  Ring ring{0, false}; // fewer than two stages: none
  // Where there is no ring, but single stages.
  SingleStages single;
};

// The choice for the loads that a loop could copy ahead (findPipelinedLoads). Puts reads that
// operands are computed from through shared memory, where they are copied ahead, too.
PipelinedLoop chooseRing(mlir::scf::ForOp loop, llvm::ArrayRef<PipelinedLoad> found);

} // namespace tessera::plan
