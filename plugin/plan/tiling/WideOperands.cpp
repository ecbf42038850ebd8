// What wide tiles are computed with, and stored by: a tile that is the same for all blocks,
// repeated for each of them, or the blocks' own tiles, side by side.
//
//   %i = add iota, splat 64 x : 64 (x: 0 for a block, 1 for the next)   ->   add iota, splat 0 : 128
//   %p = offset (splat %p_of_row), iota : 64   ->   offset (select first half, %p_0, %p_1), iota % 64
//
// Where values that grow from one element to the next continue from a block's last element to the
// next block's first, the wide tile is the same expression; so contiguous elements stay known as
// such.
#include "plan/analysis/Facts.h"
#include "plan/tiling/WideTiles.h"

#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::plan {

namespace {

ArrayRef<int64_t> shapeOf(Value tile) { return cast<RankedTensorType>(tile.getType()).getShape(); }

int64_t elementsBefore(ArrayRef<int64_t> shape, unsigned dim) {
  return ShapedType::getNumElements(shape.take_front(dim));
}
int64_t elementsBehind(ArrayRef<int64_t> shape, unsigned dim) {
  return ShapedType::getNumElements(shape.drop_front(dim + 1));
}

Value constantTile(OpBuilder &b, Location loc, RankedTensorType type, int64_t value) {
  APInt element =
      APInt(64, uint64_t(value)).sextOrTrunc(type.getElementType().getIntOrFloatBitWidth());
  return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, element));
}

Value compute(OpBuilder &b, Location loc, tile::BinaryKind kind, Value x, Value y) {
  return tile::BinaryOp::create(b, loc, x.getType(), kind, x, y, tile::Rounding::nearest,
                                /*flush=*/false, /*isUnsigned=*/true);
}

Value shifted(OpBuilder &b, Value x, int64_t divisor) {
  Value by = constantTile(b, x.getLoc(), cast<RankedTensorType>(x.getType()),
                          llvm::Log2_64(uint64_t(divisor)));
  return compute(b, x.getLoc(), tile::BinaryKind::shr, x, by);
}

std::optional<int64_t> constantOfTile(Value tile) {
  DenseElementsAttr elements;
  if (matchPattern(tile, m_Constant(&elements)) && elements.isSplat() &&
      isa<IntegerType>(elements.getElementType()))
    return elements.getSplatValue<APInt>().getSExtValue();
  auto splat = tile.getDefiningOp<tile::SplatOp>();
  return splat && isa<IntegerType>(splat.getX().getType()) ? constantOf(splat.getX())
                                                           : std::nullopt;
}

// 0, 1, 2, ... along a dimension, the same for all indices of the others.
Value indicesAlong(OpBuilder &b, Location loc, RankedTensorType type, unsigned dim) {
  auto line = RankedTensorType::get({type.getDimSize(dim)}, type.getElementType());
  SmallVector<int64_t> shape(size_t(type.getRank()), 1);
  shape[dim] = type.getDimSize(dim);
  Value indices = tile::IotaOp::create(b, loc, line);
  if (type.getRank() > 1)
    indices = tile::ReshapeOp::create(b, loc, RankedTensorType::get(shape, type.getElementType()),
                                      indices);
  return indices;
}

Value broadcastTo(OpBuilder &b, Value x, ArrayRef<int64_t> shape) {
  if (shapeOf(x) == shape)
    return x;
  auto type = RankedTensorType::get(shape, cast<RankedTensorType>(x.getType()).getElementType());
  return tile::BroadcastOp::create(b, x.getLoc(), type, x);
}

} // namespace

std::optional<unsigned> sameDimension(ArrayRef<int64_t> from, unsigned dim, ArrayRef<int64_t> to) {
  const int64_t inner = elementsBehind(from, dim);
  int64_t innerOfTo = 1;
  for (auto d = unsigned(to.size()); d-- > 0; innerOfTo *= to[d])
    if (innerOfTo == inner && to[d] == from[dim])
      return d;
  return std::nullopt;
}

