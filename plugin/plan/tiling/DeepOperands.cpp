#include "plan/tiling/DeepOperands.h"

#include "plan/analysis/InductionStrides.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/PipelinedLoads.h"
#include "plan/tiling/EachBlock.h"
#include "tile/Speculation.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::plan {

namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

RankedTensorType deeper(RankedTensorType type, unsigned k, int64_t iterations) {
  SmallVector<int64_t> shape(type.getShape());
  shape[k] *= iterations;
  return RankedTensorType::get(shape, type.getElementType());
}

// The dimension of a tile before a reshape that only adds or removes dimensions of one element.
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
  const unsigned *found = llvm::find(toDims, dim);
  if (found == toDims.end() || extents(fromDims, from) != extents(toDims, to))
    return {};
  return fromDims[found - toDims.begin()];
}

Value deepened(OpBuilder &b, Value tile, unsigned k, int64_t iterations) {
  RankedTensorType type = deeper(typeOf(tile), k, iterations);
  DenseElementsAttr elements;
  if (matchPattern(tile, m_Constant(&elements)))
    return arith::ConstantOp::create(b, tile.getLoc(), elements.resizeSplat(type));
  Operation *copy = b.clone(*tile.getDefiningOp());
  copy->getResult(0).setType(type);
  return copy->getResult(0);
}

} // namespace

bool DeepOperands::add(Value tile, unsigned k) {
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

bool DeepOperands::areAll(ArrayRef<tile::MmaOp> multiplies) {
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

SmallVector<std::pair<tile::ViewLoadOp, unsigned>> DeepOperands::loads() const {
  SmallVector<std::pair<tile::ViewLoadOp, unsigned>> result;
  for (auto [op, k] : tiles)
    if (auto load = dyn_cast<tile::ViewLoadOp>(op))
      result.emplace_back(load, k);
  return result;
}

bool DeepOperands::keepZeros() const {
  return llvm::all_of(tiles, [](auto &entry) {
    return isa<tile::ViewLoadOp, tile::PermuteOp, tile::ReshapeOp, tile::CastOp>(entry.first);
  });
}

void DeepOperands::deepen(const IRMapping &map, int64_t iterations) const {
  for (auto [op, k] : tiles) {
    Operation *copy = map.lookup(op);
    copy->getResult(0).setType(deeper(typeOf(copy->getResult(0)), k, iterations));
    if (isa<tile::ViewLoadOp, tile::PermuteOp, tile::ReshapeOp>(op))
      continue;
    OpBuilder b(copy);
    for (auto [from, to] : llvm::zip_equal(op->getOpOperands(), copy->getOpOperands()))
      if (isa<RankedTensorType>(from.get().getType()) &&
          !tiles.contains(from.get().getDefiningOp()))
        to.set(deepened(b, to.get(), k, iterations));
  }
}

// Boxes that lie side by side along K, and can be copied ahead.
bool DeepOperands::isInTurn(tile::ViewLoadOp load, unsigned k) {
  int64_t extent = typeOf(load).getDimSize(k);
  // The same value may be the start along another dimension.
  OpOperand &start = load->getOpOperand(load.getStarts().getBeginOperandIndex() + k);
  for (OpOperand &operand : load->getOpOperands())
    if (&operand != &start && movesBy(operand.get(), loop) != 0)
      return false;
  return movesBy(load.getStarts()[k], loop) == extent && !waitOfRead(load, loop);
}

// Is it constant along K, and loop-invariant?
bool DeepOperands::isSameAlongK(Value tile, unsigned k) {
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

} // namespace tessera::plan
