#include "plan/analysis/Accesses.h"

#include "plan/analysis/Facts.h"

using namespace mlir;

namespace tessera::plan {

namespace {

template <class Op> Box boxIn(Op op, RankedTensorType type, bool isContiguous) {
  return {op.getBase(),   op.getExtents(), op.getStrides(),
          op.getStarts(), type.getShape(), type.getElementType(),
          toLinear(type), isContiguous,    op.getAccessAttr()};
}

} // namespace

std::optional<Box> boxOf(Operation *op) {
  if (auto load = dyn_cast<tile::ViewLoadOp>(op))
    return boxIn(load, cast<RankedTensorType>(load.getType()), load.getStaticStrides().back() == 1);
  if (auto store = dyn_cast<tile::ViewStoreOp>(op))
    return boxIn(store, cast<RankedTensorType>(store.getValue().getType()),
                 store.getStaticStrides().back() == 1);
  auto copy = dyn_cast<tile::CopyAsyncOp>(op);
  if (!copy)
    return std::nullopt;
  auto type = cast<tile::SharedType>(copy.getShared().getType());
  return Box{copy.getBase(),   copy.getExtents(),     copy.getStrides(),
             copy.getStarts(), copy.getBoxShape(),    type.getElementType(),
             std::nullopt,     /*isContiguous=*/true, copy.getAccess()};
}

Box boxBeforeLayouts(tile::ViewLoadOp load) {
  auto type = cast<RankedTensorType>(load.getType());
  return {load.getBase(),
          load.getExtents(),
          load.getStrides(),
          load.getStarts(),
          type.getShape(),
          type.getElementType(),
          std::nullopt,
          load.getStaticStrides().back() == 1,
          nullptr};
}

tile::ViewLoadOp readOf(Value tile) {
  while (auto reshape = tile.getDefiningOp<tile::ReshapeOp>())
    tile = reshape.getX();
  return tile.getDefiningOp<tile::ViewLoadOp>();
}

int64_t vectorOf(const Box &box) {
  if (!box.isContiguous)
    return 1;
  int64_t limit = bytesPerInstruction / box.bytes();
  return box.layout ? std::min(box.layout->contiguous(), limit) : limit;
}

bool hasParts(tile::ViewLoadOp load, unsigned dim) {
  return divisorOf(load.getStarts()[dim]) %
             cast<RankedTensorType>(load.getType()).getDimSize(dim) ==
         0;
}

tile::ViewLoadOp readPart(OpBuilder &b, tile::ViewLoadOp load, unsigned dim, int64_t part,
                          int64_t parts) {
  auto type = cast<RankedTensorType>(load.getType());
  SmallVector<int64_t> shape(type.getShape());
  const int64_t extent = shape[dim] /= parts;
  Value start = advanced(b, load.getLoc(), load.getStarts()[dim], part * extent);
  auto copy = cast<tile::ViewLoadOp>(b.clone(*load));
  copy.getResult().setType(RankedTensorType::get(shape, type.getElementType()));
  copy.getStartsMutable()[dim].set(start);
  return copy;
}

Value advanced(OpBuilder &b, Location loc, Value start, int64_t distance) {
  if (!distance)
    return start;
  Value by = arith::ConstantOp::create(b, loc, b.getIntegerAttr(start.getType(), distance));
  return b.createOrFold<arith::AddIOp>(loc, start, by);
}

SmallVector<Unproven> unprovenOf(const Box &box, int64_t vector, tile::Bounds alongLast) {
  SmallVector<Unproven> unproven;
  if (vector == 1)
    return unproven;
  auto require = [&](Unproven::Kind kind, Value value, int64_t dimension, int64_t known,
                     int64_t divisor) {
    if (known % divisor)
      unproven.push_back({kind, value, dimension, divisor});
  };
  require(Unproven::Base, box.base, 0, divisorOf(box.base), vector * box.bytes());
  for (auto [dimension, stride] : llvm::enumerate(box.strides.drop_back()))
    require(Unproven::Stride, stride, int64_t(dimension), divisorOf(stride), vector);
  int64_t last = int64_t(box.shape.size()) - 1;
  require(Unproven::Start, box.starts.back(), last, divisorOf(box.starts.back()), vector);
  if (alongLast == tile::Bounds::checked)
    require(Unproven::Extent, box.extents.back(), last, divisorOf(box.extents.back()), vector);
  return unproven;
}

bool isGuarded(Operation *op) {
  if (!isa<tile::ViewLoadOp, tile::ViewStoreOp>(op))
    return false;
  const tile::AccessAttr access = boxOf(op)->access; // NOLINT(bugprone-unchecked-optional-access)
  return access && !access.getAligned() && access.getVector() > 1;
}

tile::AccessAttr aligned(tile::AccessAttr access) {
  return tile::AccessAttr::get(access.getContext(), access.getVector(), access.getAlong(),
                               /*aligned=*/true, access.getBounds());
}

Value allowsChunks(OpBuilder &b, ArrayRef<Operation *> accesses, StringRef name) {
  SmallVector<tile::AllowsChunksOp> asked;
  Value all;
  for (Operation *op : accesses) {
    std::optional<Box> box = boxOf(op);
    if (!box)
      continue;
    Location loc = op->getLoc();
    if (!name.empty())
      loc = NameLoc::get(b.getStringAttr(name), loc);
    auto one = tile::AllowsChunksOp::create(b, loc, b.getI1Type(), box->base, box->element,
                                            box->extents, box->strides, box->access);
    const bool isAsked = llvm::any_of(asked, [&](tile::AllowsChunksOp other) {
      return OperationEquivalence::isEquivalentTo(one, other,
                                                  OperationEquivalence::IgnoreLocations);
    });
    if (isAsked) {
      one.erase();
      continue;
    }
    asked.push_back(one);
    all = all ? arith::AndIOp::create(b, loc, all, one).getResult() : Value(one);
  }
  return all;
}

} // namespace tessera::plan
