#include "plan/tiling/EachBlock.h"

#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/Plan.h"
#include "tile/Attributes.h"
#include "tile/Speculation.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// Of a tile of each block: eight for each of 256 threads.
constexpr int64_t maxElements = 2048;

bool isSmall(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return !tensor || tensor.getNumElements() <= maxElements;
}

bool isVolatile(Operation &op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getVolatile_();
  auto store = dyn_cast<LLVM::StoreOp>(op);
  return store && store.getVolatile_();
}

// Does it access memory that all blocks share? A thread's own memory would be one for all of them.
bool isOfGlobalMemory(Operation &op) {
  GlobalEffects effects = globalEffectsOf(&op);
  Value address = addressOf(&op);
  return (effects.reads || effects.writes) && address && baseOf(address);
}

bool isOneDoneByEach(Operation &op) {
  const bool hasRegions =
      isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::ConditionOp, scf::YieldOp>(op);
  if (isa<tile::MmaOp>(op) || isVolatile(op) || (op.getNumRegions() && !hasRegions))
    return false;
  // However large: a value that became part of a wide tile does not exist for each block any more.
  if (!hasRegions && isMemoryEffectFree(&op))
    return true;
  if (!llvm::all_of(op.getResultTypes(), isSmall) || !llvm::all_of(op.getOperandTypes(), isSmall))
    return false;
  return hasRegions || (isa<tile::LoadOp, tile::StoreOp, tile::ViewLoadOp, tile::ViewStoreOp,
                            tile::AtomicRmwOp, tile::AtomicCompareExchangeOp, tile::AtomicLoadOp,
                            tile::AtomicStoreOp, LLVM::LoadOp, LLVM::StoreOp>(op) &&
                        isOfGlobalMemory(op) && !globalEffectsOf(&op).orders);
}

} // namespace

bool isQuotient(Operation *op) {
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return true;
  auto binary = dyn_cast<tile::BinaryOp>(op);
  return binary && isa<IntegerType>(tile::elementType(binary.getType())) &&
         llvm::is_contained({tile::BinaryKind::div, tile::BinaryKind::rem,
                             tile::BinaryKind::floordiv, tile::BinaryKind::ceildiv},
                            binary.getKind());
}

bool mayBeDoneByEach(Operation &op) {
  return !op.walk([](Operation *inner) {
              // It may wait for another block, which is the same one now.
              if (isa<tile::AtomicRmwOp, tile::AtomicCompareExchangeOp, tile::AtomicLoadOp>(
                      inner) &&
                  inner->getParentOfType<scf::WhileOp>())
                return WalkResult::interrupt();
              return isOneDoneByEach(*inner) ? WalkResult::advance() : WalkResult::interrupt();
            }).wasInterrupted();
}

bool areOfTwoBlocks(ArrayRef<int64_t> one, ArrayRef<int64_t> other) {
  for (auto [x, y] : llvm::zip(one, other))
    if (x >= 0 && y >= 0 && x != y)
      return true;
  return false;
}

void EachBlock::mark(Operation *op, int64_t block) const {
  op->walk([&](Operation *inner) {
    GlobalEffects effects = globalEffectsOf(inner);
    if (!effects.reads && !effects.writes)
      return;
    SmallVector<int64_t, 3> coordinates(3, -1);
    if (auto known = inner->getAttrOfType<DenseI64ArrayAttr>(tile::ofBlockAttr))
      coordinates.assign(known.asArrayRef().begin(), known.asArrayRef().end());
    coordinates[axis] = block;
    inner->setAttr(tile::ofBlockAttr, DenseI64ArrayAttr::get(op->getContext(), coordinates));
  });
}

bool EachBlock::isGuarded(Operation *op) {
  auto divides = [](Operation *o) {
    return isQuotient(o) && !isa<arith::RemSIOp, arith::RemUIOp>(o);
  };
  return op->getNumRegions() || !tile::isSpeculatable(op) || divides(op);
}

Value EachBlock::of(Value value, int64_t block) {
  auto distance = distances.find(value);
  if (block == 0 || (distance == distances.end() && !values.contains(value)))
    return value;
  SmallVector<Value> &known = others[value];
  if (known.empty()) {
    Operation *op = value.getDefiningOp();
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    for (int64_t other = 1; other < factor; ++other) {
      Value shift = arith::ConstantOp::create(
          b, op->getLoc(),
          b.getIntegerAttr(value.getType(), APInt(64, uint64_t(distance->second * other))
                                                .trunc(value.getType().getIntOrFloatBitWidth())));
      known.push_back(arith::AddIOp::create(b, op->getLoc(), value, shift));
    }
  }
  return known[block - 1];
}

void EachBlock::rewrite(llvm::function_ref<void(Value, Value)> replaced) {
  tellReplaced = replaced;
  visit(kernel.getBody().front());
}

