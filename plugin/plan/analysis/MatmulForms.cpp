#include "plan/analysis/MatmulForms.h"

#include "plan/analysis/Facts.h"
#include "plan/analysis/HostValues.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/PipelinedLoads.h"
#include "plan/Plan.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// Rows of an operand, and bytes of K, that two warpgroups hold twice in registers, with three
// stages of it in shared memory.
constexpr int64_t rowsAhead = 256, bytesAhead = 128;

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

// Batches are multiplied one by one.
Matmul matmulOfBatch(tile::MmaOp multiply) {
  RankedTensorType a = typeOf(multiply.getA()), b = typeOf(multiply.getB()),
                   c = typeOf(multiply.getC());
  // Operands of other elements may be transposed on their way.
  bool isEitherOrder = takesEitherOrder(a.getElementType());
  ArrayRef<int64_t> accumulator = c.getShape().take_back(2);
  return {a.getElementType(), b.getElementType(),      c.getElementType(),     2,
          accumulator[0],     accumulator[1],          a.getShape().back(),    true,
          !isEitherOrder,     multiply.getAUnsigned(), multiply.getBUnsigned()};
}

// Floats that are read from a view whose tensor map the launch may make.
bool isRoundedByCopies(tile::CastOp cast) {
  auto load = cast.getX().getDefiningOp<tile::ViewLoadOp>();
  return load && isRounding(cast) && hasBulkRings(cast) && isViewKnownToHost(load);
}

// Do threads take part in bringing an operand to shared memory as the tensor core takes it?
// `isFirst`: its last dimension is K, else the one before.
bool isComputed(Value operand, bool isFirst) {
  RankedTensorType type = typeOf(operand);
  bool isAlongK = isFirst;
  while (Operation *op = operand.getDefiningOp()) {
    if (auto permute = dyn_cast<tile::PermuteOp>(op))
      isAlongK ^= permute.getMap().back() != int64_t(permute.getMap().size()) - 1;
    else if (auto cast = dyn_cast<tile::CastOp>(op); cast && isRoundedByCopies(cast))
      type = typeOf(cast.getX());
    else if (auto load = dyn_cast<tile::ViewLoadOp>(op))
      return isAlongK == runsBeforeLast(load) && !takesEitherOrder(type.getElementType());
    else if (!isa<tile::ReshapeOp>(op))
      return true;
    operand = op->getOperand(0);
  }
  return true;
}

} // namespace

scf::ForOp loopOfAccumulator(Value before, Value after) {
  auto carried = dyn_cast<BlockArgument>(before);
  auto loop = carried ? dyn_cast<scf::ForOp>(carried.getOwner()->getParentOp()) : scf::ForOp();
  bool isAccumulatorAlone = loop && carried != loop.getInductionVar() && carried.hasOneUse() &&
                            after.hasOneUse() && after.getParentBlock() == loop.getBody() &&
                            loop.getTiedLoopYieldedValue(carried)->get() == after;
  return isAccumulatorAlone ? loop : scf::ForOp();
}

std::optional<unsigned> contiguousDimension(Value operand) {
  unsigned dim = 1;
  while (Operation *op = operand.getDefiningOp()) {
    if (typeOf(operand).getRank() != 2)
      return {};
    if (auto load = dyn_cast<tile::ViewLoadOp>(op))
      return runsBeforeLast(load) ? 1 - dim : dim;
    if (auto permute = dyn_cast<tile::PermuteOp>(op))
      dim = permute.getMap()[1] == 1 ? dim : 1 - dim;
    else if (!isa<tile::CastOp>(op))
      return {};
    operand = op->getOperand(0);
  }
  return {};
}

bool isComputedTransposed(tile::MmaOp multiply) {
  Matmul matmul = matmulOf(multiply);
  if (!isa<FloatTF32Type>(matmul.a) || matmul.rank != 2 || !loopOfAccumulator(multiply))
    return false;
  std::swap(matmul.m, matmul.n);
  return selectMma(matmul, targetOf(multiply)).instruction.isOfWarpgroups() &&
         contiguousDimension(multiply.getA()) == 1U && contiguousDimension(multiply.getB()) == 1U;
}

MatmulForm matmulFormOf(tile::MmaOp multiply) {
  MatmulForm form{matmulOfBatch(multiply)};
  Matmul &matmul = form.matmul;
  form.isTransposed = isComputedTransposed(multiply);
  if (form.isTransposed)
    std::swap(matmul.m, matmul.n);
  // Operand A of the transposed matmul is read ahead of its multiply.
  const bool isReadAhead =
      form.isTransposed && matmul.m <= rowsAhead && matmul.k * bytesOf(matmul.a) <= bytesAhead;
  form.computesA = isComputed(multiply.getA(), true);
  form.computesB = isComputed(multiply.getB(), false) && !isReadAhead;
  return form;
}

} // namespace tessera::plan
