// A loop of mma.sync whose last step of K is left to the next turn has one turn as straight as
// possible: what branches parts the instructions that compilers would put between one another,
// copies between multiplies. Each chunk of a copy has a predicate instead, and views that are not
// aligned, whose chunks come in other ways, have a loop of their own.
//
//   mma_begin; for { wait_group; copy_async; commit_group; shared_mma {inFlight} }; mma_finish  ->
//   if allows_chunks of all views { mma_begin; for { wait_group; shared_mma {inFlight}; copy_async
//   aligned {straight}; commit_group }; mma_finish } else { for { wait_group; copy_async;
//   commit_group; shared_mma } }
//
// Rows of such views lie as they are to be: nothing shifts them in the first loop, and their copies
// leave no ends there, whatever the copies before the loop and the other loop do.
//
// Beside copies that branch, a step in registers gains nothing and takes them from the copies: such
// a loop multiplies all of a turn in the turn.
//
// Measured with tiles of 128x128x64 at 4096^3 on an H200, in a kernel by hand: 410 TFLOP/s with the
// guarded copies in one loop, 460 with predicates and a branch for views that are not aligned, 491
// without the branch, 500 behind the multiply. Behind the pass plan-accesses, which says what is
// proven of a copy.
#include "plan/Accesses.h"
#include "plan/Facts.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_STRAIGHTENCOPIES
#include "plan/Passes.h.inc"

namespace {

// The last step of this loop's only sum waits in registers.
tile::MmaFinishOp finishOf(scf::ForOp loop) {
  for (OpResult result : loop.getResults())
    for (Operation *user : result.getUsers())
      if (auto finish = dyn_cast<tile::MmaFinishOp>(user);
          finish && finish.getMultiply().getKind() != tile::MmaKind::wgmma)
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

// Whether cp.async takes all chunks of these copies; of a view that several read once.
Value allowsChunks(OpBuilder &b, Location loc, ArrayRef<tile::CopyAsyncOp> copies) {
  SmallVector<tile::AllowsChunksOp> asked;
  Value all;
  for (tile::CopyAsyncOp copy : copies) {
    Type element = cast<tile::SharedType>(copy.getShared().getType()).getElementType();
    auto one =
        tile::AllowsChunksOp::create(b, copy.getLoc(), b.getI1Type(), copy.getBase(), element,
                                     copy.getExtents(), copy.getStrides(), copy.getAccess());
    bool isAsked = llvm::any_of(asked, [&](tile::AllowsChunksOp other) {
      return OperationEquivalence::isEquivalentTo(one, other,
                                                  OperationEquivalence::IgnoreLocations);
    });
    if (isAsked) {
      one.erase();
      continue;
    }
    asked.push_back(one);
    all = all ? arith::AndIOp::create(b, loc, all, one).getResult() : Value(one);
  }
  return all;
}

// Copies and the end of their group go behind the multiply, whose reads of shared memory come first
// then. They write another stage: the pass insert-barriers asks for one between them otherwise.
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

void straighten(scf::ForOp loop, tile::SharedMmaOp multiply) {
  for (auto shift : llvm::make_early_inc_range(loop.getBody()->getOps<tile::ShiftRowsOp>()))
    shift.erase();
  for (auto copy : loop.getBody()->getOps<tile::CopyAsyncOp>()) {
    copy.getEndsMutable().clear();
    tile::AccessAttr access = copy.getAccess();
    copy.setAccessAttr(tile::AccessAttr::get(loop.getContext(), access.getVector(),
                                             access.getAlong(), /*aligned=*/true,
                                             access.getBounds()));
    copy.setStraight(true);
  }
  if (llvm::hasSingleElement(loop.getBody()->getOps<tile::SharedMmaOp>()))
    moveBehind(multiply, loop);
}

// Every turn multiplies its last step itself.
Value multiplyInTurn(scf::ForOp loop, tile::MmaFinishOp finish) {
  Value sum = finish.getX();
  auto begin =
      loop.getInitArgs()[cast<OpResult>(sum).getResultNumber()].getDefiningOp<tile::MmaBeginOp>();
  for (auto multiply : loop.getBody()->getOps<tile::SharedMmaOp>())
    multiply.setInFlight(false);
  begin.replaceAllUsesWith(begin.getX());
  begin.erase();
  finish.replaceAllUsesWith(sum);
  finish.erase();
  return sum;
}

// The loop and its mma_finish, one behind the other, in the first arm; what else the loop gives is
// not used.
void divide(scf::ForOp loop, tile::MmaFinishOp finish, ArrayRef<tile::CopyAsyncOp> guarded) {
  OpBuilder b(loop);
  auto begin = loop.getInitArgs()[cast<OpResult>(finish.getX()).getResultNumber()]
                   .getDefiningOp<tile::MmaBeginOp>();
  Value isAligned = allowsChunks(b, loop.getLoc(), guarded);
  auto copyInto = [&](OpBuilder &in, Location loc, bool isStraight) {
    IRMapping map;
    in.clone(*begin, map);
    auto ours = cast<scf::ForOp>(in.clone(*loop, map));
    auto end = cast<tile::MmaFinishOp>(in.clone(*finish, map));
    Value sum = end.getResult();
    if (isStraight)
      straighten(ours, end.getMultiply());
    else
      sum = multiplyInTurn(ours, end);
    in.setInsertionPointToEnd(ours->getBlock());
    scf::YieldOp::create(in, loc, sum);
  };
  auto branch = scf::IfOp::create(
      b, loop.getLoc(), isAligned, [&](OpBuilder &in, Location loc) { copyInto(in, loc, true); },
      [&](OpBuilder &in, Location loc) { copyInto(in, loc, false); });
  finish.replaceAllUsesWith(branch.getResult(0));
  finish.erase();
  loop.erase();
  begin.erase();
}

struct StraightenCopies : impl::StraightenCopiesBase<StraightenCopies> {
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
        multiplyInTurn(loop, finish);
        continue;
      }
      SmallVector<tile::CopyAsyncOp> guarded;
      llvm::copy_if(copies, std::back_inserter(guarded),
                    [](tile::CopyAsyncOp copy) { return !copy.getAccess().getAligned(); });
      if (guarded.empty())
        straighten(loop, finish.getMultiply());
      else
        divide(loop, finish, guarded);
    }
  }
};

} // namespace
} // namespace tessera::plan
