// Block coarsening. A block that multiplies small tiles reads much for each multiply: tiles of
// 64x64 four times as much as tiles of 256x256. Where neighbouring blocks share operands, one block
// that does the work of several reads less.
//
//   func @k (blocks of 64x64)  ->  func @k, and func @k.coarsened {tile.coarsened_from = "k",
//                                  tile.coarsening = [4, 2]} (blocks of 128x256)
//
// A launch chooses one of the two by the size of its grid: where the coarsened kernel leaves SMs
// idle, the other one is faster. Both carry the cost of one of their blocks (target/CostModel.h).
// The grid need not be a multiple of the coarsening.
//
// Blocks are those of the grid, or tiles that the program numbers by itself (TileGrid.h): in a loop
// over them, or by decomposing the block's index. Then a function next to the coarsened kernel
// lists the tiles for launches.
//
// A block whose accumulator already fills an SM's registers is not coarsened. It still gets a
// second kernel, of one block at a time, which stays if its blocks can take one work tile of the
// grid after the other (WarpSpecialization.h, pass fit-shared-memory).
//
// The pass needs emitted host code that launches the kernel, and loops that carry the multiplies'
// accumulators, which must be all that registers have to hold. WideTiles checks that the blocks'
// tiles lie side by side, and that nothing can observe which block computed a tile.
#include "plan/analysis/Chains.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/MatmulForms.h"
#include "plan/analysis/Occupancy.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "plan/tiling/SplitEpilogue.h"
#include "plan/tiling/TileGrid.h"
#include "plan/tiling/WarpgroupAxis.h"
#include "plan/tiling/SecondKernel.h"
#include "plan/tiling/WideTiles.h"
#include "target/CostModel.h"
#include "target/RegisterBudgets.h"
#include "tile/Attributes.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_COARSENBLOCKS
#include "plan/Passes.h.inc"

namespace {

constexpr int64_t maxOfAccumulator = 256, maxBlocks = 32;
constexpr int64_t wordsOfTiles = registersOfEpilogue * 256;
// What the coarsened kernel must gain by the model, which ignores epilogues: in percent.
constexpr int64_t minGain = 120;
// Of two tile blocks side by side, and of one alone, in proportion: 1.1 to 1.9 of it was measured.
constexpr int64_t cyclesOfPair = 3, cyclesOfOne = 2;

// Blocks along x and y that one coarsened block replaces.
struct Group {
  int64_t columns = 1, rows = 1;
  int64_t blocks() const { return columns * rows; }
};

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

// The ops that compute an operand of a multiply: it goes to shared memory.
void collectOperands(Value value, llvm::SmallPtrSetImpl<Operation *> &operands) {
  Operation *op = value.getDefiningOp();
  if (op && isa<RankedTensorType>(value.getType()) && operands.insert(op).second)
    for (Value operand : op->getOperands())
      collectOperands(operand, operands);
}

// Of the other tiles that a kernel reads, as if all were live at one time. Reads that are split
// take what is left.
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

// Of the tiles that loops carry in addition to the accumulators of their multiplies, such as a
// second level of accumulators.
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

// Of the addresses that threads keep in loops for accesses that they make for each of the blocks.
// Next to accumulators of 128x256 there is room for 64 such accesses, with their operands, but not
// for 128.
int64_t wordsOfOwnAccesses(func::FuncOp kernel) {
  constexpr int64_t wordsOfOne = 128; // one register in half of the threads
  int64_t accesses = 0;
  kernel.walk([&](Operation *op) { accesses += op->hasAttr(tile::ofBlockAttr) && loopAround(op); });
  return accesses * wordsOfOne;
}

// What a block costs with one iteration of each loop: nothing if no tensor core takes one of the
// multiplies, or if the accumulators and the other reads exceed the registers.
std::optional<int64_t> cyclesOf(func::FuncOp kernel, const GpuTarget &target) {
  int64_t cycles = 0, elements = 0;
  bool isKnown = true, isBesideOther = false;
  kernel.walk([&](tile::MmaOp multiply) {
    auto carried = dyn_cast<BlockArgument>(multiply.getC());
    auto loop = carried ? dyn_cast<scf::ForOp>(carried.getOwner()->getParentOp()) : scf::ForOp();
    auto type = cast<RankedTensorType>(multiply.getType());
    const MatmulForm form = matmulFormOf(multiply);
    const Matmul &matmul = form.matmul;
    isKnown &= loop && multiply->getParentOp() == loop && carried != loop.getInductionVar() &&
               loop.getTiedLoopYieldedValue(carried)->get() == multiply.getResult() &&
               type.getNumElements() == matmul.m * matmul.n && matmul.m <= maxOfAccumulator &&
               matmul.n <= maxOfAccumulator;
    const int64_t threads = 32 * warpsOfAccumulator(matmul.m * matmul.n),
                  wordsOfOperand = matmul.m * matmul.k * bytesOf(matmul.a) / 4;
    isKnown &= !form.isTransposed ||
               matmul.m * matmul.n + wordsOfOperand <= registersOfOperandAndAccumulator * threads;
    std::optional<MatmulCost> cost = costOf(matmul, target);
    isKnown &= cost.has_value();
    elements += type.getNumElements();
    isBesideOther |=
        form.computesA || form.computesB || !selectMma(matmul, target).instruction.isOfWarpgroups();
    cycles += cost ? cost->cycles() : 0;
  });
  // Where threads compute an operand, another block on the SM multiplies in the meantime, and so it
  // does while mma.sync is used. Measured with one block instead of two: 128x128x32 of tf32 179
  // instead of 207 TFLOP/s, 128x128x128 of fp8, transposed, 633 instead of 741.
  bool fits = elements <= (isBesideOther ? elementsOfTwoBlocks : elementsOfBlock) &&
              elements + wordsOfOtherCarried(kernel) + wordsOfOtherReads(kernel) +
                      wordsOfOwnAccesses(kernel) <=
                  wordsOfTiles;
  return isKnown && cycles && fits ? std::optional(cycles) : std::nullopt;
}

// Of a kernel's accumulators: their elements, and the threads that hold them.
struct AccumulatorsOfBlock {
  int64_t elements = 0, threads = 0;

