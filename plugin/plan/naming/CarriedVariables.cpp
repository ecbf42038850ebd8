// Which variable a value is in, and when it is assigned; see CarriedVariables.h.
#include "plan/naming/CarriedVariables.h"

#include "tile/Attributes.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// The number of the iteration argument that a value is; none: it is another value.
std::optional<int64_t> numberOf(scf::ForOp loop, Value v) {
  auto argument = dyn_cast<BlockArgument>(v);
  if (!argument || argument.getOwner() != loop.getBody() || argument == loop.getInductionVar())
    return std::nullopt;
  return int64_t(argument.getArgNumber()) - loop.getNumInductionVars();
}

// The value whose variable a value is in: an assumption and the end of a multiply have none of
// their own, and a multiply in flight adds to that of its accumulator.
Value heldIn(Value v) {
  while (Operation *op = v.getDefiningOp()) {
    auto multiply = dyn_cast<tile::SharedMmaOp>(op);
    if (isa<tile::AssumeOp, tile::MmaFinishOp>(op))
      v = op->getOperand(0);
    else if (multiply && multiply.addsInPlace())
      v = multiply.getC();
    else
      break;
  }
  return v;
}

// The number of the variable to which the next value of that number is assigned; none: nothing is.
std::optional<int64_t> targetOf(int64_t number, std::optional<SwappedPair> pair) {
  if (pair && number == pair->second)
    return std::nullopt;
  return pair && number == pair->first ? pair->second : number;
}

// The expression of a value that is used once may be part of its user, and so on: the variable is
// read where the last of them stands.
Operation *lastReader(scf::ForOp loop, Operation *user, Operation *end) {
  auto isStatement = [](Operation *op) {
    auto multiply = dyn_cast<tile::SharedMmaOp>(op);
    return isa<tile::MmaFinishOp>(op) || (multiply && multiply.getInFlight());
  };
  Operation *reader = loop.getBody()->findAncestorOpInBlock(*user);
  while (reader != end && !isStatement(reader) && reader->getNumResults() == 1 &&
         reader->getResult(0).hasOneUse())
    reader = loop.getBody()->findAncestorOpInBlock(**reader->getResult(0).user_begin());
  return reader;
}

} // namespace

std::optional<SwappedPair> swappedTiles(scf::ForOp loop) {
  for (auto done : loop.getBody()->getOps<tile::MmaDoneOp>())
    for (Value operand : done.getOperands())
      if (std::optional<int64_t> second = numberOf(loop, operand))
        // Else it is computed after mma_done.
        if (auto first = numberOf(loop, loop.getYieldedValues()[unsigned(*second)]))
          return SwappedPair{*first, *second};
  return std::nullopt;
}

std::optional<SwappedPair> swappedPairOf(scf::ForOp loop) {
  auto pair = loop->getAttrOfType<DenseI64ArrayAttr>(tile::swappedAttr);
  if (!pair)
    return std::nullopt;
  return SwappedPair{pair[0], pair[1]};
}

SmallVector<OpOperand *> overwrittenOperands(scf::ForOp loop) {
  const std::optional<SwappedPair> pair = swappedPairOf(loop);
  SmallVector<OpOperand *> result;
  llvm::SmallDenseSet<int64_t> assigned;
  for (OpOperand &next : loop.getBody()->getTerminator()->getOpOperands()) {
    std::optional<int64_t> target = targetOf(next.getOperandNumber(), pair),
                           source = numberOf(loop, heldIn(next.get()));
    if (!target || source == target)
      continue;
    if (source && assigned.contains(*source))
      result.push_back(&next);
    assigned.insert(*target);
  }
  return result;
}

bool canComputeInPlace(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() || op->hasTrait<OpTrait::ConstantLike>() ||
      !isa<RankedTensorType>(op->getResult(0).getType()) || !op->hasOneUse())
    return false;
  OpOperand &next = *op->use_begin();
  auto loop = isa<scf::YieldOp>(next.getOwner())
                  ? dyn_cast<scf::ForOp>(next.getOwner()->getParentOp())
                  : scf::ForOp();
  if (!loop || op->getBlock() != loop.getBody())
    return false;
  std::optional<int64_t> target = targetOf(next.getOperandNumber(), swappedPairOf(loop));
  return target &&
         llvm::none_of(loop.getRegionIterArg(unsigned(*target)).getUsers(), [&](Operation *user) {
           Operation *reader = lastReader(loop, user, op);
           return reader != op && !reader->isBeforeInBlock(op);
         });
}

} // namespace tessera::plan
