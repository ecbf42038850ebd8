// Counted loops of a control flow graph become scf.for.
//
// Two shapes are recognised. Tested at the top, like C++ loops: the header compares `i < hi` and is
// the only exit. Tested at the bottom, after loop rotation: the latch compares `i + step < hi` and
// is the only exit, and `lo < hi` is known on entry. The loop's blocks move into the body of the
// scf.for, which is in a new block before them:
//
//   before(init): scf.for %i = lo to hi step s iter_args(init) { body }; cf.br exit
#include "raise/CountedLoops.h"
#include "raise/Structure.h"
#include "tile/Sources.h"
#include "tile/Speculation.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using Predicate = arith::CmpIPredicate;

namespace tessera::raising {

namespace {

// ---- comparisons ----

struct Comparison {
  Predicate predicate;
  Value left, right;

  Comparison swapped() const {
    static constexpr Predicate mirror[] = {
        Predicate::eq,  Predicate::ne,  Predicate::sgt, Predicate::sge, Predicate::slt,
        Predicate::sle, Predicate::ugt, Predicate::uge, Predicate::ult, Predicate::ule};
    return {mirror[static_cast<unsigned>(predicate)], right, left};
  }
  Comparison inverted() const { return {arith::invertPredicate(predicate), left, right}; }
};

// The relation of two integers if `condition` has the value `isTrue`.
std::optional<Comparison> comparison(Value condition, bool isTrue) {
  while (auto flip = condition.getDefiningOp<arith::XOrIOp>()) {
    if (!matchPattern(flip.getRhs(), m_One()))
      return {};
    condition = flip.getLhs();
    isTrue = !isTrue;
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return {};
  Comparison found{compare.getPredicate(), compare.getLhs(), compare.getRhs()};
  return isTrue ? found : found.inverted();
}

bool isUnsigned(Predicate predicate) { return predicate >= Predicate::ult; }

// ---- recognition ----

struct CountedLoop {
  SmallVector<Block *> blocks; // header first
  Block *header = nullptr, *latch = nullptr, *body = nullptr, *exit = nullptr;
  ValueRange bodyOperands, exitOperands;
  bool testsAtTop = false, isUnsignedCompare = false, isInclusive = false;
  bool isWidened = false; // for the comparison with a wider bound
  unsigned variable = 0;  // the header argument that is the induction variable
  Value upper, step;
  SmallVector<Value> next; // what the latch passes to the header

  bool contains(Block *block) const { return llvm::is_contained(blocks, block); }
  bool contains(Operation *op) const {
    Block *block = op->getBlock();
    while (block && block->getParent() != header->getParent())
      block = block->getParentOp() ? block->getParentOp()->getBlock() : nullptr;
    return block && contains(block);
  }
  bool defines(Value value) const { return contains(value.getParentBlock()); }
};

// Is `value` loop-invariant, possibly after hoisting its computation?
bool isInvariant(const CountedLoop &loop, Value value) {
  return tile::areAllRight(value, [&](Value v) -> std::optional<bool> {
    if (!loop.defines(v))
      return true;
    Operation *op = v.getDefiningOp();
    bool mayBe = op && op->getNumRegions() == 0 && tile::isSpeculatable(op);
    return mayBe ? std::nullopt : std::optional(false);
  });
}

bool bothConstant(Value x, Value y, APInt &a, APInt &b) {
  return matchPattern(x, m_ConstantInt(&a)) && matchPattern(y, m_ConstantInt(&b));
}

// Does `known` imply `lower < upper`? A widened bound has the sign of the narrow one.
bool implies(const Comparison &known, const CountedLoop &loop, Value lower) {
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
    std::optional<Comparison> known =
        comparison(branch.getCondition(), branch.getTrueDest() == block);
    if (known && (implies(*known, loop, lower) || implies(known->swapped(), loop, lower)))
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

// Finds the header argument that `test` compares with an invariant bound and that the latch
// advances by an invariant step.
bool findVariable(CountedLoop &loop, Comparison test) {
  if (isInvariant(loop, test.left))
    test = test.swapped();
  if (!isInvariant(loop, test.right))
    return false;
  loop.upper = test.right;
  if (auto widening = test.left.getDefiningOp<arith::ExtSIOp>();
      widening && loop.testsAtTop && test.predicate == Predicate::slt) {
    loop.isWidened = true;
    test.left = widening.getIn();
  }
  for (BlockArgument argument : loop.header->getArguments()) {
    Value next = loop.next[argument.getArgNumber()];
    auto advance = next.getDefiningOp<arith::AddIOp>();
    if (test.left != (loop.testsAtTop ? Value(argument) : next) || !advance)
      continue;
    bool isFirst = advance.getLhs() == argument;
    loop.step = isFirst ? advance.getRhs() : advance.getLhs();
    if ((!isFirst && advance.getRhs() != argument) || !isInvariant(loop, loop.step))
      continue;
    loop.variable = argument.getArgNumber();
    bool nsw = bitEnumContainsAll(advance.getOverflowFlags(), arith::IntegerOverflowFlags::nsw);
    bool nuw = bitEnumContainsAll(advance.getOverflowFlags(), arith::IntegerOverflowFlags::nuw);
    if (loop.isWidened && !nsw)
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
      if (!(test.predicate == Predicate::sle ? nsw : nuw))
        return false;
      break;
    case Predicate::ne:
      // A counter that passes the bound would wrap, which is undefined.
      if (!matchPattern(loop.step, m_One()) || (!nsw && !nuw))
        return false;
      test.predicate = nsw ? Predicate::slt : Predicate::ult;
      break;
    default: return false;
    }
    loop.isUnsignedCompare = isUnsigned(test.predicate);
    return true;
  }
  return false;
}

// The header runs once more than the body: except for counting, it must have no effects.
bool headerIsSilent(const CountedLoop &loop) {
  return llvm::all_of(loop.header->without_terminator(), [&](Operation &op) {
    if (tile::isSpeculatable(&op))
      return true;
    bool isUsedOutside =
        llvm::any_of(op.getUsers(), [&](Operation *user) { return !loop.contains(user); }) ||
        llvm::any_of(op.getResults(),
                     [&](Value result) { return llvm::is_contained(loop.exitOperands, result); });
    return !isUsedOutside && hasSingleEffect<MemoryEffects::Read>(&op);
  });
}

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
  std::optional<Comparison> test = comparison(branch.getCondition(), staysIfTrue);
  if (!test || !findVariable(loop, *test))
    return {};
  if (loop.testsAtTop)
    return headerIsSilent(loop) ? std::optional(loop) : std::nullopt;
  Value lower = entryValue(loop, loop.variable);
  return lower && !loop.isInclusive && isGuarded(loop, lower) ? std::optional(loop) : std::nullopt;
}

// ---- transformation ----

class Conversion {
public:
  explicit Conversion(CountedLoop &loop)
      : loop(loop), builder(loop.header->getParentOp()->getContext()) {}
  LogicalResult run();

private:
  Block *insertBefore();
  void hoist(Value value);
  void collectLiveOuts();
  Value upperBound();
  void createFor();
  void moveBody();
  Value after(Value value);
  void leave();

