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
// Where one stage for each is too much, too, two operands of one type may have a stage in turn: the
// first multiply frees it for the other one's operand of the same iteration. So latent attention
// takes keys of 128 KiB, and values of as many:
//
//   copy_async %s <- K(0); commit_group
//   for { wait_group 0; %p = f(shared_mma %q, %s)
//         copy_async %s <- V; commit_group
//         wait_group 0; shared_mma %p, %s
//         copy_async %s <- K(next) when it exists; commit_group } wait_group 0
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

bool haveSameTypes(ArrayRef<PipelinedLoad> one, ArrayRef<PipelinedLoad> other) {
  return llvm::equal(one, other, [](PipelinedLoad x, PipelinedLoad y) {
    return x.buffer.getType() == y.buffer.getType();
  });
}

// Gives two parts one stage, the largest that can have one in turn; false: there are none left.
bool shareStage(SingleStages &single) {
  std::optional<std::pair<size_t, size_t>> best;
  int64_t bytesOfBest = 0;
  auto isAlone = [&](size_t part) {
    return single.stageOf[part] == part && llvm::count(single.stageOf, part) == 1;
  };
  for (size_t second = 0; second < single.parts.size(); ++second)
    for (size_t first = 0; first < second; ++first) {
      ArrayRef<PipelinedLoad> one = single.parts[first], other = single.parts[second];
      const int64_t bytes = bytesOfStage(one);
      if (bytes > bytesOfBest && isAlone(first) && isAlone(second) && haveSameTypes(one, other) &&
          readersOf(one).last->isBeforeInBlock(readersOf(other).first)) {
        best = {first, second};
        bytesOfBest = bytes;
      }
    }
  if (!best)
    return false;
  single.stageOf[best->second] = best->first;
  single.bytes -= bytesOfBest;
  return true;
}

// The copies into single stages: when each starts, and what is in flight meanwhile.
class Copies {
public:
  Copies(scf::ForOp loop, const SingleStages &single, const Ring &ring)
      : loop(loop), single(single), ring(ring), b(loop) {
    readers = llvm::map_to_vector(single.parts,
                                  [](ArrayRef<PipelinedLoad> part) { return readersOf(part); });
    // An iteration commits the groups in the order in which its multiplies free the stages.
    order = llvm::to_vector(llvm::seq<size_t>(0, single.parts.size()));
    llvm::stable_sort(order, [&](size_t one, size_t other) {
      return readers[one].last->isBeforeInBlock(readers[other].last);
    });
  }

  void start() {
    makeStages();
    slot = arith::ConstantOp::create(b, loop.getLoc(), b.getI32IntegerAttr(0));
    // Each part has barriers of its own. The groups of the iteration before, as far as it copies
    // for this one.
    bool isFirst = true; // nothing counts an empty group in front of all others
    for (size_t freed : order) {
      const size_t part = nextIn(freed);
      if (ring.isBulk)
        bulk[part] = beginBulkRing(loop, {single.parts[part]}, /*stages=*/1);
      if (isFirstIn(part))
        startPrologue(b, loop, {single.parts[part]}, stages[part], bulk[part], /*count=*/1);
      else if (!isFirst)
        tile::CommitGroupOp::create(b, loop.getLoc());
      isFirst = false;
    }
    for (size_t part = 0; part < single.parts.size(); ++part) {
      b.setInsertionPoint(readers[part].first);
      waitForCopies(b, loop, single.parts[part], stages[part], bulk[part], pendingAt(part), slot);
    }
    for (auto [i, freed] : llvm::enumerate(order)) {
      if (!i || readers[order[i - 1]].last != readers[freed].last)
        b.setInsertionPointAfter(readers[freed].last); // else after the other part's copies
      startNext(nextIn(freed));
    }
    readStages();
    b.setInsertionPointAfter(loop);
    tile::WaitGroupOp::create(b, loop.getLoc(), 0);
  }

private:
  bool isFirstIn(size_t part) const { return single.stageOf[part] == part; }

  // The part that has a stage after another one of at most two: in the same iteration, or in the
  // next one if it is the first in its stage.
  size_t nextIn(size_t part) const {
    for (size_t other = 0; other < single.stageOf.size(); ++other)
      if (other != part && single.stageOf[other] == single.stageOf[part])
        return other;
    return part;
  }

