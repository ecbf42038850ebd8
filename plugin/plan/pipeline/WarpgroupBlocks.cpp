#include "plan/pipeline/WarpgroupBlocks.h"

#include "plan/analysis/Accesses.h"
#include "plan/analysis/BlockIndices.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Occupancy.h"
#include "plan/Plan.h"
#include "target/RegisterBudgets.h"
#include "tile/Attributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tessera::plan {

namespace {

constexpr int64_t count = warpgroupsOfConsumers;

// What an H100 and an H200 have.
constexpr int64_t multiprocessors = 132;

bool isTile(Value v) { return isa<RankedTensorType>(v.getType()); }

// Do all threads of a tile block do the op, each its share? The first thread of a block does some
// alone, as a store of a number: it belongs to one of the tile blocks only.
bool isOfAnyThread(Operation *op) {
  if (auto store = dyn_cast<tile::StoreOp>(op))
    return isTile(store.getPointers());
  return op->getNumRegions() || isMemoryEffectFree(op) ||
         isa<tile::ViewStoreOp, tile::ViewLoadOp, tile::LoadOp, LLVM::LoadOp, tile::SharedAllocOp,
             tile::SharedStoreOp, tile::SharedMmaOp, func::ReturnOp, scf::YieldOp>(op);
}

SmallVector<Operation *> writesOf(func::FuncOp kernel) {
  SmallVector<Operation *> writes;
  kernel.walk([&](Operation *op) {
    if (isa<tile::ViewStoreOp, tile::StoreOp>(op))
      writes.push_back(op);
  });
  return writes;
}

// Do the iterations of neighbours have the same numbers where both have them?
bool areInStep(scf::ForOp loop) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  return step && divisorOf(loop.getLowerBound()) % *step == 0 &&
         divisorOf(loop.getUpperBound()) % *step == 0;
}

bool dependsOn(scf::ForOp loop, int64_t axis) {
  return dependOnAxis({loop.getLowerBound(), loop.getUpperBound()}, axis);
}

} // namespace

bool canBeWarpgroupBlocks(func::FuncOp kernel, int64_t axis, ArrayRef<scf::ForOp> loops) {
  const bool areUsual = !kernel
                             .walk([&](Operation *op) {
                               auto loop = dyn_cast<LoopLikeOpInterface>(op);
                               auto index = dyn_cast<tile::BlockIndexOp>(op);
                               const bool isGood =
                                   isOfAnyThread(op) && !(index && index.getSwizzled()) &&
                                   (!loop || llvm::is_contained(loops, dyn_cast<scf::ForOp>(op)));
                               return isGood ? WalkResult::advance() : WalkResult::interrupt();
                             })
                             .wasInterrupted();
  // A pair with one tile block reads all of it twice, maybe after a write.
  return areUsual &&
         llvm::all_of(writesOf(kernel),
                      [&](Operation *write) {
                        return write->getParentOp() == kernel &&
                               !isReadIn(kernel, addressOf(write));
                      }) &&
         llvm::all_of(loops,
                      [&](scf::ForOp loop) { return !dependsOn(loop, axis) || areInStep(loop); });
}

// Values as one of the tile blocks has them.
class WarpgroupBlocks::AtBlock {
public:
  AtBlock(int64_t axis, Value index) : axis(axis), index(index) {}

  Value operator()(OpBuilder &b, Value value) {
    if (!map.contains(value) && dependOnAxis(value, axis)) {
      if (value.getDefiningOp<tile::BlockIndexOp>())
        map.map(value, index);
      else
        clone(b, value.getDefiningOp());
    }
    return map.lookupOrDefault(value);
  }

  Operation *clone(OpBuilder &b, Operation *op) {
    for (Value operand : op->getOperands())
      (*this)(b, operand);
    return b.clone(*op, map);
  }

private:
  int64_t axis;
  Value index;
  IRMapping map;
};

