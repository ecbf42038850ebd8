// Rings that bulk copies (TMA) fill: one thread starts a box, and no thread computes addresses.
#pragma once

#include "target/Target.h"
#include "plan/analysis/PipelinedLoads.h"
#include "target/Limits.h"

#include "llvm/ADT/DenseMap.h"

namespace tessera::plan {

// What bulk copies into a ring need.
struct BulkRing {
  mlir::Value barriers;
  llvm::DenseMap<mlir::Operation *, tile::MakeTensorMapOp> maps; // of each read
};

// Computes a loop's value at the builder's insertion point, from values that are known before the
// loop, unless `map` already has it.
mlir::Value placed(mlir::OpBuilder &b, mlir::Value value, mlir::Operation *loop,
                   mlir::IRMapping &map);

// So many bytes of shared memory.
mlir::Value bytesOfShared(mlir::OpBuilder &b, mlir::Location loc, int64_t bytes);

// Of shared memory, in addition to the stages: for the full and empty barriers, and to make a
// tensor map.
int64_t bytesOfBarriers(int64_t stages, int64_t maps);

// How the tensor maps of a loop's views are made: not at all, because the GPU or one of the tiles
// has no bulk copies, a view changes in the loop, or the kernel may have written what is read; in
// the kernel; or by the host code that launches it, at no cost for the kernel.
enum class TensorMapMaker { none, kernel, launch };
TensorMapMaker makerOfTensorMaps(mlir::scf::ForOp loop,
                                 llvm::ArrayRef<llvm::SmallVector<PipelinedLoad>> parts);

// Whether the kernel runs only where launches can make the tensor maps of its rings, so that its
// loops need no other way to copy. Where they cannot, the original kernel runs.
bool needsTensorMaps(mlir::func::FuncOp kernel);

// The number of a tensor map among those that a launch gives: that of an identical one, else the
// next.
int64_t numberOfGiven(tile::MakeTensorMapOp map);

// Tensor maps and mbarriers for a ring of `stages` that takes the parts in turn, made before the
// loop, and before the loops around it that do not change the views; ended after them. None where
// nobody can make the tensor maps. readers: consumer warpgroups or warps that release each stage to
// a producer warp; 0: the threads that read the ring fill it.
std::optional<BulkRing> beginBulkRing(mlir::scf::ForOp loop,
                                      llvm::ArrayRef<llvm::SmallVector<PipelinedLoad>> parts,
                                      int64_t stages, int64_t readers = 0);

} // namespace tessera::plan
