// A loop of two multiplies, such as attention's, with tiles so large that two stages of their
// operands do not fit: each operand has one stage, and the copies for the next iteration start as
// soon as this iteration's multiply has read it. So they are in flight while the other multiply,
// and what threads compute between the two, takes place:
//
//   for { %k = view_load; shared_store %k, %s; %p = f(shared_mma %q, %s)
//         %v = view_load; shared_store %v, %t; shared_mma %p, %t }
// becomes
//   copy_async %s <- K(0); commit_group; copy_async %t <- V(0); commit_group
//   for { wait_group 1; %p = f(shared_mma %q, %s)
//         copy_async %s <- K(next) when it exists; commit_group
//         wait_group 1; shared_mma %p, %t
//         copy_async %t <- V(next) when it exists; commit_group } wait_group 0
//
// Each part of an iteration has one group, whether or not there is anything to copy. A wait leaves
// in flight the groups that were committed after the one it is for. The barrier in front of a copy,
// after which all threads have read the stage, is pass insert-barriers' work.
#include "plan/pipeline/SingleStages.h"

#include "plan/analysis/Layouts.h"
#include "plan/pipeline/Prologue.h"
#include "plan/pipeline/ShiftedRows.h"
#include "plan/Plan.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// What exchanges between threads take besides: rows of reductions.
constexpr int64_t bytesOfExchange = 4096;

// The first and the last multiply of an iteration that read a buffer.
struct Readers {
  Operation *first = nullptr, *last = nullptr;

  bool operator==(const Readers &other) const { return first == other.first && last == other.last; }
};

// The multiplies that read it, and whatever else does.
SmallVector<Operation *> allReadersOf(const PipelinedLoad &pipelined) {
  tile::SharedAllocOp buffer = pipelined.buffer;
  tile::SharedStoreOp store = pipelined.store;
  SmallVector<Operation *> users(buffer->getUsers());
  llvm::erase(users, store.getOperation());
  return users;
}

// Do multiplies of an iteration read it, none of them in a branch or in another loop?
bool isReadInIteration(const PipelinedLoad &pipelined, scf::ForOp loop) {
  SmallVector<Operation *> users = allReadersOf(pipelined);
  return !users.empty() && llvm::all_of(users, [&](Operation *user) {
    return isa<tile::SharedMmaOp>(user) && user->getBlock() == loop.getBody();
  });
}

// Of each load of a part.
Readers readersOf(ArrayRef<PipelinedLoad> part) {
  Readers readers;
  for (Operation *user : allReadersOf(part.front())) {
    if (!readers.first || user->isBeforeInBlock(readers.first))
      readers.first = user;
    if (!readers.last || readers.last->isBeforeInBlock(user))
      readers.last = user;
  }
  return readers;
}

// In the order of an iteration: parts are due at their first readers, and free at their last ones.
bool areInOrder(const Readers &one, const Readers &other) {
  return one.first == other.first ? one.last->isBeforeInBlock(other.last)
                                  : one.first->isBeforeInBlock(other.first);
}

} // namespace

SmallVector<SmallVector<PipelinedLoad>>
singleStagesOf(scf::ForOp loop, ArrayRef<PipelinedLoad> pipelinedLoads, int64_t beside) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  SmallVector<SmallVector<PipelinedLoad>> parts;
  for (const PipelinedLoad &pipelined : pipelinedLoads) {
    if (!isReadInIteration(pipelined, loop))
      return {};
    const Readers readers = readersOf(pipelined);
    auto *part = llvm::find_if(
        parts, [&](ArrayRef<PipelinedLoad> other) { return readersOf(other) == readers; });
    if (part != parts.end())
      part->push_back(pipelined);
    else
      parts.push_back({pipelined});
  }
  if (parts.size() < 2 ||
      bytesOfStage(pipelinedLoads) + beside + bytesOfExchange > targetOf(kernel).sharedOfBlock)
    return {};
  llvm::sort(parts, [&](ArrayRef<PipelinedLoad> one, ArrayRef<PipelinedLoad> other) {
    return areInOrder(readersOf(one), readersOf(other));
  });
  return parts;
}

void copyIntoSingleStages(scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts,
                          const Ring &ring) {
  Location loc = loop.getLoc();
  OpBuilder b(loop);
  SmallVector<Readers> readers =
      llvm::map_to_vector(parts, [&](ArrayRef<PipelinedLoad> part) { return readersOf(part); });
  // An iteration commits the groups in the order in which its multiplies free the stages.
  SmallVector<size_t> order = llvm::to_vector(llvm::seq<size_t>(0, parts.size()));
  llvm::stable_sort(order, [&](size_t one, size_t other) {
    return readers[one].last->isBeforeInBlock(readers[other].last);
  });
  SmallVector<SmallVector<RingOfTiles>> stages(parts.size());
  for (auto [part, ofPart] : llvm::zip_equal(parts, stages))
    for (auto [pipelined, ends] :
         llvm::zip_equal(part, endsOf(ArrayRef<SmallVector<PipelinedLoad>>(part)))) {
      auto make = [&](Type type) -> Value {
        return tile::SharedAllocOp::create(b, loc, type, /*stages=*/1, IntegerAttr());
      };
      tile::SharedAllocOp buffer = pipelined.buffer;
      ofPart.push_back({make(buffer.getType()), ring.hasEnds && ends ? make(ends) : Value()});
    }
  // Each part has barriers of its own.
  SmallVector<std::optional<BulkRing>> bulk(parts.size());
  for (size_t part : order) {
    if (ring.isBulk)
      bulk[part] = beginBulkRing(loop, {parts[part]}, /*stages=*/1);
    startPrologue(b, loop, {parts[part]}, stages[part], bulk[part], /*count=*/1);
  }

  // Committed since a part's own group: by the parts that the iteration before freed after it, and
  // by those that this iteration frees before the part is due.
  Value slot = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  for (size_t part = 0; part < parts.size(); ++part) {
    int64_t pending = 0;
    bool isBehind = false;
    for (size_t other : order) {
      const bool isSince = isBehind || readers[other].last->isBeforeInBlock(readers[part].first);
      pending += isSince && commitsGroups(bulk[other]);
      isBehind |= other == part;
    }
    b.setInsertionPoint(readers[part].first);
    waitForCopies(b, loop, parts[part], stages[part], bulk[part], pending, slot);
  }

  for (auto [i, part] : llvm::enumerate(order)) {
    if (!i || readers[order[i - 1]].last != readers[part].last)
      b.setInsertionPointAfter(readers[part].last); // else after the other part's copies
    Value counter = loop.getInductionVar(), next = advance(b, loop, counter, b.getIndexAttr(1));
    Value exists = iterationExists(b, loop, counter, next, b.getIndexAttr(1));
    startCopies(b, loop, parts[part], stages[part], bulk[part],
                {next, exists, /*distance=*/1, /*isBeforeLoop=*/false}, slot);
  }
  b.setInsertionPoint(loop);
  for (auto [part, ofPart] : llvm::zip_equal(parts, stages))
    for (auto [pipelined, ring] : llvm::zip_equal(part, ofPart)) {
      tile::SharedAllocOp buffer = pipelined.buffer;
      buffer.getResult().replaceAllUsesWith(
          tile::SharedSlotOp::create(b, loc, buffer.getType(), ring.tiles, slot));
      tile::SharedStoreOp(pipelined.store).erase();
      buffer.erase();
    }
  b.setInsertionPointAfter(loop);
  tile::WaitGroupOp::create(b, loc, 0);
}

} // namespace tessera::plan
