// The bound and the step of a loop must be invariant. Comparisons with the counter on the right are
// swapped, and those that leave the loop if they hold are inverted.
#include "structure/LoopShapes.h"
#include "tile/Counters.h"
#include "tile/Sources.h"
#include "tile/Speculation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using Predicate = arith::CmpIPredicate;

namespace tessera::structuring {

namespace {

bool isUnsigned(Predicate predicate) { return predicate >= Predicate::ult; }

// Is `value` loop-invariant, possibly after hoisting its computation? What the header computes
// before its test, it computes before the first iteration: it may fail, as a division.
bool isInvariant(const CountedLoop &loop, Value value) {
  return tile::areAllRight(value, [&](Value v) -> std::optional<bool> {
    if (!loop.defines(v))
      return true;
    Operation *op = v.getDefiningOp();
    const bool isFirst =
        op && loop.testsAtTop && op->getBlock() == loop.header && isMemoryEffectFree(op);
    bool mayBe = op && op->getNumRegions() == 0 && (isFirst || tile::isSpeculatable(op));
    return mayBe ? std::nullopt : std::optional(false);
  });
}

bool bothConstant(Value x, Value y, APInt &a, APInt &b) {
  return matchPattern(x, m_ConstantInt(&a)) && matchPattern(y, m_ConstantInt(&b));
}

// Does `known` imply `lower < upper`? A widened bound has the sign of the narrow one.
bool implies(const tile::Relation &known, const CountedLoop &loop, Value lower) {
  if (known.predicate == Predicate::slt && matchPattern(known.left, m_Zero()) &&
      matchPattern(lower, m_Zero())) {
    Operation *widening = loop.upper.getDefiningOp();
    if (isa_and_present<arith::ExtUIOp, arith::ExtSIOp>(widening) &&
        widening->getOperand(0) == known.right)
      return true;
  }
  Predicate wanted = loop.isUnsignedCompare ? Predicate::ult : Predicate::slt;
  return known.predicate == wanted && known.left == lower && known.right == loop.upper;
}

// Is the loop entered only with `lower < upper`?
bool isGuarded(const CountedLoop &loop, Value lower) {
  APInt low, high;
  if (bothConstant(lower, loop.upper, low, high))
    return loop.isUnsignedCompare ? low.ult(high) : low.slt(high);
  Block *block = loop.header, *from = nullptr;
  for (Block *predecessor : loop.header->getPredecessors())
    if (!loop.contains(predecessor)) {
      if (from)
        return false;
      from = predecessor;
    }
  for (; from; block = from, from = from->getUniquePredecessor()) {
    auto branch = dyn_cast<cf::CondBranchOp>(from->getTerminator());
    if (!branch || branch.getTrueDest() == branch.getFalseDest())
      continue;
    std::optional<tile::Relation> known =
        tile::relationOf(branch.getCondition(), branch.getTrueDest() == block);
    if (known && (implies(*known, loop, lower) || implies(known->mirrored(), loop, lower)))
      return true;
  }
  return false;
}

// The only value of the header's argument `index` on entry, or null.
Value entryValue(const CountedLoop &loop, unsigned index) {
  Value found;
  for (auto it = loop.header->pred_begin(); it != loop.header->pred_end(); ++it) {
    if (loop.contains(*it))
      continue;
    auto branch = cast<BranchOpInterface>((*it)->getTerminator());
    Value value = branch.getSuccessorOperands(it.getSuccessorIndex())[index];
    if (found && found != value)
      return {};
    found = value;
  }
  return found;
}

// Compares `i * c < hi`, without wrapping, for a constant above 0? Then notes it, and compares i.
void takeScale(CountedLoop &loop, tile::Relation &test) {
  auto product = test.left.getDefiningOp<arith::MulIOp>();
  APInt scale;
  if (!product || !loop.testsAtTop || test.predicate != Predicate::slt ||
      !bitEnumContainsAll(product.getOverflowFlags(), arith::IntegerOverflowFlags::nsw) ||
      !matchPattern(product.getRhs(), m_ConstantInt(&scale)) || !scale.isStrictlyPositive())
    return;
  loop.scale = product.getRhs();
  test.left = product.getLhs();
}

// Finds the header argument that `test` compares with an invariant bound and that the latch
// advances by an invariant step.
bool findVariable(CountedLoop &loop, tile::Relation test) {
  if (isInvariant(loop, test.left))
    test = test.mirrored();
  if (!isInvariant(loop, test.right))
    return false;
  loop.upper = test.right;
  if (auto widening = test.left.getDefiningOp<arith::ExtSIOp>();
      widening && loop.testsAtTop && test.predicate == Predicate::slt) {
    loop.isWidened = true;
    test.left = widening.getIn();
  } else {
    takeScale(loop, test);
  }
  for (BlockArgument argument : loop.header->getArguments()) {
    Value next = loop.next[argument.getArgNumber()];
    std::optional<tile::Advance> advance = tile::advanceOf(next, argument);
    if (test.left != (loop.testsAtTop ? Value(argument) : next) || !advance || advance->isDown ||
        !isInvariant(loop, advance->by))
      continue;
    loop.step = advance->by;
    loop.variable = argument.getArgNumber();
    if (loop.isWidened && !advance->nsw)
      return false;
    APInt step;
    if (matchPattern(loop.step, m_ConstantInt(&step)) && !step.isStrictlyPositive())
      return false;
    switch (test.predicate) {
    case Predicate::slt:
    case Predicate::ult: break;
    case Predicate::sle:
    case Predicate::ule:
      // The bound plus one must not wrap: the loop would not terminate, or count beyond its type's
      // range.
      loop.isInclusive = true;
      if (!(test.predicate == Predicate::sle ? advance->nsw : advance->nuw))
        return false;
      break;
    case Predicate::ne:
      // A counter that passes the bound would wrap, which is undefined.
      if (!matchPattern(loop.step, m_One()) || (!advance->nsw && !advance->nuw))
        return false;
      test.predicate = advance->nsw ? Predicate::slt : Predicate::ult;
      break;
    default: return false;
    }
    loop.isUnsignedCompare = isUnsigned(test.predicate);
    return true;
  }
  return false;
}

// The ops of the loop that its bound is computed by, which move in front of it.
llvm::SmallPtrSet<Operation *, 4> opsOfBound(const CountedLoop &loop) {
  llvm::SmallPtrSet<Operation *, 4> ops;
  SmallVector<Value> work = {loop.upper};
  while (!work.empty())
    if (Value value = work.pop_back_val(); loop.defines(value))
      if (Operation *op = value.getDefiningOp(); op && ops.insert(op).second)
        llvm::append_range(work, op->getOperands());
  return ops;
}

// The header runs once more than the body: except for counting, it must have no effects.
bool headerIsSilent(const CountedLoop &loop) {
  const llvm::SmallPtrSet<Operation *, 4> bound = opsOfBound(loop);
  return llvm::all_of(loop.header->without_terminator(), [&](Operation &op) {
    if (tile::isSpeculatable(&op) || bound.contains(&op))
      return true;
    bool isUsedOutside =
        llvm::any_of(op.getUsers(), [&](Operation *user) { return !loop.contains(user); }) ||
        llvm::any_of(op.getResults(),
                     [&](Value result) { return llvm::is_contained(loop.exitOperands, result); });
    return !isUsedOutside && hasSingleEffect<MemoryEffects::Read>(&op);
  });
}

} // namespace

std::optional<CountedLoop> recognise(CFGLoop &found) {
  CountedLoop loop;
  loop.blocks.assign(found.block_begin(), found.block_end());
  loop.header = found.getHeader();
  loop.latch = found.getLoopLatch();
  Block *exiting = found.getExitingBlock();
  if (!loop.latch || !exiting || (exiting != loop.header && exiting != loop.latch))
    return {};
  loop.testsAtTop = exiting != loop.latch;
  auto branch = dyn_cast<cf::CondBranchOp>(exiting->getTerminator());
  if (!branch)
    return {};
  bool staysIfTrue = loop.contains(branch.getTrueDest());
  loop.body = staysIfTrue ? branch.getTrueDest() : branch.getFalseDest();
  loop.exit = staysIfTrue ? branch.getFalseDest() : branch.getTrueDest();
  loop.bodyOperands = staysIfTrue ? branch.getTrueOperands() : branch.getFalseOperands();
  loop.exitOperands = staysIfTrue ? branch.getFalseOperands() : branch.getTrueOperands();
  if (loop.testsAtTop) {
    auto back = dyn_cast<cf::BranchOp>(loop.latch->getTerminator());
    if (!back)
      return {};
    loop.next = llvm::to_vector(back.getDestOperands());
  } else {
    loop.next = llvm::to_vector(loop.bodyOperands);
  }
  std::optional<tile::Relation> test = tile::relationOf(branch.getCondition(), staysIfTrue);
  if (!test || !findVariable(loop, *test))
    return {};
  if (loop.testsAtTop)
    return headerIsSilent(loop) ? std::optional(loop) : std::nullopt;
  Value lower = entryValue(loop, loop.variable);
  return lower && !loop.isInclusive && isGuarded(loop, lower) ? std::optional(loop) : std::nullopt;
}

} // namespace tessera::structuring