Value EachBlock::left() {
  if (blocksLeft)
    return blocksLeft;
  Block &body = kernel.getBody().front();
  OpBuilder b(&body, body.begin());
  Location loc = kernel.getLoc();
  Type i32 = b.getI32Type();
  Value by = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(factor))),
        index = tile::BlockIndexOp::create(b, loc, i32, axis, false),
        first = arith::MulIOp::create(b, loc, index, by),
        blocks = tile::GridSizeOp::create(b, loc, i32, axis);
  return blocksLeft = arith::SubIOp::create(b, loc, blocks, first);
}

Value EachBlock::isThere(int64_t block) {
  if (exists.empty()) {
    OpBuilder b(kernel.getContext());
    b.setInsertionPointAfterValue(left());
    Location loc = kernel.getLoc();
    for (int64_t other = 1; other < factor; ++other) {
      Value number = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(other)));
      exists.push_back(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, left(), number));
    }
  }
  return exists[block - 1];
}

void EachBlock::visit(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (contains(&op)) {
      repeat(&op);
      continue;
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      SmallVector<unsigned> carried;
      for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs()))
        if (contains(argument))
          carried.push_back(unsigned(i));
      scf::ForOp wider = carried.empty() ? loop : carryAll(loop);
      visit(*wider.getBody());
      auto behind = unsigned(wider.getNumRegionIterArgs() - carried.size() * (factor - 1));
      for (unsigned i : carried)
        for (int64_t other = 1; other < factor; ++other)
          wider.getBody()->getTerminator()->setOperand(behind++,
                                                       of(wider.getYieldedValues()[i], other));
      continue;
    }
    for (Region &region : op.getRegions())
      if (!region.empty())
        visit(region.front());
  }
}

// Makes the loop carry each block's value, as often as there are blocks.
scf::ForOp EachBlock::carryAll(scf::ForOp loop) {
  SmallVector<Value> inits;
  SmallVector<Value> before(loop.getRegionIterArgs());
  llvm::append_range(before, loop.getResults());
  const unsigned count = loop.getNumRegionIterArgs();
  for (BlockArgument argument : loop.getRegionIterArgs())
    if (contains(argument))
      for (int64_t other = 1; other < factor; ++other)
        inits.push_back(of(loop.getTiedLoopInit(argument)->get(), other));
  scf::ForOp wider =
      carryMore(loop, inits, [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
        return SmallVector<Value>(arguments.begin(), arguments.end()); // until the body is done
      });
  SmallVector<Value> after(wider.getRegionIterArgs().take_front(count));
  llvm::append_range(after, wider.getResults().take_front(count));
  unsigned next = count;
  for (auto [from, to] : llvm::zip_equal(before, after))
    if (values.erase(from))
      values.insert(to);
    else
      tellReplaced(from, to);
  for (unsigned i = 0; i < count; ++i)
    if (contains(wider.getRegionIterArg(i)))
      for (int64_t other = 1; other < factor; ++other, ++next) {
        wider.getRegionIterArg(next).setLoc(wider.getRegionIterArg(i).getLoc());
        others[wider.getRegionIterArg(i)].push_back(wider.getRegionIterArg(next));
        others[wider.getResult(i)].push_back(wider.getResult(next));
      }
  return wider;
}

void EachBlock::repeat(Operation *op) {
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  for (int64_t block = 1; block < factor; ++block)
    copy(b, op, block);
  mark(op, 0);
}

void EachBlock::copy(OpBuilder &b, Operation *op, int64_t block) {
  IRMapping map;
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  for (Region &region : op->getRegions())
    getUsedValuesDefinedAbove(region, used);
  for (Value value : used)
    map.map(value, of(value, block));
  auto cloned = [&](OpBuilder &at) {
    Operation *clone = at.clone(*op, map);
    mark(clone, block);
    return clone;
  };
  Operation *done = nullptr;
  if (!isGuarded(op)) {
    done = cloned(b);
  } else {
    const bool isUsed = !op->use_empty();
    auto guard =
        scf::IfOp::create(b, op->getLoc(), isUsed ? TypeRange(op->getResultTypes()) : TypeRange(),
                          isThere(block), /*withElseRegion=*/isUsed);
    OpBuilder inner = guard.getThenBodyBuilder();
    Operation *clone = cloned(inner);
    if (isUsed) {
      scf::YieldOp::create(inner, op->getLoc(), clone->getResults());
      // For a block beyond the grid, the first block's value: any would do.
      OpBuilder other = guard.getElseBodyBuilder();
      scf::YieldOp::create(other, op->getLoc(), op->getResults());
      done = guard;
    }
  }
  if (done)
    for (auto [own, result] : llvm::zip_equal(op->getResults(), done->getResults()))
      others[own].push_back(result);
}

} // namespace tessera::plan
