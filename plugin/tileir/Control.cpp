// Loops, ifs, and what leaves them.
//
// An op whose regions end as regions do becomes scf.for or scf.if. One that is left early - by a
// break, a continue out of an if, a return - and every endless loop becomes branches between
// blocks, which structuring::finish makes loops and ifs again.
#include "tileir/Kernel.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::tileir {

namespace {

// How the region of an op ends if nothing leaves it early.
std::optional<Opcode> ownEnd(Opcode opcode) {
  switch (opcode) {
  case Opcode::For: return Opcode::Continue;
  case Opcode::If: return Opcode::Yield;
  default: return std::nullopt;
  }
}

} // namespace

bool needsBranches(const Op &op) {
  if (op.opcode() == Opcode::Loop)
    return true;
  std::optional<Opcode> end = ownEnd(op.opcode());
  if (!end)
    return false; // of reduce and scan
  return llvm::any_of(op.regions, [&](const Block &region) {
    return region.ops.back().opcode() != *end || llvm::any_of(region.ops, needsBranches);
  });
}

namespace {

// The types of the values that an op carries or gives, which are tiles.
std::optional<SmallVector<mlir::Type>> typesOf(Kernel &kernel, const Op &op,
                                               ArrayRef<Value> values) {
  SmallVector<mlir::Type> types;
  if (failed(kernel.keptTypes(op, values, types)))
    return std::nullopt;
  return types;
}

// The values that a terminator passes on, as the receivers want them.
std::optional<SmallVector<MlirValue>> passed(Kernel &kernel, const Op &op, ArrayRef<Value> values,
                                             ArrayRef<mlir::Type> types) {
  SmallVector<MlirValue> all = kernel.kept(values);
  if (ValueRange(all).getTypes() != TypeRange(types))
    return kernel.reject(op, "passes on values of other types than are expected");
  return all;
}

void defineKept(Kernel &kernel, ArrayRef<Value> values, ValueRange are) {
  auto next = are.begin();
  for (Value value : values)
    if (kernel.isKept(value))
      kernel.define(value, *next++);
}

LogicalResult noViews(Kernel &kernel, const Op &op, ArrayRef<Value> values) {
  for (Value value : values)
    if (kernel.typeOf(value).isView())
      return kernel.reject(op, "carries a view");
  return success();
}

// The regions of an op: as many as it has, with as many arguments as it has values to give them.
LogicalResult checkRegions(Kernel &kernel, const Op &op, size_t regions, size_t arguments) {
  bool isRight = op.regions.size() == regions;
  for (const Block &region : op.regions)
    isRight &= region.arguments.size() == arguments;
  return isRight ? success() : kernel.reject(op, "has regions of another form");
}

// ---- structured ----

// Translates a region into a block that ends in scf.yield.
LogicalResult intoBlock(Kernel &kernel, const Block &region, Opcode end, mlir::Block *block,
                        ArrayRef<mlir::Type> types) {
  OpBuilder::InsertionGuard guard(kernel.builder);
  kernel.builder.setInsertionPointToEnd(block);
  kernel.exits.push_back({end, [&](const Op &terminator, ArrayRef<Value> values) {
                            auto yielded = passed(kernel, terminator, values, types);
                            if (yielded)
                              scf::YieldOp::create(kernel.builder, *yielded);
                            return success(yielded.has_value());
                          }});
  LogicalResult done = kernel.translateOps(region);
  kernel.exits.pop_back();
  return done;
}

LogicalResult structuredIf(Kernel &kernel, const Op &op, ArrayRef<mlir::Type> types) {
  auto made = scf::IfOp::create(kernel.builder, types, kernel.operand(op, "condition"),
                                /*addThenBlock=*/true, /*addElseBlock=*/true);
  mlir::Block *arms[] = {made.thenBlock(), made.elseBlock()};
  for (auto [region, arm] : llvm::zip(op.regions, arms))
    if (failed(intoBlock(kernel, region, Opcode::Yield, arm, types)))
      return failure();
  defineKept(kernel, op.results, made.getResults());
  return success();
}

LogicalResult structuredFor(Kernel &kernel, const Op &op, ArrayRef<mlir::Type> types) {
  const Block &region = op.regions[0];
  auto initial = passed(kernel, op, op.operand("initial"), types);
  if (!initial)
    return failure();
  auto made = scf::ForOp::create(
      kernel.builder, kernel.builder.getLoc(), kernel.operand(op, "lower"),
      kernel.operand(op, "upper"), kernel.operand(op, "step"), *initial,
      [](OpBuilder &, mlir::Location, MlirValue, ValueRange) {}, op.flag("unsigned"));
  kernel.define(region.arguments[0], made.getInductionVar());
  defineKept(kernel, ArrayRef(region.arguments).drop_front(), made.getRegionIterArgs());
  if (failed(intoBlock(kernel, region, Opcode::Continue, made.getBody(), types)))
    return failure();
  defineKept(kernel, op.results, made.getResults());
  return success();
}

// ---- branches ----

mlir::Block *addBlock(Kernel &kernel, ArrayRef<mlir::Type> types) {
  mlir::Region *region = kernel.builder.getInsertionBlock()->getParent();
  auto *block = new mlir::Block;
  region->push_back(block);
  block->addArguments(types, SmallVector<mlir::Location>(types.size(), kernel.builder.getLoc()));
  return block;
}

Kernel::Exit branchTo(Kernel &kernel, Opcode terminator, mlir::Block *block) {
  return {terminator, [&kernel, block](const Op &op, ArrayRef<Value> values) {
            SmallVector<mlir::Type> types(block->getArgumentTypes());
            auto arguments = passed(kernel, op, values, types);
            if (arguments)
              cf::BranchOp::create(kernel.builder, block, *arguments);
            return success(arguments.has_value());
          }};
}

LogicalResult inner(Kernel &kernel, const Block &region, ArrayRef<Kernel::Exit> exits) {
  llvm::append_range(kernel.exits, exits);
  LogicalResult done = kernel.translateOps(region);
  kernel.exits.resize(kernel.exits.size() - exits.size());
  return done;
}

LogicalResult branchingIf(Kernel &kernel, const Op &op, ArrayRef<mlir::Type> types) {
  mlir::Block *arms[] = {addBlock(kernel, {}), addBlock(kernel, {})};
  mlir::Block *behind = addBlock(kernel, types);
  cf::CondBranchOp::create(kernel.builder, kernel.operand(op, "condition"), arms[0], ValueRange(),
                           arms[1], ValueRange());
  for (auto [arm, region] : llvm::zip(arms, op.regions)) {
    kernel.builder.setInsertionPointToEnd(arm);
    if (failed(inner(kernel, region, branchTo(kernel, Opcode::Yield, behind))))
      return failure();
  }
  kernel.builder.setInsertionPointToEnd(behind);
  defineKept(kernel, op.results, behind->getArguments());
  return success();
}

LogicalResult branchingLoop(Kernel &kernel, const Op &op, ArrayRef<mlir::Type> types) {
  const Block &region = op.regions[0];
  auto carried = typesOf(kernel, op, region.arguments);
  if (!carried)
    return failure();
  auto initial = passed(kernel, op, op.operand("initial"), *carried);
  if (!initial)
    return failure();
  mlir::Block *body = addBlock(kernel, *carried), *behind = addBlock(kernel, types);
  cf::BranchOp::create(kernel.builder, body, *initial);
  kernel.builder.setInsertionPointToEnd(body);
  defineKept(kernel, region.arguments, body->getArguments());
  if (failed(inner(
          kernel, region,
          {branchTo(kernel, Opcode::Continue, body), branchTo(kernel, Opcode::Break, behind)})))
    return failure();
  kernel.builder.setInsertionPointToEnd(behind);
  defineKept(kernel, op.results, behind->getArguments());
  return success();
}

LogicalResult branchingFor(Kernel &kernel, const Op &op, ArrayRef<mlir::Type> types) {
  const Block &region = op.regions[0];
  MlirValue lower = kernel.operand(op, "lower"), upper = kernel.operand(op, "upper"),
            step = kernel.operand(op, "step");
  auto initial = passed(kernel, op, op.operand("initial"), types);
  if (!initial)
    return failure();
  SmallVector<mlir::Type> withCounter{lower.getType()};
  llvm::append_range(withCounter, types);
  mlir::Block *head = addBlock(kernel, withCounter), *body = addBlock(kernel, {}),
              *behind = addBlock(kernel, types);
  SmallVector<MlirValue> start{lower};
  llvm::append_range(start, *initial);
  cf::BranchOp::create(kernel.builder, head, start);
  kernel.builder.setInsertionPointToEnd(head);
  MlirValue counter = head->getArgument(0);
  auto predicate = op.flag("unsigned") ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  MlirValue isInside = arith::CmpIOp::create(kernel.builder, predicate, counter, upper);
  cf::CondBranchOp::create(kernel.builder, isInside, body, ValueRange(), behind,
                           head->getArguments().drop_front());
  kernel.builder.setInsertionPointToEnd(body);
  kernel.define(region.arguments[0], counter);
  defineKept(kernel, ArrayRef(region.arguments).drop_front(), head->getArguments().drop_front());
  Kernel::Exit again{Opcode::Continue, [&](const Op &end, ArrayRef<Value> values) {
                       auto arguments = passed(kernel, end, values, types);
                       if (!arguments)
                         return failure();
                       arguments->insert(arguments->begin(),
                                         arith::AddIOp::create(kernel.builder, counter, step));
                       cf::BranchOp::create(kernel.builder, head, *arguments);
                       return success();
                     }};
  if (failed(inner(kernel, region, {again, branchTo(kernel, Opcode::Break, behind)})))
    return failure();
  kernel.builder.setInsertionPointToEnd(behind);
  defineKept(kernel, op.results, behind->getArguments());
  return success();
}

// ---- handlers ----

LogicalResult translateIf(Kernel &kernel, const Op &op) {
  auto types = typesOf(kernel, op, op.results);
  if (!types || failed(noViews(kernel, op, op.results)) || failed(checkRegions(kernel, op, 2, 0)))
    return failure();
  if (!kernel.operand(op, "condition").getType().isInteger(1))
    return kernel.reject(op, "has a condition that is no truth value");
  return needsBranches(op) ? branchingIf(kernel, op, *types) : structuredIf(kernel, op, *types);
}

LogicalResult translateFor(Kernel &kernel, const Op &op) {
  auto types = typesOf(kernel, op, op.results);
  if (!types || failed(noViews(kernel, op, op.results)) ||
      failed(checkRegions(kernel, op, 1, op.results.size() + 1)))
    return failure();
  mlir::Type counter = kernel.operand(op, "lower").getType();
  const Type &argument = kernel.typeOf(op.regions[0].arguments[0]);
  if (!isa<IntegerType>(counter) || kernel.operand(op, "upper").getType() != counter ||
      kernel.operand(op, "step").getType() != counter || kernel.typeOf(argument, op) != counter)
    return kernel.reject(op, "counts with values of several types");
  auto carried = typesOf(kernel, op, ArrayRef(op.regions[0].arguments).drop_front());
  if (!carried || *carried != *types)
    return kernel.reject(op, "has results of other types than it carries");
  return needsBranches(op) ? branchingFor(kernel, op, *types) : structuredFor(kernel, op, *types);
}

LogicalResult translateLoop(Kernel &kernel, const Op &op) {
  auto types = typesOf(kernel, op, op.results);
  if (!types || failed(noViews(kernel, op, op.results)) ||
      failed(checkRegions(kernel, op, 1, op.operand("initial").size())))
    return failure();
  return branchingLoop(kernel, op, *types);
}

// To the innermost op that ends so. A loop keeps what is inside of it from the ops around it.
LogicalResult leave(Kernel &kernel, const Op &op) {
  for (size_t i = kernel.exits.size(); i-- > 0;) {
    // The exits of one loop are neighbours.
    const Kernel::Exit exit = kernel.exits[i];
    if (exit.terminator == op.opcode())
      return exit.leave(op, op.operand("x"));
    bool isOfLoop = exit.terminator == Opcode::Break;
    if (isOfLoop && op.opcode() != Opcode::Continue)
      break;
  }
  return kernel.reject(op, "stands where there is nothing that it leaves");
}

LogicalResult leaveEntry(Kernel &kernel, const Op &op) {
  if (!op.operand("x").empty())
    return kernel.reject(op, "returns values from an entry");
  if (kernel.blockMemory)
    tile::FreeBlockMemoryOp::create(kernel.builder, kernel.blockMemory);
  func::ReturnOp::create(kernel.builder);
  return success();
}

} // namespace

ArrayRef<HandlerRow> controlHandlers() {
  static const HandlerRow rows[] = {
      {Opcode::If, translateIf},    {Opcode::For, translateFor}, {Opcode::Loop, translateLoop},
      {Opcode::Yield, leave},       {Opcode::Continue, leave},   {Opcode::Break, leave},
      {Opcode::Return, leaveEntry},
  };
  return rows;
}

} // namespace tessera::tileir