  CountedLoop &loop;
  OpBuilder builder;
  Block *before = nullptr;
  scf::ForOp result;
  SmallVector<Value> carried; // yielded by the body, in the order of the results
  llvm::SetVector<Value> liveOuts;
  IRMapping afterLoop; // values of the loop as seen after it
  Location loc = UnknownLoc::get(builder.getContext());
};

// A block that all entries of the loop go through, with the header's arguments.
Block *Conversion::insertBefore() {
  Block *block = new Block;
  block->insertBefore(loop.header);
  for (BlockArgument argument : loop.header->getArguments())
    block->addArgument(argument.getType(), argument.getLoc());
  SmallVector<Block *> outside;
  for (Block *predecessor : loop.header->getPredecessors())
    if (!loop.contains(predecessor))
      outside.push_back(predecessor);
  for (Block *predecessor : outside)
    for (BlockOperand &successor : predecessor->getTerminator()->getBlockOperands())
      if (successor.get() == loop.header)
        successor.set(block);
  return block;
}

void Conversion::hoist(Value value) {
  if (!loop.defines(value))
    return;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    hoist(operand);
  op->moveBefore(before, before->end());
}

// Values that code after the loop uses, and those that the exit passes on.
void Conversion::collectLiveOuts() {
  auto consider = [&](Value value) {
    if (llvm::any_of(value.getUsers(), [&](Operation *user) { return !loop.contains(user); }))
      liveOuts.insert(value);
  };
  for (Block *block : loop.blocks) {
    llvm::for_each(block->getArguments(), consider);
    for (Operation &op : *block)
      llvm::for_each(op.getResults(), consider);
  }
  for (Value value : loop.exitOperands)
    if (loop.defines(value))
      liveOuts.insert(value);
}

// A counter does not wrap: it never reaches a bound beyond its type.
Value narrowed(OpBuilder &builder, Location loc, Value bound, Type type) {
  auto limit = [&](const APInt &value) {
    unsigned width = bound.getType().getIntOrFloatBitWidth();
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(bound.getType(), value.sext(width)));
  };
  unsigned width = type.getIntOrFloatBitWidth();
  bound = arith::MinSIOp::create(builder, loc, bound, limit(APInt::getSignedMaxValue(width)));
  bound = arith::MaxSIOp::create(builder, loc, bound, limit(APInt::getSignedMinValue(width)));
  return arith::TruncIOp::create(builder, loc, type, bound);
}

Value Conversion::upperBound() {
  if (loop.isWidened)
    return narrowed(builder, loc, loop.upper, loop.header->getArgument(loop.variable).getType());
  if (!loop.isInclusive)
    return loop.upper;
  Value one =
      arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(loop.upper.getType(), 1));
  return arith::AddIOp::create(builder, loc, loop.upper, one);
}

