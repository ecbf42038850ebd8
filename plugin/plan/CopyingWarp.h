// Rings that a warp of its own fills, in kernels whose blocks do the work of one place of the grid
// after the other: while a tile is stored, the copies of the next one are on their way.
#pragma once

#include "plan/RingCopies.h"

namespace tessera::plan {

// Do the blocks of this loop's kernel become places, and can a warp beside the others fill its
// ring? That the ring is filled by bulk copies alone, and that the sum, which is in flight, leaves
// no room for another block, the caller knows.
bool canFillByWarp(mlir::scf::ForOp loop, llvm::ArrayRef<llvm::SmallVector<Stream>> parts,
                   llvm::ArrayRef<tile::SharedMmaOp> sum);

// What results that leave while the ring is filled take of shared memory beside it, in bytes.
int64_t bytesOfStoredParts(mlir::func::FuncOp kernel);

// Rewrites the kernel: its multiplies take their operands from rings of `stages`, in the order of
// the parts. isInFlight: they are left so.
void fillByWarp(mlir::scf::ForOp loop, llvm::ArrayRef<llvm::SmallVector<Stream>> parts,
                llvm::ArrayRef<tile::SharedMmaOp> sum, int64_t stages, bool isInFlight);

} // namespace tessera::plan
