#include "plan/analysis/Matmuls.h"

#include "plan/analysis/Layouts.h"
#include "plan/Plan.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

Matmul matmulOf(tile::MmaOp multiply) {
  auto typeOf = [](Value v) { return cast<RankedTensorType>(v.getType()); };
  auto isTransposed = [](Value operand) {
    auto permute = operand.getDefiningOp<tile::PermuteOp>();
    return permute && permute.getMap() == ArrayRef<int64_t>{1, 0};
  };
  auto isComputed = [](Value operand) {
    Operation *op = operand.getDefiningOp();
    while (isa_and_present<tile::PermuteOp, tile::ReshapeOp>(op))
      op = op->getOperand(0).getDefiningOp();
    return !isa_and_present<tile::ViewLoadOp, tile::LoadOp>(op);
  };
  RankedTensorType a = typeOf(multiply.getA()), b = typeOf(multiply.getB()),
                   c = typeOf(multiply.getC());
  ArrayRef<int64_t> accumulator = c.getShape().take_back(2);
  return {a.getElementType(),
          b.getElementType(),
          c.getElementType(),
          c.getRank(),
          accumulator[0],
          accumulator[1],
          a.getShape().back(),
          !isTransposed(multiply.getA()),
          isTransposed(multiply.getB()),
          multiply.getAUnsigned(),
          multiply.getBUnsigned(),
          isComputed(multiply.getA()),
          isComputed(multiply.getB())};
}

Matmul matmulOf(tile::SharedMmaOp multiply) {
  auto a = dyn_cast<tile::SharedType>(multiply.getA().getType());
  auto inRegisters = dyn_cast<RankedTensorType>(multiply.getA().getType());
  auto c = cast<RankedTensorType>(multiply.getType());
  ArrayRef<int64_t> operand = (a ? a.getShape() : inRegisters.getShape()).take_back(2),
                    accumulator = c.getShape().take_back(2);
  return {a ? a.getElementType() : inRegisters.getElementType(),
          multiply.getB().getType().getElementType(),
          c.getElementType(),
          c.getRank(),
          accumulator[0],
          accumulator[1],
          operand[multiply.getATransposed() ? 0 : 1],
          !multiply.getATransposed(),
          multiply.getBTransposed(),
          multiply.getAUnsigned(),
          multiply.getBUnsigned()};
}

bool becomesOperandsAlone(Value tile, function_ref<bool(tile::MmaOp)> isTaken) {
  return !tile.use_empty() && llvm::all_of(tile.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<tile::PermuteOp, tile::ReshapeOp>(user))
      return becomesOperandsAlone(user->getResult(0), isTaken);
    auto multiply = dyn_cast<tile::MmaOp>(user);
    return multiply && multiply.getC() != use.get() && isTaken(multiply);
  });
}

const MmaInstruction &instructionFor(tile::MmaOp multiply) {
  return selectMma(matmulOf(multiply), targetOf(multiply)).instruction;
}

LinearLayout accumulatorOf(tile::SharedMmaOp multiply, int64_t warps) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(multiply.getType()).getShape();
  if (multiply.getInstruction().isOfWarpgroups())
    return LinearLayout::warpgroupAccumulator(shape, warps);
  LinearLayout::AtomOrder order;
  if (bytesOf(multiply.getB().getType().getElementType()) == 1) {
    order.pairsRows = multiply.getATransposed();
    order.pairsColumns =
        !multiply.getBTransposed() && shape.back() >= 2 * multiply.getInstruction().n;
  }
  return LinearLayout::accumulator(shape, warps, order);
}

} // namespace tessera::plan
