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
//   of scalars, too. Atomics of one kind whose results nobody has need no order among themselves.
//   What a block does for several blocks of the program has no order among these
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

#include "plan/memory/MemoryAccess.h"
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

using Pending = SmallVector<MemoryAccess>;

void add(Pending &pending, const MemoryAccess &access) {
  if (!llvm::is_contained(pending, access))
    pending.push_back(access);
}

// What remains after a barrier: reads of bulk stores that have not been waited for.
void settle(Pending &pending) {
  llvm::erase_if(pending, [](const MemoryAccess &access) { return !access.isInFlight; });
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
      if (copy.getBarriers())
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
    if (!llvm::any_of(pending, [](const MemoryAccess &access) { return access.isInFlight; }))
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
      for (MemoryAccess &access : pending)
        access.isInFlight = false;
      return;
    }
    if (isa<tile::ProducerWarpOp>(op))
      return;
    if (op.getNumRegions())
      return visitRegions(op, pending);
    SmallVector<MemoryAccess, 3> accesses = memoryAccessesOf(&op);
    for (MemoryAccess &access : accesses)
      access.isForProxy |=
          access.writes && isThreads(op) && access.shared && isWhereBulkCopiesWrite(access);
    if (conflict(accesses, pending))
      meetBefore(op, pending, conflict(accesses, pending, /*inFlight=*/true));
    bool async = isa<tile::CopyAsyncOp, tile::GatherAsyncOp>(op);
    for (const MemoryAccess &access : accesses)
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
  static bool conflict(ArrayRef<MemoryAccess> accesses, ArrayRef<MemoryAccess> pending,
                       bool inFlight = false) {
    return llvm::any_of(accesses, [&](const MemoryAccess &mine) {
      return llvm::any_of(pending, [&](const MemoryAccess &earlier) {
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
  static bool meetsAtOnce(Region &region, ArrayRef<MemoryAccess> pending) {
    for (Operation &op : region.front()) {
      if (op.getNumRegions() || isa<tile::BarrierOp, tile::WaitGroupOp, tile::WaitStoresOp>(op))
        return false;
      if (conflict(memoryAccessesOf(&op), pending))
        return !conflict(memoryAccessesOf(&op), pending, /*inFlight=*/true);
    }
    return false;
  }

  // wgmma, too, reads through the asynchronous proxy.
  static bool isThreads(Operation &op) {
    return !isa<tile::SharedMmaOp, tile::MmaFinishOp, tile::CopyAsyncOp, tile::GatherAsyncOp,
                tile::BulkStoreOp, tile::StorePartsOp>(op);
  }

  bool isWhereBulkCopiesWrite(const MemoryAccess &access) const {
    return llvm::any_of(bulkRings, [&](const MemoryAccess &ring) {
      return access.begin < ring.end && ring.begin < access.end;
    });
  }

  static bool hasWritesForProxy(ArrayRef<MemoryAccess> pending) {
    return llvm::any_of(pending, [](const MemoryAccess &access) { return access.isForProxy; });
  }

  // The fence covers global memory, too, where a bulk store reads the fenced tile.
  void createFence(OpBuilder &b, Operation &op, ArrayRef<MemoryAccess> pending) const {
    bool goesOut =
        fencesGlobal && llvm::any_of(pending, [&](const MemoryAccess &access) {
          return access.isForProxy && llvm::any_of(stored, [&](const MemoryAccess &tile) {
                   return access.conflictsWith(tile);
                 });
        });
    tile::FenceOp::create(b, op.getLoc(), goesOut);
  }

  // A loop is walked twice: a barrier that was left out stays out.
  void insert(OpBuilder &b, Operation &op, bool needsFence, ArrayRef<MemoryAccess> pending) {
    if (&op == forgotten || ++inserted == forget) {
      forgotten = &op;
      return;
    }
    if (needsFence)
      createFence(b, op, pending);
    tile::BarrierOp::create(b, op.getLoc(), warps);
  }

  // Before an existing barrier.
  void fence(OpBuilder &b, Operation &barrier, ArrayRef<MemoryAccess> pending) const {
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
      SmallVector<MemoryAccess, 3> accesses = memoryAccessesOf(inner);
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
            for (const MemoryAccess &access : pending)
              add(left, access);
        }
      for (const MemoryAccess &access : left)
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
      for (const MemoryAccess &access : branch)
        add(after, access);
    }
    pending = std::move(after);
  }

  // In another iteration the slots are others.
  static void forgetSlots(Pending &pending) {
    for (MemoryAccess &access : pending)
      access.slot = {};
  }

  IntegerAttr warps; // that meet; null: the block's
  int64_t forget, inserted = 0;
  bool copiesForProxy = false;
  bool fencesGlobal = false;
  SmallVector<MemoryAccess> bulkRings,
      stored; // where bulk copies write, and where bulk stores read
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
