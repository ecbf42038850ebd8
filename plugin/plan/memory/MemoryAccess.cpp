// Two accesses conflict where they touch the same bytes and one of them writes. What is known to be
// apart is told apart here: slots of a ring that a loop carries side by side, boxes that a loop's
// variable keeps apart, blocks that a coarsened block computes, and arrays that do not alias.
#include "plan/memory/MemoryAccess.h"

#include "plan/analysis/BlockMemory.h"
#include "plan/analysis/DisjointBoxes.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/tiling/EachBlock.h"
#include "tile/Attributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// The number of slots, if a loop carries a ring slot that advances by one in every iteration.
int64_t slotsOf(BlockArgument slot) {
  auto loop = dyn_cast_or_null<scf::ForOp>(slot.getOwner()->getParentOp());
  if (!loop || slot == loop.getInductionVar())
    return 0;
  auto next = loop.getTiedLoopYieldedValue(slot)->get().getDefiningOp<arith::SelectOp>();
  auto isLast = next ? next.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  auto after = next ? next.getFalseValue().getDefiningOp<arith::AddIOp>() : arith::AddIOp();
  if (!isLast || !after || isLast.getPredicate() != arith::CmpIPredicate::eq ||
      isLast.getLhs() != slot || after.getLhs() != slot || !matchPattern(after.getRhs(), m_One()) ||
      !matchPattern(next.getTrueValue(), m_Zero()))
    return 0;
  std::optional<int64_t> last = getConstantIntValue(isLast.getRhs());
  return last ? *last + 1 : 0;
}

// Slots of a ring that begin apart and advance alike never coincide in the same iteration.
bool areApart(Value one, Value other) {
  auto x = dyn_cast_or_null<BlockArgument>(one), y = dyn_cast_or_null<BlockArgument>(other);
  if (!x || !y || x.getOwner() != y.getOwner())
    return false;
  int64_t slots = slotsOf(x);
  if (!slots || slotsOf(y) != slots)
    return false;
  auto loop = cast<scf::ForOp>(x.getOwner()->getParentOp());
  auto first = [&](BlockArgument slot) {
    return getConstantIntValue(loop.getTiedLoopInit(slot)->get()).value_or(-1);
  };
  auto isSlot = [&](int64_t i) { return i >= 0 && i < slots; };
  return isSlot(first(x)) && isSlot(first(y)) && first(x) != first(y);
}

ArrayRef<int64_t> blocksOf(Operation *op) {
  auto blocks = op ? op->getAttrOfType<DenseI64ArrayAttr>(tile::ofBlockAttr) : DenseI64ArrayAttr();
  return blocks ? blocks.asArrayRef() : ArrayRef<int64_t>();
}

// One thread stores for the block, or makes an atomic of a scalar.
bool isOfFirstThread(Operation *op) {
  return isa<LLVM::StoreOp>(op) ||
         (isa<tile::StoreOp, tile::AtomicRmwOp, tile::AtomicCompareExchangeOp, tile::AtomicLoadOp,
              tile::AtomicStoreOp>(op) &&
          !isa<RankedTensorType>(addressOf(op).getType()));
}

// Atomics of integers whose results nobody has give the same in any order: their kind, from 1.
int reductionOf(Operation *op) {
  auto atomic = dyn_cast<tile::AtomicRmwOp>(op);
  if (!atomic || !atomic->use_empty() || atomic.getOrder() != tile::MemoryOrder::relaxed ||
      atomic.getKind() == tile::AtomicKind::xchg ||
      !tile::elementType(atomic.getValue().getType()).isInteger())
    return 0;
  return 1 + 2 * int(atomic.getKind()) + atomic.getIsUnsigned();
}

} // namespace

bool MemoryAccess::conflictsWith(const MemoryAccess &other) const {
  if (shared != other.shared)
    return false;
  if (orders || other.orders)
    return true;
  if ((!writes && !other.writes) || (isByFirst && other.isByFirst) ||
      (reduction && reduction == other.reduction))
    return false;
  if (!shared && (areOfTwoBlocks(blocksOf(op), blocksOf(other.op)) || isOfOtherBox(other)))
    return false;
  return shared ? begin < other.end && other.begin < end && !isInOtherSlot(other)
                : mayAlias(base, other.base);
}

bool MemoryAccess::isInOtherSlot(const MemoryAccess &other) const {
  return begin == other.begin && end == other.end && areApart(slot, other.slot);
}

// Of two stores that no loop repeats, or of one loop that no outer loop repeats.
bool MemoryAccess::isOfOtherBox(const MemoryAccess &other) const {
  auto store = dyn_cast_or_null<tile::ViewStoreOp>(op),
       before = dyn_cast_or_null<tile::ViewStoreOp>(other.op);
  if (!store || !before || loopAround(store) != loopAround(before))
    return false;
  if (!loopAround(store))
    return areApart(store, before);
  auto loop = dyn_cast<scf::ForOp>(loopAround(store));
  return loop && !loopAround(loop) && areApartInIterations(store, before, loop);
}

bool isInPanels(Value shared) { return cast<tile::SharedType>(shared.getType()).getPanels(); }

MemoryAccess sharedAccess(Value shared, bool writes) {
  MemoryAccess access;
  if (auto slot = shared.getDefiningOp<tile::SharedSlotOp>()) {
    shared = slot.getRing();
    access.slot = slot.getIndex();
  }
  auto alloc = shared.getDefiningOp<tile::SharedAllocOp>();
  int64_t begin = alloc.getOffset().value_or(0);
  int64_t bytes = bytesOf(cast<tile::SharedType>(alloc.getType())) * int64_t(alloc.getStages());
  access.writes = writes;
  access.shared = true;
  access.begin = begin;
  access.end = begin + bytes;
  access.isForProxy = writes && isInPanels(alloc);
  return access;
}

SmallVector<MemoryAccess, 3> memoryAccessesOf(Operation *op) {
  SmallVector<MemoryAccess, 3> result;
  if (auto shared = dyn_cast<tile::SharedAccess>(op)) {
    SmallVector<tile::AccessOfShared> accesses;
    shared.getSharedAccesses(accesses);
    for (const tile::AccessOfShared &access : accesses) {
      result.push_back(sharedAccess(access.shared, access.writes));
      result.back().isInFlight = access.isInFlight;
    }
  }
  if (isa<tile::StorePartsOp>(op))
    return result;
  GlobalEffects effects = globalEffectsOf(op);
  const bool isOfBlock = isBlockMemoryInShared(op);
  if (isOfBlock && isa<tile::BlockMemoryOp>(op))
    return result; // nobody allocates it
  if (effects.reads || effects.writes || effects.orders) {
    Value address = addressOf(op);
    MemoryAccess access;
    access.writes = effects.writes;
    if (isOfBlock)
      access.base = blockMemoryOf(op->getParentOfType<func::FuncOp>());
    else
      access.base = address ? baseOf(address) : Value();
    access.reduction = reductionOf(op);
    access.orders = effects.orders;
    access.isByFirst = isOfFirstThread(op);
    if (isa<tile::ViewStoreOp>(op) || op->hasAttr(tile::ofBlockAttr))
      access.op = op;
    result.push_back(access);
  }
  return result;
}

} // namespace tessera::plan
