// The accumulator of a chain is rescaled by what a running maximum has grown since the iteration
// before. It grows rarely after the first iterations: the factor is exp2 of 0, which is 1. A warp
// whose rows all have that factor leaves its accumulator as it is:
//
//   %o' = mul %o, broadcast (exp2 (%m - max %m, %n))  ->  the same {tile.usually_one}
//
// The product by 1 is the accumulator, bit by bit.
//
// Threads ask in each iteration, which costs less than the products where the accumulator has
// twice as many elements as the multiply that they compute on. bf16 on an H200, TFLOP/s without
// and with, 8192 tokens: 64x32 tiles, D 256, 512 and 552, causal 460 and 516; 128x64, D 256, 672
// and 699; 128x64, D 128, 549 and 570, causal 486 and 514; but 128x128, D 128, 625 and 608
// (bench/results/2026-11-29-warpgroup-blocks-h200.txt).
#include "plan/Passes.h"
#include "plan/pipeline/InFlight.h"
#include "plan/Plan.h"
#include "tile/Attributes.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SKIPRESCALES
#include "plan/Passes.h.inc"

namespace {

// What a tile has, in another shape or layout.
Value contentOf(Value tile) {
  while (isa_and_present<tile::BroadcastOp, tile::ReshapeOp, tile::ConvertLayoutOp>(
      tile.getDefiningOp()))
    tile = tile.getDefiningOp()->getOperand(0);
  return tile;
}

tile::BinaryOp binaryOf(Value tile, tile::BinaryKind kind) {
  auto op = contentOf(tile).getDefiningOp<tile::BinaryOp>();
  return op && op.getKind() == kind ? op : tile::BinaryOp();
}

// x - max(x, y), or a multiple of it, where a loop carries x: 0 while a running maximum stays the
// same.
bool isGrowth(Value tile) {
  if (auto product = binaryOf(tile, tile::BinaryKind::mul))
    return isGrowth(product.getX()) || isGrowth(product.getY());
  auto difference = binaryOf(tile, tile::BinaryKind::sub);
  if (!difference)
    return false;
  auto larger = binaryOf(difference.getY(), tile::BinaryKind::max);
  Value before = contentOf(difference.getX());
  return larger && isa<BlockArgument>(before) &&
         (contentOf(larger.getX()) == before || contentOf(larger.getY()) == before);
}

bool isUsuallyOne(Value factor) {
  auto power = contentOf(factor).getDefiningOp<tile::UnaryOp>();
  return power && factor.getDefiningOp<tile::BroadcastOp>() &&
         (power.getKind() == tile::UnaryKind::exp || power.getKind() == tile::UnaryKind::exp2) &&
         isGrowth(power.getX());
}

// The elements of the smallest multiply of a loop; 0: it has none.
int64_t smallestMultiply(scf::ForOp loop) {
  int64_t smallest = 0;
  for (auto multiply : loop.getBody()->getOps<tile::SharedMmaOp>()) {
    const int64_t elements = cast<RankedTensorType>(multiply.getType()).getNumElements();
    smallest = smallest ? std::min(smallest, elements) : elements;
  }
  return smallest;
}

void mark(tile::BinaryOp product, int64_t smallest) {
  auto type = dyn_cast<RankedTensorType>(product.getType());
  if (!type || product.getKind() != tile::BinaryKind::mul || !type.getElementType().isF32() ||
      product.getFlush() || product.getRounding() != tile::Rounding::nearest ||
      type.getNumElements() < 2 * smallest)
    return;
  if (isUsuallyOne(product.getX()) && !isUsuallyOne(product.getY())) {
    Value factor = product.getX();
    product.getXMutable().assign(product.getY());
    product.getYMutable().assign(factor);
  }
  if (isUsuallyOne(product.getY()))
    product->setAttr(tile::usuallyOneAttr, UnitAttr::get(product.getContext()));
}

struct SkipRescales : impl::SkipRescalesBase<SkipRescales> {
  void runOnOperation() override {
    if (!getOperation()->hasAttr(tile::warpSpecializedAttr))
      return;
    for (scf::ForOp loop : loopsOfConsumers(getOperation()))
      if (const int64_t smallest = smallestMultiply(loop))
        for (auto product : loop.getBody()->getOps<tile::BinaryOp>())
          mark(product, smallest);
  }
};

} // namespace
} // namespace tessera::plan