std::optional<WideTiles::Step> WideTiles::stepOf(Value value, unsigned dim) const {
  Operation *op = value.getDefiningOp();
  if (!op || dims.contains(value))
    return std::nullopt;
  if (constantOfTile(value))
    return Step{0, 0};
  if (auto splat = dyn_cast<tile::SplatOp>(op))
    return each.contains(splat.getX()) ? std::nullopt
                                       : std::optional(Step{0, distances.lookup(splat.getX())});
  if (isa<tile::IotaOp>(op))
    return elementsBefore(shapeOf(value), dim) == 1
               ? std::optional(Step{elementsBehind(shapeOf(value), dim), 0})
               : std::nullopt;
  if (auto reshape = dyn_cast<tile::ReshapeOp>(op)) {
    auto before = sameDimension(shapeOf(value), dim, shapeOf(reshape.getX()));
    return before ? stepOf(reshape.getX(), *before) : std::nullopt;
  }
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
    std::optional<Step> step = stepOf(broadcast.getX(), dim);
    if (step && shapeOf(broadcast.getX())[dim] == 1)
      step->along = 0;
    return step;
  }
  auto binary = dyn_cast<tile::BinaryOp>(op);
  if (!binary || !isa<IntegerType>(tile::elementType(binary.getType())))
    return std::nullopt;
  std::optional<Step> x = stepOf(binary.getX(), dim), y = stepOf(binary.getY(), dim);
  constexpr int64_t limit = int64_t(1) << 24; // of both steps, and of their factors
  auto isMore = [](const Step &step) {
    return std::abs(step.along) > limit || std::abs(step.between) > limit;
  };
  if (!x || !y || isMore(*x) || isMore(*y))
    return std::nullopt;
  auto factorOf = [](Value tile) {
    std::optional<int64_t> by = constantOfTile(tile);
    return by && std::abs(*by) <= limit ? by : std::nullopt;
  };
  switch (binary.getKind()) {
  case tile::BinaryKind::add: return Step{x->along + y->along, x->between + y->between};
  case tile::BinaryKind::sub: return Step{x->along - y->along, x->between - y->between};
  case tile::BinaryKind::mul:
    if (std::optional<int64_t> by = factorOf(binary.getY()))
      return Step{x->along * *by, x->between * *by};
    if (std::optional<int64_t> by = factorOf(binary.getX()))
      return Step{y->along * *by, y->between * *by};
    return std::nullopt;
  default: return std::nullopt;
  }
}

// Do the blocks' tiles continue where those of the previous blocks end?
bool WideTiles::isContinued(Value value, unsigned dim) const {
  std::optional<Step> step = stepOf(value, dim);
  return step && step->between != 0 && step->between == step->along * shapeOf(value)[dim];
}

bool WideTiles::canRepeat(Value value, unsigned dim) {
  if (auto known = dims.find(value); known != dims.end())
    return known->second == dim;
  if (auto carried = dyn_cast<BlockArgument>(value)) {
    // A loop-carried value is repeated from its initial value on.
    auto loop = dyn_cast<scf::ForOp>(carried.getOwner()->getParentOp());
    return isUniform(value) && loop && carried != loop.getInductionVar() &&
           canRepeat(loop.getTiedLoopInit(carried)->get(), dim) && spread(carried, dim);
  }
  DenseElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)))
    return elements.isSplat();
  Operation *op = value.getDefiningOp();
  if (isa<tile::SplatOp>(op) || isContinued(value, dim))
    return true;
  // Only of a line: threads compute the numbers of many rows in as many registers.
  if (isa<tile::IotaOp>(op))
    return elementsBefore(shapeOf(value), dim) * elementsBehind(shapeOf(value), dim) == 1;
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op))
    return (shapeOf(broadcast.getX())[dim] == 1 && isUniform(broadcast.getX())) ||
           canRepeat(broadcast.getX(), dim);
  if (auto reshape = dyn_cast<tile::ReshapeOp>(op)) {
    auto before = sameDimension(shapeOf(value), dim, shapeOf(reshape.getX()));
    return before && canRepeat(reshape.getX(), *before);
  }
  // A block beyond the grid may divide by 0.
  const bool mayFail = isQuotient(op) && !isUniform(op->getOperand(1));
  return isElementwise(op) && !mayFail &&
         llvm::all_of(op->getOperands(), [&](Value v) { return canRepeat(v, dim); });
}

// The block of each element along a dimension.
Value WideTiles::blocksAlong(OpBuilder &b, Location loc, RankedTensorType type,
                             unsigned dim) const {
  return shifted(b, indicesAlong(b, loc, type, dim), type.getDimSize(dim) / factor);
}

// Computed along the dimension alone.
Value WideTiles::repeatSplat(OpBuilder &b, tile::SplatOp splat, unsigned dim, bool continues) {
  Location loc = splat.getLoc();
  RankedTensorType type = wide(splat.getType(), dim);
  Value x = splat.getX();
  if (continues || isUniform(x))
    return tile::SplatOp::create(b, loc, type, x);
  SmallVector<int64_t> shape(size_t(type.getRank()), 1);
  shape[dim] = type.getDimSize(dim);
  auto lineType = [&](Type element) { return RankedTensorType::get(shape, element); };
  auto splatOf = [&](Value value) -> Value {
    return tile::SplatOp::create(b, loc, lineType(value.getType()), value);
  };
  Value result = splatOf(x);
  if (auto distance = distances.find(x); distance != distances.end()) {
    RankedTensorType line = lineType(x.getType());
    Value far = compute(b, loc, tile::BinaryKind::mul, blocksAlong(b, loc, line, dim),
                        constantTile(b, loc, line, distance->second));
    return broadcastTo(b, compute(b, loc, tile::BinaryKind::add, result, far), type.getShape());
  }
  Value blocks = blocksAlong(b, loc, lineType(b.getI32Type()), dim);
  for (int64_t block = 1; block < factor; ++block) {
    Value isOther = tile::CompareOp::create(
        b, loc, lineType(b.getI1Type()), tile::CompareKind::ge, blocks,
        constantTile(b, loc, lineType(b.getI32Type()), block), /*isUnsigned=*/true);
    result = tile::SelectOp::create(b, loc, result.getType(), isOther, splatOf(each.of(x, block)),
                                    result);
  }
  return broadcastTo(b, result, type.getShape());
}

