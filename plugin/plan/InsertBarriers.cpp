// The only place where a barrier, or a fence, is decided.
//
// A tile program is one logical thread, run by many. Two accesses of the same memory of which one
// writes need a barrier between them, unless the same thread makes both, which only the last two
// rules know of. The pass walks the program with the set of accesses since the last barrier; an
// access that conflicts with one of them gets a barrier before it. A loop is walked twice: the
// second time the set holds what its own body left.
//   * Shared memory: tiles conflict when their byte ranges overlap, but for two slots of a ring
//     that a loop carries side by side.
//   * Global memory: accesses conflict when their bases may alias. Threads that do not own an
//     element read what another thread wrote. Scalars are stored by one thread, in its order, which
//     makes atomics of scalars, too. What a block does for several of the program's is in no order
//     among these (EachBlock.h). Boxes that a loop's variable keeps apart are other memory.
//   * An atomic with an order stronger than relaxed conflicts with every access of global memory:
//     one thread makes it for the block, whose other threads' accesses a release must cover and
//     an acquire must precede.
//   * Every wait_group is followed by a barrier: a thread waits for its own copies only. So a
//     copy_async conflicts with reads before it, and its own write is settled by that barrier,
//     whichever slot of a ring it goes to. The same of gather_async. What a warp copied it may shift
//     before that barrier (shift_rows). Where floats are to be rounded first, their copies have
//     their own barrier (round_copied).
//   * A multiply of warpgroups that a loop leaves in flight reads until mma_finish. Within the loop
//     the pass pipeline-loops answers for the stages that it reads: nothing else lies in their bytes.
//   * wgmma reads shared memory through the asynchronous proxy, and bulk copies write it: what
//     threads wrote for the one, or where the other will write, is fenced by them before the
//     barrier that stands between; what they read there has been read behind it. A wait_group with
//     arrivals fences by itself where it is not bulk copies that it waits for.
//   * A warp that fills a ring and those who read it wait for one another at the ring's arrivals, in
//     whose bytes nothing else lies: neither what the warp does nor a wait for it is seen here. A
//     store in parts meets by itself around what it writes to its panels, which nothing else
//     accesses.
//   * A bulk store reads its tile until wait_stores, which one thread waits in: before a barrier
//     behind which the bytes are written, or the end. What it writes nothing else accesses
//     (pass bulk-stores), but for reads before it: where there are any, what threads did to global
//     memory is fenced with the tile.
// A branch both of whose sides need a barrier has it before it.
#include "plan/InsertBarriers.h"

#include "llvm/ADT/TypeSwitch.h"
#include "plan/DisjointBoxes.h"
#include "plan/EachBlock.h"
#include "plan/Facts.h"
#include "plan/Layouts.h"
#include "plan/Passes.h"
#include "plan/Plan.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_INSERTBARRIERS
#include "plan/Passes.h.inc"

namespace {

// The number of slots, if a loop carries a slot of a ring that is the next one in every turn.
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

// Slots of a ring that begin apart and go on alike are never one in the same turn.
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
  auto blocks = op ? op->getAttrOfType<DenseI64ArrayAttr>(ofBlockAttr) : DenseI64ArrayAttr();
  return blocks ? blocks.asArrayRef() : ArrayRef<int64_t>();
}

struct Access {
  bool writes = false, shared = false;
  int64_t begin = 0, end = 0; // shared: bytes
  Value slot;                 // shared: of those bytes, in this turn of a loop; null = all
  Value base;                 // global: null = anywhere
  bool orders = false;        // global: whatever the base
  bool isByFirst = false;     // global: the first thread makes it, alone
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
  // Of two stores of one loop that nothing makes again in their order.
  bool isOfOtherBox(const Access &other) const {
    auto store = dyn_cast_or_null<tile::ViewStoreOp>(op),
         before = dyn_cast_or_null<tile::ViewStoreOp>(other.op);
    auto loop = store ? dyn_cast_or_null<scf::ForOp>(loopAround(store)) : scf::ForOp();
    return loop && before && loopAround(before) == loop && !loopAround(loop) &&
           areApartInTurns(store, before, loop);
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

// What a barrier leaves: reads that nobody has waited for.
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
  llvm::TypeSwitch<Operation *>(op)
      .Case<tile::SharedStoreOp, tile::GatherAsyncOp>(
          [&](auto o) { result.push_back(sharedAccess(o.getShared(), true)); })
      .Case([&](tile::CopyAsyncOp o) {
        result.push_back(sharedAccess(o.getShared(), true));
        if (o.getEnds())
          result.push_back(sharedAccess(o.getEnds(), true));
      })
      .Case<tile::SharedLoadOp, tile::SharedLoadPartOp>(
          [&](auto o) { result.push_back(sharedAccess(o.getShared(), false)); })
      .Case([&](tile::BulkStoreOp o) {
        result.push_back(sharedAccess(o.getShared(), false));
        result.back().isInFlight = true;
      })
      .Case([&](tile::StorePartsOp o) {
        result.push_back(sharedAccess(o.getPanels(), false));
        result.back().isInFlight = true;
      })
      .Case([&](tile::MakeBoxMapOp o) {
        if (o.getScratch())
          result.push_back(sharedAccess(o.getScratch(), true));
      })
      .Case([&](tile::BeginArrivalsOp o) { result.push_back(sharedAccess(o.getBuffer(), true)); })
      .Case([&](tile::EndArrivalsOp o) {
        auto begin = o.getArrivals().getDefiningOp<tile::BeginArrivalsOp>();
        result.push_back(sharedAccess(begin.getBuffer(), true));
      })
      .Case([&](tile::SharedMmaOp o) {
        if (!o.hasAInRegisters())
          result.push_back(sharedAccess(o.getA(), false));
        result.push_back(sharedAccess(o.getB(), false));
      })
      .Case([&](tile::MmaFinishOp o) {
        tile::SharedMmaOp multiply = o.getMultiply();
        if (multiply.getKind() != tile::MmaKind::wgmma)
          return; // what is left of it is in registers
        if (!multiply.hasAInRegisters())
          result.push_back(sharedAccess(multiply.getA(), false));
        result.push_back(sharedAccess(multiply.getB(), false));
      });
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
    if (isa<tile::ViewStoreOp>(op) || op->hasAttr(ofBlockAttr))
      access.op = op;
    result.push_back(access);
  }
  return result;
}

