// Splits accumulators that exceed the registers of eight warps, one loop after the other.
//
//   %c = for { mma %a, %b, %c : 256x64, 64x256, 256x256 }; view_store (cast %c)
//   ->  %c0 = for { mma %a0, %b : 128x64, 64x256, 128x256 }; %c1 = for { mma %a1, %b, ... };
//       view_store (cast %c0) to the upper half of the box; view_store (cast %c1) to the lower half
//
// Several accumulators that are too large together are split, too: those of two matmuls that meet
// element-wise (GLU), or an accumulator and the one it is added to every few iterations (two
// levels). DividedTiles finds what is divided together.
//
// The parts have 128 rows where that is enough, one instruction for each warpgroup; else fewer
// columns. The inputs of the accumulators must be read and computed, so that they can be
// recomputed, and nothing that the loop writes may change them; whatever else the loop does, its
// first part does. The stores stay after all loops, since they may write what the loops read, with
// the parts as narrow as they are stored; where they are known not to, a part is stored before the
// next one begins, and registers never hold two.
#include "plan/analysis/DisjointBoxes.h"
#include "plan/tiling/DividedTiles.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/Occupancy.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "plan/analysis/ReadOrder.h"
#include "target/RegisterBudgets.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SPLITACCUMULATORS
#include "plan/Passes.h.inc"

namespace {

constexpr int64_t bitsOfAccumulator = 32 * elementsOfBlock, rowsOfPart = 128;

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

int64_t bitsOf(Value v) {
  return typeOf(v).getNumElements() * tile::storageBits(typeOf(v).getElementType());
}

bool isRead(Operation *op) {
  if (auto scalar = dyn_cast<LLVM::LoadOp>(op))
    return !scalar.getVolatile_() && scalar.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  return isa<tile::ViewLoadOp, tile::LoadOp>(op);
}

class Split {
public:
  Split(scf::ForOp loop, tile::MmaOp multiply) : loop(loop), multiply(multiply), tiles(loop) {}

  bool isPossible() {
    if (typeOf(multiply).getRank() != 2)
      return false;
    for (unsigned dim : {0, 1}) {
      tiles = DividedTiles(loop);
      if (!tiles.follow(multiply.getResult(), dim))
        continue;
      parts = wantedParts();
      if (parts <= 1)
        return false;
      const bool isWhole = dim == 1 || typeOf(multiply).getDimSize(0) / parts >= rowsOfPart;
      users = tiles.behind();
      if (isWhole && !users.empty() && tiles.canBe(parts))
        return findNeeded();
    }
    return false;
  }

  void run() {
    for (Operation *user : users)
      for (Value operand : user->getOperands())
        makeReady(operand);
    ArrayRef<Operation *> all = users;
    SmallVector<Operation *> computed, stores;
    for (Operation *user : all)
      (isa<tile::ViewStoreOp>(user) ? stores : computed).push_back(user);
    bool isReady = areReady(computed) && readsMayBeEarly(),
         isApart = isReady && areReady(all) && storesAreApart();
    Operation *behind = loop;
    SmallVector<IRMapping> maps(parts);
    for (int64_t part = 0; part < parts; ++part) {
      behind = makeLoop(part, behind, maps[part]);
      if (isReady)
        behind = makeUsers(isApart ? all : computed, part, behind, maps[part]);
    }
    for (int64_t part = 0; !isApart && part < parts; ++part)
      makeUsers(isReady ? ArrayRef(stores) : all, part, nullptr, maps[part]);
    for (Operation *user : llvm::reverse(users))
      user->erase();
    loop.getResults().replaceUsesWithIf(otherResults, [](OpOperand &) { return true; });
    loop.erase();
  }

private:
  // 1 where registers hold all divided tiles as a whole.
  int64_t wantedParts() const {
    int64_t wanted = 1, bits = 0, largest = 0;
    for (const auto &[tile, dim] : tiles.tiles()) {
      auto carried = dyn_cast<BlockArgument>(tile);
      auto made = tile.getDefiningOp<tile::MmaOp>();
      // The next multiply of a chain adds to the registers of the one before.
      const bool isBegun =
          made && !isa<BlockArgument>(made.getC()) && !made.getC().getDefiningOp<tile::MmaOp>();
      if (carried || isBegun)
        bits += bitsOf(tile);
      if (!made)
        continue;
      largest = std::max(largest, typeOf(tile).getNumElements());
      wanted = std::max(wanted, bitsOf(tile) / bitsOfAccumulator);
      if (targetOf(made).has(GpuTarget::Wgmma) &&
          warpgroupObstacle(matmulOf(made)) == MmaObstacle::Large)
        wanted = std::max(wanted, typeOf(tile).getNumElements() / elementsOfBlock);
    }
    const int64_t registers = bits / 32 / (32 * warpsOfAccumulator(largest));
    if (registers > registersOfAccumulators)
      wanted = std::max(wanted,
                        int64_t(llvm::PowerOf2Ceil(llvm::divideCeil(registers, registersOfParts))));
    return wanted;
  }

