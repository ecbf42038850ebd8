// A kernel whose loops multiply in chains, like attention, is warp-specialized: while threads
// compute one multiply's operand from the accumulator of the other, nothing of the block would
// start copies, and all its warps would meet before each stage is filled again.
//
//   for %i { shared_store (view_load K), %k; %s = shared_mma %q, %k; ...
//            shared_store (view_load V), %v; shared_mma %p, %v, %accumulator }
// becomes
//   producer_warp {
//     for %work_tile { producer_acquire %rq[%fq]; copies of Q into %fq
//                      for %i { producer_acquire %rk[%fk]; copies of K into %fk
//                               producer_acquire %rv[%fv]; copies of V into %fv } } }
//   for %work_tile {
//     wait_group of %rq[%q]
//     for %i { wait_group of %rk[%k]; %s = shared_mma %q, %k; consumer_release %rk[%k]; ...
//              wait_group of %rv[%v]; shared_mma %p, %v, ...; consumer_release %rv[%v] }
//     consumer_release %rq[%q] }
//
// Each load has a ring of its own: its stage is free as soon as its multiply is complete, and the
// pass overlap-chains waits for it in another order than it is filled in. Loops one after the other
// that load the same tiles share the rings: the producer warp goes on to the next loop while the
// consumers are in the one before.
//
// An operand of bytes whose rows run across K is transposed on its way to wgmma (pass
// select-mma-instructions). Consumers would do that between their multiplies, with barriers; the
// other warps of the producer's warpgroup do it meanwhile. The producer warp copies the operand as
// it is in memory into one ring, and they fill another one from there:
//   transposing_warps { for %i { wait_group of %raw[%v]; producer_acquire %rv[%v];
//                                transpose_stage %raw[%v] into %rv[%v]; consumer_release %raw[%v] } }
//
// A row that an iteration reads beside its operands, as the logarithms of attention's gradients,
// would have its copies started by all threads, which meet in each iteration for it. It arrives in
// the stages of an operand whose last multiply takes what is computed from all of the row: then the
// multiply, which all warps of a warpgroup take part in, is complete only after they have read it.
//
// An operand that is read before the loops, and multiplied as it is in memory, has a ring, too,
// with a stage for each work tile: where a launch's block has several of them, the operand of the
// next one arrives while this one's is multiplied, if there is room for two, else while its results
// leave.
//
// WarpSpecialization.h does the same for one accumulator, whose multiplies stay in flight.
#include "plan/analysis/Accesses.h"
#include "plan/analysis/BlockIndices.h"
#include "plan/analysis/Chains.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Occupancy.h"
#include "plan/analysis/PipelinedLoads.h"
#include "plan/Config.h"
#include "plan/mma/ComputedOperands.h"
#include "plan/mma/PermuteK.h"
#include "plan/Passes.h"
#include "plan/pipeline/InFlight.h"
#include "plan/pipeline/ProducerWarp.h"
#include "plan/pipeline/WarpgroupBlocks.h"
#include "plan/pipeline/WorkTileOrder.h"
#include "plan/Plan.h"
#include "tile/Attributes.h"
#include "tile/Sources.h"
#include "tile/Speculation.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SPECIALIZECHAINS
#include "plan/Passes.h.inc"

namespace {

// One is read while the other is filled.
constexpr int64_t minStages = 2;

using Multiplies = SmallVector<tile::SharedMmaOp>;

// A row that arrives in the stages of a ring beside its tile.
struct Row {
  PipelinedLoad load;
  size_t ring;
};

// What multiplies read, and what is stored there.
struct StoredOperand {
  tile::SharedAllocOp buffer;
  tile::SharedStoreOp store;
};

// A loop of a chain, with a load for each ring.
struct ChainLoop {
  scf::ForOp loop;
  SmallVector<PipelinedLoad> loads;
  SmallVector<StoredOperand> operands; // of the loads: their own tiles, or the transposed ones
  SmallVector<Multiplies> readers;     // of the operands, in program order

  SmallVector<Row> rows;

  bool isTransposed(size_t ring) const {
    return operands[ring].buffer != PipelinedLoad(loads[ring]).buffer;
  }
};

// Of a row as it is in memory.
tile::SharedType typeOfRow(tile::ViewLoadOp load) {
  auto type = cast<RankedTensorType>(load.getType());
  return tile::SharedType::get(load.getContext(), type.getShape(), type.getElementType(), 0, 0, 0);
}

tile::SharedType typeOf(PipelinedLoad load) {
  return load.isRow ? typeOfRow(load.load) : cast<tile::SharedType>(load.buffer.getType());
}

tile::SharedType typeOf(StoredOperand operand) {
  return cast<tile::SharedType>(operand.buffer.getType());
}

// Is the tile one row, of elements that are bytes of memory?
bool isRow(tile::ViewLoadOp load) {
  auto type = cast<RankedTensorType>(load.getType());
  return type.getNumElements() == type.getShape().back() && type.getElementType().isIntOrFloat() &&
         tile::storageBits(type.getElementType()) % 8 == 0;
}

// The load of a row from its stage.
Operation *loadOf(PipelinedLoad row) {
  return *llvm::find_if(row.buffer->getUsers(), llvm::IsaPred<tile::SharedLoadOp>);
}

// The wait for a stage stands in front of what reads it first: not earlier than there is a use.
void sinkToUse(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    if (isa<tile::ReshapeOp, tile::BroadcastOp, tile::PermuteOp>(user) &&
        user->getBlock() == op->getBlock())
      sinkToUse(user);
    Operation *here = op->getBlock()->findAncestorOpInBlock(*user);
    if (!first || here->isBeforeInBlock(first))
      first = here;
  }
  if (first)
    op->moveBefore(first);
}

