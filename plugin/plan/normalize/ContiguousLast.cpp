// A view whose static unit stride is not the last one (layout_left, a transposed matrix) is read
// and written through the same view with permuted dimensions, so that every later stage finds
// contiguous elements along the last dimension.
//   view_load strides(1, %ld) : tensor<64x32>  ->  permute [1, 0] (view_load strides(%ld, 1) :
//   tensor<32x64>)
#include "plan/Passes.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_CONTIGUOUSLAST
#include "plan/Passes.h.inc"

namespace {

// The order that moves the unit stride last; empty if it is there already or there is none.
SmallVector<int64_t> lastOrder(ArrayRef<int64_t> staticStrides) {
  int64_t rank = staticStrides.size();
  if (rank < 2 || staticStrides.back() == 1)
    return {};
  const int64_t *unit = llvm::find(staticStrides, 1);
  if (unit == staticStrides.end())
    return {};
  SmallVector<int64_t> order;
  for (int64_t d = 0; d < rank; ++d)
    if (d != unit - staticStrides.begin())
      order.push_back(d);
  order.push_back(unit - staticStrides.begin());
  return order;
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

void rewrite(tile::ViewLoadOp op, ArrayRef<int64_t> order) {
  OpBuilder b(op);
  auto load = tile::ViewLoadOp::create(
      b, op.getLoc(), permutedType(op.getType(), order), op.getBase(),
      permuted(op.getExtents(), order), permuted(op.getStrides(), order),
      permuted(op.getStarts(), order), permuted(op.getStaticExtents(), order),
      permuted(op.getStaticStrides(), order), op.getPadding(), tile::AccessAttr(),
      tile::WaitReasonAttr());
  op.replaceAllUsesWith(
      tile::PermuteOp::create(b, op.getLoc(), op.getType(), load, inverse(order)).getResult());
  op.erase();
}

void rewrite(tile::ViewStoreOp op, ArrayRef<int64_t> order) {
  OpBuilder b(op);
  Value value = tile::PermuteOp::create(
      b, op.getLoc(), permutedType(op.getValue().getType(), order), op.getValue(), order);
  tile::ViewStoreOp::create(b, op.getLoc(), value, op.getBase(), permuted(op.getExtents(), order),
                            permuted(op.getStrides(), order), permuted(op.getStarts(), order),
                            permuted(op.getStaticExtents(), order),
                            permuted(op.getStaticStrides(), order), tile::AccessAttr());
  op.erase();
}

struct ContiguousLast : impl::ContiguousLastBase<ContiguousLast> {
  void runOnOperation() override {
    auto visit = [](auto op) {
      if (SmallVector<int64_t> order = lastOrder(op.getStaticStrides()); !order.empty())
        rewrite(op, order);
    };
    getOperation().walk([&](Operation *op) {
      if (auto load = dyn_cast<tile::ViewLoadOp>(op))
        visit(load);
      else if (auto store = dyn_cast<tile::ViewStoreOp>(op))
        visit(store);
    });
  }
};

} // namespace
} // namespace tessera::plan
