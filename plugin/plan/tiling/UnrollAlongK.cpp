// Unrolls loops whose multiplies have a small K tile: one larger iteration replaces several, with
// as many fewer waits, and copies of whole lines.
//
//   for %i = 0 to %n { mma (view_load A(%i)), (view_load B(%i)), %accumulator : 128x32, 32x128, 128x128 }
//   ->  for %i = 0 to %n & -2 step 2 { mma (view_load A(%i)), (view_load B(%i)), %accumulator : 128x64,
//       64x128, 128x128 }; for the remainder, an iteration at most, as it was
//
// No remainder loop is needed where the number of iterations is known to be a multiple, or where
// the iterations reach the end of what is read: elements beyond it are zeros. A multiply adds up
// along K in the order of its instructions, so the order of additions stays.
//
// The operands' boxes must lie side by side along K, iteration after iteration, and be all that
// moves. A box that starts below 0 is outside as a whole, and the parts of the larger one must be:
// it starts at a multiple of its extent, or a test before the loop shows that no start is below 0.
// What is computed from a box before the multiply is computed element-wise, with values that are
// constant along K. Everything else in the loop, such as the stores of each iteration, is repeated
// for one iteration after the other, if there is one; the loop carries its accumulators, values
// with constant strides, and what it computes besides. The pass leaves multiplies alone that no
// tensor core takes.
//
//   for %i = 0 to %n { ...; store %x, %p[%i] }
//   ->  for %i = 0 to %n & -2 step 2 { ...; store %x, %p[%i]; store %x, %p[%i + 1] }; ...
#include "plan/tiling/EachBlock.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/InductionStrides.h"
#include "plan/layout/LayoutInference.h"
#include "plan/layout/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/Occupancy.h"
#include "plan/analysis/OtherIterations.h"
#include "plan/Passes.h"
#include "plan/pipeline/PipelinedLoads.h"
#include "plan/Plan.h"
#include "tile/Attributes.h"
#include "tile/Speculation.h"

#include "llvm/ADT/MapVector.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_UNROLLALONGK
#include "plan/Passes.h.inc"

namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

RankedTensorType deeper(RankedTensorType type, unsigned k, int64_t iterations) {
  SmallVector<int64_t> shape(type.getShape());
  shape[k] *= iterations;
  return RankedTensorType::get(shape, type.getElementType());
}

// The dimension of a tile before a reshape that only adds or removes dimensions of one element.
std::optional<unsigned> dimensionBefore(tile::ReshapeOp op, unsigned dim) {
  ArrayRef<int64_t> from = typeOf(op.getX()).getShape(), to = typeOf(op.getResult()).getShape();
  SmallVector<unsigned> fromDims, toDims;
  for (unsigned d = 0; d < from.size(); ++d)
    if (from[d] != 1)
      fromDims.push_back(d);
  for (unsigned d = 0; d < to.size(); ++d)
    if (to[d] != 1)
      toDims.push_back(d);
  auto extents = [](ArrayRef<unsigned> dims, ArrayRef<int64_t> shape) {
    return llvm::map_to_vector(dims, [&](unsigned d) { return shape[d]; });
  };
  const unsigned *found = llvm::find(toDims, dim);
  if (found == toDims.end() || extents(fromDims, from) != extents(toDims, to))
    return {};
  return fromDims[found - toDims.begin()];
}

// What a loop's operands are computed from: the dimension of each tile that is summed over.
class Operands {
public:
  explicit Operands(scf::ForOp loop) : loop(loop) {}

  // Follows an operand up to its read; false if it has another form.
  bool add(Value tile, unsigned k) {
    Operation *op = tile.getDefiningOp();
    if (!op || op->getBlock() != loop.getBody())
      return false;
    if (auto [known, isNew] = tiles.insert({op, k}); !isNew)
      return known->second == k;
    if (auto load = dyn_cast<tile::ViewLoadOp>(op))
      return isInTurn(load, k);
    if (auto permute = dyn_cast<tile::PermuteOp>(op))
      return add(permute.getX(), permute.getMap()[k]);
    if (auto reshape = dyn_cast<tile::ReshapeOp>(op)) {
      std::optional<unsigned> before = dimensionBefore(reshape, k);
      return before && add(reshape.getX(), *before);
    }
    if (auto broadcast = dyn_cast<tile::BroadcastOp>(op))
      return typeOf(broadcast.getX()).getDimSize(k) > 1 && add(broadcast.getX(), k);
    bool isElementwise = isPure(op) && !isa<tile::ScanOp>(op) && op->getNumResults() == 1 &&
                         !tilesInOneLayout(op).empty();
    return isElementwise && llvm::all_of(op->getOperands(), [&](Value x) {
             return isa<RankedTensorType>(x.getType()) ? isSameAlongK(x, k) || add(x, k)
                                                       : loop.isDefinedOutsideOfLoop(x);
           });
  }