  explicit AccumulatorsOfBlock(func::FuncOp kernel) {
    kernel.walk([&](tile::MmaOp multiply) {
      const int64_t elementsOfOne = typeOf(multiply).getNumElements();
      elements += elementsOfOne;
      threads = std::max(threads, 32 * warpsOfAccumulator(elementsOfOne));
    });
  }
  // Do the accumulators leave no registers for another block's?
  bool fillsRegisters() const { return elements > elementsOfTwoBlocks; }
  // Blocks for which the registers of an SM have room.
  int64_t blocks(const GpuTarget &target) const {
    return target.registersOfMultiprocessor / (elements + registersBesidesMultiply * threads);
  }
};

// Do as many blocks as the program hints at fit an SM, or as many as of the other kernel?
bool followsHint(func::FuncOp kernel, func::FuncOp other) {
  const GpuTarget &target = targetOf(kernel);
  return AccumulatorsOfBlock(kernel).blocks(target) >=
         std::min(hintedBlocks(other), AccumulatorsOfBlock(other).blocks(target));
}

// Does the kernel multiply in chains whose registers leave no room for another block on the SM? A
// producer warp keeps its tensor cores busy (pass specialize-chains); two blocks do so themselves.
// Attention of 128x64 tiles, head dimension 128, on an H200, TFLOP/s without and with a producer
// warp: the sample full 590, 547, causal 352, 516; TileGym's, of which two blocks fit an SM, full
// 562, 547, causal 501, 505 (bench/results/2026-11-29-tall-attention-h200.txt).
bool hasChainsAlone(func::FuncOp kernel) {
  const GpuTarget &target = targetOf(kernel);
  if (!hasBulkRings(kernel) || !policyOf(kernel).specialize || !target.has(GpuTarget::Wgmma))
    return false;
  bool isAlone = false;
  kernel.walk([&](scf::ForOp loop) {
    std::optional<Chain> chain = chainOf(loop);
    if (!chain)
      return;
    int64_t largest = 0;
    for (Operation *multiply : llvm::concat<Operation *const>(chain->first, chain->second))
      largest = std::max(largest, typeOf(multiply->getResult(0)).getNumElements());
    isAlone |= fillsRegisters(*chain, 32 * warpsOfAccumulator(largest), target);
  });
  return isAlone;
}

OwningOpRef<func::FuncOp> coarsened(func::FuncOp kernel, Group group) {
  OwningOpRef<func::FuncOp> copy = kernel.clone();
  bool isWide = (group.columns == 1 || WideTiles(*copy, 0, group.columns).widen()) &&
                (group.rows == 1 || WideTiles(*copy, 1, group.rows).widen());
  if (!isWide)
    return nullptr;
  eraseDead(*copy); // erases ops that wide tiles have replaced
  return copy;
}

struct CoarsenBlocks : impl::CoarsenBlocksBase<CoarsenBlocks> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    const bool isLaunched = module->hasAttr(tile::launchedAttr);
    SmallVector<func::FuncOp> kernels(module.getOps<func::FuncOp>());
    for (func::FuncOp kernel : kernels)
      if (kernel.isExternal())
        continue;
      else if (isLaunched)
        run(kernel, targetOf(kernel));
      else if (std::optional<int64_t> axis = axisOfWarpgroupBlocks(kernel))
        setWarpgroupBlocks(kernel, *axis);
  }

  static void setWarpgroupBlocks(func::FuncOp kernel, int64_t axis) {
    kernel->setAttr(tile::warpgroupBlocksAttr, OpBuilder(kernel).getI64IntegerAttr(axis));
  }

  static void run(func::FuncOp kernel, const GpuTarget &target) {
    std::optional<int64_t> alone = cyclesOf(kernel, target);
    if (!alone) {
      if (std::optional<int64_t> axis = axisOfWarpgroupBlocks(kernel)) {
        func::FuncOp other = kernel.clone();
        setWarpgroupBlocks(other, *axis);
        insert(kernel, other, *axis == 0 ? Group{2, 1} : Group{1, 2}, cyclesOfPair, cyclesOfOne);
      } else if (hasChainsAlone(kernel))
        insert(kernel, kernel.clone(), Group(), /*cycles=*/1, /*cyclesOfOther=*/1);
      return;
    }
    func::FuncOp source = kernel;
    bool alongX = bool(coarsened(source, {2, 1})), alongY = bool(coarsened(source, {1, 2}));
    std::optional<TileGrid> tiles;
    if (!alongX && !alongY)
      tiles = tileGridOf(kernel);
    if (tiles) {
      source = *tiles->blocks;
      alongX = bool(coarsened(source, {2, 1}));
      alongY = bool(coarsened(source, {1, 2}));
    }
    // The cheapest for each of the kernel's blocks; among equals the smallest.
    OwningOpRef<func::FuncOp> best;
    Group bestGroup;
    int64_t cycles = *alone;
    const int64_t limit = policyOf(kernel).coarsen ? maxBlocks : 1;
    for (int64_t blocks = 2; blocks <= limit; blocks *= 2)
      for (int64_t rows = 1; rows <= blocks; rows *= 2) {
        Group group{blocks / rows, rows};
        if ((group.columns > 1 && !alongX) || (rows > 1 && !alongY))
          continue;
        OwningOpRef<func::FuncOp> candidate = coarsened(source, group);
        std::optional<int64_t> wanted = candidate && followsHint(*candidate, source)
                                            ? cyclesOf(*candidate, target)
                                            : std::nullopt;
        if (wanted && *wanted * bestGroup.blocks() < cycles * blocks) {
          best = std::move(candidate);
          bestGroup = group;
          cycles = *wanted;
        }
      }
    if (!best || *alone * bestGroup.blocks() * 100 < cycles * minGain) {
      if (!hasBulkRings(kernel) || !(alongX || alongY) ||
          !AccumulatorsOfBlock(source).fillsRegisters())
        return;
      bestGroup = {};
      best = coarsened(source, bestGroup);
      cycles = *alone;
    }
    func::FuncOp other = best.release();
    insert(kernel, other, bestGroup, cycles, *alone);
    if (!tiles)
      return;
    func::FuncOp list = tiles->list.release();
    list.setName((kernel.getName() + ".tiles").str());
    list->setAttr(tile::tilesOfAttr, other.getNameAttr());
    kernel->getParentOfType<ModuleOp>().insert(std::next(Block::iterator(other)), list);
  }

  // Puts `other`, which does the work of a group of the kernel's blocks, next to the kernel.
  static void insert(func::FuncOp kernel, func::FuncOp other, Group group, int64_t cycles,
                     int64_t cyclesOfOther) {
    OpBuilder b(kernel->getContext());
    kernel->setAttr(tile::cyclesAttr, b.getI64IntegerAttr(cyclesOfOther));
    other->setAttr(tile::cyclesAttr, b.getI64IntegerAttr(cycles));
    insertBeside(kernel, other, ".coarsened", group.blocks() > 1 ? "_coarsened" : "_persistent",
                 group.columns, group.rows);
  }
};

} // namespace
} // namespace tessera::plan
