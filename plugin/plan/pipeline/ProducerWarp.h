// The producer warp of a warp-specialized kernel: the loops over work tiles and iterations once
// more, with only the copies.
#pragma once

#include "plan/pipeline/RingCopies.h"
#include "plan/pipeline/WorkTileOrder.h"
#include "target/RegisterBudgets.h"

namespace tessera::plan {

// A ring that a producer warp fills.
struct ProducerRing {
  llvm::SmallVector<RingOfTiles> tiles; // of the loads of a stage
  std::optional<BulkRing> bulk;         // exists, since there are tensor maps
  int64_t stages;

  mlir::Value barriers() const { return bulk ? bulk->barriers : mlir::Value(); }
};

// What the producer warp copies into one stage of a ring, or what the transposing warps take from
// the same stage of another ring.
struct StageFill {
  llvm::SmallVector<PipelinedLoad> loads;
  unsigned ring; // of the kernel's rings
  const ProducerRing *transposed = nullptr;
};

// The copies of a loop's iteration, in the order in which the iteration uses them, and the
// iterations that have them: the loop's, or more.
struct FilledLoop {
  explicit FilledLoop(mlir::scf::ForOp loop)
      : loop(loop), lower(loop.getLowerBound()), upper(loop.getUpperBound()) {}

  mlir::scf::ForOp loop;
  mlir::Value lower, upper;
  llvm::SmallVector<StageFill> fills;
};

// Can the producer warp do it alone? Tiles belong to all warps.
bool isOfScalars(mlir::Operation *op);

// A read of a number, as of a sequence's length, in memory that the kernel never writes.
bool readsConstant(mlir::Operation *op, mlir::func::FuncOp kernel);

// Can the producer warp compute the coordinates of these copies? From the kernel's arguments, the
// block's index and numbers in memory that the kernel does not write; without tiles, which belong
// to all warps.
bool canProduce(const FilledLoop &filled);

// The same of a read before the loops, at the kernel's top level.
bool canProduce(const PipelinedLoad &load, mlir::func::FuncOp kernel);

// The values from before the loop that the producer warp needs.
llvm::SmallVector<mlir::Value> neededBefore(const FilledLoop &filled);

// Does the accumulator leave part by part? Threads that stored it as they hold it would fill
// sectors badly, and next to the ring there is no room to exchange it. Where it goes by pointers,
// or to atomics, they do so anyway; and other stores, in loops or after them, are small. Parts of
// two stores leave in no order: they must be of two tensors. `last`: the last loop that multiplies.
bool canStoreBeside(mlir::scf::ForOp last);

// The same, or may it be exchanged before it is stored?
bool canStoreAfter(mlir::scf::ForOp last);

// The shared memory, in bytes, of results that leave while the ring is filled.
int64_t bytesOfStoredParts(mlir::func::FuncOp kernel);

// Makes the kernel's body the body of a loop over work tiles, which carries a slot of each of
// `rings` rings, and marks the kernel as warp-specialized. order: of the work tiles; none: as the
// grid numbers them. parts: work tiles that a block of the program is; `part` is replaced by the
// number of one.
mlir::scf::ForOp loopOverWorkTiles(mlir::func::FuncOp kernel, size_t rings, RoleRegisters roles,
                                   std::optional<WorkTileOrder> order = {}, int64_t parts = 1,
                                   mlir::Value part = {});

// Writes the producer warp's body before the loop over work tiles. perWorkTile: filled once in each
// work tile, before its loops; their rings stand behind those of the loops. Where the loop over
// work tiles carries a slot of such a ring, it is filled; else those of one ring fill its stages in
// order.
// before: neededBefore of all the loops, from when they stood in the kernel's body.
void fillRings(mlir::OpBuilder &b, mlir::scf::ForOp workTiles,
               llvm::ArrayRef<StageFill> perWorkTile, llvm::ArrayRef<FilledLoop> loops,
               llvm::ArrayRef<ProducerRing> rings, llvm::ArrayRef<mlir::Value> before,
               RoleRegisters roles);

// Writes the transposing warps' body: they fill the rings of these loops, one after the other, from
// others that the producer warp fills. Follows fillRings.
void transposeRings(mlir::OpBuilder &b, mlir::scf::ForOp workTiles,
                    llvm::ArrayRef<FilledLoop> loops, llvm::ArrayRef<ProducerRing> rings,
                    llvm::ArrayRef<mlir::Value> before);

// The slot of a ring some steps after another one.
mlir::Value slotAfter(mlir::OpBuilder &b, mlir::Location loc, mlir::Value slot, int64_t steps,
                      int64_t stages);

} // namespace tessera::plan