class BarrierInserter {
public:
  // forget: the number of the barrier that is decided and left out, from 1; 0 for none.
  explicit BarrierInserter(func::FuncOp kernel, int64_t forget = 0) : forget(forget) {
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
    if (isa<tile::CopyingWarpOp>(op))
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
    if (auto wait = dyn_cast<tile::WaitGroupOp>(op); wait && !wait.isForCopyingWarp()) {
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

  // inFlight: with what nobody has waited for.
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

  // Does a barrier stand, or is one wanted, in the region before anything that is nested there?
  static bool meetsAtOnce(Region &region, ArrayRef<Access> pending) {
    for (Operation &op : region.front()) {
      if (op.getNumRegions() || isa<tile::BarrierOp, tile::WaitGroupOp, tile::WaitStoresOp>(op))
        return false;
      if (conflict(accessesOf(&op), pending))
        return !conflict(accessesOf(&op), pending, /*inFlight=*/true);
    }
    return false;
  }

  // Multiplies of warpgroups, too, read through the asynchronous proxy.
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

  // With global memory where what is fenced goes out by a bulk store.
  void createFence(OpBuilder &b, Operation &op, ArrayRef<Access> pending) const {
    bool goesOut = fencesGlobal && llvm::any_of(pending, [&](const Access &access) {
                     return access.isForProxy && llvm::any_of(stored, [&](const Access &tile) {
                              return access.conflictsWith(tile);
                            });
                   });
    tile::FenceOp::create(b, op.getLoc(), goesOut);
  }

  // A loop is walked twice: what was forgotten once stays so.
  void insert(OpBuilder &b, Operation &op, bool needsFence, ArrayRef<Access> pending) {
    if (&op == forgotten || ++inserted == forget) {
      forgotten = &op;
      return;
    }
    if (needsFence)
      createFence(b, op, pending);
    tile::BarrierOp::create(b, op.getLoc());
  }

  // Before a barrier that stands already.
  void fence(OpBuilder &b, Operation &barrier, ArrayRef<Access> pending) const {
    if (hasWritesForProxy(pending) && !isa_and_present<tile::FenceOp>(barrier.getPrevNode()))
      createFence(b, barrier, pending);
  }

  // The first copies of a ring do not meet one another: what they overwrite is waited for once, not
  // in each turn of their loop.
  void meetBeforeCopies(Operation &loop, Pending &pending) {
    bool meet = false, waitForStores = false;
    loop.walk([&](Operation *op) {
      if (op->getNumRegions())
        return;
      SmallVector<Access, 3> accesses = accessesOf(op);
      meet |= conflict(accesses, pending);
      waitForStores |= conflict(accesses, pending, /*inFlight=*/true);
    });
    if (meet)
      meetBefore(loop, pending, waitForStores);
  }

  void visitRegions(Operation &op, Pending &pending) {
    if (op.hasAttr(firstCopiesAttr))
      meetBeforeCopies(op, pending);
    if (isa<LoopLikeOpInterface>(op)) {
      // A loop is left from its first region (of a `while`: behind the condition), or without
      // having run at all.
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

  // In another turn they are others.
  static void forgetSlots(Pending &pending) {
    for (Access &access : pending)
      access.slot = {};
  }

  int64_t forget, inserted = 0;
  bool copiesForProxy = false;
  bool fencesGlobal = false;
  SmallVector<Access> bulkRings, stored; // where bulk copies write, and read
  Operation *forgotten = nullptr;
};

// Is anything new?
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
    // What a loop's second walk finds stands in its first iteration, too, where other writes may
    // want a fence before it.
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
