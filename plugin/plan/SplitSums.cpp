// Sums that are too large for the registers of eight warps are made in parts, one loop after the
// other.
//
//   %c = for { mma %a, %b, %c : 256x64, 64x256, 256x256 }; view_store (cast %c)
//   ->  %c0 = for { mma %a0, %b : 128x64, 64x256, 128x256 }; %c1 = for { mma %a1, %b, ... };
//       view_store (cast %c0) to the upper half of the box; view_store (cast %c1) to the lower half
//
// So are several sums that are too large together: those of two products that meet, element by
// element (glu), or a sum and what it is added to every few turns (two levels). What is divided
// together is DividedTiles' knowledge.
//
// The parts have 128 rows where that is enough, one instruction for each warpgroup; else fewer
// columns. What the sums are made of must be read and computed, so that it may be made again, and
// nothing that the loop writes may change it; what the loop does besides, its first part does. The
// stores stay behind all loops, since they may write what the loops read, with the parts as narrow
// as they are stored; where they are known not to, a part is stored before the next one is begun,
// and registers never hold two.
#include "plan/DisjointBoxes.h"
#include "plan/DividedTiles.h"
#include "plan/Facts.h"
#include "plan/Layouts.h"
#include "plan/MatrixUnits.h"
#include "plan/Occupancy.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "plan/ReadOrder.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SPLITSUMS
#include "plan/Passes.h.inc"

namespace {

// What eight warps' registers hold beside the rest, and one step of two warpgroups.
constexpr int64_t elementsOfSum = int64_t(2) * 64 * 256, bitsOfSum = 32 * elementsOfSum,
                  rowsOfPart = 128;
// Registers of a thread that several sums may take together, and that parts of them do.
constexpr int64_t registersOfSums = 200, registersOfParts = 128;

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
  // 1 where registers hold what is divided as a whole.
  int64_t wantedParts() const {
    int64_t wanted = 1, bits = 0, largest = 0;
    for (const auto &[tile, dim] : tiles.tiles()) {
      auto carried = dyn_cast<BlockArgument>(tile);
      auto made = tile.getDefiningOp<tile::MmaOp>();
      const bool isBegun = made && !isa<BlockArgument>(made.getC());
      if (carried || isBegun)
        bits += bitsOf(tile);
      if (!made)
        continue;
      largest = std::max(largest, typeOf(tile).getNumElements());
      wanted = std::max(wanted, bitsOf(tile) / bitsOfSum);
      if (targetOf(made).has(GpuTarget::Wgmma) &&
          warpgroupObstacle(productOf(made)) == WarpgroupObstacle::Large)
        wanted = std::max(wanted, typeOf(tile).getNumElements() / elementsOfSum);
    }
    const int64_t registers = bits / 32 / (32 * warpsOfAccumulator(largest));
    if (registers > registersOfSums)
      wanted = std::max(wanted,
                        int64_t(llvm::PowerOf2Ceil(llvm::divideCeil(registers, registersOfParts))));
    return wanted;
  }

  // What the divided tiles are made of, from turn to turn: gives `needed`, if that can be made
  // again.
  bool findNeeded() {
    SmallVector<Value> values;
    for (const auto &[tile, dim] : tiles.tiles())
      values.push_back(tile);
    for (size_t i = 0; i < values.size(); ++i) {
      auto argument = dyn_cast<BlockArgument>(values[i]);
      if (argument && argument.getOwner() == loop.getBody() && argument != loop.getInductionVar() &&
          needs.insert(argument).second)
        values.push_back(loop.getTiedLoopYieldedValue(argument)->get());
      // With an operation the branch that it is in, and all that this yields.
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

  // Memory of the block's own, too, which is no obstacle to moves in global memory.
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

  // Moves what a value is computed of by itself before the loop: where a store goes, as a rule.
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

  // Whether all that some users need besides the sum is there before the loop.
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

  // Whether what is stored cannot be what the loop reads: then it may be, right behind the loop.
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
      // What is read behind the loop where it is stored is of the same part.
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

  // Nothing that may write stands before what is read behind the loop.
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
    auto collect = [&](auto &&self, Region &of, Region &ofCopy) -> void {
      for (auto [x, y] : llvm::zip_equal(of.getOps(), ofCopy.getOps())) {
        pairs.push_back({&x, &y});
        for (auto [inner, innerCopy] : llvm::zip_equal(x.getRegions(), y.getRegions()))
          self(self, inner, innerCopy);
      }
    };
    collect(collect, loop.getRegion(), copy.getRegion());
    for (auto [op, ofCopy] : pairs)
      if (tiles.isPart(op))
        tiles.divide(op, ofCopy, part, parts, map);
    if (part == 0)
      otherResults.assign(copy.result_begin(), copy.result_end());
    else
      dropOthers(copy, map);
    for (auto [result, ofFirst] : llvm::zip_equal(loop.getResults(), otherResults))
      if (!tiles.contains(result))
        map.map(Value(result), ofFirst);
    return copy;
  }

  // Other sums of the loop, and what it does besides, are those of its first part.
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

  // Some users of one part, behind an op or where they were; gives the last.
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
  llvm::DenseSet<Value> needs;               // of what the loop carries
  int64_t parts = 1;
  SmallVector<Operation *> users;  // of what the loop makes, behind it
  SmallVector<Value> otherResults; // of the loop, from its first part
};

// Its loop is made again with all that is in it: pointers to other multiplies of it end.
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

struct SplitSums : impl::SplitSumsBase<SplitSums> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    RewritePatternSet patterns(&getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    FrozenRewritePatternSet unused(std::move(patterns));
    // Of several sums of a loop each is split; those of copies that nothing reads go first.
    while (splitOne(kernel)) {
      (void)applyPatternsGreedily(kernel, unused);
      eraseDead(kernel);
    }
  }
};

} // namespace
} // namespace tessera::plan
