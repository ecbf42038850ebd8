// A product that a loop adds to an accumulator it carries becomes a multiply into the accumulator:
// the tensor core adds, and the product needs no registers beside it.
//
//   add %c, (mma %a, %b, 0)       ->  mma %a, %b, %c
//   fma %x, %c, (mma %a, %b, 0)   ->  mma %a, %b, (mul %x, %c)
//
// The result must be the accumulator of the next iteration, and what is added to must be computed
// from this iteration's, element by element: other tiles, such as a residual, would have to be
// there before the multiply starts. Nothing else may use the product. As of any multiply, the order
// of the additions is the tensor core's. fp8 stays as it is: there the tensor core adds with fewer
// bits than a float has, and a program that adds by itself may do so for that reason.
#include "plan/analysis/Facts.h"
#include "plan/Passes.h"
#include "tile/Sources.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_ACCUMULATEPRODUCTS
#include "plan/Passes.h.inc"

namespace {

// `addend + product`, or `factor * addend + product` where there is a factor.
struct Addition {
  Operation *op;
  tile::MmaOp product;
  Value addend, factor;
};

// The product of a multiply that adds to zeros, and that nothing but one addition uses.
tile::MmaOp productIn(Value tile) {
  auto product = tile.getDefiningOp<tile::MmaOp>();
  if (!product || !product->hasOneUse() || !isZero(product.getC()))
    return {};
  auto bitsOf = [](Value v) { return tile::storageBits(tile::elementType(v.getType())); };
  const bool isOfBytes =
      bitsOf(product.getA()) <= 8 && isa<FloatType>(tile::elementType(product.getA().getType()));
  return isOfBytes ? tile::MmaOp() : product;
}

std::optional<Addition> additionIn(Operation *op) {
  if (auto add = dyn_cast<tile::BinaryOp>(op); add && add.getKind() == tile::BinaryKind::add &&
                                               add.getRounding() == tile::Rounding::nearest &&
                                               !add.getFlush()) {
    if (tile::MmaOp product = productIn(add.getY()))
      return Addition{op, product, add.getX(), {}};
    if (tile::MmaOp product = productIn(add.getX()))
      return Addition{op, product, add.getY(), {}};
  }
  if (auto fma = dyn_cast<tile::FmaOp>(op);
      fma && fma.getRounding() == tile::Rounding::nearest && !fma.getFlush())
    if (tile::MmaOp product = productIn(fma.getZ()))
      return Addition{op, product, fma.getX(), fma.getY()};
  return std::nullopt;
}

// Is a tile computed from a value, element by element, in the block?
bool isComputedFrom(Value tile, Value from, Block *block) {
  bool isFound = false;
  (void)tile::areAllRight(tile, [&](Value v) -> std::optional<bool> {
    isFound |= v == from;
    Operation *op = v.getDefiningOp();
    const bool goesOn = op && op->getBlock() == block && op->hasTrait<OpTrait::Elementwise>() &&
                        isMemoryEffectFree(op);
    return goesOn ? std::nullopt : std::optional(true);
  });
  return isFound;
}

// Does the loop carry the result, or what later multiplies add to it, as what the addition adds to?
bool isCarried(const Addition &addition, scf::ForOp loop) {
  Value result = addition.op->getResult(0);
  while (result.hasOneUse()) {
    auto next = dyn_cast<tile::MmaOp>(*result.user_begin());
    if (!next || next.getC() != result)
      break;
    result = next.getResult();
  }
  for (auto [argument, yielded] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()))
    if (yielded == result) {
      auto isFromAccumulator = [&](Value v) {
        return v && isComputedFrom(v, argument, loop.getBody());
      };
      if (isFromAccumulator(addition.addend) || isFromAccumulator(addition.factor))
        return true;
    }
  return false;
}

void accumulate(const Addition &addition) {
  OpBuilder b(addition.op);
  Location loc = addition.op->getLoc();
  tile::MmaOp product = addition.product;
  Value accumulator = addition.addend;
  if (addition.factor)
    accumulator = tile::BinaryOp::create(b, loc, accumulator.getType(), tile::BinaryKind::mul,
                                         accumulator, addition.factor, tile::Rounding::nearest,
                                         /*flush=*/false, /*isUnsigned=*/false);
  product->moveBefore(addition.op);
  product.getCMutable().assign(accumulator);
  addition.op->getResult(0).replaceAllUsesWith(product.getResult());
  addition.op->erase();
}

struct AccumulateProducts : impl::AccumulateProductsBase<AccumulateProducts> {
  void runOnOperation() override {
    getOperation().walk([](scf::ForOp loop) {
      SmallVector<Addition> additions;
      for (Operation &op : loop.getBody()->without_terminator())
        if (std::optional<Addition> addition = additionIn(&op);
            addition && addition->product->getBlock() == loop.getBody())
          additions.push_back(*addition);
      // The last addition to an accumulator first: the others are what its multiply adds to.
      for (const Addition &addition : llvm::reverse(additions))
        if (isCarried(addition, loop))
          accumulate(addition);
    });
  }
};

} // namespace
} // namespace tessera::plan
