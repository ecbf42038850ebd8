// Element-wise computation on a transposed operand moves in front of the transpose. The transpose
// then stands next to the multiply, which takes an operand in either order, and the read stands
// next to the computation, as copies ahead and bulk copies need it.
//
//   mma (cast (permute (view_load : NxK) : KxN) : KxN)
//   ->  mma (permute (cast (view_load : NxK) : NxK) : KxN)
//
// Every tile of the computation must be transposed the same way or be a splat, and all uses of the
// result must be operands of multiplies. A transpose moves elements and computes nothing, so the
// elements stay the same.
#include "plan/analysis/Layouts.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "tile/TileDialect.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_LATETRANSPOSES
#include "plan/Passes.h.inc"

namespace {

// An element-wise operation with one result.
bool isOfElements(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() && isMemoryEffectFree(op) && op->getNumResults() == 1;
}

// Looks at each tile once, however many ways lead to it.
bool becomesOperandsAlone(Value tile) {
  llvm::SetVector<Value> reached;
  reached.insert(tile);
  for (size_t i = 0; i < reached.size(); ++i) {
    const Value next = reached[i];
    if (next.use_empty())
      return false;
    for (OpOperand &use : next.getUses()) {
      Operation *user = use.getOwner();
      if (auto multiply = dyn_cast<tile::MmaOp>(user)) {
        if (multiply.getC() == next)
          return false;
      } else if (isa<tile::PermuteOp, tile::ReshapeOp>(user) || isOfElements(user)) {
        reached.insert(user->getResult(0));
      } else {
        return false;
      }
    }
  }
  return true;
}

// The op that makes a splat, or null.
Operation *splatOf(Value tile) {
  Operation *op = tile.getDefiningOp();
  DenseElementsAttr elements;
  bool isSplat = isa_and_present<tile::SplatOp>(op) ||
                 (matchPattern(tile, m_Constant(&elements)) && elements.isSplat());
  return isSplat ? op : nullptr;
}

// The transpose that all non-splat operands of an operation share, or null.
tile::PermuteOp transpositionOf(Operation *op) {
  tile::PermuteOp found;
  for (Value operand : op->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType()) || splatOf(operand))
      continue;
    auto permute = operand.getDefiningOp<tile::PermuteOp>();
    if (!permute || (found && found.getMap() != permute.getMap()))
      return {};
    found = permute;
  }
  return found;
}

RankedTensorType withShapeOf(Value tile, Value other) {
  return RankedTensorType::get(cast<RankedTensorType>(other.getType()).getShape(),
                               tile::elementType(tile.getType()));
}

// The same splat in the shape of `other`.
Value splatInShape(OpBuilder &b, Value splat, Value other) {
  Operation *copy = b.clone(*splatOf(splat));
  RankedTensorType type = withShapeOf(splat, other);
  if (auto constant = dyn_cast<arith::ConstantOp>(copy))
    constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue()).resizeSplat(type));
  copy->getResult(0).setType(type);
  return copy->getResult(0);
}

void computeBefore(Operation *op, tile::PermuteOp transposition) {
  OpBuilder b(op);
  Value before = transposition.getX();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    if (!isa<RankedTensorType>(operand.getType()))
      operands.push_back(operand);
    else if (auto permute = operand.getDefiningOp<tile::PermuteOp>())
      operands.push_back(permute.getX());
    else
      operands.push_back(splatInShape(b, operand, before));
  Operation *computed = b.clone(*op);
  computed->setOperands(operands);
  Value result = computed->getResult(0);
  result.setType(withShapeOf(result, before));
  Value transposed = tile::PermuteOp::create(b, op->getLoc(), op->getResult(0).getType(), result,
                                             transposition.getMap());
  op->getResult(0).replaceAllUsesWith(transposed);
  op->erase();
}

struct LateTransposes : impl::LateTransposesBase<LateTransposes> {
  void runOnOperation() override {
    SmallVector<Operation *> ops; // in program order, so that chains follow
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isOfElements(op) && isa<RankedTensorType>(op->getResult(0).getType()) &&
          becomesOperandsAlone(op->getResult(0)))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (tile::PermuteOp transposition = transpositionOf(op))
        computeBefore(op, transposition);
    eraseDead(getOperation());
  }
};

} // namespace
} // namespace tessera::plan
