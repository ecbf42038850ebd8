// Loops whose multiplies take little of K at a time take several turns at once, so that there are
// as many fewer waits, and copies of whole lines.
//
//   for %i = 0 to %n { mma (view_load A(%i)), (view_load B(%i)), %sum : 128x32, 32x128, 128x128 }
//   ->  for %i = 0 to %n & -2 step 2 { mma (view_load A(%i)), (view_load B(%i)), %sum : 128x64,
//       64x128, 128x128 }; for what is left, a turn at most, as it was
//
// Nothing is left where the number of turns is known, or where the turns go to the end of what is
// read: elements behind it are zeros. A multiply adds up along K in the order of its instructions,
// so the order of additions stays.
//
// The operands' boxes must lie side by side along K, turn after turn, and be all that moves. A box
// that starts below 0 is outside as a whole, and the parts of the larger one must be: it starts at
// a multiple of its extent, or the starts are seen before the loop not to come there. What is
// computed of a box before it is multiplied is computed element by element, with what is the same
// all along K. What the loop does besides, as stores of each turn, it does for one turn after the
// other, if there is one; it carries its sums, numbers that it moves evenly, and what it computes
// besides. Multiplies that no matrix unit takes are left alone.
//
//   for %i = 0 to %n { ...; store %x, %p[%i] }
//   ->  for %i = 0 to %n & -2 step 2 { ...; store %x, %p[%i]; store %x, %p[%i + 1] }; ...
#include "plan/EachBlock.h"
#include "plan/Facts.h"
#include "plan/LayoutInference.h"
#include "plan/Layouts.h"
#include "plan/MatrixUnits.h"
#include "plan/Moves.h"
#include "plan/Occupancy.h"
#include "plan/OtherIterations.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "plan/Streams.h"
#include "tile/Speculation.h"

#include "llvm/ADT/MapVector.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_MERGESTEPS
#include "plan/Passes.h.inc"

namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

RankedTensorType deeper(RankedTensorType type, unsigned k, int64_t turns) {
  SmallVector<int64_t> shape(type.getShape());
  shape[k] *= turns;
  return RankedTensorType::get(shape, type.getElementType());
}

tile::MmaKind kindOf(tile::MmaOp op) { return matrixUnitFor(productOf(op), targetOf(op)).kind; }

// The dimension of a tile before it got another shape, where shapes differ by dimensions of one
// element alone.
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
  const unsigned *place = llvm::find(toDims, dim);
  if (place == toDims.end() || extents(fromDims, from) != extents(toDims, to))
    return {};
  return fromDims[place - toDims.begin()];
}

// What a loop's operands are made of: of each tile the dimension that is summed over.
class Operands {
public:
  explicit Operands(scf::ForOp loop) : loop(loop) {}

  // Follows an operand up to where it is read; false if it is more than that.
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

  // What is read and computed is for the loop's multiplies alone; what the loop does besides can be
  // done for several turns.
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

  // The tiles of a copy of the loop, `map` leads there, become those of so many turns.
  void deepen(const IRMapping &map, int64_t turns) const {
    for (auto [op, k] : tiles) {
      Operation *copy = map.lookup(op);
      copy->getResult(0).setType(deeper(typeOf(copy->getResult(0)), k, turns));
      if (isa<tile::ViewLoadOp, tile::PermuteOp, tile::ReshapeOp>(op))
        continue;
      OpBuilder b(copy);
      for (auto [from, to] : llvm::zip_equal(op->getOpOperands(), copy->getOpOperands()))
        if (isa<RankedTensorType>(from.get().getType()) &&
            !tiles.contains(from.get().getDefiningOp()))
          to.set(deepened(b, to.get(), k, turns));
    }
  }

private:
  // Boxes that lie side by side along K, and can be copied ahead.
  bool isInTurn(tile::ViewLoadOp load, unsigned k) {
    int64_t extent = typeOf(load).getDimSize(k);
    // The same number may be the start along another dimension.
    OpOperand &start = load->getOpOperand(load.getStarts().getBeginOperandIndex() + k);
    for (OpOperand &operand : load->getOpOperands())
      if (&operand != &start && movesBy(operand.get(), loop) != 0)
        return false;
    return movesBy(load.getStarts()[k], loop) == extent && !waitOfRead(load, loop);
  }

  // Has the same elements all along K, in every turn.
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