  bool contains(Operation *op) const { return tiles.contains(op); }

  // The loop's multiplies are the only uses of what is read and computed; the rest of the loop can
  // be repeated.
  bool areAll(ArrayRef<tile::MmaOp> multiplies) {
    return llvm::all_of(loop.getBody()->without_terminator(), [&](Operation &op) {
      if (auto multiply = dyn_cast<tile::MmaOp>(op))
        return llvm::is_contained(multiplies, multiply);
      if (tiles.contains(&op))
        return llvm::all_of(op.getUsers(), [&](Operation *user) {
          return tiles.contains(user) || isa<tile::MmaOp>(user);
        });
      return mayBeDoneByEach(op);
    });
  }

  SmallVector<std::pair<tile::ViewLoadOp, unsigned>> loads() const {
    SmallVector<std::pair<tile::ViewLoadOp, unsigned>> result;
    for (auto [op, k] : tiles)
      if (auto load = dyn_cast<tile::ViewLoadOp>(op))
        result.emplace_back(load, k);
    return result;
  }

  // Zeros stay zeros on their way to the multiply.
  bool keepZeros() const {
    return llvm::all_of(tiles, [](auto &entry) {
      return isa<tile::ViewLoadOp, tile::PermuteOp, tile::ReshapeOp, tile::CastOp>(entry.first);
    });
  }

  // Gives the tiles of a copy of the loop, to which `map` leads, the K extent of several
  // iterations.
  void deepen(const IRMapping &map, int64_t iterations) const {
    for (auto [op, k] : tiles) {
      Operation *copy = map.lookup(op);
      copy->getResult(0).setType(deeper(typeOf(copy->getResult(0)), k, iterations));
      if (isa<tile::ViewLoadOp, tile::PermuteOp, tile::ReshapeOp>(op))
        continue;
      OpBuilder b(copy);
      for (auto [from, to] : llvm::zip_equal(op->getOpOperands(), copy->getOpOperands()))
        if (isa<RankedTensorType>(from.get().getType()) &&
            !tiles.contains(from.get().getDefiningOp()))
          to.set(deepened(b, to.get(), k, iterations));
    }
  }

private:
  // Boxes that lie side by side along K, and can be copied ahead.
  bool isInTurn(tile::ViewLoadOp load, unsigned k) {
    int64_t extent = typeOf(load).getDimSize(k);
    // The same value may be the start along another dimension.
    OpOperand &start = load->getOpOperand(load.getStarts().getBeginOperandIndex() + k);
    for (OpOperand &operand : load->getOpOperands())
      if (&operand != &start && movesBy(operand.get(), loop) != 0)
        return false;
    return movesBy(load.getStarts()[k], loop) == extent && !waitOfRead(load, loop);
  }

  // Is it constant along K, and loop-invariant?
  bool isSameAlongK(Value tile, unsigned k) {
    Operation *op = tile.getDefiningOp();
    DenseElementsAttr elements;
    if (matchPattern(tile, m_Constant(&elements)))
      return elements.isSplat();
    auto isFromOutside = [&](Value v) { return loop.isDefinedOutsideOfLoop(v); };
    if (auto splat = dyn_cast_or_null<tile::SplatOp>(op))
      return isFromOutside(splat.getX());
    auto broadcast = dyn_cast_or_null<tile::BroadcastOp>(op);
    return broadcast && isFromOutside(broadcast.getX()) &&
           typeOf(broadcast.getX()).getDimSize(k) == 1;
  }