  // Collects in `needed` what the divided tiles are computed from, across iterations; false if that
  // cannot be recomputed.
  bool findNeeded() {
    SmallVector<Value> values;
    for (const auto &[tile, dim] : tiles.tiles())
      values.push_back(tile);
    for (size_t i = 0; i < values.size(); ++i) {
      auto argument = dyn_cast<BlockArgument>(values[i]);
      if (argument && argument.getOwner() == loop.getBody() && argument != loop.getInductionVar() &&
          needs.insert(argument).second)
        values.push_back(loop.getTiedLoopYieldedValue(argument)->get());
      // An operation needs the branch that it is in, and all that the branch yields.
      for (Operation *op = values[i].getDefiningOp();
           op && loop->isProperAncestor(op) && needed.insert(op).second; op = op->getParentOp()) {
        llvm::append_range(values, op->getOperands());
        if (auto branch = dyn_cast<scf::IfOp>(op))
          for (Block *block : {branch.thenBlock(), branch.elseBlock()})
            if (block) {
              needed.insert(block->getTerminator());
              llvm::append_range(values, block->getTerminator()->getOperands());
            }
      }
    }
    return llvm::all_of(needed, [&](Operation *op) {
      if (isRead(op))
        return obstacleOfMove(op, loop) == ReadObstacle::None && !isWrittenInLoop(addressOf(op));
      return isa<scf::IfOp, scf::YieldOp>(op) ||
             (op->getNumRegions() == 0 && isMemoryEffectFree(op));
    });
  }