// Header arguments except the induction variable are carried. Other values with uses after the loop
// are carried too, without initial value if the loop runs at least once; but a value that the
// header computes before its test is recomputed from the results.
void Conversion::createFor() {
  SmallVector<Value> inits;
  SmallVector<std::pair<Value, unsigned>> results; // value of the loop, number of its result
  auto carry = [&](Value init, Value yielded) {
    inits.push_back(init);
    carried.push_back(yielded);
    return carried.size() - 1;
  };
  for (BlockArgument argument : loop.header->getArguments()) {
    unsigned i = argument.getArgNumber();
    bool isNeeded = i != loop.variable;
    // With the test at the top, code after the loop may use the induction variable, directly or
    // through values that the header computes.
    if (loop.testsAtTop && !isNeeded)
      isNeeded = !liveOuts.empty();
    if (isNeeded)
      results.emplace_back(loop.testsAtTop ? Value(argument) : loop.next[i],
                           carry(before->getArgument(i), loop.next[i]));
  }
  for (Value value : liveOuts) {
    bool isKnown = llvm::any_of(results, [&](auto &entry) { return entry.first == value; });
    if (!loop.testsAtTop && !isKnown)
      results.emplace_back(value,
                           carry(ub::PoisonOp::create(builder, loc, value.getType()), value));
  }
  Value upper = upperBound();
  result = scf::ForOp::create(builder, loc, before->getArgument(loop.variable), upper, loop.step,
                              inits, nullptr, loop.isUnsignedCompare);
  for (auto [value, number] : results)
    afterLoop.map(value, result.getResult(number));
}

void Conversion::moveBody() {
  Region &region = result.getRegion();
  region.getBlocks().clear();
  Block *entry = &region.emplaceBlock();
  entry->addArgument(before->getArgument(loop.variable).getType(),
                     loop.header->getArgument(loop.variable).getLoc());
  for (auto [type, value] : llvm::zip_equal(result.getResultTypes(), carried))
    entry->addArgument(type, value.getLoc());
  SmallVector<Value> headerOperands;
  unsigned next = 1;
  for (BlockArgument argument : loop.header->getArguments()) {
    bool isVariable = argument.getArgNumber() == loop.variable;
    bool isCarried = !isVariable || (loop.testsAtTop && !liveOuts.empty());
    headerOperands.push_back(entry->getArgument(isVariable ? 0 : next));
    if (!isVariable)
      entry->getArgument(next).setLoc(argument.getLoc());
    next += isCarried;
  }
  OpBuilder start = OpBuilder::atBlockEnd(entry);
  cf::BranchOp::create(start, loc, loop.header, headerOperands);
  for (Block *block : loop.blocks)
    block->moveBefore(&region, region.end());
  if (loop.testsAtTop) {
    OpBuilder top(loop.header->getTerminator());
    cf::BranchOp::create(top, loc, loop.body, llvm::to_vector(loop.bodyOperands));
    loop.header->getTerminator()->erase();
  }
  OpBuilder bottom(loop.latch->getTerminator());
  scf::YieldOp::create(bottom, loop.latch->getTerminator()->getLoc(), carried);
  loop.latch->getTerminator()->erase();
}

// A value of the loop as code after the loop sees it.
Value Conversion::after(Value value) {
  if (Value known = afterLoop.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || !result->isProperAncestor(op))
    return value;
  for (Value operand : op->getOperands())
    afterLoop.map(operand, after(operand));
  builder.clone(*op, afterLoop);
  return afterLoop.lookup(value);
}

void Conversion::leave() {
  SmallVector<Value> exitOperands = llvm::to_vector(loop.exitOperands);
  moveBody();
  for (Value value : liveOuts) {
    Value seen = after(value);
    value.replaceUsesWithIf(seen, [&](OpOperand &use) {
      return !result->isAncestor(use.getOwner()) && use.getOwner()->getBlock() != before;
    });
  }
  for (Value &operand : exitOperands)
    operand = after(operand);
  cf::BranchOp::create(builder, loc, loop.exit, exitOperands);
}

LogicalResult Conversion::run() {
  loc = loop.header->getTerminator()->getLoc();
  before = insertBefore();
  hoist(loop.upper);
  hoist(loop.step);
  collectLiveOuts();
  builder.setInsertionPointToEnd(before);
  createFor();
  leave();
  return structure(result.getRegion());
}

// A counted loop; inner ones come first.
std::optional<CountedLoop> findOne(func::FuncOp function) {
  if (function.getBody().hasOneBlock())
    return std::nullopt;
  DominanceInfo dominance(function);
  CFGLoopInfo loops(dominance.getDomTree(&function.getBody()));
  auto outerFirst = loops.getLoopsInPreorder();
  for (CFGLoop *loop : llvm::reverse(outerFirst))
    if (std::optional<CountedLoop> counted = recognise(*loop))
      return counted;
  return std::nullopt;
}

} // namespace

LogicalResult raiseCountedLoops(func::FuncOp function) {
  while (std::optional<CountedLoop> loop = findOne(function))
    if (failed(Conversion(*loop).run()))
      return failure();
  return success();
}

} // namespace tessera::raising
