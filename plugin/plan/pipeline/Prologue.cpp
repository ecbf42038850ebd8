#include "plan/pipeline/Prologue.h"

#include "plan/Plan.h"
#include "tile/Attributes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tessera::plan {

namespace {

class Prologue {
public:
  Prologue(OpBuilder &b, scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts,
           ArrayRef<RingOfTiles> rings, const std::optional<BulkRing> &bulk)
      : b(b), loop(loop), loc(loop.getLoc()), parts(parts), rings(rings), bulk(bulk) {}

  // Starts `count` parts. Whole iterations become a loop: compilers take long for the code of a
  // copy, and unrolling gains nothing where nothing is multiplied yet.
  void start(int64_t count) {
    auto partsOfIteration = int64_t(parts.size()), part = int64_t(0);
    whole = count / partsOfIteration;
    if (whole > 1 && canTestByCount(loop, whole - 1)) {
      startIterations();
      part = whole * partsOfIteration;
    }
    for (; part < count; ++part)
      startPart(iterationAt(b.getIndexAttr(part / partsOfIteration), part / partsOfIteration),
                part % partsOfIteration, number(part));
  }

private:
  Value number(int64_t n) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(n)));
  }

  // Is the loop known to have more than `iteration` iterations?
  bool surelyHas(int64_t iteration) {
    auto lower = getConstantIntValue(loop.getLowerBound()),
         upper = getConstantIntValue(loop.getUpperBound()),
         step = getConstantIntValue(loop.getStep());
    return lower && upper && step && *lower >= 0 && *lower + iteration * *step < *upper;
  }

  // grown: how often to advance what the loop carries.
  OtherIteration iterationAt(OpFoldResult iteration, int64_t grown) {
    Value lower = loop.getLowerBound(), variable = advance(b, loop, lower, iteration);
    Value exists = surelyHas(getConstantIntValue(iteration).value_or(whole - 1))
                       ? arith::ConstantOp::create(b, loc, b.getBoolAttr(true)).getResult()
                       : iterationExists(b, loop, lower, variable, iteration);
    return {variable, exists, grown, /*isBeforeLoop=*/true};
  }

  void startPart(const OtherIteration &iteration, int64_t part, Value slot,
                 const IRMapping &map = {}) {
    startCopies(b, loop, parts[part], rings, bulk, iteration, slot, map);
  }

  void startIterations() {
    SmallVector<Value> coordinates;
    for (ArrayRef<PipelinedLoad> part : parts)
      for (const PipelinedLoad &pipelined : part)
        llvm::append_range(coordinates, pipelined.coordinates());
    Slice slice = sliceOf(coordinates, loop);
    SmallVector<Value> inits = llvm::map_to_vector(
        slice.carried, [&](BlockArgument carried) { return loop.getTiedLoopInit(carried)->get(); });
    auto starts = scf::ForOp::create(b, loc, number(0), number(whole), number(1), inits);
    starts->setAttr(tile::prologueAttr, b.getUnitAttr());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(starts.getBody());
    Value iteration = starts.getInductionVar();
    iteration.setLoc(NameLoc::get(b.getStringAttr(parts.size() == 1 ? "stage" : "iteration"), loc));
    IRMapping map;
    for (auto [carried, ours] : llvm::zip_equal(slice.carried, starts.getRegionIterArgs())) {
      ours.setLoc(carried.getLoc());
      map.map(carried, ours);
    }
    auto partsOfIteration = int64_t(parts.size());
    OtherIteration here = iterationAt(iteration, /*grown=*/0); // the map has what is carried
    Value first = b.createOrFold<arith::MulIOp>(loc, iteration, number(partsOfIteration));
    for (int64_t part = 0; part < partsOfIteration; ++part)
      startPart(here, part, b.createOrFold<arith::AddIOp>(loc, first, number(part)), map);
    if (inits.empty())
      return; // the builder has terminated the body
    SmallVector<Value> next;
    for (auto [carried, ours] : llvm::zip_equal(slice.carried, starts.getRegionIterArgs()))
      next.push_back(nextOf(b, loop, carried, ours));
    scf::YieldOp::create(b, loc, next);
  }

  OpBuilder &b;
  scf::ForOp loop;
  Location loc;
  ArrayRef<SmallVector<PipelinedLoad>> parts;
  ArrayRef<RingOfTiles> rings;
  const std::optional<BulkRing> &bulk;
  int64_t whole = 0; // iterations
};

} // namespace

void startPrologue(OpBuilder &b, scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts,
                   ArrayRef<RingOfTiles> rings, const std::optional<BulkRing> &bulk,
                   int64_t count) {
  Prologue(b, loop, parts, rings, bulk).start(count);
}

} // namespace tessera::plan
