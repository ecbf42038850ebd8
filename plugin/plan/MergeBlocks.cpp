// A block that multiplies small tiles reads much for each multiply: tiles of 64x64 four times as
// much as those of 256x256. Where neighbouring blocks share what they read, one block that does the
// work of several reads less.
//
//   func @k (blocks of 64x64)  ->  func @k, and func @k.merged {tile.merged_of = "k",
//                                  tile.merged = [4, 2]} (blocks of 128x256)
//
// Which of the two runs, a launch decides by the size of its grid: where the merged kernel leaves
// SMs idle the other one is faster. Both say what a block of theirs costs (CostModel.h). A grid
// need not be a multiple of what is merged.
//
// Blocks are those of the grid, or tiles that the program numbers by itself (TileGrid.h): in a loop
// over them, or by taking the block's index apart. Then there is a function beside the merged
// kernel that tells launches which tiles there are.
//
// A block whose sum fills an SM's registers already is not merged with others. It gets a second
// kernel all the same, of one block at a time, which stays if its blocks can take one place of the
// grid after the other (CopyingWarp.h, pass fit-shared-memory).
//
// It is done where host code that is emitted, too, launches the kernel, for products whose sums are
// what loops carry, and are all that the registers have to hold. That the blocks' tiles
// lie side by side, and that nobody can see who computed them, is found by WideTiles.
#include "plan/BulkRings.h"
#include "plan/ComputedOperands.h"
#include "plan/CostModel.h"
#include "plan/Facts.h"
#include "plan/HostValues.h"
#include "plan/Layouts.h"
#include "plan/Occupancy.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "plan/SplitEpilogue.h"
#include "plan/SwapOperands.h"
#include "plan/TileGrid.h"
#include "plan/WideTiles.h"
#include "tile/FreeName.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_MERGEBLOCKS
#include "plan/Passes.h.inc"