  static Value deepened(OpBuilder &b, Value tile, unsigned k, int64_t iterations) {
    RankedTensorType type = deeper(typeOf(tile), k, iterations);
    DenseElementsAttr elements;
    if (matchPattern(tile, m_Constant(&elements)))
      return arith::ConstantOp::create(b, tile.getLoc(), elements.resizeSplat(type));
    Operation *copy = b.clone(*tile.getDefiningOp());
    copy->getResult(0).setType(type);
    return copy->getResult(0);
  }

  scf::ForOp loop;
  llvm::MapVector<Operation *, unsigned> tiles;
};

class Unrolling {
public:
  explicit Unrolling(scf::ForOp loop) : loop(loop), operands(loop) {}

  bool isPossible() {
    auto step = getConstantIntValue(loop.getStep());
    multiplies = llvm::to_vector(loop.getBody()->getOps<tile::MmaOp>());
    if (multiplies.empty() || !loop.getInductionVar().getType().isInteger() || !step || *step < 1 ||
        *step > maxOfStep)
      return false;
    return llvm::all_of(multiplies, [&](tile::MmaOp op) { return isAccumulator(op); }) &&
           haveSameIterations() && operands.areAll(multiplies) && carriesOthersBeside() &&
           hasRoom();
  }

  void run() {
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    Value count = iterationsOfLoop(b);
    if (auto known = constantOf(count); known && *known < iterations) {
      iterations = int64_t(llvm::bit_floor(uint64_t(std::max<int64_t>(*known, 0))));
      if (iterations < 2)
        return;
    }
    const bool areAligned = isAligned(b), isExact = areAligned && isMultiple(b),
               isWhole = isExact || (areAligned && coversExtents(b, count));
    Value upper = isWhole ? loop.getUpperBound() : lastOfUnrolled(b, count);
    Value stride = b.createOrFold<arith::MulIOp>(loc, loop.getStep(), constant(b, iterations));
    IRMapping map;
    auto unrolled = cast<scf::ForOp>(b.clone(*loop, map));
    unrolled.setUpperBound(upper);
    unrolled.setStep(stride);
    operands.deepen(map, iterations);
    repeatOthers(unrolled, /*maybe=*/isWhole && !isExact);
    auto end = constantOf(upper), bound = constantOf(loop.getUpperBound());
    if (isWhole || (end && bound && *bound >= 0 && *end >= *bound)) {
      loop.replaceAllUsesWith(unrolled.getResults());
      loop.erase();
      return;
    }
    loop.setLowerBound(upper);
    loop.getInitArgsMutable().assign(unrolled.getResults());
    loop->setAttr(tile::fewIterationsAttr, b.getUnitAttr());
  }

private:
  static constexpr int64_t maxOfStep = 1 << 20;

  Value constant(OpBuilder &b, int64_t n) {
    Type type = loop.getInductionVar().getType();
    return arith::ConstantOp::create(b, loop.getLoc(), b.getIntegerAttr(type, n));
  }

  // Adds to an accumulator that the loop carries with no other use; both operands move along K.
  bool isAccumulator(tile::MmaOp op) {
    auto carried = dyn_cast<BlockArgument>(op.getC());
    bool isOwn = carried && carried.getOwner() == loop.getBody() &&
                 carried != loop.getInductionVar() && carried.hasOneUse() && op->hasOneUse() &&
                 loop.getTiedLoopYieldedValue(carried)->get() == op.getResult();
    return isOwn && typeOf(carried).getRank() == 2 && instructionFor(op).isTensorCore() &&
           operands.add(op.getA(), 1) && operands.add(op.getB(), 0);
  }

  // As many iterations as give a multiply 128 bytes of K.
  bool haveSameIterations() {
    auto iterationsOf = [](tile::MmaOp op) {
      RankedTensorType a = typeOf(op.getA());
      return bytesOfPanel / (a.getDimSize(1) * bytesOf(a.getElementType()));
    };
    iterations = iterationsOf(multiplies.front());
    return iterations > 1 &&
           llvm::all_of(multiplies, [&](tile::MmaOp op) { return iterationsOf(op) == iterations; });
  }

  bool isAccumulatorOf(BlockArgument carried) {
    return llvm::any_of(multiplies, [&](tile::MmaOp op) { return op.getC() == carried; });
  }

