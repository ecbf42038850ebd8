// Loop versioning with predicated copies. A loop of mma.sync that leaves the last K step to the
// next iteration should have a body without branches: a branch keeps compilers from interleaving
// instructions, copies with multiplies. Each chunk of a copy gets a predicate instead, and views
// that are not aligned, whose chunks are copied in other ways, get a loop of their own.
//
//   mma_begin; for { wait_group; copy_async; commit_group; shared_mma {inFlight} }; mma_finish  ->
//   if allows_chunks of all views { mma_begin; for { wait_group; shared_mma {inFlight}; copy_async
//   aligned {straight}; commit_group }; mma_finish } else { for { wait_group; copy_async;
//   commit_group; shared_mma } }
//
// Rows of aligned views need no shift: nothing shifts them in the first loop, and their copies
// leave no ends there, whatever the prologue and the other loop do.
//
// Next to copies that branch, a K step in registers gains nothing and takes registers from the
// copies: such a loop multiplies all of an iteration in that iteration.
//
// Measured with tiles of 128x128x64 at 4096^3 on an H200, in a hand-written kernel: 410 TFLOP/s
// with the guarded copies in one loop, 460 with predicates and a branch for views that are not
// aligned, 491 without the branch, 500 after the multiply. The pass runs after plan-accesses, which
// says what is proven of a copy.
#include "plan/analysis/Accesses.h"
#include "plan/analysis/Facts.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_VERSIONLOOPS
#include "plan/Passes.h.inc"

namespace {

// The mma_finish of a loop whose only accumulator leaves its last K step in registers.
tile::MmaFinishOp finishOf(scf::ForOp loop) {
  for (OpResult result : loop.getResults())
    for (Operation *user : result.getUsers())
      if (auto finish = dyn_cast<tile::MmaFinishOp>(user);
          finish && !finish.getMultiply().getInstruction().isAsync())
        return finish;
  return {};
}

// cp.async takes all chunks of such a copy, once its view is aligned.
bool becomesStraight(tile::CopyAsyncOp copy, scf::ForOp loop) {
  tile::AccessAttr access = copy.getAccess();
  auto type = cast<tile::SharedType>(copy.getShared().getType());
  int64_t last = int64_t(copy.getBoxShape().size()) - 1;
  auto isOutside = [&](Value v) { return loop.isDefinedOutsideOfLoop(v); };
  bool keepsChunks = !type.getBits() || int64_t(1) << type.getBase() >= access.getVector();
  return !copy.getMap() && keepsChunks && access.getAlong() == last &&
         access.getVector() * tile::storageBits(type.getElementType()) == bytesPerInstruction * 8 &&
         copy.getBoxShape() == type.getShape() && isOutside(copy.getBase()) &&
         llvm::all_of(copy.getExtents(), isOutside) && llvm::all_of(copy.getStrides(), isOutside) &&
         divisorOf(copy.getStarts().back()) % access.getVector() == 0;
}

// Copies and the end of their group go after the multiply, whose reads of shared memory then come
// first. They write another stage: otherwise the pass insert-barriers inserts a barrier between
// them.
void moveBehind(tile::SharedMmaOp multiply, scf::ForOp loop) {
  SmallVector<Operation *> moved;
  for (Operation &op : *loop.getBody()) {
    if (&op == multiply)
      break;
    if (isa<tile::CopyAsyncOp, tile::CommitGroupOp>(op))
      moved.push_back(&op);
    else if (!moved.empty() && !isMemoryEffectFree(&op))
      return;
  }
  Operation *last = multiply;
  for (Operation *op : moved) {
    op->moveAfter(last);
    last = op;
  }
}

void versionLoop(scf::ForOp loop, tile::SharedMmaOp multiply) {
  for (auto shift : llvm::make_early_inc_range(loop.getBody()->getOps<tile::ShiftRowsOp>()))
    shift.erase();
  for (auto copy : loop.getBody()->getOps<tile::CopyAsyncOp>()) {
    copy.getEndsMutable().clear();
    copy.setAccessAttr(aligned(copy.getAccess()));
    copy.setStraight(true);
  }
  if (llvm::hasSingleElement(loop.getBody()->getOps<tile::SharedMmaOp>()))
    moveBehind(multiply, loop);
}

// Every iteration multiplies its last K step itself.
Value multiplyInIteration(scf::ForOp loop, tile::MmaFinishOp finish) {
  Value accumulator = finish.getX();
  auto begin = loop.getInitArgs()[cast<OpResult>(accumulator).getResultNumber()]
                   .getDefiningOp<tile::MmaBeginOp>();
  for (auto multiply : loop.getBody()->getOps<tile::SharedMmaOp>())
    multiply.setInFlight(false);
  begin.replaceAllUsesWith(begin.getX());
  begin.erase();
  finish.replaceAllUsesWith(accumulator);
  finish.erase();
  return accumulator;
}

// The loop and its mma_finish, one after the other, in the first arm; the loop's other results are
// unused.
void divide(scf::ForOp loop, tile::MmaFinishOp finish, ArrayRef<Operation *> guarded) {
  OpBuilder b(loop);
  auto begin = loop.getInitArgs()[cast<OpResult>(finish.getX()).getResultNumber()]
                   .getDefiningOp<tile::MmaBeginOp>();
  Value isAligned = allowsChunks(b, guarded);
  auto copyInto = [&](OpBuilder &in, Location loc, bool isStraight) {
    IRMapping map;
    in.clone(*begin, map);
    auto ours = cast<scf::ForOp>(in.clone(*loop, map));
    auto end = cast<tile::MmaFinishOp>(in.clone(*finish, map));
    Value accumulator = end.getResult();
    if (isStraight)
      versionLoop(ours, end.getMultiply());
    else
      accumulator = multiplyInIteration(ours, end);
    in.setInsertionPointToEnd(ours->getBlock());
    scf::YieldOp::create(in, loc, accumulator);
  };
  auto branch = scf::IfOp::create(
      b, loop.getLoc(), isAligned, [&](OpBuilder &in, Location loc) { copyInto(in, loc, true); },
      [&](OpBuilder &in, Location loc) { copyInto(in, loc, false); });
  finish.replaceAllUsesWith(branch.getResult(0));
  finish.erase();
  loop.erase();
  begin.erase();
}

struct VersionLoops : impl::VersionLoopsBase<VersionLoops> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) {
      tile::MmaFinishOp finish = finishOf(loop);
      auto copies = llvm::to_vector(loop.getBody()->getOps<tile::CopyAsyncOp>());
      if (!finish)
        continue;
      if (finish->getPrevNode() != loop || copies.empty() ||
          llvm::count_if(loop.getResults(), [](Value v) { return !v.use_empty(); }) != 1 ||
          !llvm::all_of(copies, [&](tile::CopyAsyncOp op) { return becomesStraight(op, loop); })) {
        multiplyInIteration(loop, finish);
        continue;
      }
      SmallVector<Operation *> guarded;
      llvm::copy_if(copies, std::back_inserter(guarded),
                    [](tile::CopyAsyncOp copy) { return !copy.getAccess().getAligned(); });
      if (guarded.empty())
        versionLoop(loop, finish.getMultiply());
      else
        divide(loop, finish, guarded);
    }
  }
};

} // namespace
} // namespace tessera::plan
