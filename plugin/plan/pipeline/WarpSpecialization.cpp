// A block that is alone on its SM has nothing to multiply while it stores its last tile and the
// first operands of its next one arrive, and its warps meet in each iteration before a stage is
// filled again. So a kernel that stands next to another one, for grids that fill the GPU, is
// warp-specialized:
//
//   copies of the first iterations; for %i { wait; copies of %i + 2; multiply; mma_wait 1 }; store
// becomes
//   producer_warp {
//     for %work_tile { for %i { producer_acquire %r[%fill]; copies of %i into %fill } } }
//   for %work_tile {
//     for %i { wait_group of %r[%read]; multiply; mma_wait 1; consumer_release %r[%before] }
//     mma_finish; consumer_release %r[%last]; store }
//
// A launch starts a block for each SM; of n blocks each takes every n-th work tile. The producer
// warp waits until all consumer warpgroups have released a stage; they wait until it is full.
// Nothing else synchronizes them, and no barrier of the block is left in the loop. The slots to
// fill and to read go on from one work tile to the next.
//
// The producer is the first warp of a warpgroup whose threads give their registers to the others: a
// block of nine warps would have no more registers for each than one of twelve.
//
// If operand A comes from registers, pass prefetch-operands reads it from its stage one iteration
// ahead and leaves the multiply in flight; the consumer release follows it there.
//
// The kernel must be a loop that multiplies one accumulator, with stores after it, and the
// coordinates of the copies must be computed from the kernel's arguments and the block's index: the
// producer warp recomputes them. Blocks of a grid have no order among one another, so neither have
// work tiles, and accesses of a block at two of them need no ordering.
#include "plan/pipeline/WarpSpecialization.h"

