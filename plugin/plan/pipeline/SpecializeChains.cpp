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
#include "plan/analysis/BlockIndices.h"
#include "plan/analysis/Chains.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Occupancy.h"
#include "plan/Config.h"
#include "plan/mma/ComputedOperands.h"
#include "plan/Passes.h"
#include "plan/pipeline/ChainLoops.h"
#include "plan/pipeline/InFlight.h"
#include "plan/pipeline/ProducerWarp.h"
#include "plan/pipeline/WarpgroupBlocks.h"
#include "plan/pipeline/WorkTileBody.h"
#include "plan/pipeline/WorkTileOrder.h"
#include "plan/Plan.h"
#include "tile/Attributes.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SPECIALIZECHAINS
#include "plan/Passes.h.inc"

namespace {

// One is read while the other is filled.
constexpr int64_t minStages = 2;

bool hasLoops(scf::ForOp loop) {
  return loop.getBody()
      ->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

// A kernel's loops with multiplies, if a producer warp can fill all of their rings.
class ChainKernel {
public:
  explicit ChainKernel(func::FuncOp kernel) : kernel(kernel), body(kernel) {}

  bool find() {
    if (!configOf(kernel).getProducerWarp() || callsFunctions(kernel) ||
        !(needsTensorMaps(kernel) || isAlone()))
      return false;
    axis = kernel->getAttrOfType<IntegerAttr>(tile::warpgroupBlocksAttr);
    if (!axis)
      body.enterParts();
    if (!axis && isAlone())
      body.enterBranch();
    if (findLoops())
      return true;
    for (const PipelinedLoad &load : raw)
      withoutShared(load);
    body.leave();
    return false;
  }

  void run() {
    chooseOrder();
    storeInvariantOnce();
    llvm::for_each(loops, sendRowsThroughShared);
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
    scf::ForOp workTiles =
        loopOverWorkTiles(kernel, carriedSlots, roles, order, body.partCount(), body.part());
    if (blocks)
      blocks->warpgroup()->moveBefore(workTiles);
    if (isAlone())
      body.readBefore(workTiles, blocks ? blocks->hasTileBlock() : Value());
    body.eraseAround();
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
           (!isAlone() || areViewsKnownBefore()) && canStoreAfter(loops.back().loop) &&
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
                          const SmallVector<PipelinedLoad> copied = chain.copied();
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

  // A kernel that makes its tensor maps itself needs the views of its loops before the roles part.
  bool areViewsKnownBefore() const {
    SmallVector<Value> needed;
    for (const ChainLoop &chain : loops)
      for (PipelinedLoad load : chain.loads) {
        needed.push_back(load.load.getBase());
        llvm::append_range(needed, load.load.getExtents());
        llvm::append_range(needed, load.load.getStrides());
      }
    return body.areKnownBefore(needed);
  }

  size_t ringCount() const { return loops.front().loads.size(); }

  bool add(scf::ForOp loop) {
    ChainLoop chain = chainLoopOf(loop);
    for (auto [ring, load] : llvm::enumerate(chain.loads))
      if (chain.isTransposed(ring))
        raw.push_back(load);
    if (chain.loads.empty() || !areAllLoaded(chain) || hasLoops(loop) ||
        makerOfTensorMaps(loop, chain.loads) != maker() ||
        (isAlone() && !llvm::all_of(chain.loads, hasAlignedRows)) || !canProduce(filledBy(chain)) ||
        (!loops.empty() && !shareRings(chain, loops.front())))
      return false;
    findRows(chain, maker());
    loops.push_back(chain);
    llvm::append_range(invariant, operandsFromBefore(loop));
    return true;
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

  FilledLoop iterationsOf(const ChainLoop &chain) const {
    FilledLoop filled(chain.loop);
    if (std::optional<JointIterations> joint = blocks ? blocks->jointOf(chain.loop) : std::nullopt)
      filled.lower = joint->lower, filled.upper = joint->upper;
    return filled;
  }

  FilledLoop filledBy(const ChainLoop &chain) const {
    FilledLoop filled = iterationsOf(chain);
    for (size_t ring = 0; ring < chain.loads.size(); ++ring)
      filled.fills.push_back({chain.loadsOf(ring), unsigned(ring)});
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
    if (room / (bytes + loops.front().bytesOfRows()) < stages)
      forgetRows();
    int64_t bytesOfOthers = int64_t(invariant.size()) * bytesOfBarriers(2, /*maps=*/0);
    for (auto [value, type] : others)
      bytesOfOthers += bytesOf(cast<tile::SharedType>(type));
    // Where threads take longer than the tensor cores, the operand at a slot of its own costs them
    // more than it hides: D 64, 128x128, full, 389 TFLOP/s with one stage and 361 with two.
    const bool hidesCopy = llvm::all_of(
        loops, [](const ChainLoop &chain) { return multipliesMost(*chainOf(chain.loop)); });
    if (tileBlocks() == 1 && hidesCopy &&
        room - stages * (bytes + loops.front().bytesOfRows()) >= bytesOfOthers)
      stagesOfOnce = 2;
    return stages >= minStages;
  }

  // The same of one loop after the other.
  SmallVector<SmallVector<PipelinedLoad>> loadsOf(size_t ring) const {
    return llvm::map_to_vector(loops, [&](const ChainLoop &chain) { return chain.loadsOf(ring); });
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
      SmallVector<PipelinedLoad> loads = chain.loadsOf(i);
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
  SmallVector<StoredOperand> invariant;
  std::optional<WorkTileOrder> order;
  SmallVector<PipelinedLoad> once, byThreads; // of them: copied by the producer warp, or not
  IntegerAttr axis;                           // of tile blocks that the consumer warpgroups are
  std::optional<WarpgroupBlocks> blocks;
  Operation *lastLoop = nullptr;
  WorkTileBody body;
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