  // Only the accumulators carry multiplied values to the next iteration.
  bool carriesOthersBeside() {
    return llvm::all_of(loop.getRegionIterArgs(), [&](BlockArgument carried) {
      Operation *next = loop.getTiedLoopYieldedValue(carried)->get().getDefiningOp();
      return isAccumulatorOf(carried) || isMovedEvenly(carried, loop) ||
             (llvm::none_of(carried.getUsers(), [&](Operation *op) { return isMultiplied(op); }) &&
              !(next && isMultiplied(next)));
    });
  }

  static bool isMovedEvenly(BlockArgument carried, scf::ForOp loop) {
    Slice slice;
    return !isa<RankedTensorType>(carried.getType()) && collectSlice(carried, loop, slice);
  }

  // Is it done once for several iterations?
  bool isMultiplied(Operation *op) const { return operands.contains(op) || isa<tile::MmaOp>(op); }

  // For three stages of two blocks. wgmma has 128 bytes of K also where only one block fits, as in
  // the pass pipeline-loops for programs with such a K tile.
  bool hasRoom() {
    int64_t bytes = 0;
    llvm::SmallPtrSet<Value, 4> placed;
    bool areOfWarpgroups = true;
    for (tile::MmaOp op : multiplies) {
      areOfWarpgroups &= instructionFor(op).isOfWarpgroups();
      for (Value operand : {op.getA(), op.getB()})
        if (placed.insert(operand).second)
          bytes += iterations * typeOf(operand).getNumElements() *
                   bytesOf(typeOf(operand).getElementType());
    }
    int64_t blocks = blocksOfSharedMemory(targetOf(loop), wantedStages * bytes);
    return blocks >= (areOfWarpgroups ? 1 : 2);
  }

  Value isRun(OpBuilder &b) {
    return b.createOrFold<arith::CmpIOp>(loop.getLoc(),
                                         loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                                               : arith::CmpIPredicate::slt,
                                         loop.getLowerBound(), loop.getUpperBound());
  }

