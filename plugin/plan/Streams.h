// Reads of views, or by tiles of pointers, in counted loops that go straight to shared memory, for
// the multiplies of the loop: what can be copied ahead of its use.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tile/TileDialect.h"

namespace tessera::plan {

constexpr int64_t wantedStages = 3; // of a ring of copies

// A read that goes straight to shared memory.
struct Stream {
  tile::ViewLoadOp load; // null: by pointers
  tile::SharedStoreOp store;
  tile::SharedAllocOp buffer;
  tile::LoadOp byPointers = {}; // where it is no view that is read
  tile::CastOp rounding = {};   // floats become tf32 on the way, as bulk copies can do it

  mlir::Operation *read() const {
    tile::LoadOp other = byPointers;
    return other ? other.getOperation() : tile::ViewLoadOp(load).getOperation();
  }
  // What says where it is read.
  llvm::SmallVector<mlir::Value> place() const;
};

// Floats to the nearest tf32, ties to even: what bulk copies may do on their way.
bool isRounding(tile::CastOp cast);

// The reads of a loop that can be copied ahead, rounded where the GPU has bulk copies: who makes no
// bulk copies of these leaves them out. Marks the others with the reason.
llvm::SmallVector<Stream> findStreams(mlir::scf::ForOp loop);

// What keeps a read of the loop from being copied ahead; nothing: nothing does.
using Wait = std::optional<tile::WaitReason>;
// The same, whoever takes what is read.
Wait waitOfRead(tile::ViewLoadOp load, mlir::scf::ForOp loop);

// As a read of a view, or by pointers, is marked.
void markWaiting(mlir::Operation *read, tile::WaitReason reason);
Wait waitOf(mlir::Operation *read);

// The stream that fills a shared tile, or null.
const Stream *streamInto(mlir::Value shared, llvm::ArrayRef<Stream> streams);

int64_t bytesOfStage(llvm::ArrayRef<Stream> streams);

// The multiplies of a loop, if they are nothing but one sum that the loop carries, and their
// operands are streams: each adds to what the one before gave. Else none.
llvm::SmallVector<tile::SharedMmaOp> sumOfLoop(mlir::scf::ForOp loop,
                                               llvm::ArrayRef<Stream> streams);

// The multiplies of a loop, if they are wgmma of streams and each has a sum of its own that the
// loop carries and nothing else touches. Else none.
llvm::SmallVector<tile::SharedMmaOp> sumsOfLoop(mlir::scf::ForOp loop,
                                                llvm::ArrayRef<Stream> streams);

} // namespace tessera::plan
