// Warp specialization: a producer warp fills the rings of kernels whose blocks take one work tile
// of the grid after the other. While a tile is stored, the copies of the next one are in flight.
#pragma once

#include "plan/pipeline/RingCopies.h"

namespace tessera::plan {

// Do the blocks of this loop's kernel become work tiles, and can a producer warp fill its ring? The
// caller knows that bulk copies alone fill the ring, and that the accumulator, which is in flight,
// leaves no room for another block.
bool canFillByWarp(mlir::scf::ForOp loop, llvm::ArrayRef<llvm::SmallVector<PipelinedLoad>> parts,
                   llvm::ArrayRef<tile::SharedMmaOp> accumulator);

// Rewrites the kernel: its multiplies take their operands from rings of `stages`, in the order of
// the parts. isInFlight: they are left in flight.
void fillByWarp(mlir::scf::ForOp loop, llvm::ArrayRef<llvm::SmallVector<PipelinedLoad>> parts,
                llvm::ArrayRef<tile::SharedMmaOp> accumulator, int64_t stages, bool isInFlight);

} // namespace tessera::plan
