// The epilogue of a loop of multiplies is read, computed and stored in parts of columns, where the
// registers of a thread do not hold the accumulator and the epilogue's reads as a whole.
//
//   %c = for { mma } : 128x256; %r = view_load; view_store (binary add %c, %r)
//   ->  %c0 = extract %c[0, 0] : 128x64; %r0 = view_load; view_store (binary add %c0, %r0);
//       %c1 = extract %c[0, 1] : 128x64; %r1 = view_load; view_store (binary add %c1, %r1); ...
//
// The accumulators are those of wgmma, whose columns are registers: a part of one costs nothing.
// DividedTiles finds what is divided together. A part is read after the store of the previous one:
// nothing else may access memory in between, and the store may not write what is read later.
#include "plan/tiling/SplitEpilogue.h"

#include "plan/analysis/DisjointBoxes.h"
#include "plan/tiling/DividedTiles.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/Occupancy.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "target/RegisterBudgets.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SPLITEPILOGUE
#include "plan/Passes.h.inc"

namespace {

constexpr unsigned columns = 1; // the dimension

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

// Whether each iteration adds to it by wgmma.
bool isOfWarpgroups(scf::ForOp loop, OpResult result) {
  auto multiply = loop.getYieldedValues()[result.getResultNumber()].getDefiningOp<tile::MmaOp>();
  return multiply && typeOf(multiply).getRank() == 2 && instructionFor(multiply).isOfWarpgroups();
}

class Epilogue {
public:
  explicit Epilogue(scf::ForOp loop) : loop(loop), tiles(loop, DividedTiles::Loop::Whole) {}

  bool isDivided(OpResult accumulator) {
    if (!tiles.follow(accumulator, columns))
      return false;
    users = tiles.behind();
    parts = wantedParts();
    return parts > 1 && tiles.canBe(parts) && isAlone();
  }

  void collectReads(llvm::SmallPtrSetImpl<Operation *> &reads) const {
    for (Operation *user : users)
      if (isa<tile::ViewLoadOp>(user))
        reads.insert(user);
  }

  void divide() {
    OpBuilder b(users.back());
    for (int64_t part = 0; part < parts; ++part) {
      IRMapping map;
      for (OpResult result : loop.getResults())
        if (tiles.contains(result))
          map.map(Value(result), partOfAccumulator(b, result, part));
      for (Operation *user : users)
        tiles.divide(user, b.clone(*user, map), part, parts, map);
    }
    for (Operation *user : llvm::reverse(users))
      user->erase();
  }

private:
  // 1 where registers hold the accumulators and all reads of the epilogue.
  int64_t wantedParts() const {
    int64_t accumulatorBits = 0, readBits = 0, largest = 0;
    for (const auto &[tile, dim] : tiles.tiles()) {
      const int64_t elements = typeOf(tile).getNumElements(),
                    bits = elements * tile::storageBits(typeOf(tile).getElementType());
      if (tile.getDefiningOp() == loop) {
        accumulatorBits += bits;
        largest = std::max(largest, elements);
      } else if (tile.getDefiningOp<tile::ViewLoadOp>()) {
        readBits += bits;
      }
    }
    // A row of columns that is read, too, takes next to nothing.
    const int64_t bitsOfRegister = int64_t(32) * 32 * warpsOfAccumulator(largest),
                  wanted = readBits / bitsOfRegister,
                  left = registersOfEpilogue - accumulatorBits / bitsOfRegister;
    return wanted > left && left > 0
               ? int64_t(llvm::PowerOf2Ceil(uint64_t(llvm::divideCeil(wanted, left))))
               : 1;
  }

  // Whether a part may be read after the store of the previous one.
  bool isAlone() const {
    auto stores = llvm::filter_to_vector(users, llvm::IsaPred<tile::ViewStoreOp>);
    if (stores.size() != 1 || stores.front() != users.back())
      return false;
    auto store = cast<tile::ViewStoreOp>(stores.front());
    for (Operation *op = users.front(); op != store; op = op->getNextNode()) {
      auto load = dyn_cast<tile::ViewLoadOp>(op);
      if (!llvm::is_contained(users, op) ? !isMemoryEffectFree(op)
                                         : load && !isReadBefore(load, store))
        return false;
    }
    return true;
  }

  // A read of the stored box is of the same part.
  bool isReadBefore(tile::ViewLoadOp load, tile::ViewStoreOp store) const {
    return !mayAlias(baseOf(load.getBase()), baseOf(store.getBase())) ||
           (haveOneBox(load, store) && tiles.dimOf(load) == tiles.dimOf(store.getValue()));
  }

  Value partOfAccumulator(OpBuilder &b, Value accumulator, int64_t part) const {
    Location loc = accumulator.getLoc();
    Value index[] = {arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0)),
                     arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(part)))};
    return tile::ExtractOp::create(b, loc, tiles.partOf(accumulator, parts), accumulator, index);
  }

  scf::ForOp loop;
  DividedTiles tiles;
  SmallVector<Operation *> users; // of the loop's results, with their reads
  int64_t parts = 1;
};

// Each loop's accumulators in turn: one that was divided with an earlier one has extracts as users,
// which nothing divides.
void forEachEpilogue(func::FuncOp kernel, function_ref<void(Epilogue &)> take) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    for (OpResult result : loop->getResults()) {
      Epilogue epilogue(loop);
      if (isOfWarpgroups(loop, result) && epilogue.isDivided(result))
        take(epilogue);
    }
}

struct SplitEpilogue : impl::SplitEpilogueBase<SplitEpilogue> {
  void runOnOperation() override {
    forEachEpilogue(getOperation(), [](Epilogue &epilogue) { epilogue.divide(); });
  }
};

} // namespace

void collectReadsOfEpilogues(func::FuncOp kernel, llvm::SmallPtrSetImpl<Operation *> &reads) {
  forEachEpilogue(kernel, [&](Epilogue &epilogue) { epilogue.collectReads(reads); });
}

} // namespace tessera::plan
