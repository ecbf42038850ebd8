// The only pass that decides on barriers and fences.
//
// A tile program is one logical thread, run by many. Two accesses of the same memory, at least one
// of them a write, need a barrier between them, unless the same thread makes both. The pass walks
// the program with the set of accesses since the last barrier; an access that conflicts with one of
// them gets a barrier in front of it. A loop is walked twice: the second time the set holds what
// its own body left.
// * Shared memory: tiles conflict when their byte ranges overlap, except two slots of a ring that a
//   loop carries side by side.
// * Global memory: accesses conflict when their bases may alias. Threads that do not own an element
//   read what another thread wrote. One thread stores scalars, in program order, and makes atomics
//   of scalars, too. What a block does for several blocks of the program has no order among these
//   (EachBlock.h). Boxes that a loop's variable keeps apart are other memory.
// * An atomic with an order stronger than relaxed conflicts with every access of global memory: one
//   thread makes it for the block; a release must cover the other threads' accesses, and an acquire
//   must precede them.
// * Every wait_group is followed by a barrier: a thread waits for its own copies only. So a
//   copy_async conflicts with reads in front of it, and that barrier settles its own write,
//   whichever slot of a ring it goes to. The same holds for gather_async. A warp may shift what it
//   copied before that barrier (shift_rows). Where floats must be rounded first, their copies have
//   a barrier of their own (round_copied).
// * A wgmma that a loop leaves in flight reads until mma_finish. Within the loop the pass
//   pipeline-loops guarantees the stages that it reads: nothing else lies in their bytes.
// * wgmma reads shared memory through the asynchronous proxy, and bulk copies write it: threads
//   fence what they wrote for wgmma, or where bulk copies will write, before the barrier in
//   between; their own reads are complete after that barrier. A wait_group with barriers fences by
//   itself where it does not wait for bulk copies.
// * A producer warp and its consumers wait at the ring's full and empty barriers, in whose bytes
//   nothing else lies: this pass sees neither its accesses nor a wait for it. A store in parts
//   synchronizes around its writes to its panels, which nothing else accesses.
// * A bulk store reads its tile until wait_stores, in which one thread waits: in front of a barrier
//   after which the bytes are written, or at the end. Nothing else accesses what it writes (pass
//   bulk-stores), except earlier reads, for which the tile's fence covers global memory, too.
// If both sides of a branch need a barrier, it goes in front of the branch.
#include "plan/memory/InsertBarriers.h"

#include "llvm/ADT/TypeSwitch.h"
#include "plan/analysis/DisjointBoxes.h"
#include "plan/tiling/EachBlock.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/Passes.h"
#include "plan/Config.h"
#include "plan/Plan.h"
#include "tile/Attributes.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_INSERTBARRIERS
#include "plan/Passes.h.inc"

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

struct Access {
  bool writes = false, shared = false;
  int64_t begin = 0, end = 0; // shared: bytes
  Value slot;                 // shared: within those bytes, in this iteration of a loop; null = all
  Value base;                 // global: null = anywhere
  bool orders = false;        // global: conflicts whatever the base
  bool isByFirst = false;     // global: only the first thread makes it
  Operation *op = nullptr;    // global: where it matters which one
  bool isForProxy = false;    // shared: a write of what wgmma reads, or where bulk copies write
  bool isInFlight = false;    // shared: a read by a bulk store that has not been waited for

  bool conflictsWith(const Access &other) const {
    if (shared != other.shared)
      return false;
    if (orders || other.orders)
      return true;
    if ((!writes && !other.writes) || (isByFirst && other.isByFirst))
      return false;
    if (!shared && (areOfTwoBlocks(blocksOf(op), blocksOf(other.op)) || isOfOtherBox(other)))
      return false;
    return shared ? begin < other.end && other.begin < end && !isInOtherSlot(other)
                  : mayAlias(base, other.base);
  }
  bool isInOtherSlot(const Access &other) const {
    return begin == other.begin && end == other.end && areApart(slot, other.slot);
  }
  // Of two stores of one loop that no outer loop repeats.
  bool isOfOtherBox(const Access &other) const {
    auto store = dyn_cast_or_null<tile::ViewStoreOp>(op),
         before = dyn_cast_or_null<tile::ViewStoreOp>(other.op);
    auto loop = store ? dyn_cast_or_null<scf::ForOp>(loopAround(store)) : scf::ForOp();
    return loop && before && loopAround(before) == loop && !loopAround(loop) &&
           areApartInIterations(store, before, loop);
  }
  bool operator==(const Access &o) const {
    return op == o.op && writes == o.writes && shared == o.shared && begin == o.begin &&
           end == o.end && slot == o.slot && base == o.base && orders == o.orders &&
           isByFirst == o.isByFirst && isForProxy == o.isForProxy && isInFlight == o.isInFlight;
  }
};