  void makeStages() {
    Location loc = loop.getLoc();
    stages.resize(single.parts.size());
    bulk.resize(single.parts.size());
    for (auto [part, loads] : llvm::enumerate(single.parts)) {
      if (!isFirstIn(part)) {
        stages[part] = stages[single.stageOf[part]];
        continue;
      }
      for (auto [pipelined, ends] :
           llvm::zip_equal(loads, endsOf(ArrayRef<SmallVector<PipelinedLoad>>(loads)))) {
        auto make = [&](Type type) -> Value {
          return tile::SharedAllocOp::create(b, loc, type, /*stages=*/1, IntegerAttr());
        };
        tile::SharedAllocOp buffer = pipelined.buffer;
        stages[part].push_back(
            {make(buffer.getType()), ring.hasEnds && ends ? make(ends) : Value()});
      }
    }
  }

  // The groups that were committed since a part's own: after what had its stage before was read, in
  // this iteration, or in the one before if it is the first in its stage.
  int64_t pendingAt(size_t part) const {
    const bool isOfIterationBefore = isFirstIn(part);
    int64_t pending = 0;
    bool isBehind = false;
    for (size_t freed : order) {
      const bool isDone = readers[freed].last->isBeforeInBlock(readers[part].first);
      const int64_t times =
          isOfIterationBefore ? int64_t(isBehind) + int64_t(isDone) : int64_t(isBehind && isDone);
      pending += commitsGroups(bulk[nextIn(freed)]) ? times : 0;
      isBehind |= nextIn(freed) == part;
    }
    return pending;
  }

  void startNext(size_t part) {
    Location loc = loop.getLoc();
    Value counter = loop.getInductionVar();
    OtherIteration there{counter, Value(), /*distance=*/0, /*isBeforeLoop=*/false};
    if (isFirstIn(part)) {
      there.variable = advance(b, loop, counter, b.getIndexAttr(1));
      there.exists = iterationExists(b, loop, counter, there.variable, b.getIndexAttr(1));
      there.distance = 1;
    } else {
      there.exists = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    }
    startCopies(b, loop, single.parts[part], stages[part], bulk[part], there, slot);
  }

  void readStages() {
    b.setInsertionPoint(loop);
    for (auto [part, ofPart] : llvm::zip_equal(single.parts, stages))
      for (auto [pipelined, ring] : llvm::zip_equal(part, ofPart)) {
        tile::SharedAllocOp buffer = pipelined.buffer;
        buffer.getResult().replaceAllUsesWith(
            tile::SharedSlotOp::create(b, loop.getLoc(), buffer.getType(), ring.tiles, slot));
        tile::SharedStoreOp(pipelined.store).erase();
        buffer.erase();
      }
  }

  scf::ForOp loop;
  const SingleStages &single;
  const Ring &ring;
  OpBuilder b;
  SmallVector<Readers> readers; // of each part
  SmallVector<size_t> order;    // of the parts, as their last readers stand
  SmallVector<SmallVector<RingOfTiles>> stages;
  SmallVector<std::optional<BulkRing>> bulk;
  Value slot;
};

} // namespace

SingleStages singleStagesOf(scf::ForOp loop, ArrayRef<PipelinedLoad> pipelinedLoads,
                            int64_t beside) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  SingleStages single;
  auto &parts = single.parts;
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
  if (parts.size() < 2)
    return {};
  llvm::sort(parts, [&](ArrayRef<PipelinedLoad> one, ArrayRef<PipelinedLoad> other) {
    return areInOrder(readersOf(one), readersOf(other));
  });
  single.stageOf = llvm::to_vector(llvm::seq<size_t>(0, parts.size()));
  single.bytes = bytesOfStage(pipelinedLoads);
  while (single.bytes + beside + bytesOfExchange > targetOf(kernel).sharedOfBlock)
    if (!shareStage(single))
      return {};
  return single;
}

void copyIntoSingleStages(scf::ForOp loop, const SingleStages &single, const Ring &ring) {
  Copies(loop, single, ring).start();
}

} // namespace tessera::plan