  // Covers memory of the block's own, too, which is no obstacle to moves in global memory.
  bool isWrittenInLoop(Value address) {
    return loop
        ->walk([&](Operation *op) {
          SmallVector<MemoryEffects::EffectInstance> effects;
          if (auto interface = dyn_cast<MemoryEffectOpInterface>(op))
            interface.getEffects(effects);
          const bool writes = llvm::any_of(effects, [&](const auto &effect) {
            return isa<MemoryEffects::Write>(effect.getEffect()) && effect.getValue() &&
                   mayAlias(baseOf(effect.getValue()), baseOf(address));
          });
          return writes ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  // Moves the ops that compute a value before the loop, such as the address of a store.
  bool makeReady(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != loop->getBlock() || op->isBeforeInBlock(loop))
      return true;
    if (op == loop || op->getNumRegions() || !isMemoryEffectFree(op) ||
        llvm::is_contained(users, op) ||
        !llvm::all_of(op->getOperands(), [&](Value operand) { return makeReady(operand); }))
      return false;
    op->moveBefore(loop);
    return true;
  }

  // Whether all other inputs of some users are available before the loop.
  bool areReady(ArrayRef<Operation *> of) {
    return llvm::all_of(of, [&](Operation *user) {
      return llvm::all_of(user->getOperands(), [&](Value operand) {
        auto splat = operand.getDefiningOp<tile::SplatOp>();
        Operation *needed = (splat ? splat.getX() : operand).getDefiningOp();
        return !needed || needed == loop || llvm::is_contained(users, needed) ||
               needed->getBlock() != loop->getBlock() || needed->isBeforeInBlock(loop);
      });
    });
  }

  // Whether the stores cannot write what the loop reads: then they may follow the loop directly.
  bool storesAreApart() {
    SmallVector<Value> bases;
    for (Operation *op : needed)
      if (isRead(op))
        bases.push_back(baseOf(addressOf(op)));
    // Of several that overlap the last one counts, whatever the part.
    if (llvm::count_if(users, llvm::IsaPred<tile::ViewStoreOp>) != 1)
      return false;
    for (Operation *user : users) {
      auto store = dyn_cast<tile::ViewStoreOp>(user);
      if (!store)
        continue;
      // A read after the loop of the box that is stored is of the same part.
      for (Operation *other : users)
        if (auto load = dyn_cast<tile::ViewLoadOp>(other);
            load &&
            !(haveOneBox(load, store) && tiles.dimOf(load) == tiles.dimOf(store.getValue())))
          bases.push_back(baseOf(load.getBase()));
      Value base = baseOf(store.getBase());
      if (llvm::any_of(bases, [&](Value of) { return mayAlias(base, of); }))
        return false;
      for (Operation *op = loop->getNextNode(); op != store; op = op->getNextNode())
        if (!isMemoryEffectFree(op) && !llvm::is_contained(users, op))
          return false;
    }
    return true;
  }

  // No op that may write stands in front of the reads after the loop.
  bool readsMayBeEarly() const {
    return llvm::all_of(users, [&](Operation *user) {
      if (!isa<tile::ViewLoadOp>(user))
        return true;
      for (Operation *op = loop->getNextNode(); op != user; op = op->getNextNode())
        if (!isMemoryEffectFree(op) && !isa<tile::ViewLoadOp, tile::LoadOp>(op))
          return false;
      return true;
    });
  }

  Operation *makeLoop(int64_t part, Operation *behind, IRMapping &map) {
    OpBuilder b(loop);
    b.setInsertionPointAfter(behind);
    auto copy = cast<scf::ForOp>(b.clone(*loop, map));
    for (BlockArgument carried : loop.getRegionIterArgs())
      if (tiles.contains(carried))
        map.lookup(carried).setType(tiles.partOf(carried, parts));
    SmallVector<std::pair<Operation *, Operation *>> pairs = {{loop, copy}};
    auto collect = [&](auto &&self, Region &of, Region &copied) -> void {
      for (auto [x, y] : llvm::zip_equal(of.getOps(), copied.getOps())) {
        pairs.push_back({&x, &y});
        for (auto [inner, innerCopy] : llvm::zip_equal(x.getRegions(), y.getRegions()))
          self(self, inner, innerCopy);
      }
    };
    collect(collect, loop.getRegion(), copy.getRegion());
    for (auto [op, copied] : pairs)
      if (tiles.isPart(op))
        tiles.divide(op, copied, part, parts, map);
    if (part == 0)
      otherResults.assign(copy.result_begin(), copy.result_end());
    else
      dropOthers(copy, map);
    for (auto [result, firstResult] : llvm::zip_equal(loop.getResults(), otherResults))
      if (!tiles.contains(result))
        map.map(Value(result), firstResult);
    return copy;
  }

  // Other accumulators of the loop, and its other ops, belong to its first part.
  void dropOthers(scf::ForOp copy, const IRMapping &map) {
    for (BlockArgument argument : loop.getRegionIterArgs())
      if (!needs.contains(argument))
        copy.getTiedLoopYieldedValue(cast<BlockArgument>(map.lookup(Value(argument))))
            ->set(map.lookup(Value(argument)));
    SmallVector<Operation *> others;
    loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (needed.contains(op) || op == loop.getBody()->getTerminator())
        return WalkResult::advance();
      others.push_back(op);
      return WalkResult::skip();
    });
    for (Operation *op : llvm::reverse(others))
      map.lookup(op)->erase();
  }

  // Makes the users of one part, after an op or at their own positions; returns the last.
  Operation *makeUsers(ArrayRef<Operation *> of, int64_t part, Operation *behind, IRMapping &map) {
    for (Operation *user : of) {
      OpBuilder b(user);
      if (behind)
        b.setInsertionPointAfter(behind);
      Operation *copy = b.clone(*user, map);
      tiles.divide(user, copy, part, parts, map);
      if (behind)
        behind = copy;
    }
    return behind;
  }

  scf::ForOp loop;
  tile::MmaOp multiply;
  DividedTiles tiles;
  llvm::SmallPtrSet<Operation *, 16> needed; // of the loop's body
  llvm::DenseSet<Value> needs;               // of the loop-carried values
  int64_t parts = 1;
  SmallVector<Operation *> users;  // of the loop's results, after it
  SmallVector<Value> otherResults; // of the loop, from its first part
};

// Its loop is cloned with its body: pointers to other multiplies of it become invalid.
bool splitOne(func::FuncOp kernel) {
  return kernel
      .walk([](tile::MmaOp op) {
        auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
        if (!loop)
          return WalkResult::advance();
        Split split(loop, op);
        if (!split.isPossible())
          return WalkResult::advance();
        split.run();
        return WalkResult::interrupt();
      })
      .wasInterrupted();
}

struct SplitAccumulators : impl::SplitAccumulatorsBase<SplitAccumulators> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    // Each accumulator of a loop is split; those of copies that nothing reads go first.
    while (splitOne(kernel))
      eraseUnusedCarried(kernel);
  }
};

} // namespace
} // namespace tessera::plan