// The element numbers of one tile, repeated for each block.
Value WideTiles::repeatIota(OpBuilder &b, tile::IotaOp iota, unsigned dim, bool continues) const {
  Location loc = iota.getLoc();
  RankedTensorType type = wide(iota.getType(), dim);
  Value all = tile::IotaOp::create(b, loc, type);
  return continues ? all
                   : compute(b, loc, tile::BinaryKind::bit_and, all,
                             constantTile(b, loc, type, type.getDimSize(dim) / factor - 1));
}

Value WideTiles::repeatBroadcast(OpBuilder &b, tile::BroadcastOp broadcast, unsigned dim,
                                 bool continues) {
  Value x = broadcast.getX();
  RankedTensorType type = wide(broadcast.getType(), dim);
  const bool isOfOne = shapeOf(x)[dim] == 1;
  if (isOfOne && (continues || isUniform(x)))
    return broadcastTo(b, x, type.getShape());
  Value from = repeat(b, x, dim, continues);
  if (!isOfOne)
    return broadcastTo(b, from, type.getShape());
  // One element of each block, broadcast over the block's elements.
  Location loc = broadcast.getLoc();
  SmallVector<int64_t> apart(shapeOf(from)), blocksShape(type.getShape());
  apart.insert(apart.begin() + dim + 1, 1);
  blocksShape[dim] = factor;
  blocksShape.insert(blocksShape.begin() + dim + 1, type.getDimSize(dim) / factor);
  Type element = type.getElementType();
  from = tile::ReshapeOp::create(b, loc, RankedTensorType::get(apart, element), from);
  from = broadcastTo(b, from, blocksShape);
  return tile::ReshapeOp::create(b, loc, type, from);
}

Value WideTiles::repeat(OpBuilder &b, Value value, unsigned dim, bool continues) {
  if (dims.contains(value))
    return value;
  Operation *op = value.getDefiningOp();
  DenseElementsAttr elements;
  RankedTensorType type = wide(value.getType(), dim);
  if (matchPattern(value, m_Constant(&elements)))
    return arith::ConstantOp::create(b, op->getLoc(), elements.resizeSplat(type));
  continues = continues || isContinued(value, dim);
  if (auto splat = dyn_cast<tile::SplatOp>(op))
    return repeatSplat(b, splat, dim, continues);
  if (auto iota = dyn_cast<tile::IotaOp>(op))
    return repeatIota(b, iota, dim, continues);
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op))
    return repeatBroadcast(b, broadcast, dim, continues);
  SmallVector<Value> operands(op->getOperands());
  for (Value &operand : operands) {
    auto along = isa<tile::ReshapeOp>(op) ? sameDimension(shapeOf(value), dim, shapeOf(operand))
                                          : std::nullopt; // canRepeat has found one
    operand = repeat(b, operand, along.value_or(dim), continues);
  }
  Operation *copy = b.clone(*op);
  copy->setOperands(operands);
  copy->getResult(0).setType(type);
  return copy->getResult(0);
}

// The last group may have fewer blocks: a block beyond the grid must write nothing.
void WideTiles::clipPointers(Operation *op, unsigned dim) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  ArrayRef<int64_t> shape = shapeOf(addressOf(op));
  Value limit = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(factor))),
        blocks = arith::MinUIOp::create(b, loc, each.left(), limit),
        blockExtent =
            arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(shape[dim] / factor))),
        end = arith::MulIOp::create(b, loc, blocks, blockExtent);
  Value indices = indicesAlong(b, loc, RankedTensorType::get(shape, b.getI32Type()), dim);
  Value ends = tile::SplatOp::create(b, loc, indices.getType(), end);
  auto maskType = RankedTensorType::get(shapeOf(indices), b.getI1Type());
  Value isThere = tile::CompareOp::create(b, loc, maskType, tile::CompareKind::lt, indices, ends,
                                          /*isUnsigned=*/true);
  isThere = broadcastTo(b, isThere, shape);
  if (auto store = dyn_cast<tile::StoreOp>(op)) {
    Value mask = store.getMask();
    store.getMaskMutable().assign(mask ? compute(b, loc, tile::BinaryKind::bit_and, mask, isThere)
                                       : isThere);
    return;
  }
  auto atomic = cast<tile::AtomicRmwOp>(op);
  atomic.getMaskMutable().set(
      compute(b, loc, tile::BinaryKind::bit_and, atomic.getMask(), isThere));
}

} // namespace tessera::plan