// One thread stores for the block, or makes an atomic of a scalar.
bool isOfFirstThread(Operation *op) {
  return isa<LLVM::StoreOp>(op) ||
         (isa<tile::StoreOp, tile::AtomicRmwOp, tile::AtomicCompareExchangeOp, tile::AtomicLoadOp,
              tile::AtomicStoreOp>(op) &&
          !isa<RankedTensorType>(addressOf(op).getType()));
}

using Pending = SmallVector<Access>;

void add(Pending &pending, const Access &access) {
  if (!llvm::is_contained(pending, access))
    pending.push_back(access);
}

// What remains after a barrier: reads of bulk stores that have not been waited for.
void settle(Pending &pending) {
  llvm::erase_if(pending, [](const Access &access) { return !access.isInFlight; });
}

bool isInPanels(Value shared) { return cast<tile::SharedType>(shared.getType()).getPanels(); }

Access sharedAccess(Value shared, bool writes) {
  Access access;
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

SmallVector<Access, 3> accessesOf(Operation *op) {
  SmallVector<Access, 3> result;
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
  if (effects.reads || effects.writes || effects.orders) {
    Value address = addressOf(op);
    Access access;
    access.writes = effects.writes;
    access.base = address ? baseOf(address) : Value();
    access.orders = effects.orders;
    access.isByFirst = isOfFirstThread(op);
    if (isa<tile::ViewStoreOp>(op) || op->hasAttr(tile::ofBlockAttr))
      access.op = op;
    result.push_back(access);
  }
  return result;
}

// The warps that a barrier waits for: beside a producer warp, which has none of its own, those of
// the consumers. Null: the block's.
IntegerAttr warpsOfBarriers(func::FuncOp kernel) {
  return kernel->hasAttr(tile::warpSpecializedAttr)
             ? Builder(kernel.getContext()).getI64IntegerAttr(configOf(kernel).getWarps())
             : IntegerAttr();
}

class BarrierInserter {
public:
  // forget: the number of the barrier to leave out, from 1; 0 for none.
  explicit BarrierInserter(func::FuncOp kernel, int64_t forget = 0)
      : warps(warpsOfBarriers(kernel)), forget(forget) {
    kernel.walk([&](tile::CopyAsyncOp copy) {
      if (copy.getMap())
        bulkRings.push_back(sharedAccess(copy.getShared(), true));
      else
        copiesForProxy |= isInPanels(copy.getShared());
    });
    kernel.walk([&](tile::GatherAsyncOp copy) { copiesForProxy |= isInPanels(copy.getShared()); });
    kernel.walk([&](tile::BulkStoreOp store) {
      stored.push_back(sharedAccess(store.getShared(), false));
      fencesGlobal |= isReadIn(kernel, store.getBase());
    });
  }

  void visitKernel(func::FuncOp kernel) {
    Pending pending;
    visit(kernel.getBody(), pending);
    if (!llvm::any_of(pending, [](const Access &access) { return access.isInFlight; }))
      return;
    OpBuilder b(kernel.getBody().front().getTerminator());
    tile::WaitStoresOp::create(b, b.getInsertionPoint()->getLoc());
  }

private:
  void visit(Region &region, Pending &pending) {
    if (region.empty())
      return;
    for (Operation &op : llvm::make_early_inc_range(region.front()))
      visit(op, pending);
  }

  void visit(Operation &op, Pending &pending) {
    if (isa<tile::BarrierOp>(op)) {
      OpBuilder b(&op);
      fence(b, op, pending);
      return settle(pending);
    }
    if (isa<tile::WaitStoresOp>(op)) {
      for (Access &access : pending)
        access.isInFlight = false;
      return;
    }
    if (isa<tile::ProducerWarpOp>(op))
      return;
    if (op.getNumRegions())
      return visitRegions(op, pending);
    SmallVector<Access, 3> accesses = accessesOf(&op);
    for (Access &access : accesses)
      access.isForProxy |=
          access.writes && isThreads(op) && access.shared && isWhereBulkCopiesWrite(access);
    if (conflict(accesses, pending))
      meetBefore(op, pending, conflict(accesses, pending, /*inFlight=*/true));
    bool async = isa<tile::CopyAsyncOp, tile::GatherAsyncOp>(op);
    for (const Access &access : accesses)
      if (!(async && access.shared))
        add(pending, access);
    if (auto wait = dyn_cast<tile::WaitGroupOp>(op); wait && !wait.isFilledByProducerWarp()) {
      OpBuilder b(op.getContext());
      Operation *next = op.getNextNode();
      while (isa_and_present<tile::ShiftRowsOp, tile::RoundCopiedOp>(next))
        next = next->getNextNode();
      b.setInsertionPointAfter(next ? next->getPrevNode() : &op.getBlock()->back());
      bool needsFence = copiesForProxy || hasWritesForProxy(pending);
      if (!isa_and_present<tile::BarrierOp, tile::FenceOp>(next))
        insert(b, op, needsFence, pending);
      else if (isa<tile::BarrierOp>(next) && needsFence)
        createFence(b, op, pending);
      settle(pending);
    }
  }

  // inFlight: only with reads that have not been waited for.
  static bool conflict(ArrayRef<Access> accesses, ArrayRef<Access> pending, bool inFlight = false) {
    return llvm::any_of(accesses, [&](const Access &mine) {
      return llvm::any_of(pending, [&](const Access &earlier) {
        return mine.conflictsWith(earlier) && (!inFlight || earlier.isInFlight);
      });
    });
  }

  void meetBefore(Operation &op, Pending &pending, bool waitsForStores) {
    OpBuilder b(&op);
    if (waitsForStores)
      tile::WaitStoresOp::create(b, op.getLoc());
    insert(b, op, hasWritesForProxy(pending), pending);
    if (waitsForStores)
      pending.clear();
    else
      settle(pending);
  }

  // Does the region have, or need, a barrier in front of any nested region?
  static bool meetsAtOnce(Region &region, ArrayRef<Access> pending) {
    for (Operation &op : region.front()) {
      if (op.getNumRegions() || isa<tile::BarrierOp, tile::WaitGroupOp, tile::WaitStoresOp>(op))
        return false;
      if (conflict(accessesOf(&op), pending))
        return !conflict(accessesOf(&op), pending, /*inFlight=*/true);
    }
    return false;
  }

  // wgmma, too, reads through the asynchronous proxy.
  static bool isThreads(Operation &op) {
    return !isa<tile::SharedMmaOp, tile::MmaFinishOp, tile::CopyAsyncOp, tile::GatherAsyncOp,
                tile::BulkStoreOp, tile::StorePartsOp>(op);
  }

  bool isWhereBulkCopiesWrite(const Access &access) const {
    return llvm::any_of(bulkRings, [&](const Access &ring) {
      return access.begin < ring.end && ring.begin < access.end;
    });
  }

  static bool hasWritesForProxy(ArrayRef<Access> pending) {
    return llvm::any_of(pending, [](const Access &access) { return access.isForProxy; });
  }

  // The fence covers global memory, too, where a bulk store reads the fenced tile.
  void createFence(OpBuilder &b, Operation &op, ArrayRef<Access> pending) const {
    bool goesOut = fencesGlobal && llvm::any_of(pending, [&](const Access &access) {
                     return access.isForProxy && llvm::any_of(stored, [&](const Access &tile) {
                              return access.conflictsWith(tile);
                            });
                   });
    tile::FenceOp::create(b, op.getLoc(), goesOut);
  }

  // A loop is walked twice: a barrier that was left out stays out.
  void insert(OpBuilder &b, Operation &op, bool needsFence, ArrayRef<Access> pending) {
    if (&op == forgotten || ++inserted == forget) {
      forgotten = &op;
      return;
    }
    if (needsFence)
      createFence(b, op, pending);
    tile::BarrierOp::create(b, op.getLoc(), warps);
  }

  // Before an existing barrier.
  void fence(OpBuilder &b, Operation &barrier, ArrayRef<Access> pending) const {
    if (hasWritesForProxy(pending) && !isa_and_present<tile::FenceOp>(barrier.getPrevNode()))
      createFence(b, barrier, pending);
  }

  // The copies of a prologue do not conflict with each other, nor do multiplies of rings that a
  // producer warp fills, in a loop or a branch: one barrier in front replaces one an iteration.
  void meetInFront(Operation &op, Pending &pending) {
    const bool isPrologue = op.hasAttr(tile::prologueAttr);
    if (!isPrologue && (op.hasAttr(tile::workTilesAttr) || !waitsForProducer(op)))
      return;
    bool meet = false, waitForStores = false;
    op.walk([&](Operation *inner) {
      if (inner->getNumRegions() || !(isPrologue || isa<tile::SharedMmaOp>(inner)))
        return;
      SmallVector<Access, 3> accesses = accessesOf(inner);
      meet |= conflict(accesses, pending);
      waitForStores |= conflict(accesses, pending, /*inFlight=*/true);
    });
    if (meet)
      meetBefore(op, pending, waitForStores);
  }

  static bool waitsForProducer(Operation &op) {
    return op
        .walk([](tile::WaitGroupOp wait) {
          return wait.isFilledByProducerWarp() ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  void visitRegions(Operation &op, Pending &pending) {
    meetInFront(op, pending);
    if (isa<LoopLikeOpInterface>(op)) {
      // A loop is left from its first region (of a `while`: after the condition), or without having
      // run at all.
      Pending left = pending;
      for (int round = 0; round < 2; ++round)
        for (Region &region : op.getRegions()) {
          visit(region, pending);
          forgetSlots(pending);
          if (region.getRegionNumber() == 0)
            for (const Access &access : pending)
              add(left, access);
        }
      for (const Access &access : left)
        add(pending, access);
      return;
    }
    if (isa<scf::IfOp>(op) && llvm::all_of(op.getRegions(), [&](Region &region) {
          return !region.empty() && meetsAtOnce(region, pending);
        }))
      meetBefore(op, pending, /*waitsForStores=*/false);
    Pending after = op.getNumRegions() > 1 && op.getRegion(1).empty() ? pending : Pending();
    for (Region &region : op.getRegions()) {
      Pending branch = pending;
      visit(region, branch);
      for (const Access &access : branch)
        add(after, access);
    }
    pending = std::move(after);
  }

  // In another iteration the slots are others.
  static void forgetSlots(Pending &pending) {
    for (Access &access : pending)
      access.slot = {};
  }

  IntegerAttr warps; // that meet; null: the block's
  int64_t forget, inserted = 0;
  bool copiesForProxy = false;
  bool fencesGlobal = false;
  SmallVector<Access> bulkRings, stored; // where bulk copies write, and where bulk stores read
  Operation *forgotten = nullptr;
};

// Was anything inserted?
bool insertInto(func::FuncOp kernel, int64_t forget = 0) {
  auto count = [&] {
    int64_t decided = 0;
    kernel.walk([&](Operation *op) {
      decided += isa<tile::BarrierOp, tile::FenceOp, tile::WaitStoresOp>(op);
    });
    return decided;
  };
  int64_t before = count();
  BarrierInserter(kernel, forget).visitKernel(kernel);
  return count() != before;
}

struct InsertBarriers : impl::InsertBarriersBase<InsertBarriers> {
  using impl::InsertBarriersBase<InsertBarriers>::InsertBarriersBase;

  void runOnOperation() override {
    // What a loop's second walk inserts also runs in its first iteration, where other writes may
    // need a fence before it.
    while (insertInto(getOperation(), forget) && !forget)
      ;
  }
};

} // namespace

bool needsBarrier(func::FuncOp kernel) {
  OwningOpRef<func::FuncOp> copy = kernel.clone();
  return insertInto(*copy);
}

} // namespace tessera::plan
