#include "plan/pipeline/WorkTileOrder.h"

#include "plan/analysis/BlockIndices.h"
#include "plan/analysis/Facts.h"
#include "plan/Plan.h"
#include "tile/TileDialect.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tessera::plan {

namespace {

SmallVector<Value> boundsOf(ArrayRef<scf::ForOp> loops) {
  SmallVector<Value> bounds;
  for (scf::ForOp loop : loops)
    bounds.append({loop.getLowerBound(), loop.getUpperBound()});
  return bounds;
}

// How a number changes along the axis of the block's index that it is computed from.
enum class Change { none, grows, falls, unknown };

Change opposite(Change x) {
  return x == Change::grows ? Change::falls : x == Change::falls ? Change::grows : x;
}

Change both(Change x, Change y) {
  return x == Change::none ? y : y == Change::none || x == y ? x : Change::unknown;
}

class Changes {
public:
  Change operator()(Value value) {
    auto found = known.find(value);
    if (found != known.end())
      return found->second;
    Operation *op = value.getDefiningOp();
    Change change = op ? ofResult(op) : Change::none;
    known[value] = change;
    return change;
  }

private:
  Change ofResult(Operation *op) {
    auto of = [&](unsigned operand) { return (*this)(op->getOperand(operand)); };
    auto isPositive = [&](unsigned operand) {
      return getConstantIntValue(op->getOperand(operand)).value_or(0) > 0;
    };
    return llvm::TypeSwitch<Operation *, Change>(op)
        .Case([](tile::BlockIndexOp) { return Change::grows; })
        .Case<arith::AddIOp, arith::MinSIOp, arith::MinUIOp, arith::MaxSIOp, arith::MaxUIOp>(
            [&](auto) { return both(of(0), of(1)); })
        .Case([&](arith::SubIOp) { return both(of(0), opposite(of(1))); })
        .Case<arith::MulIOp, arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp,
              arith::CeilDivSIOp, arith::CeilDivUIOp, arith::ShLIOp, arith::ShRSIOp,
              arith::ShRUIOp>([&](auto) {
          return isPositive(1)                        ? of(0)
                 : both(of(0), of(1)) == Change::none ? Change::none
                                                      : Change::unknown;
        })
        .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, tile::AssumeOp>(
            [&](auto) { return of(0); })
        .Case([&](arith::SelectOp) { return both(of(1), of(2)); })
        .Default([&](Operation *) {
          const bool isSame = llvm::all_of(
              op->getOperands(), [&](Value operand) { return (*this)(operand) == Change::none; });
          return isSame ? Change::none : Change::unknown;
        });
  }

  llvm::DenseMap<Value, Change> known;
};

} // namespace

bool dependOnBlock(ArrayRef<scf::ForOp> loops) { return !blockIndicesOf(boundsOf(loops)).empty(); }

std::optional<WorkTileOrder> orderOf(ArrayRef<scf::ForOp> loops) {
  std::optional<int64_t> axis;
  for (tile::BlockIndexOp index : blockIndicesOf(boundsOf(loops))) {
    if (index.getSwizzled() || (axis && *axis != int64_t(index.getAxis())))
      return std::nullopt;
    axis = index.getAxis();
  }
  if (!axis || isOrderSeen(loops.front()->getParentOfType<func::FuncOp>()))
    return std::nullopt;
  // Loops one after the other go on where the one before ended. The last end decides; of a window,
  // whose ends both grow, the work tiles in the middle are equal.
  scf::ForOp first = loops.front(), last = loops.back();
  Changes changeOf;
  Change change = changeOf(last.getUpperBound());
  if (change == Change::none)
    change = opposite(changeOf(first.getLowerBound()));
  return WorkTileOrder{*axis, change != Change::grows};
}

} // namespace tessera::plan