namespace {

constexpr int64_t elementsOfSums = int64_t(128) * 256, mostOfSum = 256, mostBlocks = 32;
// Where threads compute an operand, another block on the SM multiplies in the meantime, and so it
// is while warps multiply by themselves: both blocks have room for this. Measured with one block
// for two: 128x128x32 of tf32 179 instead of 207 TFLOP/s, 128x128x128 of fp8, turned, 633 instead
// of 741.
constexpr int64_t elementsOfTwo = int64_t(128) * 128;
// Rows of an operand, and bytes of K, that two warpgroups have twice in registers (pass
// prefetch-operands), with three stages of it in shared memory.
constexpr int64_t rowsAhead = 256, bytesAhead = 128;
constexpr int64_t wordsOfTiles = registersOfEpilogue * 256;
// What the merged kernel must gain by the model, which knows no epilogues: in percent.
constexpr int64_t leastGain = 120;

// Blocks along x and y that one block does.
struct Group {
  int64_t columns = 1, rows = 1;
  int64_t blocks() const { return columns * rows; }
};

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

// As the planner will have it: batches are multiplied one by one.
Product plannedProductOf(tile::MmaOp multiply) {
  RankedTensorType a = typeOf(multiply.getA()), b = typeOf(multiply.getB()),
                   c = typeOf(multiply.getC());
  // Operands of other elements may be turned on their way.
  bool isEitherOrder = takesEitherOrder(a.getElementType());
  ArrayRef<int64_t> sum = c.getShape().take_back(2);
  return {a.getElementType(),
          b.getElementType(),
          c.getElementType(),
          2,
          sum[0],
          sum[1],
          a.getShape().back(),
          true,
          !isEitherOrder,
          multiply.getAUnsigned(),
          multiply.getBUnsigned()};
}

// Floats that are read from a view of which the launch may make a map.
bool isRoundedByCopies(tile::CastOp cast) {
  auto load = cast.getX().getDefiningOp<tile::ViewLoadOp>();
  return load && isRounding(cast) && hasBulkRings(cast) && isViewKnownToHost(load);
}

// Do threads have a part in it that an operand is in shared memory as the unit takes it? `isFirst`:
// its last dimension is K, else the one before.
bool isComputed(Value operand, bool isFirst) {
  RankedTensorType type = typeOf(operand);
  bool isAlongK = isFirst;
  while (Operation *op = operand.getDefiningOp()) {
    if (auto permute = dyn_cast<tile::PermuteOp>(op))
      isAlongK ^= permute.getMap().back() != int64_t(permute.getMap().size()) - 1;
    else if (auto cast = dyn_cast<tile::CastOp>(op); cast && isRoundedByCopies(cast))
      type = typeOf(cast.getX());
    else if (auto load = dyn_cast<tile::ViewLoadOp>(op))
      return isAlongK == runsBeforeLast(load) && !takesEitherOrder(type.getElementType());
    else if (!isa<tile::ReshapeOp>(op))
      return true;
    operand = op->getOperand(0);
  }
  return true;
}

// What becomes an operand of a multiply: it goes to shared memory.
void collectOperands(Value value, llvm::SmallPtrSetImpl<Operation *> &operands) {
  Operation *op = value.getDefiningOp();
  if (op && isa<RankedTensorType>(value.getType()) && operands.insert(op).second)
    for (Value operand : op->getOperands())
      collectOperands(operand, operands);
}

// Of the tiles that a kernel reads besides, as if all were there at one time. What is read in parts
// takes what there is.
int64_t wordsOfOtherReads(func::FuncOp kernel) {
  llvm::SmallPtrSet<Operation *, 8> free;
  collectReadsOfEpilogues(kernel, free);
  kernel.walk([&](tile::MmaOp multiply) {
    collectOperands(multiply.getA(), free);
    collectOperands(multiply.getB(), free);
  });
  int64_t bits = 0;
  kernel.walk([&](tile::ViewLoadOp load) {
    auto type = cast<RankedTensorType>(load.getType());
    if (!free.contains(load))
      bits += type.getNumElements() * tile::storageBits(type.getElementType());
  });
  return bits / 32;
}

// Of the tiles that loops carry beside the accumulators of their multiplies, as a second level of
// accumulators is.
int64_t wordsOfOtherCarried(func::FuncOp kernel) {
  int64_t bits = 0;
  kernel.walk([&](scf::ForOp loop) {
    for (BlockArgument carried : loop.getRegionIterArgs()) {
      auto type = dyn_cast<RankedTensorType>(carried.getType());
      bool isAccumulator = llvm::any_of(carried.getUsers(), [&](Operation *user) {
        auto multiply = dyn_cast<tile::MmaOp>(user);
        return multiply && multiply.getC() == carried;
      });
      if (type && !isAccumulator)
        bits += type.getNumElements() * tile::storageBits(type.getElementType());
    }
  });
  return bits / 32;
}

// Of what threads keep in loops for accesses that they make for each of the blocks. Beside sums of
// 128x256 there is room for 64, with what they are computed of, and for 128 there is none.
int64_t wordsOfOwnAccesses(func::FuncOp kernel) {
  constexpr int64_t ofOne = 128; // a register of half of the threads
  int64_t accesses = 0;
  kernel.walk([&](Operation *op) { accesses += op->hasAttr(ofBlockAttr) && loopAround(op); });
  return accesses * ofOne;
}

// What a block costs in all, a turn of each loop: nothing if no matrix unit takes one of the
// multiplies, or if the sums, and what else is read, are more than the registers hold.
std::optional<int64_t> cyclesOf(func::FuncOp kernel, const GpuTarget &target) {
  int64_t cycles = 0, elements = 0;
  bool isKnown = true, isBesideOther = false;
  kernel.walk([&](tile::MmaOp multiply) {
    auto carried = dyn_cast<BlockArgument>(multiply.getC());
    auto loop = carried ? dyn_cast<scf::ForOp>(carried.getOwner()->getParentOp()) : scf::ForOp();
    auto type = cast<RankedTensorType>(multiply.getType());
    Product product = plannedProductOf(multiply);
    const bool isSwapped = target.has(GpuTarget::Wgmma) && isWorthSwapping(multiply);
    if (isSwapped)
      std::swap(product.m, product.n);
    isKnown &= loop && multiply->getParentOp() == loop && carried != loop.getInductionVar() &&
               loop.getTiedLoopYieldedValue(carried)->get() == multiply.getResult() &&
               type.getNumElements() == product.m * product.n && product.m <= mostOfSum &&
               product.n <= mostOfSum;
    const int64_t threads = 32 * warpsOfAccumulator(product.m * product.n),
                  wordsOfOperand = product.m * product.k * bytesOf(product.a) / 4;
    isKnown &=
        !isSwapped || product.m * product.n + wordsOfOperand <= registersOfOperandAndSum * threads;
    std::optional<MultiplyCost> cost = costOf(product, target);
    isKnown &= cost.has_value();
    elements += type.getNumElements();
    // The first operand of the transposed product is read ahead of its multiply.
    const bool isReadAhead =
        isSwapped && product.m <= rowsAhead && product.k * bytesOf(product.a) <= bytesAhead;
    isBesideOther |= isComputed(multiply.getA(), true) ||
                     (isComputed(multiply.getB(), false) && !isReadAhead) ||
                     matrixUnitFor(product, target).kind != tile::MmaKind::wgmma;
    cycles += cost ? cost->cycles() : 0;
  });
  bool fits = elements <= (isBesideOther ? elementsOfTwo : elementsOfSums) &&
              elements + wordsOfOtherCarried(kernel) + wordsOfOtherReads(kernel) +
                      wordsOfOwnAccesses(kernel) <=
                  wordsOfTiles;
  return isKnown && cycles && fits ? std::optional(cycles) : std::nullopt;
}

// Of a kernel's sums: their elements, and the threads that hold them.
struct SumsOfBlock {
  int64_t elements = 0, threads = 0;

