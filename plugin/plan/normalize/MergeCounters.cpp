// A loop over the elements of a dimension often carries the number of its tile beside its counter.
// What is read then depends on where the loop begins. Products of that number are computed from
// the loop's counter instead:
//
//   for %i = %lo to %hi step 32 iter_args(%n = %lo / 32) { view_load [%n * 32]; yield %n + 1 }
//   ->  for %i = %lo to %hi step 32 { view_load [%i] }
//
// This holds where %n times the quotient of the two steps is %i in the first iteration: then it is
// in each.
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "tile/Counters.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_MERGECOUNTERS
#include "plan/Passes.h.inc"

namespace {

// A number as a product of a value and a constant.
struct Product {
  Value value; // null: the constant alone
  int64_t factor = 1;
};

Product productOf(Value number) {
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return {Value(), *constant};
  if (auto product = number.getDefiningOp<arith::MulIOp>())
    if (std::optional<int64_t> factor = getConstantIntValue(product.getRhs()))
      return {product.getLhs(), *factor};
  return {number, 1};
}

// Is `number` * `factor` the other number?
bool isQuotient(Value number, int64_t factor, Value other) {
  if (auto floor = number.getDefiningOp<tile::BinaryOp>())
    if (floor.getKind() == tile::BinaryKind::floordiv && floor.getX() == other &&
        getConstantIntValue(floor.getY()) == factor)
      return divisorOf(other) % factor == 0;
  if (auto quotient = number.getDefiningOp<arith::DivSIOp>())
    if (quotient.getLhs() == other && getConstantIntValue(quotient.getRhs()) == factor)
      return divisorOf(other) % factor == 0;
  const Product one = productOf(number), wanted = productOf(other);
  return one.value == wanted.value && one.factor * factor == wanted.factor;
}

// The quotient of the loop's counter and one that it carries; 0: it is not the same everywhere.
int64_t quotientOf(scf::ForOp loop, BlockArgument carried) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  std::optional<tile::Advance> advance =
      tile::advanceOf(loop.getTiedLoopYieldedValue(carried)->get(), carried);
  if (!step || !advance || advance->isDown || carried.getType() != loop.getInductionVar().getType())
    return 0;
  std::optional<int64_t> by = getConstantIntValue(advance->by);
  if (!by || *by <= 0 || *step <= 0 || *step % *by != 0)
    return 0;
  const int64_t quotient = *step / *by;
  return isQuotient(loop.getTiedLoopInit(carried)->get(), quotient, loop.getLowerBound()) ? quotient
                                                                                          : 0;
}

// Computes the products from the loop's counter; true if it did.
bool merge(scf::ForOp loop, BlockArgument carried) {
  const int64_t quotient = quotientOf(loop, carried);
  if (!quotient)
    return false;
  bool isChanged = false;
  for (Operation *user : llvm::make_early_inc_range(carried.getUsers())) {
    auto product = dyn_cast<arith::MulIOp>(user);
    std::optional<int64_t> factor = product ? getConstantIntValue(product.getRhs()) : std::nullopt;
    if (!factor || product.getLhs() != carried || *factor % quotient != 0)
      continue;
    OpBuilder b(product);
    Value result = loop.getInductionVar();
    if (*factor != quotient)
      result = arith::MulIOp::create(
          b, product.getLoc(), result,
          arith::ConstantOp::create(b, product.getLoc(),
                                    b.getIntegerAttr(result.getType(), *factor / quotient)));
    product.replaceAllUsesWith(result);
    product.erase();
    isChanged = true;
  }
  Operation *next = loop.getTiedLoopYieldedValue(carried)->get().getDefiningOp();
  if (isChanged && carried.hasOneUse() && next->hasOneUse() &&
      loop.getTiedLoopResult(carried).use_empty())
    loop.getTiedLoopYieldedValue(carried)->set(carried); // it is unused now
  return isChanged;
}

struct MergeCounters : impl::MergeCountersBase<MergeCounters> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    bool isChanged = false;
    kernel.walk([&](scf::ForOp loop) {
      const bool multiplies =
          loop.walk([](tile::MmaOp) { return WalkResult::interrupt(); }).wasInterrupted();
      if (multiplies)
        for (BlockArgument carried : loop.getRegionIterArgs())
          if (carried.getType().isIntOrIndex())
            isChanged |= merge(loop, carried);
    });
    if (isChanged)
      eraseUnusedCarried(kernel);
  }
};

} // namespace
} // namespace tessera::plan
