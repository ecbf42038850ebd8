// Counted loops of a control flow graph become scf.for.
//
// LoopShapes.h recognises them. The loop's blocks move into the body of the scf.for, which is in a
// new block before them:
//
//   before(init): scf.for %i = lo to hi step s iter_args(init) { body }; cf.br exit
#include "structure/CountedLoops.h"
#include "structure/LoopShapes.h"
#include "structure/Structure.h"
#include "tile/TileDialect.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tessera::structuring {

namespace {

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
  if (loop.scale)
    return tile::BinaryOp::create(builder, loc, tile::BinaryKind::ceildiv, loop.upper, loop.scale);
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
  if (loop.scale)
    hoist(loop.scale);
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

} // namespace tessera::structuring