  explicit SumsOfBlock(func::FuncOp kernel) {
    kernel.walk([&](tile::MmaOp multiply) {
      const int64_t ofOne = typeOf(multiply).getNumElements();
      elements += ofOne;
      threads = std::max(threads, 32 * warpsOfAccumulator(ofOne));
    });
  }
  // Does it leave no registers for another block's?
  bool fillsRegisters() const { return elements > elementsOfTwo; }
  // Blocks that the registers of an SM have room for.
  int64_t blocks() const {
    return registersOfMultiprocessor / (elements + registersBesidesMultiply * threads);
  }
};

// As many blocks as the program hints at fit an SM, or as many of the other kernel's do.
bool followsHint(func::FuncOp kernel, func::FuncOp other) {
  return SumsOfBlock(kernel).blocks() >= std::min(hintedBlocks(other), SumsOfBlock(other).blocks());
}

OwningOpRef<func::FuncOp> merged(func::FuncOp kernel, Group group) {
  OwningOpRef<func::FuncOp> copy = kernel.clone();
  bool isWide = (group.columns == 1 || WideTiles(*copy, 0, group.columns).widen()) &&
                (group.rows == 1 || WideTiles(*copy, 1, group.rows).widen());
  if (!isWide)
    return nullptr;
  eraseDead(*copy); // what wide tiles are computed with instead
  return copy;
}

struct MergeBlocks : impl::MergeBlocksBase<MergeBlocks> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!module->hasAttr(launchedAttr))
      return;
    SmallVector<func::FuncOp> kernels(module.getOps<func::FuncOp>());
    for (func::FuncOp kernel : kernels)
      if (!kernel.isExternal())
        run(kernel, targetOf(kernel));
  }

  static void run(func::FuncOp kernel, const GpuTarget &target) {
    std::optional<int64_t> alone = cyclesOf(kernel, target);
    if (!alone)
      return;
    func::FuncOp source = kernel;
    bool alongX = bool(merged(source, {2, 1})), alongY = bool(merged(source, {1, 2}));
    std::optional<TileGrid> tiles;
    if (!alongX && !alongY)
      tiles = tileGridOf(kernel);
    if (tiles) {
      source = *tiles->blocks;
      alongX = bool(merged(source, {2, 1}));
      alongY = bool(merged(source, {1, 2}));
    }
    // The cheapest for each of the kernel's blocks; of equals the smallest.
    OwningOpRef<func::FuncOp> best;
    Group ofBest;
    int64_t cycles = *alone;
    const int64_t most = policyOf(kernel).coarsen ? mostBlocks : 1;
    for (int64_t blocks = 2; blocks <= most; blocks *= 2)
      for (int64_t rows = 1; rows <= blocks; rows *= 2) {
        Group group{blocks / rows, rows};
        if ((group.columns > 1 && !alongX) || (rows > 1 && !alongY))
          continue;
        OwningOpRef<func::FuncOp> candidate = merged(source, group);
        std::optional<int64_t> wanted = candidate && followsHint(*candidate, source)
                                            ? cyclesOf(*candidate, target)
                                            : std::nullopt;
        if (wanted && *wanted * ofBest.blocks() < cycles * blocks) {
          best = std::move(candidate);
          ofBest = group;
          cycles = *wanted;
        }
      }
    if (!best || *alone * ofBest.blocks() * 100 < cycles * leastGain) {
      if (!hasBulkRings(kernel) || !(alongX || alongY) || !SumsOfBlock(source).fillsRegisters())
        return;
      ofBest = {};
      best = merged(source, ofBest);
      cycles = *alone;
    }
    OpBuilder b(kernel->getContext());
    std::string symbol = kernel.getName().str(),
                name = kernel->getAttrOfType<StringAttr>("tile.kernel").str();
    kernel->setAttr(cyclesAttr, b.getI64IntegerAttr(*alone));
    func::FuncOp other = best.release();
    other.setName(symbol + ".merged");
    auto module = kernel->getParentOfType<ModuleOp>();
    const std::string wish = name + (ofBest.blocks() > 1 ? "_merged" : "_by_places");
    other->setAttr("tile.kernel",
                   b.getStringAttr(tile::freeName(module, "tile.kernel", wish, /*first=*/2)));
    other->setAttr(mergedOfAttr, b.getStringAttr(symbol));
    other->setAttr(mergedAttr, b.getDenseI64ArrayAttr({ofBest.columns, ofBest.rows}));
    other->setAttr(cyclesAttr, b.getI64IntegerAttr(cycles));
    module.insert(std::next(Block::iterator(kernel)), other);
    if (!tiles)
      return;
    func::FuncOp list = tiles->list.release();
    list.setName(symbol + ".tiles");
    list->setAttr(tilesOfAttr, b.getStringAttr(other.getName()));
    module.insert(std::next(Block::iterator(other)), list);
  }
};

} // namespace
} // namespace tessera::plan
