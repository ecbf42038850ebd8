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
#include "plan/analysis/Facts.h"
#include "plan/analysis/InductionStrides.h"
#include "plan/analysis/KTile.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/Occupancy.h"
#include "plan/analysis/MatmulForms.h"
#include "plan/analysis/OtherIterations.h"
#include "plan/Passes.h"
#include "plan/tiling/DeepOperands.h"
#include "plan/analysis/PipelinedLoads.h"
#include "plan/Plan.h"
#include "tile/Attributes.h"
#include "tile/Speculation.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_UNROLLALONGK
#include "plan/Passes.h.inc"

namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

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
    return loopOfAccumulator(op) == loop && typeOf(op.getC()).getRank() == 2 &&
           instructionFor(op).isTensorCore() && operands.add(op.getA(), 1) &&
           operands.add(op.getB(), 0);
  }

  // As many iterations as give a multiply 128 bytes of K.
  bool haveSameIterations() {
    auto iterationsOf = [](tile::MmaOp op) {
      return configOf(op).getKBytes() / bytesAlongK(typeOf(op.getA()), 1);
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
    return blocksWithRing(loop, bytes) >= (areOfWarpgroups ? 1 : 2);
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
    auto isAtMost = [&](Value v, int64_t limit) {
      return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ule, v, number(limit));
    };
    constexpr int64_t maxIterations = int64_t(1) << 40;
    Value result = isAtMost(widened(count), maxIterations);
    SmallVector<std::pair<Value, int64_t>> seen; // starts, and their strides
    for (auto [load, k] : operands.loads()) {
      std::pair<Value, int64_t> move(load.getStarts()[k], typeOf(load).getDimSize(k));
      if (llvm::is_contained(seen, move))
        continue;
      seen.push_back(move);
      int64_t limit = int64_t(1) << (move.first.getType().isInteger(32) ? 31 : 62);
      Value first = widened(firstStart(b, load, k));
      Value distance = b.createOrFold<arith::MulIOp>(loc, widened(count), number(move.second));
      Value end = b.createOrFold<arith::AddIOp>(loc, first, distance);
      for (Value at : {first, end})
        result = b.createOrFold<arith::AndIOp>(loc, result, isAtMost(at, limit));
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
  DeepOperands operands;
  SmallVector<tile::MmaOp> multiplies;
  int64_t iterations = 0; // unroll factor
};

struct UnrollAlongK : impl::UnrollAlongKBase<UnrollAlongK> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    eraseDead(kernel);
    if (!configOf(kernel).getKBytes() || !policyOf(kernel).unroll_k)
      return;
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