  static Value deepened(OpBuilder &b, Value tile, unsigned k, int64_t turns) {
    RankedTensorType type = deeper(typeOf(tile), k, turns);
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

class Merging {
public:
  explicit Merging(scf::ForOp loop) : loop(loop), operands(loop) {}

  bool isPossible() {
    auto step = getConstantIntValue(loop.getStep());
    multiplies = llvm::to_vector(loop.getBody()->getOps<tile::MmaOp>());
    if (multiplies.empty() || !loop.getInductionVar().getType().isInteger() || !step || *step < 1 ||
        *step > mostOfStep)
      return false;
    return llvm::all_of(multiplies, [&](tile::MmaOp op) { return isSum(op); }) && haveSameTurns() &&
           operands.areAll(multiplies) && carriesOthersBeside() && hasRoom();
  }

  void run() {
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    Value count = turnsOfLoop(b);
    if (auto known = constantOf(count); known && *known < turns) {
      turns = int64_t(llvm::bit_floor(uint64_t(std::max<int64_t>(*known, 0))));
      if (turns < 2)
        return;
    }
    const bool areAligned = isAligned(b), isExact = areAligned && isMultiple(b),
               isWhole = isExact || (areAligned && coversExtents(b, count));
    Value upper = isWhole ? loop.getUpperBound() : lastOfMerged(b, count);
    Value stride = b.createOrFold<arith::MulIOp>(loc, loop.getStep(), constant(b, turns));
    IRMapping map;
    auto merged = cast<scf::ForOp>(b.clone(*loop, map));
    merged.setUpperBound(upper);
    merged.setStep(stride);
    operands.deepen(map, turns);
    repeatOthers(merged, /*maybe=*/isWhole && !isExact);
    auto end = constantOf(upper), bound = constantOf(loop.getUpperBound());
    if (isWhole || (end && bound && *bound >= 0 && *end >= *bound)) {
      loop.replaceAllUsesWith(merged.getResults());
      loop.erase();
      return;
    }
    loop.setLowerBound(upper);
    loop.getInitArgsMutable().assign(merged.getResults());
    loop->setAttr(fewTurnsAttr, b.getUnitAttr());
  }

private:
  static constexpr int64_t mostOfStep = 1 << 20;

  Value constant(OpBuilder &b, int64_t n) {
    Type type = loop.getInductionVar().getType();
    return arith::ConstantOp::create(b, loop.getLoc(), b.getIntegerAttr(type, n));
  }

  // Adds to a sum that the loop carries and nothing else touches; both operands move along K.
  bool isSum(tile::MmaOp op) {
    auto carried = dyn_cast<BlockArgument>(op.getC());
    bool isOwn = carried && carried.getOwner() == loop.getBody() &&
                 carried != loop.getInductionVar() && carried.hasOneUse() && op->hasOneUse() &&
                 loop.getTiedLoopYieldedValue(carried)->get() == op.getResult();
    return isOwn && typeOf(carried).getRank() == 2 && kindOf(op) != tile::MmaKind::fma &&
           operands.add(op.getA(), 1) && operands.add(op.getB(), 0);
  }

  // As many as make a multiply take 128 bytes of K.
  bool haveSameTurns() {
    auto turnsOf = [](tile::MmaOp op) {
      RankedTensorType a = typeOf(op.getA());
      return bytesOfPanel / (a.getDimSize(1) * bytesOf(a.getElementType()));
    };
    turns = turnsOf(multiplies.front());
    return turns > 1 &&
           llvm::all_of(multiplies, [&](tile::MmaOp op) { return turnsOf(op) == turns; });
  }

  bool isSumOf(BlockArgument carried) {
    return llvm::any_of(multiplies, [&](tile::MmaOp op) { return op.getC() == carried; });
  }

  // Of what is multiplied nothing goes to the next turn but the sums.
  bool carriesOthersBeside() {
    return llvm::all_of(loop.getRegionIterArgs(), [&](BlockArgument carried) {
      Operation *next = loop.getTiedLoopYieldedValue(carried)->get().getDefiningOp();
      return isSumOf(carried) || isMovedEvenly(carried, loop) ||
             (llvm::none_of(carried.getUsers(), [&](Operation *op) { return isMultiplied(op); }) &&
              !(next && isMultiplied(next)));
    });
  }

  static bool isMovedEvenly(BlockArgument carried, scf::ForOp loop) {
    Slice slice;
    return !isa<RankedTensorType>(carried.getType()) && collectSlice(carried, loop, slice);
  }

  // Is it done once for several turns?
  bool isMultiplied(Operation *op) const { return operands.contains(op) || isa<tile::MmaOp>(op); }

  // For three stages of two blocks. wgmma has 128 bytes of K where one block has them, too, as the
  // pass pipeline-loops has for programs that take as much.
  bool hasRoom() {
    int64_t bytes = 0;
    llvm::SmallPtrSet<Value, 4> placed;
    bool areOfWarpgroups = true;
    for (tile::MmaOp op : multiplies) {
      areOfWarpgroups &= kindOf(op) == tile::MmaKind::wgmma;
      for (Value operand : {op.getA(), op.getB()})
        if (placed.insert(operand).second)
          bytes +=
              turns * typeOf(operand).getNumElements() * bytesOf(typeOf(operand).getElementType());
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

  // How many turns there are, if there are any.
  Value turnsOfLoop(OpBuilder &b) {
    Location loc = loop.getLoc();
    Value distance = b.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), loop.getLowerBound());
    if (getConstantIntValue(loop.getStep()) == 1)
      return distance;
    Value before = b.createOrFold<arith::SubIOp>(loc, distance, constant(b, 1));
    before = b.createOrFold<arith::DivUIOp>(loc, before, loop.getStep());
    return b.createOrFold<arith::AddIOp>(loc, before, constant(b, 1));
  }

  // The number of turns is known to be a multiple of those that are taken together.
  bool isMultiple(OpBuilder &b) {
    Value distance =
        b.createOrFold<arith::SubIOp>(loop.getLoc(), loop.getUpperBound(), loop.getLowerBound());
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    if (step && divisorOf(distance) % (*step * turns) == 0)
      return true;
    Operation *op = distance.getDefiningOp();
    auto binary = dyn_cast_or_null<tile::BinaryOp>(op);
    bool isQuotient = isa_and_present<arith::DivSIOp, arith::DivUIOp>(op) ||
                      (binary && binary.getKind() == tile::BinaryKind::ceildiv);
    auto divisor = isQuotient ? constantOf(op->getOperand(1)) : std::nullopt;
    return step == 1 && divisor && *divisor > 0 &&
           divisorOf(op->getOperand(0)) % (*divisor * turns) == 0;
  }

  // Where the turns end that are taken together.
  Value lastOfMerged(OpBuilder &b, Value count) {
    Location loc = loop.getLoc();
    Value lower = loop.getLowerBound(), runs = isRun(b);
    if (!isAligned(b))
      runs = b.createOrFold<arith::AndIOp>(loc, runs, areInOrder(b, count));
    Value whole = b.createOrFold<arith::AndIOp>(loc, count, constant(b, -turns));
    Value distance = b.createOrFold<arith::MulIOp>(loc, whole, loop.getStep());
    Value end = b.createOrFold<arith::AddIOp>(loc, lower, distance);
    return b.createOrFold<arith::SelectOp>(loc, runs, end, lower);
  }

  // Where the first turn reads.
  Value firstStart(OpBuilder &b, tile::ViewLoadOp load, unsigned k) {
    Value start = load.getStarts()[k];
    IRMapping map;
    Value isFirst = arith::ConstantOp::create(b, load.getLoc(), b.getBoolAttr(true));
    computeThere(b, loop, sliceOf(start, loop), {loop.getLowerBound(), isFirst, 0, true}, map);
    return map.lookupOrDefault(start);
  }

  // The larger boxes start at multiples of their extents.
  bool isAligned(OpBuilder &b) {
    return llvm::all_of(operands.loads(), [&](auto entry) {
      auto [load, k] = entry;
      return divisorOf(firstStart(b, load, k)) % (turns * typeOf(load).getDimSize(k)) == 0;
    });
  }

  // No start wraps round, and none is below 0, from the first turn to the last.
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
    constexpr int64_t mostTurns = int64_t(1) << 40;
    Value result = isAtMost(widened(count), mostTurns);
    SmallVector<std::pair<Value, int64_t>> seen; // starts, and by how much they move
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

  // Behind the last turn there are zeros in both operands, as many as fill the last larger box, and
  // adding them changes nothing.
  bool coversExtents(OpBuilder &b, Value count) {
    auto addsToZeros = [&](tile::MmaOp op) {
      Value init = loop.getTiedLoopInit(cast<BlockArgument>(op.getC()))->get();
      if (auto splat = init.getDefiningOp<tile::SplatOp>())
        init = splat.getX();
      return matchPattern(init, m_PosZeroFloat()) || matchPattern(init, m_Zero());
    };
    bool areSumsAll = llvm::all_of(loop.getRegionIterArgs(), [&](BlockArgument carried) {
      return isSumOf(carried) || loop.getTiedLoopResult(carried).use_empty() ||
             !isMovedEvenly(carried, loop);
    });
    return areSumsAll && operands.keepZeros() && llvm::all_of(multiplies, addsToZeros) &&
           llvm::all_of(operands.loads(), [&](auto entry) {
             auto [load, k] = entry;
             return load.getPadding() == tile::Padding::zero &&
                    constantOf(firstStart(b, load, k)) == 0 &&
                    isCovered(load.getExtents()[k], typeOf(load).getDimSize(k), count);
           });
  }

  // From 0 on so many turns of `step` elements come to the extent. A bound that wraps on the way is
  // below the extent's share, and no turn is taken then.
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

  // What the loop does besides, for one turn after the other. maybe: the last may not be there.
  // What it carries beside its sums moves by so many turns, or is computed by one after the other.
  void repeatOthers(scf::ForOp merged, bool maybe) {
    Operation *yield = merged.getBody()->getTerminator();
    OpBuilder b(yield);
    SmallVector<unsigned> computed;
    SmallVector<Value> last; // what these are behind a turn
    for (BlockArgument carried : loop.getRegionIterArgs())
      if (!isSumOf(carried) && !isMovedEvenly(carried, loop)) {
        computed.push_back(carried.getArgNumber() - 1);
        last.push_back(yield->getOperand(computed.back()));
      }
    for (int64_t turn = 1; turn < turns; ++turn)
      repeatOthers(b, merged, turn, maybe, computed, last);
    for (BlockArgument carried : merged.getRegionIterArgs())
      if (isMovedEvenly(carried, merged))
        merged.getTiedLoopYieldedValue(carried)->set(movedOn(b, merged, carried, turns));
    for (auto [number, value] : llvm::zip_equal(computed, last))
      yield->setOperand(number, value);
  }

  // For one turn, so many behind the one that the merged loop is in.
  void repeatOthers(OpBuilder &b, scf::ForOp merged, int64_t turn, bool maybe,
                    ArrayRef<unsigned> computed, SmallVectorImpl<Value> &last) {
    IRMapping map;
    Location loc = loop.getLoc();
    Value variable = merged.getInductionVar(),
          there = advance(b, loop, variable, b.getIndexAttr(turn));
    map.map(loop.getInductionVar(), there);
    for (BlockArgument carried : loop.getRegionIterArgs())
      if (isMovedEvenly(carried, loop))
        map.map(carried,
                movedOn(b, merged, merged.getRegionIterArg(carried.getArgNumber() - 1), turn));
    for (auto [number, value] : llvm::zip_equal(computed, last))
      map.map(loop.getRegionIterArg(number), value);
    scf::IfOp guard;
    if (maybe)
      guard = scf::IfOp::create(b, loc, TypeRange(ValueRange(last)),
                                takesPlace(b, loop, variable, there, b.getIndexAttr(turn)),
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

  Value movedOn(OpBuilder &b, scf::ForOp merged, BlockArgument carried, int64_t distance) {
    Slice slice;
    collectSlice(carried, merged, slice);
    IRMapping map;
    Value exists = arith::ConstantOp::create(b, loop.getLoc(), b.getBoolAttr(true));
    computeThere(b, merged, slice, {merged.getInductionVar(), exists, distance, false}, map);
    return map.lookup(carried);
  }

  scf::ForOp loop;
  Operands operands;
  SmallVector<tile::MmaOp> multiplies;
  int64_t turns = 0; // that are taken together
};

struct MergeSteps : impl::MergeStepsBase<MergeSteps> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    eraseDead(kernel);
    if (allowanceOf(kernel).stages < wantedStages || !policyOf(kernel).steps)
      return; // what it is for does not fit
    SmallVector<scf::ForOp> loops;
    kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (Merging merging(loop); merging.isPossible())
        merging.run();
    eraseDead(kernel);
  }
};

} // namespace
} // namespace tessera::plan
