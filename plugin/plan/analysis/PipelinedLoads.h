// Pipelined loads: reads of views, or by tiles of pointers, in counted loops that go straight to
// shared memory for the loop's multiplies, so that they can be copied ahead.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tile/TileDialect.h"

namespace tessera::plan {

constexpr int64_t wantedStages = 3; // of a ring of copies

// A read that goes straight to shared memory.
struct PipelinedLoad {
  tile::ViewLoadOp load; // null: by pointers
  tile::SharedStoreOp store;
  tile::SharedAllocOp buffer;
  tile::LoadOp byPointers = {}; // where no view is read
  tile::CastOp rounding = {};   // f32 becomes tf32 in the copy, as bulk copies can do it
  bool isRow = false;           // that a producer warp copies without a tensor map

  mlir::Operation *read() const {
    tile::LoadOp other = byPointers;
    return other ? other.getOperation() : tile::ViewLoadOp(load).getOperation();
  }
  // The values that determine what is read.
  llvm::SmallVector<mlir::Value> coordinates() const;
};

// f32 to the nearest tf32, ties to even: what bulk copies may do in the copy.
bool isRounding(tile::CastOp cast);

// The reads of a loop that can be copied ahead, with a rounding where the GPU has bulk copies: a
// caller without bulk copies leaves those out. Marks the other reads with the reason.
llvm::SmallVector<PipelinedLoad> findPipelinedLoads(mlir::scf::ForOp loop);

// What prevents a read of the loop from being copied ahead; nothing: nothing does.
using Wait = std::optional<tile::WaitReason>;
// What about a read's view and tile prevents it, wherever the read stands.
Wait waitOfBox(tile::ViewLoadOp load, bool padsLater = false);
// The same, whatever uses the read. padsLater: the loop itself pads what was copied, with whatever
// the read is padded with; else copies pad, which can do so with zeros.
Wait waitOfRead(tile::ViewLoadOp load, mlir::scf::ForOp loop, bool padsLater = false);
Wait waitOfRead(tile::LoadOp load, mlir::scf::ForOp loop, bool padsLater = false);

// Sets or returns the reason of a read of a view, or by pointers.
void markWaiting(mlir::Operation *read, tile::WaitReason reason);
Wait waitOf(mlir::Operation *read);

// The pipelined load that fills a shared tile, or null.
const PipelinedLoad *pipelinedLoadInto(mlir::Value shared,
                                       llvm::ArrayRef<PipelinedLoad> pipelinedLoads);

// Reads that could be copied ahead if their tiles had no other uses than the multiply.
llvm::SmallVector<PipelinedLoad> loadsWithOtherUses(mlir::scf::ForOp loop);

int64_t bytesOfStage(llvm::ArrayRef<PipelinedLoad> pipelinedLoads);

// The multiplies of a loop, if they form one chain on one accumulator that the loop carries and
// nothing else uses, and their operands are pipelined loads. Else none.
llvm::SmallVector<tile::SharedMmaOp>
accumulatorOfLoop(mlir::scf::ForOp loop, llvm::ArrayRef<PipelinedLoad> pipelinedLoads);

// The multiplies of a loop, if they are wgmma of pipelined loads and each has an accumulator of its
// own that the loop carries and nothing else uses. Else none.
llvm::SmallVector<tile::SharedMmaOp>
accumulatorsOfLoop(mlir::scf::ForOp loop, llvm::ArrayRef<PipelinedLoad> pipelinedLoads);

} // namespace tessera::plan
