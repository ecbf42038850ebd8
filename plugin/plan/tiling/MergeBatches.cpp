// A batched multiply whose operand is the same for all batches becomes one multiply: tensor cores
// know no batches.
//
//   B is the same:  mma %a, %b, %c : 2x64x32, 1x32x16, 2x64x16
//                   ->  mma (reshape %a), (reshape %b), (reshape %c) : 128x32, 32x16, 128x16
//   A is the same:  mma %a, %b, %c : 1x16x32, 2x32x64, 2x16x64
//                   ->  mma of 16x32, 32x128, 16x128: the batches of B and C come behind their rows
//
// Permutations of tiles in registers are free, and operands pass through shared memory anyway:
// once, where several multiplies take the same value.
#include "plan/analysis/Matmuls.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "tile/TileDialect.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_MERGEBATCHES
#include "plan/Passes.h.inc"

namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

// The matrix that all batches of an operand are, with a batch dimension of one; or null.
Value sameForAll(Value operand) {
  if (typeOf(operand).getDimSize(0) == 1)
    return operand;
  auto broadcast = operand.getDefiningOp<tile::BroadcastOp>();
  if (!broadcast)
    return {};
  ArrayRef<int64_t> from = typeOf(broadcast.getX()).getShape(), to = typeOf(operand).getShape();
  return from.front() == 1 && from.drop_front() == to.drop_front() ? broadcast.getX() : Value();
}

class Merging {
public:
  explicit Merging(tile::MmaOp op) : op(op), b(op), loc(op.getLoc()) {}

  void run() {
    Value a = sameForAll(op.getA()), y = sameForAll(op.getB());
    ArrayRef<int64_t> c = typeOf(op.getC()).getShape();
    // The other operand has the batches.
    if (typeOf(op.getA()).getDimSize(0) != c[0])
      y = {};
    if (typeOf(op.getB()).getDimSize(0) != c[0])
      a = {};
    if (c[0] == 1 || (!a && !y))
      return;
    int64_t k = typeOf(op.getA()).getDimSize(2);
    // Rows need no permutation.
    const bool mergesRows = y != nullptr;
    Matmul matmul{typeOf(op.getA()).getElementType(),
                  typeOf(op.getB()).getElementType(),
                  typeOf(op.getC()).getElementType(),
                  2,
                  mergesRows ? c[0] * c[1] : c[1],
                  mergesRows ? c[2] : c[0] * c[2],
                  k,
                  /*isAByK=*/true,
                  /*isBByK=*/false,
                  op.getAUnsigned(),
                  op.getBUnsigned()};
    if (!selectMma(matmul, targetOf(op)).instruction.isTensorCore())
      return;
    Value first = mergesRows ? reshaped(op.getA(), {c[0] * c[1], k}) : reshaped(a, {c[1], k});
    Value second = mergesRows ? reshaped(y, {k, c[2]}) : behindRows(op.getB());
    Value sum = mergesRows ? reshaped(op.getC(), {c[0] * c[1], c[2]}) : behindRows(op.getC());
    Value product =
        tile::MmaOp::create(b, loc, sum.getType(), first, second, sum, op.getAUnsigned(),
                            op.getBUnsigned(), op.getFastAccumulation());
    op.replaceAllUsesWith(mergesRows ? reshaped(product, c)
                                     : permuted(reshaped(product, {c[1], c[0], c[2]})));
    op.erase();
  }

private:
  Value reshaped(Value v, ArrayRef<int64_t> shape) {
    return b.createOrFold<tile::ReshapeOp>(
        loc, RankedTensorType::get(shape, typeOf(v).getElementType()), v);
  }
  // With the first two dimensions exchanged.
  Value permuted(Value v) {
    SmallVector<int64_t> shape(typeOf(v).getShape());
    std::swap(shape[0], shape[1]);
    return tile::PermuteOp::create(b, loc, RankedTensorType::get(shape, typeOf(v).getElementType()),
                                   v, ArrayRef<int64_t>{1, 0, 2});
  }
  // (batch, row, column) as (row, batch and column).
  Value behindRows(Value v) {
    ArrayRef<int64_t> shape = typeOf(v).getShape();
    return reshaped(permuted(v), {shape[1], shape[0] * shape[2]});
  }

  tile::MmaOp op;
  OpBuilder b;
  Location loc;
};

struct MergeBatches : impl::MergeBatchesBase<MergeBatches> {
  void runOnOperation() override {
    SmallVector<tile::MmaOp> batched;
    getOperation().walk([&](tile::MmaOp op) {
      if (typeOf(op.getC()).getRank() == 3)
        batched.push_back(op);
    });
    for (tile::MmaOp op : batched)
      Merging(op).run();
    if (batched.empty())
      return;
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
  }
};

} // namespace
} // namespace tessera::plan