WarpgroupBlocks::WarpgroupBlocks(func::FuncOp kernel, int64_t axis, ArrayRef<scf::ForOp> loops,
                                 ArrayRef<tile::ViewLoadOp> reads, bool isImage) {
  SmallVector<tile::BlockIndexOp> indices;
  kernel.walk([&](tile::BlockIndexOp index) {
    if (int64_t(index.getAxis()) == axis)
      indices.push_back(index);
  });
  const SmallVector<Operation *> writes = writesOf(kernel);

  OpBuilder b(&kernel.getBody().front(), kernel.getBody().front().begin());
  Location loc = kernel.getLoc();
  const auto nsw = arith::IntegerOverflowFlags::nsw;
  auto named = [&](StringRef name) { return NameLoc::get(b.getStringAttr(name), loc); };
  auto constant = [&](int64_t n) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(n)));
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  };
  Value pair = tile::BlockIndexOp::create(b, named("pair"), b.getI32Type(), axis, false),
        size = tile::GridSizeOp::create(b, loc, axis), perBlock = constant(count);
  if (isImage) {
    Value all;
    for (int64_t a = 0; a < 3; ++a) {
      Value extent =
          arith::ExtUIOp::create(b, loc, b.getI64Type(), tile::GridSizeOp::create(b, loc, a));
      all = all ? arith::MulIOp::create(b, loc, all, extent).getResult() : extent;
    }
    Value few = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(multiprocessors));
    perBlock = arith::SelectOp::create(b, named("tile_blocks"),
                                       compare(arith::CmpIPredicate::ugt, all, few), perBlock,
                                       constant(1));
  }
  Value first = arith::MulIOp::create(b, loc, pair, perBlock, nsw),
        last = arith::SubIOp::create(b, loc, size, constant(1), nsw);
  isFirstInside = compare(arith::CmpIPredicate::slt, first, size);
  // The number of a tile block of the pair, at most the last one that there is.
  auto indexOf = [&](Value numberInPair, Location named) -> Value {
    if (isImage)
      numberInPair = arith::MinSIOp::create(
          b, loc, numberInPair, arith::SubIOp::create(b, loc, perBlock, constant(1), nsw));
    return arith::MinSIOp::create(b, named, arith::AddIOp::create(b, loc, first, numberInPair, nsw),
                                  last);
  };
  SmallVector<AtBlock> blocks;
  for (int64_t i = 0; i < count; ++i)
    blocks.emplace_back(axis, indexOf(constant(i), loc));
  number = tile::WarpgroupIndexOp::create(b, named("warpgroup"));
  Value own = indexOf(number, indices.empty() ? loc : indices.front().getLoc());
  Value mine = arith::AddIOp::create(b, loc, first, number, nsw);
  Value isInside =
      arith::CmpIOp::create(b, named("is_inside"), arith::CmpIPredicate::slt, mine, size);
  if (isImage)
    isInside = arith::AndIOp::create(b, named("is_inside"), isInside,
                                     compare(arith::CmpIPredicate::slt, number, perBlock));

  // What is computed for one of them serves those behind it; a loop may stand in front of a read.
  SmallVector<AtBlock> blocksOfReads(blocks);
  SmallVector<tile::ViewLoadOp> inOrder(reads);
  llvm::sort(inOrder, [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  for (tile::ViewLoadOp read : inOrder) {
    b.setInsertionPoint(read);
    for (AtBlock &at : blocksOfReads)
      readsOfBlocks[read].push_back(cast<tile::ViewLoadOp>(at.clone(b, read)));
  }
  for (scf::ForOp loop : loops) {
    if (!isImage && !dependsOn(loop, axis))
      continue;
    b.setInsertionPoint(loop);
    auto join = [&](Value bound, bool isLower) {
      Value result;
      for (AtBlock &at : blocks) {
        Value one = at(b, bound);
        result = !result || result == one ? one
                 : isLower                ? smaller(b, loop, result, one)
                                          : larger(b, loop, result, one);
      }
      return result;
    };
    JointIterations iterations;
    iterations.lower = join(loop.getLowerBound(), true);
    iterations.upper = join(loop.getUpperBound(), false);
    joint[loop] = iterations;
    if (isImage) // a warpgroup without a tile block has no iterations of its own
      loop.setUpperBound(
          arith::SelectOp::create(b, loc, isInside, loop.getUpperBound(), loop.getLowerBound()));
  }
  for (tile::BlockIndexOp index : indices)
    index.replaceAllUsesWith(own);
  for (Operation *write : writes) {
    auto guard = dyn_cast_or_null<scf::IfOp>(write->getPrevNode());
    if (!guard || guard.getCondition() != isInside) {
      b.setInsertionPoint(write);
      guard = scf::IfOp::create(b, loc, isInside, /*withElseRegion=*/false);
    }
    write->moveBefore(guard.thenBlock()->getTerminator());
  }
}

Value smaller(OpBuilder &b, scf::ForOp loop, Value x, Value y) {
  return loop.getUnsignedCmp() ? arith::MinUIOp::create(b, loop.getLoc(), x, y).getResult()
                               : arith::MinSIOp::create(b, loop.getLoc(), x, y).getResult();
}

Value larger(OpBuilder &b, scf::ForOp loop, Value x, Value y) {
  return loop.getUnsignedCmp() ? arith::MaxUIOp::create(b, loop.getLoc(), x, y).getResult()
                               : arith::MaxSIOp::create(b, loop.getLoc(), x, y).getResult();
}

std::optional<JointIterations> WarpgroupBlocks::jointOf(scf::ForOp loop) const {
  auto found = joint.find(loop);
  return found == joint.end() ? std::nullopt : std::optional(found->second);
}

ArrayRef<tile::ViewLoadOp> WarpgroupBlocks::readsOf(tile::ViewLoadOp read) const {
  return readsOfBlocks.find(read)->second;
}

Value firstSlotOfTileBlock(OpBuilder &b, Location loc, func::FuncOp kernel, int64_t tiles) {
  auto constant = [&](int64_t n) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(n)));
  };
  if (tileBlocksOf(kernel) == 1)
    return constant(0);
  Value warpgroup;
  kernel.walk([&](tile::WarpgroupIndexOp op) {
    warpgroup = op;
    return WalkResult::interrupt();
  });
  return tiles == 1 ? warpgroup
                    : arith::MulIOp::create(b, loc, warpgroup, constant(tiles),
                                            arith::IntegerOverflowFlags::nsw);
}

Value sharedOfTileBlock(OpBuilder &b, Location loc, func::FuncOp kernel, tile::SharedType type) {
  const int64_t blocks = tileBlocksOf(kernel);
  Value tiles = tile::SharedAllocOp::create(b, loc, type, blocks, IntegerAttr());
  return blocks == 1 ? tiles
                     : tile::SharedSlotOp::create(b, loc, type, tiles,
                                                  firstSlotOfTileBlock(b, loc, kernel, 1));
}

} // namespace tessera::plan