#include "plan/analysis/Layouts.h"
#include "plan/pipeline/InFlight.h"
#include "plan/pipeline/ProducerWarp.h"
#include "plan/Plan.h"
#include "plan/Config.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// Is this the only loop, and does nothing else multiply?
bool isOnlyLoop(scf::ForOp loop, ArrayRef<tile::SharedMmaOp> accumulator, func::FuncOp kernel) {
  return loop->getParentOp() == kernel &&
         !kernel
              .walk([&](Operation *op) {
                auto multiply = dyn_cast<tile::SharedMmaOp>(op);
                bool isOther = (isa<LoopLikeOpInterface>(op) && op != loop) ||
                               (multiply && !llvm::is_contained(accumulator, multiply));
                return isOther ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

// The parts of an iteration take turns in one ring.
FilledLoop filledByParts(scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts) {
  FilledLoop filled(loop);
  for (const SmallVector<PipelinedLoad> &part : parts)
    filled.fills.push_back({part, 0});
  return filled;
}

class Filling {
public:
  Filling(scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts,
          ArrayRef<tile::SharedMmaOp> accumulator, int64_t stages, bool isInFlight)
      : loop(loop), loc(loop.getLoc()), parts(parts), accumulator(accumulator),
        isInFlight(isInFlight), b(loop) {
    ring.stages = stages;
  }

  void run() {
    auto kernel = loop->getParentOfType<func::FuncOp>();
    Operation *finish = isInFlight ? leaveInFlight(loop, accumulator) : nullptr;
    const FilledLoop filled = filledByParts(loop, parts);
    SmallVector<Value> before = neededBefore(filled);
    scf::ForOp workTiles = loopOverWorkTiles(kernel, /*rings=*/1, rolesOfMatmul);
    b.setInsertionPoint(workTiles);
    for (const PipelinedLoad &pipelined : parts.front()) {
      tile::SharedAllocOp buffer = pipelined.buffer;
      Value tiles =
          tile::SharedAllocOp::create(b, loc, buffer.getType(), ring.stages, IntegerAttr());
      ring.tiles.push_back({tiles, Value()});
    }
    const int64_t warps = configOf(kernel).getWarps(),
                  readers = isInFlight && !isReadByThreads() ? warps / 4 : warps;
    ring.bulk = beginBulkRing(loop, parts, ring.stages, readers);
    fillRings(b, workTiles, /*perWorkTile=*/{}, filled, ring, before, rolesOfMatmul);
    multiply(workTiles, finish);
    for (ArrayRef<PipelinedLoad> part : parts)
      for (PipelinedLoad pipelined : part) {
        pipelined.store.erase();
        pipelined.buffer.erase();
      }
  }

private:
  // The end of a multiply says that all warps of its warpgroup have read the stage for it. What
  // their threads read of it by themselves, each warp knows of itself alone.
  bool isReadByThreads() const {
    return llvm::any_of(parts, [](ArrayRef<PipelinedLoad> part) {
      return llvm::any_of(part, [](PipelinedLoad load) {
        return llvm::any_of(load.buffer->getUsers(), llvm::IsaPred<tile::SharedLoadOp>);
      });
    });
  }

  Value slotAfter(OpBuilder &at, Value slot, int64_t steps) const {
    return plan::slotAfter(at, loc, slot, steps, ring.stages);
  }

  void multiply(scf::ForOp workTiles, Operation *finish) {
    OpBuilder::InsertionGuard guard(b);
    auto count = int64_t(parts.size());
    b.setInsertionPoint(loop);
    Value none = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(-1));
    SmallVector<Value> slots = {workTiles.getRegionIterArg(0), none};
    scf::ForOp newLoop = carryMore(
        loop, slots, [&](OpBuilder &inner, Location at, ArrayRef<BlockArgument> arguments) {
          BlockArgument read = arguments[0], before = arguments[1];
          read.setLoc(NameLoc::get(inner.getStringAttr("read"), at));
          before.setLoc(NameLoc::get(inner.getStringAttr("before"), at));
          return SmallVector<Value>{slotAfter(inner, read, count),
                                    slotAfter(inner, read, count - 1)};
        });
    auto carried = newLoop.getRegionIterArgs().take_back(2);
    Value before = carried[1];
    for (int64_t part = 0; part < count; ++part) {
      if (part)
        b.setInsertionPoint(accumulator[part]);
      else
        b.setInsertionPointToStart(newLoop.getBody());
      Value read = slotAfter(b, carried[0], part);
      waitForCopies(b, newLoop, parts[part], ring.tiles, ring.bulk, /*pending=*/0, read);
      for (auto [pipelined, tiles] : llvm::zip(parts[part], ring.tiles)) {
        tile::SharedAllocOp buffer = pipelined.buffer;
        Value slot = tile::SharedSlotOp::create(b, loc, buffer.getType(), tiles.tiles, read);
        buffer.getResult().replaceAllUsesWith(slot);
      }
      Operation *multiply = accumulator[part];
      b.setInsertionPointAfter(isInFlight ? cast<tile::MmaWaitOp>(multiply->getNextNode())
                                          : multiply);
      tile::ConsumerReleaseOp::create(b, loc, ring.barriers(), before);
      before = read;
    }
    b.setInsertionPointAfter(finish ? finish : newLoop);
    tile::ConsumerReleaseOp::create(b, loc, ring.barriers(), newLoop.getResults().back());
    workTiles.getBody()->getTerminator()->setOperand(0, newLoop.getResults().drop_back().back());
  }

  scf::ForOp loop;
  Location loc;
  ArrayRef<SmallVector<PipelinedLoad>> parts;
  ArrayRef<tile::SharedMmaOp> accumulator;
  bool isInFlight;
  OpBuilder b;
  ProducerRing ring{};
};

} // namespace

bool canFillByWarp(scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts,
                   ArrayRef<tile::SharedMmaOp> accumulator) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  return configOf(kernel).getProducerWarp() && needsTensorMaps(kernel) &&
         accumulator.size() == parts.size() && isOnlyLoop(loop, accumulator, kernel) &&
         canStoreBeside(loop) && canProduce(filledByParts(loop, parts));
}

void fillByWarp(scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts,
                ArrayRef<tile::SharedMmaOp> accumulator, int64_t stages, bool isInFlight) {
  Filling(loop, parts, accumulator, stages, isInFlight).run();
}

} // namespace tessera::plan