// Is all of the tile read for nothing but these ops of a loop's body?
bool isReadBy(Value tile, const llvm::SetVector<Operation *> &ops, Block *body) {
  return llvm::all_of(tile.getUsers(), [&](Operation *user) {
    Operation *inBody = body->findAncestorOpInBlock(*user);
    return inBody && ops.contains(inBody) && !isa<tile::ExtractOp>(user) &&
           (!isa<tile::ReshapeOp, tile::BroadcastOp, tile::PermuteOp, tile::CastOp>(user) ||
            isReadBy(user->getResult(0), ops, body));
  });
}

// The warpgroup multiplies of the loop's body that read an operand; none if anything else reads it,
// too.
Multiplies readersOf(StoredOperand operand, scf::ForOp loop) {
  Multiplies readers;
  for (Operation *user : operand.buffer->getUsers()) {
    if (user == operand.store)
      continue;
    auto reader = dyn_cast<tile::SharedMmaOp>(user);
    if (!reader || reader->getBlock() != loop.getBody() ||
        !reader.getInstruction().isOfWarpgroups())
      return {};
    readers.push_back(reader);
  }
  llvm::sort(readers, [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  return readers;
}

// A read that is stored transposed, in the order of K of pass permute-k, and for nothing else.
std::optional<PipelinedLoad> throughRawTile(tile::SharedStoreOp store, scf::ForOp loop) {
  auto transpose = store.getValue().getDefiningOp<tile::PermuteOp>();
  Value inOrder = transpose && transpose->hasOneUse() ? transpose.getX() : Value();
  Value tile = inOrder && inOrder.hasOneUse() && transpose.getMap() == ArrayRef<int64_t>{1, 0}
                   ? beforeOrderOfAccumulators(inOrder, /*dim=*/0)
                   : Value();
  Value read = tile;
  while (read && read.hasOneUse() && read.getDefiningOp<tile::ReshapeOp>())
    read = read.getDefiningOp()->getOperand(0);
  auto load = read ? read.getDefiningOp<tile::ViewLoadOp>() : tile::ViewLoadOp();
  if (!load || !read.hasOneUse() || !tile.hasOneUse() || load->getBlock() != loop.getBody() ||
      waitOfRead(load, loop))
    return std::nullopt;
  auto type = cast<RankedTensorType>(inOrder.getType());
  if (type.getShape().back() < minBytesOfPanel)
    return std::nullopt;
  auto raw = tile::SharedType::get(type.getContext(), type.getShape(), type.getElementType(), 0, 0,
                                   0, /*panels=*/true);
  if (tile.getType() != type) {
    OpBuilder b(load->getContext());
    b.setInsertionPointAfterValue(tile);
    Operation *user = *tile.user_begin();
    tile = tile::ReshapeOp::create(b, load.getLoc(), type, tile);
    user->setOperand(0, tile);
  }
  return throughShared(load, tile, raw);
}

bool hasLoops(scf::ForOp loop) {
  return loop.getBody()
      ->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

// A kernel's loops with multiplies, if a producer warp can fill all of their rings.
class ChainKernel {
public:
  explicit ChainKernel(func::FuncOp kernel) : kernel(kernel) {}

  bool find() {
    if (!configOf(kernel).getProducerWarp() || callsFunctions(kernel) ||
        !(needsTensorMaps(kernel) || isAlone()))
      return false;
    axis = kernel->getAttrOfType<IntegerAttr>(tile::warpgroupBlocksAttr);
    if (!axis)
      enterParts();
    if (!axis && isAlone())
      enterBranch();
    if (findLoops())
      return true;
    for (const PipelinedLoad &load : raw)
      withoutShared(load);
    leave();
    return false;
  }

  void run() {
    chooseOrder();
    storeInvariantOnce();
    for (ChainLoop &chain : loops)
      for (Row &row : chain.rows) {
        tile::ViewLoadOp load = row.load.load;
        row.load = throughShared(load, load.getResult(), typeOfRow(load));
        row.load.isRow = true;
        sinkToUse(loadOf(row.load));
      }
    enterWarpgroupBlocks();
    SmallVector<FilledLoop> filled, transposed;
    SmallVector<Value> before, beforeTransposed;
    for (const ChainLoop &chain : loops) {
      for (const PipelinedLoad &load : chain.loads)
        hoistInvariants(chain.loop, sliceOf(load.coordinates(), chain.loop));
      for (const Row &row : chain.rows)
        hoistInvariants(chain.loop, sliceOf(row.load.coordinates(), chain.loop));
      filled.push_back(filledBy(chain));
      llvm::append_range(before, neededBefore(filled.back()));
      transposed.push_back(transposedBy(chain));
      llvm::append_range(beforeTransposed, neededBefore(transposed.back()));
    }
    SmallVector<StageFill> perWorkTile;
    for (auto [i, operand] : llvm::enumerate(once))
      for (const PipelinedLoad &load : ofTileBlocks(operand)) {
        llvm::append_range(before, load.coordinates());
        perWorkTile.push_back({{load}, unsigned(ringCount() + i)});
      }
    const size_t carriedSlots = ringCount() + (stagesOfOnce > 1 ? once.size() : 0);
    // Transposing warps spill in 24 registers.
    const RoleRegisters roles = raw.empty() ? rolesOfChain : rolesOfMatmul;
    scf::ForOp workTiles = loopOverWorkTiles(kernel, carriedSlots, roles, order, partCount, part);
    if (blocks)
      blocks->warpgroup()->moveBefore(workTiles);
    if (isAlone())
      readBefore(workTiles);
    if (entered)
      entered->erase();
    OpBuilder b(workTiles);
    makeRings(b, workTiles);
    fillRings(b, workTiles, perWorkTile, filled, copiedRings(), before, roles);
    transpose(b, workTiles, transposed, beforeTransposed);
    auto carried = workTiles.getRegionIterArgs();
    SmallVector<Value> slots(carried.take_front(ringCount()));
    for (ChainLoop &chain : loops)
      slots = consume(b, chain, slots);
    for (auto [i, operand] : llvm::enumerate(once)) {
      const ProducerRing &ring = rings[ringCount() + i];
      const bool alternates = ringCount() + i < carried.size();
      consumeOnce(b, operand, ring, alternates ? Value(carried[ringCount() + i]) : Value(),
                  /*last=*/lastLoop);
      if (!alternates)
        continue;
      b.setInsertionPoint(workTiles.getBody()->getTerminator());
      slots.push_back(nextSlot(b, workTiles.getLoc(), carried[ringCount() + i], ring.stages));
    }
    workTiles.getBody()->getTerminator()->setOperands(slots);
    if (blocks)
      separate(b);
    eraseDead(kernel);
  }

private:
  bool findLoops() {
    for (auto loop : kernel.getBody().front().getOps<scf::ForOp>())
      if (chainOf(loop) && !add(loop))
        return false;
    return !loops.empty() && hasNoOtherMultiply() && areMapsMade() &&
           (!isAlone() || areNeededBefore()) && canStoreAfter(loops.back().loop) &&
           chooseStages() && (axis ? canBeWarpgroupBlocks() : needsTensorMaps(kernel) || fillSM());
  }

  // Does the producer warp copy all that the loops read, the same for all of the tile blocks?
  bool canBeWarpgroupBlocks() const {
    return configOf(kernel).getWarps() == 4 &&
           llvm::all_of(loops,
                        [&](const ChainLoop &chain) {
                          scf::ForOp loop = chain.loop;
                          int64_t reads = 0;
                          loop.walk([&](Operation *op) { reads += globalEffectsOf(op).reads; });
                          const SmallVector<PipelinedLoad> copied = copiedIn(chain);
                          return reads == int64_t(copied.size()) &&
                                 llvm::none_of(copied, [&](const PipelinedLoad &load) {
                                   return dependOnAxis(load.coordinates(), axis.getInt());
                                 });
                        }) &&
           plan::canBeWarpgroupBlocks(kernel, axis.getInt(), scfLoops());
  }

  SmallVector<scf::ForOp> scfLoops() const {
    return llvm::map_to_vector(loops, [](const ChainLoop &chain) { return chain.loop; });
  }

  // The kernel becomes that of the tile blocks that its consumer warpgroups are.
  void enterWarpgroupBlocks() {
    if (!axis)
      return;
    auto reads = llvm::map_to_vector(once, [](const PipelinedLoad &read) { return read.load; });
    blocks.emplace(kernel, axis.getInt(), scfLoops(), reads, isAlone());
  }

  // Tile blocks that share the rings, and the reads of an operand from before the loops.
  int64_t tileBlocks() const { return axis ? warpgroupsOfConsumers : 1; }
  SmallVector<PipelinedLoad> ofTileBlocks(const PipelinedLoad &operand) const {
    SmallVector<PipelinedLoad> reads(size_t(tileBlocks()), operand);
    if (blocks)
      for (auto [read, own] : llvm::zip_equal(reads, blocks->readsOf(operand.load)))
        read.load = own;
    return reads;
  }

  // Is all that the kernel has beside its last op computed from memory that it does not write?
  bool isRestPure(Operation *last) {
    return llvm::all_of(kernel.getBody().front().without_terminator(), [&](Operation &op) {
      return &op == last || isMemoryEffectFree(&op) ||
             (!op.getNumRegions() && readsConstant(&op, kernel));
    });
  }

  // The ops of a region become the kernel's, in front of the op that has had them.
  void enter(Operation *around, Block &inner) {
    entered = around;
    firstEntered = &inner.front();
    kernel.getBody().front().getOperations().splice(Block::iterator(around), inner.getOperations(),
                                                    inner.begin(), std::prev(inner.end()));
  }
  void leave() {
    if (!entered)
      return;
    Block &inner = entered->getRegion(0).front();
    inner.getOperations().splice(inner.begin(), kernel.getBody().front().getOperations(),
                                 Block::iterator(firstEntered), Block::iterator(entered));
    if (!part)
      return;
    part.replaceAllUsesWith(cast<scf::ForOp>(entered).getInductionVar());
    part.getDefiningOp()->erase();
  }

  // Where the rows of a block are computed in parts (pass split-rows), each part is a work tile.
  void enterParts() {
    auto loop =
        dyn_cast_or_null<scf::ForOp>(kernel.getBody().front().getTerminator()->getPrevNode());
    if (!loop || !loop->hasAttr(tile::partsAttr) || !isRestPure(loop))
      return;
    std::optional<int64_t> count = getConstantIntValue(loop.getUpperBound());
    if (!count)
      return;
    partCount = *count;
    OpBuilder b(loop);
    Value number = loop.getInductionVar();
    part = UnrealizedConversionCastOp::create(b, number.getLoc(), number.getType(), ValueRange())
               .getResult(0);
    number.replaceAllUsesWith(part);
    enter(loop, *loop.getBody());
  }

  // After `if (...) return;` the rest of a kernel is the branch of a condition. It becomes the
  // kernel's body: a block for which the condition does not hold has no work tile.
  void enterBranch() {
    auto only =
        dyn_cast_or_null<scf::IfOp>(kernel.getBody().front().getTerminator()->getPrevNode());
    if (only && !only.getNumResults() && !only.elseBlock() &&
        !only.thenBlock()->without_terminator().empty() && isRestPure(only))
      enter(only, *only.thenBlock());
  }
  scf::IfOp branch() const { return dyn_cast_or_null<scf::IfOp>(entered); }

  // May the op of a block's only work tile be computed before the roles part? Of a branch, if it
  // may be computed without the condition.
  bool isBefore(Operation *op, bool isInBranch) const {
    return !op->getNumRegions() && isOfScalars(op) &&
           (isInBranch ? tile::isSpeculatable(op)
                       : isMemoryEffectFree(op) || readsConstant(op, kernel));
  }

  // Such a kernel needs the views that its loops read, and the condition, before the roles part.
  bool areNeededBefore() {
    SmallVector<Value> needed;
    for (const ChainLoop &chain : loops)
      for (PipelinedLoad load : chain.loads) {
        needed.push_back(load.load.getBase());
        llvm::append_range(needed, load.load.getExtents());
        llvm::append_range(needed, load.load.getStrides());
      }
    if (branch())
      needed.push_back(branch().getCondition());
    return tile::areAllRight(needed, [&](Value value) -> std::optional<bool> {
      Operation *op = value.getDefiningOp();
      if (!op)
        return true; // the kernel's argument
      const bool isInBranch = branch() && (op == firstEntered || firstEntered->isBeforeInBlock(op));
      return op->getParentOp() == kernel && isBefore(op, isInBranch) ? std::nullopt
                                                                     : std::optional(false);
    });
  }

  // Computes before the roles part what may be computed there. A block without work exits there: it
  // neither makes barriers nor looks for tensor maps, which takes microseconds.
  void readBefore(scf::ForOp workTile) {
    bool isInBranch = false;
    for (Operation &op : llvm::make_early_inc_range(workTile.getBody()->without_terminator())) {
      isInBranch |= branch() && &op == firstEntered;
      if (isBefore(&op, isInBranch) && llvm::all_of(op.getOperands(), [&](Value operand) {
            return workTile.isDefinedOutsideOfLoop(operand);
          }))
        op.moveBefore(workTile);
    }
    OpBuilder b(workTile);
    Location loc = workTile.getLoc();
    Value condition;
    if (scf::IfOp guard = branch())
      condition = guard.getCondition();
    else if (blocks)
      condition = blocks->hasTileBlock();
    else
      return;
    Value always = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    tile::ExitIfOp::create(b, loc, arith::XOrIOp::create(b, loc, condition, always));
  }

  size_t ringCount() const { return loops.front().loads.size(); }

  bool add(scf::ForOp loop) {
    ChainLoop chain{loop, findPipelinedLoads(loop), {}, {}, {}};
    for (PipelinedLoad load : chain.loads)
      chain.operands.push_back({load.buffer, load.store});
    for (auto store : llvm::to_vector(loop.getBody()->getOps<tile::SharedStoreOp>())) {
      auto buffer = store.getShared().getDefiningOp<tile::SharedAllocOp>();
      std::optional<PipelinedLoad> load =
          buffer && store.getStarts().empty() ? throughRawTile(store, loop) : std::nullopt;
      if (!load)
        continue;
      raw.push_back(*load);
      chain.loads.push_back(*load);
      chain.operands.push_back({buffer, store});
    }
    for (const StoredOperand &operand : chain.operands)
      chain.readers.push_back(readersOf(operand, loop));
    const bool areGood =
        llvm::none_of(chain.readers, [](const Multiplies &readers) { return readers.empty(); });
    if (chain.loads.empty() || !areGood || hasLoops(loop) || !areAllLoaded(chain) ||
        makerOfTensorMaps(loop, chain.loads) != maker() ||
        (isAlone() && !llvm::all_of(chain.loads, hasAlignedRows)) || !canProduce(filledBy(chain)) ||
        (!loops.empty() && !sharesRings(chain, loops.front())))
      return false;
    findRows(chain);
    loops.push_back(chain);
    collectInvariant(loop);
    return true;
  }

  // The rows that the producer warp can copy into the stages of an operand.
  void findRows(ChainLoop &chain) {
    scf::ForOp loop = chain.loop;
    Block *body = loop.getBody();
    SmallVector<llvm::SetVector<Operation *>> last;
    for (auto [ring, readers] : llvm::enumerate(chain.readers)) // rows are not transposed
      last.push_back(chain.isTransposed(ring) ? llvm::SetVector<Operation *>()
                                              : opsBehind(readers.back()));
    for (auto load : body->getOps<tile::ViewLoadOp>()) {
      const bool isOperand = llvm::any_of(
          chain.loads, [&](const PipelinedLoad &operand) { return operand.load == load; });
      if (isOperand || !isRow(load) || waitOfRead(load, loop))
        continue;
      const auto *reader = llvm::find_if(
          last, [&](const llvm::SetVector<Operation *> &ops) { return isReadBy(load, ops, body); });
      PipelinedLoad row{load, {}, {}};
      row.isRow = true;
      FilledLoop alone(loop);
      alone.fills.push_back({{row}, 0});
      if (reader != last.end() && canProduce(alone) &&
          makerOfTensorMaps(loop, SmallVector<PipelinedLoad>{chain.loads.front(), row}) == maker())
        chain.rows.push_back({row, size_t(reader - last.begin())});
    }
  }

  // All loops have the rows, each in the ring of the same operand; else there are none.
  void keepCommonRows() {
    const bool areCommon = llvm::all_of(loops, [&](const ChainLoop &chain) {
      return llvm::equal(chain.rows, loops.front().rows, [](const Row &x, const Row &y) {
        return x.ring == y.ring && typeOf(x.load) == typeOf(y.load);
      });
    });
    if (!areCommon)
      forgetRows();
  }
  void forgetRows() {
    for (ChainLoop &chain : loops)
      chain.rows.clear();
  }

  // Where work tiles take different times in no order that is known, each has a block of its own:
  // the GPU starts the next one where a multiprocessor is free.
  void chooseOrder() {
    if (isAlone()) // a block has one work tile
      return;
    order = orderOf(scfLoops());
    if (!order && dependOnBlock(scfLoops()))
      kernel->setAttr(tile::unbalancedAttr, UnitAttr::get(kernel.getContext()));
  }

  // Is operand B of each multiply loaded?
  static bool areAllLoaded(const ChainLoop &chain) {
    scf::ForOp loop = chain.loop;
    return llvm::all_of(loop.getBody()->getOps<tile::SharedMmaOp>(),
                        [&](tile::SharedMmaOp multiply) {
                          return llvm::any_of(chain.operands, [&](StoredOperand operand) {
                            return operand.buffer.getResult() == multiply.getB();
                          });
                        });
  }

  // A square operand has one type as it is loaded and transposed.
  static bool sharesRings(const ChainLoop &chain, const ChainLoop &other) {
    auto haveOneType = [](const auto &x, const auto &y) { return typeOf(x) == typeOf(y); };
    return llvm::equal(chain.loads, other.loads, haveOneType) &&
           llvm::equal(chain.operands, other.operands, haveOneType) &&
           llvm::all_of(llvm::seq(chain.loads.size()), [&](size_t ring) {
             return chain.isTransposed(ring) == other.isTransposed(ring);
           });
  }

  FilledLoop iterationsOf(const ChainLoop &chain) const {
    FilledLoop filled(chain.loop);
    if (std::optional<JointIterations> joint = blocks ? blocks->jointOf(chain.loop) : std::nullopt)
      filled.lower = joint->lower, filled.upper = joint->upper;
    return filled;
  }

  FilledLoop filledBy(const ChainLoop &chain) const {
    FilledLoop filled = iterationsOf(chain);
    for (size_t ring = 0; ring < chain.loads.size(); ++ring)
      filled.fills.push_back({loadsOf(chain, ring), unsigned(ring)});
    return filled;
  }

  // The transposing warps' part of it; they number their rings themselves.
  FilledLoop transposedBy(const ChainLoop &chain) const {
    FilledLoop filled = iterationsOf(chain);
    for (size_t ring = 0; ring < ringCount(); ++ring)
      if (chain.isTransposed(ring))
        filled.fills.push_back({{}, unsigned(filled.fills.size())});
    return filled;
  }

  // The rings that the producer warp fills.
  SmallVector<ProducerRing> copiedRings() const {
    SmallVector<ProducerRing> copied(rings);
    for (auto &[ring, of] : rawRings)
      copied[ring] = of;
    return copied;
  }

  void transpose(OpBuilder &b, scf::ForOp workTiles, MutableArrayRef<FilledLoop> transposed,
                 ArrayRef<Value> before) {
    if (rawRings.empty())
      return;
    SmallVector<ProducerRing> filled;
    for (auto [i, raw] : llvm::enumerate(rawRings)) {
      filled.push_back(rings[raw.first]);
      for (FilledLoop &loop : transposed)
        loop.fills[i].transposed = &raw.second;
    }
    transposeRings(b, workTiles, transposed, filled, before);
  }

  bool hasNoOtherMultiply() {
    return !kernel
                .walk([&](tile::SharedMmaOp multiply) {
                  bool isOfChain = llvm::any_of(loops, [&](const ChainLoop &chain) {
                    return chain.loop->isAncestor(multiply);
                  });
                  return isOfChain ? WalkResult::advance() : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  // As many stages as fit beside the other operands and the results that leave meanwhile.
  bool chooseStages() {
    const int64_t limit = configOf(kernel).getStages();
    int64_t bytes = bytesOfStage(loops.front().loads), rawCount = 0;
    for (size_t ring = 0; ring < ringCount(); ++ring)
      if (loops.front().isTransposed(ring))
        bytes += bytesOf(typeOf(loops.front().operands[ring])), ++rawCount;
    int64_t beside = (int64_t(ringCount()) + rawCount) * bytesOfBarriers(2 * limit, /*maps=*/0);
    beside += isAlone() ? int64_t(ringCount()) * bytesOfTensorMap
                        : tileBlocks() * bytesOfStoredParts(kernel);
    beside += int64_t(invariant.size()) * bytesOfBarriers(2 * tileBlocks(), /*maps=*/0);
    llvm::SmallSetVector<std::pair<Value, Type>, 4> others;
    for (auto [buffer, store] : invariant)
      others.insert({store.getValue(), buffer.getType()});
    for (auto [value, type] : others)
      beside += tileBlocks() * bytesOf(cast<tile::SharedType>(type));
    const int64_t room = targetOf(kernel).sharedOfBlock - beside;
    stages = std::min(limit, room / bytes);
    keepCommonRows();
    if (room / (bytes + bytesOfRows()) < stages)
      forgetRows();
    int64_t bytesOfOthers = int64_t(invariant.size()) * bytesOfBarriers(2, /*maps=*/0);
    for (auto [value, type] : others)
      bytesOfOthers += bytesOf(cast<tile::SharedType>(type));
    // Where threads take longer than the tensor cores, the operand at a slot of its own costs them
    // more than it hides: D 64, 128x128, full, 389 TFLOP/s with one stage and 361 with two.
    const bool hidesCopy = llvm::all_of(
        loops, [](const ChainLoop &chain) { return multipliesMost(*chainOf(chain.loop)); });
    if (tileBlocks() == 1 && hidesCopy && room - stages * (bytes + bytesOfRows()) >= bytesOfOthers)
      stagesOfOnce = 2;
    return stages >= minStages;
  }

  // The operands of a loop's multiplies that are stored from a tile from before the loop.
  void collectInvariant(scf::ForOp loop) {
    for (auto buffer : loop.getBody()->getOps<tile::SharedAllocOp>()) {
      tile::SharedStoreOp only;
      const bool isRead = llvm::all_of(buffer->getUsers(), [&](Operation *user) {
        auto store = dyn_cast<tile::SharedStoreOp>(user);
        if (!store || only)
          return isa<tile::SharedMmaOp>(user);
        only = store;
        return store.getStarts().empty() && store->getBlock() == loop.getBody() &&
               loop.isDefinedOutsideOfLoop(store.getValue());
      });
      if (isRead && only)
        invariant.emplace_back(buffer, only);
    }
  }

  // In a stage of each of the rings.
  int64_t bytesOfRows() const {
    int64_t bytes = 0;
    for (const Row &row : loops.front().rows)
      bytes += int64_t(llvm::alignTo(bytesOf(typeOf(row.load)), alignmentOf(typeOf(row.load))));
    return bytes;
  }

  // What a stage of a ring has: a tile, and rows.
  static SmallVector<PipelinedLoad> loadsOf(const ChainLoop &chain, size_t ring) {
    SmallVector<PipelinedLoad> loads = {chain.loads[ring]};
    for (const Row &row : chain.rows)
      if (row.ring == ring)
        loads.push_back(row.load);
    return loads;
  }
  // The same of one loop after the other.
  SmallVector<SmallVector<PipelinedLoad>> loadsOf(size_t ring) const {
    return llvm::map_to_vector(loops, [&](const ChainLoop &chain) { return loadsOf(chain, ring); });
  }
  // All that the producer warp copies in an iteration.
  static SmallVector<PipelinedLoad> copiedIn(const ChainLoop &chain) {
    SmallVector<PipelinedLoad> copied(chain.loads);
    for (const Row &row : chain.rows)
      copied.push_back(row.load);
    return copied;
  }

  // Are the tensor maps of all loops made before the first one?
  bool areMapsMade() {
    for (size_t ring = 0; ring < ringCount(); ++ring)
      if (makerOfTensorMaps(loops.front().loop, loadsOf(ring)) != maker())
        return false;
    return true;
  }

  // Hosts launch the kernels of an image themselves, and launches know nothing of views whose
  // lengths are in memory, as those of packed sequences are. There is no other kernel beside such a
  // one, and it makes its tensor maps itself.
  bool isAlone() const {
    return !kernel->getParentOfType<ModuleOp>()->hasAttr(tile::launchedAttr) ||
           !(kernel->hasAttr(tile::cyclesAttr) || needsTensorMaps(kernel));
  }
  TensorMapMaker maker() const {
    return isAlone() ? TensorMapMaker::kernel : TensorMapMaker::launch;
  }

  // Do bulk copies of its boxes start at multiples of 16 bytes? Else the producer warp would copy
  // element by element, where all threads copy faster.
  static bool hasAlignedRows(const PipelinedLoad &load) {
    const Box box = boxBeforeLayouts(load.load);
    return !load.rounding && box.isContiguous &&
           llvm::none_of(unprovenOf(box, bytesPerInstruction / box.bytes(), tile::Bounds::inside),
                         [](const Unproven &u) {
                           return u.kind == Unproven::Base || u.kind == Unproven::Stride;
                         });
  }

  // Is a block alone on its SM, as the tensor cores of a block with a producer warp keep busy? Pass
  // coarsen-blocks asks this where launches choose between two kernels.
  bool fillSM() {
    const int64_t threads = 32 * configOf(kernel).getWarps();
    return llvm::any_of(loops, [&](const ChainLoop &chain) {
      return fillsRegisters(*chainOf(chain.loop), threads, targetOf(kernel));
    });
  }

  void makeRings(OpBuilder &b, scf::ForOp workTiles) {
    for (size_t i = 0; i < ringCount(); ++i) {
      const bool isTransposed = loops.front().isTransposed(i);
      rings.push_back(makeRing(b, workTiles, loadsOf(i), stages,
                               isTransposed ? warpsThatTranspose : consumerWarpgroups()));
      if (!isTransposed)
        continue;
      rawRings.emplace_back(i, rings.back());
      rings.back() = makeTransposedRing(b, workTiles, typeOf(loops.front().operands[i]));
    }
    for (const PipelinedLoad &operand : once) {
      SmallVector<SmallVector<PipelinedLoad>> reads;
      for (const PipelinedLoad &own : ofTileBlocks(operand))
        reads.push_back({own});
      rings.push_back(makeRing(b, workTiles, reads, tileBlocks() * stagesOfOnce,
                               consumerWarpgroups() / tileBlocks()));
    }
  }

  int64_t consumerWarpgroups() const { return computingWarps(kernel) / 4; }

  // The tensor maps are asked for as `find` asked: what stands behind the loops may write what they
  // read, since work tiles have no order.
  ProducerRing makeRing(OpBuilder &b, scf::ForOp workTiles,
                        ArrayRef<SmallVector<PipelinedLoad>> loads, int64_t stagesOfRing,
                        int64_t readers) {
    ProducerRing ring{{}, std::nullopt, stagesOfRing};
    for (const PipelinedLoad &load : loads.front()) {
      Value tiles = tile::SharedAllocOp::create(b, workTiles.getLoc(), typeOf(load), stagesOfRing,
                                                IntegerAttr());
      ring.tiles.push_back({tiles, Value()});
    }
    ring.bulk = beginBulkRing(loops.front().loop, loads, stagesOfRing, readers);
    return ring;
  }

  // A ring that the transposing warps fill: no tensor map is needed.
  ProducerRing makeTransposedRing(OpBuilder &b, scf::ForOp workTiles, tile::SharedType type) {
    Location loc = workTiles.getLoc();
    Value tiles = tile::SharedAllocOp::create(b, loc, type, stages, IntegerAttr());
    BulkRing barriers;
    barriers.barriers = tile::InitBarriersOp::create(
        b, loc, bytesOfShared(b, loc, bytesOfBarriers(2 * stages, /*maps=*/0)), ValueRange(),
        stages, warpsThatTranspose, b.getI64IntegerAttr(consumerWarpgroups()));
    return {{{tiles, Value()}}, barriers, stages};
  }

  // Operands from before the loops stay in shared memory, each once. Notes those that the producer
  // warp can copy there.
  void storeInvariantOnce() {
    llvm::MapVector<std::pair<Value, Type>, PipelinedLoad> stored;
    for (auto [buffer, store] : invariant) {
      PipelinedLoad &first = stored[{store.getValue(), buffer.getType()}];
      if (first.buffer) {
        buffer.replaceAllUsesWith(first.buffer.getResult());
        store.erase();
        buffer.erase();
        continue;
      }
      first.store = store;
      first.buffer = buffer;
      auto loop = store->getParentOfType<scf::ForOp>();
      buffer->moveBefore(loop);
      store->moveBefore(loop);
    }
    for (auto &[key, operand] : stored)
      (isReadByProducer(operand) ? once : byThreads).push_back(operand);
  }

  // Each tile block has its own of what threads store before the loops.
  void separate(OpBuilder &b) {
    for (const PipelinedLoad &operand : byThreads) {
      tile::SharedAllocOp buffer = operand.buffer;
      b.setInsertionPoint(buffer);
      buffer.replaceAllUsesWith(
          sharedOfTileBlock(b, buffer.getLoc(), kernel, cast<tile::SharedType>(buffer.getType())));
      buffer.erase();
    }
  }

  // Is the operand read before the loops, for nothing else, as a bulk copy reads it? Sets the read.
  bool isReadByProducer(PipelinedLoad &operand) {
    if (isAlone() || kernel->hasAttr(tile::unbalancedAttr)) // a block has one work tile
      return false;
    Value tile = operand.store.getValue();
    while (tile.hasOneUse() && tile.getDefiningOp<tile::ReshapeOp>())
      tile = tile.getDefiningOp()->getOperand(0);
    operand.load = tile.getDefiningOp<tile::ViewLoadOp>();
    return operand.load && tile.hasOneUse() && operand.load->getParentOp() == kernel &&
           !waitOfBox(operand.load) && canProduce(operand, kernel) &&
           makerOfTensorMaps(loops.front().loop, SmallVector<PipelinedLoad>{operand}) == maker();
  }

  // The consumers' side of an operand that is read before the loops, of which `last` is the last.
  // index: of its slot in this work tile; null: each tile block has one.
  void consumeOnce(OpBuilder &b, PipelinedLoad operand, const ProducerRing &ring, Value index,
                   Operation *last) {
    OpBuilder::InsertionGuard guard(b);
    Location loc = operand.load.getLoc();
    b.setInsertionPoint(operand.store);
    if (!index)
      index = firstSlotOfTileBlock(b, loc, kernel, /*tiles=*/1);
    tile::WaitGroupOp::create(b, loc, /*pending=*/0, ring.barriers(), index);
    Value slot =
        tile::SharedSlotOp::create(b, loc, typeOf(operand), ring.tiles.front().tiles, index);
    operand.buffer.getResult().replaceAllUsesWith(slot);
    operand.store.erase();
    operand.buffer.erase();
    // A work tile without iterations multiplies nothing, and releases what one of its warps may not
    // have waited for yet (passOver).
    b.setInsertionPointAfter(last);
    meet(b, loc);
    tile::ConsumerReleaseOp::create(b, loc, ring.barriers(), index);
  }

  // All warps that have a tile block.
  void meet(OpBuilder &b, Location loc) {
    tile::BarrierOp::create(b, loc, b.getI64IntegerAttr(configOf(kernel).getWarps()));
  }

  // The consumers' side of a loop; returns the slots after it.
  SmallVector<Value> consume(OpBuilder &b, ChainLoop &chain, ArrayRef<Value> slots) {
    OpBuilder::InsertionGuard guard(b);
    Location loc = chain.loop.getLoc();
    b.setInsertionPoint(chain.loop);
    std::optional<JointIterations> joint = blocks ? blocks->jointOf(chain.loop) : std::nullopt;
    SmallVector<Value> first(slots);
    if (joint && joint->lower != chain.loop.getLowerBound()) {
      Value to = smaller(b, chain.loop, chain.loop.getLowerBound(), joint->upper);
      first = passOver(b, chain.loop, joint->lower, to, first);
    }
    scf::ForOp loop = carryMore(
        chain.loop, first, [&](OpBuilder &inner, Location at, ArrayRef<BlockArgument> arguments) {
          SmallVector<Value> next;
          for (BlockArgument read : arguments) {
            read.setLoc(NameLoc::get(inner.getStringAttr("read"), at));
            next.push_back(nextSlot(inner, at, read, stages));
          }
          return next;
        });
    auto reads = loop.getRegionIterArgs().take_back(slots.size());
    auto ringsOfLoop = ArrayRef(rings).take_front(ringCount());
    for (auto [i, readers, ring, read] : llvm::enumerate(chain.readers, ringsOfLoop, reads)) {
      SmallVector<PipelinedLoad> loads = loadsOf(chain, i);
      if (chain.isTransposed(i)) {
        b.setInsertionPoint(readers.front());
        tile::WaitGroupOp::create(b, loc, /*pending=*/0, ring.barriers(), read);
        StoredOperand operand = chain.operands[i];
        replaceBySlot(b, loc, operand.buffer, operand.store, ring.tiles.front().tiles, read);
        withoutShared(loads.front()); // no consumer reads it
      } else {
        b.setInsertionPoint(firstReadOf(loads, readers));
        waitForCopies(b, loop, loads, ring.tiles, ring.bulk, /*pending=*/0, read);
        for (auto [load, tiles] : llvm::zip_equal(loads, ring.tiles))
          replaceBySlot(b, loc, load.buffer, load.store, tiles.tiles, read);
      }
      b.setInsertionPointAfter(readers.back());
      tile::ConsumerReleaseOp::create(b, loc, ring.barriers(), read);
    }
    lastLoop = loop;
    SmallVector<Value> next(loop.getResults().take_back(slots.size()));
    if (!joint || joint->upper == loop.getUpperBound())
      return next;
    b.setInsertionPointAfter(loop);
    Value from = larger(b, loop, loop.getLowerBound(), loop.getUpperBound());
    return passOver(b, loop, from, joint->upper, next);
  }

  static void replaceBySlot(OpBuilder &b, Location loc, tile::SharedAllocOp buffer,
                            tile::SharedStoreOp store, Value ring, Value index) {
    Value slot = tile::SharedSlotOp::create(b, loc, buffer.getType(), ring, index);
    buffer.getResult().replaceAllUsesWith(slot);
    store.erase();
    buffer.erase();
  }

  // Of what a stage has: by a multiply, or where a row is loaded.
  static Operation *firstReadOf(ArrayRef<PipelinedLoad> loads, const Multiplies &readers) {
    Operation *first = readers.front();
    for (const PipelinedLoad &row : loads.drop_front())
      if (Operation *load = loadOf(row); load->isBeforeInBlock(first))
        first = load;
    return first;
  }

  // The iterations that another tile block has, and this one has not: their stages become free. A
  // stage may be filled again as soon as one thread has released it: a warp that still waited for
  // what was there before would never see it. Multiplies need all warps of the warpgroup; here a
  // barrier does.
  SmallVector<Value> passOver(OpBuilder &b, scf::ForOp loop, Value from, Value to,
                              ArrayRef<Value> slots) {
    OpBuilder::InsertionGuard guard(b);
    Location loc = loop.getLoc();
    auto others = scf::ForOp::create(b, loc, from, to, loop.getStep(), slots);
    others.setUnsignedCmp(loop.getUnsignedCmp());
    others->setAttr(tile::passedOverAttr, b.getUnitAttr());
    others.getInductionVar().setLoc(loop.getInductionVar().getLoc());
    b.setInsertionPointToStart(others.getBody());
    SmallVector<Value> next;
    for (auto [ring, slot] : llvm::zip(rings, others.getRegionIterArgs())) {
      slot.setLoc(NameLoc::get(b.getStringAttr("read"), loc));
      tile::WaitGroupOp::create(b, loc, /*pending=*/0, ring.barriers(), slot);
    }
    meet(b, loc);
    for (auto [ring, slot] : llvm::zip(rings, others.getRegionIterArgs())) {
      tile::ConsumerReleaseOp::create(b, loc, ring.barriers(), slot);
      next.push_back(nextSlot(b, loc, slot, stages));
    }
    scf::YieldOp::create(b, loc, next);
    return SmallVector<Value>(others.getResults());
  }

  func::FuncOp kernel;
  SmallVector<ChainLoop, 2> loops;
  int64_t stages = 0, stagesOfOnce = 1; // of the rings of the loops, and of the others
  SmallVector<ProducerRing> rings;
  SmallVector<PipelinedLoad> raw; // of what is transposed
  // What the producer warp copies for the transposing warps, by the ring that they fill.
  SmallVector<std::pair<size_t, ProducerRing>> rawRings;
  SmallVector<std::pair<tile::SharedAllocOp, tile::SharedStoreOp>> invariant;
  std::optional<WorkTileOrder> order;
  SmallVector<PipelinedLoad> once, byThreads; // of them: copied by the producer warp, or not
  IntegerAttr axis;                           // of tile blocks that the consumer warpgroups are
  std::optional<WarpgroupBlocks> blocks;
  Operation *lastLoop = nullptr;
  // The loop over parts, or the branch, whose ops are the kernel's now, and the first of these.
  Operation *entered = nullptr, *firstEntered = nullptr;
  int64_t partCount = 1;
  Value part; // stands for the number of a part until there are work tiles
};

struct SpecializeChains : impl::SpecializeChainsBase<SpecializeChains> {
  void runOnOperation() override {
    eraseDead(getOperation());
    if (ChainKernel kernel(getOperation()); kernel.find())
      kernel.run();
  }
};

} // namespace
} // namespace tessera::plan
