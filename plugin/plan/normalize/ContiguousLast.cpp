// A view whose static unit stride is not the last one (layout_left, a transposed matrix) is read
// and written through the same view with permuted dimensions, so that every later stage finds
// contiguous elements along the last dimension.
//   view_load strides(1, %ld) : tensor<64x32>  ->  permute [1, 0] (view_load strides(%ld, 1) :
//   tensor<32x64>)
//
// Dimensions along which a box has one element come first, so that a matrix has its rows beside its
// columns whatever is between them in memory, as the heads are in an array of [batch, tokens,
// heads, elements]:
//   view_load : tensor<1x64x1x32>  ->  reshape (view_load of the other order : tensor<1x1x64x32>)
#include "plan/Passes.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_CONTIGUOUSLAST
#include "plan/Passes.h.inc"

namespace {

// The order with the dimensions of one element first and the unit stride last; empty if that is
// the order already.
SmallVector<int64_t> orderOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> staticStrides) {
  const int64_t rank = staticStrides.size();
  if (rank < 2)
    return {};
  const int64_t *unit = staticStrides.back() == 1 ? &staticStrides.back() // of several, this one
                                                  : llvm::find(staticStrides, 1);
  const int64_t last =
      unit == staticStrides.end() ? rank - 1 : int64_t(unit - staticStrides.begin());
  SmallVector<int64_t> order;
  for (bool isFirst : {true, false})
    for (int64_t d = 0; d < rank; ++d)
      if (d != last && (shape[d] == 1) == isFirst)
        order.push_back(d);
  order.push_back(last);
  return llvm::is_sorted(order) ? SmallVector<int64_t>() : order;
}

template <class Range> auto permuted(const Range &values, ArrayRef<int64_t> order) {
  SmallVector<std::decay_t<decltype(values[0])>> result;
  for (int64_t d : order)
    result.push_back(values[d]);
  return result;
}

SmallVector<int64_t> inverse(ArrayRef<int64_t> order) {
  SmallVector<int64_t> result(order.size());
  for (auto [i, d] : llvm::enumerate(order))
    result[d] = i;
  return result;
}

RankedTensorType permutedType(Type type, ArrayRef<int64_t> order) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(permuted(tensor.getShape(), order), tensor.getElementType());
}

// A tile with its dimensions in another order, `order` of those of x.
Value inOrder(OpBuilder &b, Location loc, Value x, RankedTensorType type, ArrayRef<int64_t> order) {
  ArrayRef<int64_t> shape = tile::shapeOf(x.getType());
  auto isOne = [&](int64_t d) { return shape[d] == 1; };
  SmallVector<int64_t> others(order);
  llvm::erase_if(others, isOne);
  if (llvm::is_sorted(others)) // the elements keep their order
    return tile::ReshapeOp::create(b, loc, type, x);
  return tile::PermuteOp::create(b, loc, type, x, order);
}

void rewrite(tile::ViewLoadOp op, ArrayRef<int64_t> order) {
  OpBuilder b(op);
  auto load = tile::ViewLoadOp::create(
      b, op.getLoc(), permutedType(op.getType(), order), op.getBase(),
      permuted(op.getExtents(), order), permuted(op.getStrides(), order),
      permuted(op.getStarts(), order), permuted(op.getStaticExtents(), order),
      permuted(op.getStaticStrides(), order), op.getPadding(), tile::AccessAttr(),
      tile::WaitReasonAttr());
  op.replaceAllUsesWith(
      inOrder(b, op.getLoc(), load, cast<RankedTensorType>(op.getType()), inverse(order)));
  op.erase();
}

void rewrite(tile::ViewStoreOp op, ArrayRef<int64_t> order) {
  OpBuilder b(op);
  Value value =
      inOrder(b, op.getLoc(), op.getValue(), permutedType(op.getValue().getType(), order), order);
  tile::ViewStoreOp::create(b, op.getLoc(), value, op.getBase(), permuted(op.getExtents(), order),
                            permuted(op.getStrides(), order), permuted(op.getStarts(), order),
                            permuted(op.getStaticExtents(), order),
                            permuted(op.getStaticStrides(), order), tile::AccessAttr());
  op.erase();
}

struct ContiguousLast : impl::ContiguousLastBase<ContiguousLast> {
  void runOnOperation() override {
    auto visit = [](auto op, Value tile) {
      SmallVector<int64_t> order = orderOf(tile::shapeOf(tile.getType()), op.getStaticStrides());
      if (!order.empty())
        rewrite(op, order);
    };
    getOperation().walk([&](Operation *op) {
      if (auto load = dyn_cast<tile::ViewLoadOp>(op))
        visit(load, load.getResult());
      else if (auto store = dyn_cast<tile::ViewStoreOp>(op))
        visit(store, store.getValue());
    });
  }
};

} // namespace
} // namespace tessera::plan