  // The number of iterations, if the loop runs.
  Value iterationsOfLoop(OpBuilder &b) {
    Location loc = loop.getLoc();
    Value distance = b.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), loop.getLowerBound());
    if (getConstantIntValue(loop.getStep()) == 1)
      return distance;
    Value before = b.createOrFold<arith::SubIOp>(loc, distance, constant(b, 1));
    before = b.createOrFold<arith::DivUIOp>(loc, before, loop.getStep());
    return b.createOrFold<arith::AddIOp>(loc, before, constant(b, 1));
  }

  // Is the number of iterations known to be a multiple of the unroll factor?
  bool isMultiple(OpBuilder &b) {
    Value distance =
        b.createOrFold<arith::SubIOp>(loop.getLoc(), loop.getUpperBound(), loop.getLowerBound());
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    if (step && divisorOf(distance) % (*step * iterations) == 0)
      return true;
    Operation *op = distance.getDefiningOp();
    auto binary = dyn_cast_or_null<tile::BinaryOp>(op);
    bool isQuotient = isa_and_present<arith::DivSIOp, arith::DivUIOp>(op) ||
                      (binary && binary.getKind() == tile::BinaryKind::ceildiv);
    auto divisor = isQuotient ? constantOf(op->getOperand(1)) : std::nullopt;
    return step == 1 && divisor && *divisor > 0 &&
           divisorOf(op->getOperand(0)) % (*divisor * iterations) == 0;
  }

  // The end of the unrolled iterations.
  Value lastOfUnrolled(OpBuilder &b, Value count) {
    Location loc = loop.getLoc();
    Value lower = loop.getLowerBound(), runs = isRun(b);
    if (!isAligned(b))
      runs = b.createOrFold<arith::AndIOp>(loc, runs, areInOrder(b, count));
    Value whole = b.createOrFold<arith::AndIOp>(loc, count, constant(b, -iterations));
    Value distance = b.createOrFold<arith::MulIOp>(loc, whole, loop.getStep());
    Value end = b.createOrFold<arith::AddIOp>(loc, lower, distance);
    return b.createOrFold<arith::SelectOp>(loc, runs, end, lower);
  }

  // Where the first iteration reads.
  Value firstStart(OpBuilder &b, tile::ViewLoadOp load, unsigned k) {
    Value start = load.getStarts()[k];
    IRMapping map;
    Value isFirst = arith::ConstantOp::create(b, load.getLoc(), b.getBoolAttr(true));
    computeThere(b, loop, sliceOf(start, loop), {loop.getLowerBound(), isFirst, 0, true}, map);
    return map.lookupOrDefault(start);
  }

  // Do the larger boxes start at multiples of their extents?
  bool isAligned(OpBuilder &b) {
    return llvm::all_of(operands.loads(), [&](auto entry) {
      auto [load, k] = entry;
      return divisorOf(firstStart(b, load, k)) % (iterations * typeOf(load).getDimSize(k)) == 0;
    });
  }

  // No start wraps around, and none is below 0, from the first iteration to the last.
  Value areInOrder(OpBuilder &b, Value count) {
    Location loc = loop.getLoc();
    Type i64 = b.getI64Type();
    auto number = [&](int64_t n) -> Value {
      return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(n));
    };
    auto widened = [&](Value v) {
      return v.getType() == i64 ? v : b.createOrFold<arith::ExtUIOp>(loc, i64, v);
    };
    auto isAtMost = [&](Value v, int64_t most) {
      return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ule, v, number(most));
    };
    constexpr int64_t maxIterations = int64_t(1) << 40;
    Value result = isAtMost(widened(count), maxIterations);
    SmallVector<std::pair<Value, int64_t>> seen; // starts, and their strides
    for (auto [load, k] : operands.loads()) {
      std::pair<Value, int64_t> move(load.getStarts()[k], typeOf(load).getDimSize(k));
      if (llvm::is_contained(seen, move))
        continue;
      seen.push_back(move);
      int64_t most = int64_t(1) << (move.first.getType().isInteger(32) ? 31 : 62);
      Value first = widened(firstStart(b, load, k));
      Value distance = b.createOrFold<arith::MulIOp>(loc, widened(count), number(move.second));
      Value end = b.createOrFold<arith::AddIOp>(loc, first, distance);
      for (Value at : {first, end})
        result = b.createOrFold<arith::AndIOp>(loc, result, isAtMost(at, most));
    }
    return result;
  }

  // After the last iteration both operands are zeros, as many as fill the last larger box, and
  // adding them changes nothing.
  bool coversExtents(OpBuilder &b, Value count) {
    auto addsToZeros = [&](tile::MmaOp op) {
      Value init = loop.getTiedLoopInit(cast<BlockArgument>(op.getC()))->get();
      if (auto splat = init.getDefiningOp<tile::SplatOp>())
        init = splat.getX();
      return matchPattern(init, m_PosZeroFloat()) || matchPattern(init, m_Zero());
    };
    bool areAccumulatorsAll = llvm::all_of(loop.getRegionIterArgs(), [&](BlockArgument carried) {
      return isAccumulatorOf(carried) || loop.getTiedLoopResult(carried).use_empty() ||
             !isMovedEvenly(carried, loop);
    });
    return areAccumulatorsAll && operands.keepZeros() && llvm::all_of(multiplies, addsToZeros) &&
           llvm::all_of(operands.loads(), [&](auto entry) {
             auto [load, k] = entry;
             return load.getPadding() == tile::Padding::zero &&
                    constantOf(firstStart(b, load, k)) == 0 &&
                    isCovered(load.getExtents()[k], typeOf(load).getDimSize(k), count);
           });
  }

  // From 0 on this many iterations of `step` elements reach the extent. A bound that wraps on the
  // way is below the extent's quotient, and then no iteration runs.
  bool isCovered(Value extent, int64_t step, Value count) {
    auto known = constantOf(count), end = constantOf(extent);
    if (known && end)
      return *end >= 0 && *end <= *known * step;
    if (constantOf(loop.getLowerBound()) != 0 || loop.getUnsignedCmp())
      return false;
    Value upper = loop.getUpperBound();
    auto stepOfLoop = getConstantIntValue(loop.getStep());
    if (stepOfLoop == step)
      return upper == extent;
    if (stepOfLoop != 1)
      return false;
    if (auto quotient = upper.getDefiningOp<tile::BinaryOp>())
      return quotient.getKind() == tile::BinaryKind::ceildiv && quotient.getX() == extent &&
             constantOf(quotient.getY()) == step;
    Operation *quotient = upper.getDefiningOp();
    if (!isa_and_present<arith::DivSIOp, arith::DivUIOp>(quotient) ||
        constantOf(quotient->getOperand(1)) != step)
      return false;
    auto sum = quotient->getOperand(0).getDefiningOp<arith::AddIOp>();
    return sum && sum.getLhs() == extent && constantOf(sum.getRhs()) == step - 1;
  }

  // Repeats the other ops of the loop for one iteration after the other. maybe: the last may not
  // exist. Loop-carried values other than accumulators advance by several iterations, or are
  // computed by one after the other.
  void repeatOthers(scf::ForOp unrolled, bool maybe) {
    Operation *yield = unrolled.getBody()->getTerminator();
    OpBuilder b(yield);
    SmallVector<unsigned> computed;
    SmallVector<Value> last; // their values after an iteration
    for (BlockArgument carried : loop.getRegionIterArgs())
      if (!isAccumulatorOf(carried) && !isMovedEvenly(carried, loop)) {
        computed.push_back(carried.getArgNumber() - 1);
        last.push_back(yield->getOperand(computed.back()));
      }
    for (int64_t iteration = 1; iteration < iterations; ++iteration)
      repeatOthers(b, unrolled, iteration, maybe, computed, last);
    for (BlockArgument carried : unrolled.getRegionIterArgs())
      if (isMovedEvenly(carried, unrolled))
        unrolled.getTiedLoopYieldedValue(carried)->set(movedOn(b, unrolled, carried, iterations));
    for (auto [number, value] : llvm::zip_equal(computed, last))
      yield->setOperand(number, value);
  }

  // For one iteration, `iteration` after the one that the unrolled loop is in.
  void repeatOthers(OpBuilder &b, scf::ForOp unrolled, int64_t iteration, bool maybe,
                    ArrayRef<unsigned> computed, SmallVectorImpl<Value> &last) {
    IRMapping map;
    Location loc = loop.getLoc();
    Value variable = unrolled.getInductionVar(),
          there = advance(b, loop, variable, b.getIndexAttr(iteration));
    map.map(loop.getInductionVar(), there);
    for (BlockArgument carried : loop.getRegionIterArgs())
      if (isMovedEvenly(carried, loop))
        map.map(carried, movedOn(b, unrolled, unrolled.getRegionIterArg(carried.getArgNumber() - 1),
                                 iteration));
    for (auto [number, value] : llvm::zip_equal(computed, last))
      map.map(loop.getRegionIterArg(number), value);
    scf::IfOp guard;
    if (maybe)
      guard =
          scf::IfOp::create(b, loc, TypeRange(ValueRange(last)),
                            iterationExists(b, loop, variable, there, b.getIndexAttr(iteration)),
                            /*withElseRegion=*/!last.empty());
    OpBuilder inner = guard ? guard.getThenBodyBuilder() : b;
    for (Operation &op : loop.getBody()->without_terminator())
      if (!isMultiplied(&op))
        inner.clone(op, map);
    SmallVector<Value> next;
    for (unsigned number : computed)
      next.push_back(map.lookupOrDefault(loop.getYieldedValues()[number]));
    if (guard && !last.empty()) {
      scf::YieldOp::create(inner, loc, next);
      OpBuilder other = guard.getElseBodyBuilder();
      scf::YieldOp::create(other, loc, last);
      next = guard.getResults();
    }
    last = next;
  }

  Value movedOn(OpBuilder &b, scf::ForOp unrolled, BlockArgument carried, int64_t distance) {
    Slice slice;
    collectSlice(carried, unrolled, slice);
    IRMapping map;
    Value exists = arith::ConstantOp::create(b, loop.getLoc(), b.getBoolAttr(true));
    computeThere(b, unrolled, slice, {unrolled.getInductionVar(), exists, distance, false}, map);
    return map.lookup(carried);
  }

  scf::ForOp loop;
  Operands operands;
  SmallVector<tile::MmaOp> multiplies;
  int64_t iterations = 0; // unroll factor
};

struct UnrollAlongK : impl::UnrollAlongKBase<UnrollAlongK> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    eraseDead(kernel);
    if (allowanceOf(kernel).stages < wantedStages || !policyOf(kernel).steps)
      return; // the unrolled loop's ring does not fit
    SmallVector<scf::ForOp> loops;
    kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (Unrolling unrolling(loop); unrolling.isPossible())
        unrolling.run();
    eraseDead(kernel);
  }
};

} // namespace
} // namespace tessera::plan
