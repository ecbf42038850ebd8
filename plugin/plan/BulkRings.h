// Rings of copies that bulk copies fill (TMA): one thread starts a box, and no thread computes
// addresses.
#pragma once

#include "Target.h"
#include "plan/Streams.h"

#include "llvm/ADT/DenseMap.h"

namespace tessera::plan {

// Only sm_90a makes maps in kernels, and has the panels.
inline bool hasBulkCopies(const GpuTarget &target) {
  return target.has(GpuTarget::Tma) && target.has(GpuTarget::Wgmma);
}
// Has the target of an op's kernel them, and may the plan fill rings by them?
bool hasBulkRings(mlir::Operation *op);

// What bulk copies into a ring go by.
struct BulkRing {
  mlir::Value arrivals;
  llvm::DenseMap<mlir::Operation *, tile::MakeBoxMapOp> maps; // of each read
};

// Computes a value of a loop, of what is known before it, where the builder stands, as far as `map`
// does not have it yet.
mlir::Value placed(mlir::OpBuilder &b, mlir::Value value, mlir::Operation *loop,
                   mlir::IRMapping &map);

// Of shared memory, beside the stages: for the phase barriers, and to make a map.
int64_t bytesOfArrivals(int64_t stages, int64_t maps);
constexpr int64_t bytesOfMap = 128;

// How the maps of a loop's views are made: not at all, because the GPU, or one of the tiles, has no
// bulk copies, a view moves with the loop, or the kernel may have written what is read; in the
// kernel; or by the host code that launches it, for which they cost the kernel nothing.
enum class MapMaker { none, kernel, launch };
MapMaker makerOfMaps(mlir::scf::ForOp loop, llvm::ArrayRef<llvm::SmallVector<Stream>> parts);

// Does the kernel run only where launches can make the maps of its rings? Where they cannot, the
// kernel that it stands beside runs. So its loops need no other way to copy.
bool needsMaps(mlir::func::FuncOp kernel);

// Of what a bulk copy takes: elements of a box along a dimension, and dimensions.
inline constexpr int64_t mostOfBox = 256, mostDimensions = 5;

// The number of the map among those that a launch gives: that of another that says the same, else
// the next.
int64_t numberOfGiven(tile::MakeBoxMapOp map);

// Maps and arrivals for a ring of `stages` that takes the parts in turn, made before the loop, and
// before those around it that change nothing of the views; ended behind them. None where nobody can
// make the maps. readers: warpgroups or warps that release each stage to a warp that fills it; 0:
// it is filled by those who read it.
std::optional<BulkRing> beginBulkRing(mlir::scf::ForOp loop,
                                      llvm::ArrayRef<llvm::SmallVector<Stream>> parts,
                                      int64_t stages, int64_t readers = 0);

} // namespace tessera::plan
