// What folds, and the canonical form of ops.
#include "tile/TileDialect.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::tile {

using Shape = ArrayRef<int64_t>;

// ---- Folders ----------------------------------------------------------------------------------

// scalar(splat(x)) is x.
OpFoldResult ScalarOp::fold(FoldAdaptor) {
  if (auto splat = getX().getDefiningOp<SplatOp>())
    return splat.getX();
  return {};
}

// Casts, bit casts, reshapes and broadcasts to a value's own type are that value.
OpFoldResult CastOp::fold(FoldAdaptor) { return getX().getType() == getType() ? getX() : Value(); }
OpFoldResult BitcastOp::fold(FoldAdaptor) {
  return getX().getType() == getType() ? getX() : Value();
}
OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  return getX().getType() == getType() ? getX() : Value();
}
OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  return getX().getType() == getType() ? getX() : Value();
}

// ---- Splats -----------------------------------------------------------------------------------

namespace {

// An operation whose result has only elements of its splat operand is a splat.
template <class Op> LogicalResult splatInstead(Op op, PatternRewriter &rewriter) {
  auto splat = op.getX().template getDefiningOp<SplatOp>();
  if (!splat)
    return failure();
  rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getX());
  return success();
}

// x with x is x.
bool isIdempotent(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::max:
  case ReduceKind::min:
  case ReduceKind::max_nan:
  case ReduceKind::min_nan:
  case ReduceKind::bit_and:
  case ReduceKind::bit_or: return true;
  default: return false;
  }
}

} // namespace

// Dimensions of one element that a permutation moves to the front, and a reshape then drops, are
// dropped before the permutation. So a transposed matrix is recognized, whatever view it is from.
static LogicalResult dropDimensionsFirst(ReshapeOp op, PatternRewriter &rewriter) {
  auto permute = op.getX().getDefiningOp<PermuteOp>();
  if (!permute)
    return failure();
  ArrayRef<int64_t> from = shapeOf(permute.getX().getType()), map = permute.getMap(),
                    permuted = shapeOf(permute.getType()), to = shapeOf(op.getType());
  if (to.empty() || to.size() >= permuted.size() || to != permuted.take_back(to.size()))
    return failure();
  ArrayRef<int64_t> dropped = map.drop_back(to.size()), kept = map.take_back(to.size());
  SmallVector<int64_t> shape, rest;
  for (auto [dim, extent] : llvm::enumerate(from))
    if (!llvm::is_contained(dropped, int64_t(dim)))
      shape.push_back(extent);
  for (int64_t dim : kept)
    rest.push_back(dim - llvm::count_if(dropped, [&](int64_t other) { return other < dim; }));
  auto type = cast<RankedTensorType>(op.getType());
  Value matrix = rewriter.createOrFold<ReshapeOp>(
      op.getLoc(), RankedTensorType::get(shape, type.getElementType()), permute.getX());
  rewriter.replaceOpWithNewOp<PermuteOp>(op, type, matrix, rest);
  return success();
}

LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  if (succeeded(splatInstead(op, rewriter)))
    return success();
  if (auto first = op.getX().getDefiningOp<ReshapeOp>()) {
    rewriter.replaceOp(op,
                       rewriter.createOrFold<ReshapeOp>(op.getLoc(), op.getType(), first.getX()));
    return success();
  }
  return dropDimensionsFirst(op, rewriter);
}
LogicalResult BroadcastOp::canonicalize(BroadcastOp op, PatternRewriter &rewriter) {
  return splatInstead(op, rewriter);
}
// A permutation that keeps the order of the dimensions of more than one element is a reshape.
static LogicalResult reshapeInstead(PermuteOp op, PatternRewriter &rewriter) {
  Shape shape = shapeOf(op.getX().getType());
  SmallVector<int64_t> moved;
  for (int64_t dim : op.getMap())
    if (shape[dim] > 1)
      moved.push_back(dim);
  if (!llvm::is_sorted(moved))
    return failure();
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getX());
  return success();
}

LogicalResult PermuteOp::canonicalize(PermuteOp op, PatternRewriter &rewriter) {
  if (succeeded(splatInstead(op, rewriter)))
    return success();
  return reshapeInstead(op, rewriter);
}
LogicalResult ExtractOp::canonicalize(ExtractOp op, PatternRewriter &rewriter) {
  return splatInstead(op, rewriter);
}
// A reduction that flushes subnormals changes even a single element.
LogicalResult ReduceOp::canonicalize(ReduceOp op, PatternRewriter &rewriter) {
  return isIdempotent(op.getKind()) && !op.getFlush() ? splatInstead(op, rewriter) : failure();
}

} // namespace tessera::tile
