// Loops and branches of a generated kernel, and the variables that carry values through them.
#include "emit/KernelPrinter.h"

#include "emit/CTypes.h"
#include "tile/Attributes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tessera::emit {

namespace {

// "int n", "float *p"
std::string declaration(const std::string &type, const std::string &name) {
  return type + (type.back() == '*' ? "" : " ") + name;
}

} // namespace

void KernelPrinter::declareResult(Value v, StringRef wish) {
  text[v] = names.fresh(sourceName(v.getLoc()).value_or(wish.str()));
  line(declaration(variableType(v), text[v]) + ";");
}

std::string KernelPrinter::initializedVariable(Value variable, Value init, StringRef wish) {
  std::string name = names.fresh(sourceName(variable.getLoc()).value_or(wish.str()));
  std::string value = assignable(init, variable);
  line(declaration(isTile(variable) ? "auto" : variableType(variable), name) + " = " + value + ";");
  return name;
}

// What is assigned in a terminator is a variable, maybe behind an assumption or as the accumulator
// of a multiply, and no assignment changes what a later one reads (pass sequence-copies).
void KernelPrinter::assign(ArrayRef<std::string> targets, ValueRange types, ValueRange values) {
  for (auto [target, type, value] : llvm::zip(targets, types, values))
    if (std::string source = assignable(value, type); source != target)
      line(llvm::Twine(target) + " = " + source + ";");
}

void KernelPrinter::print(tile::SaveOp o) {
  text[o.getResult()] = names.fresh(nameFor(*o));
  line("const auto " + text[o.getResult()] + " = " + assignable(o.getX(), o.getResult()) + ";");
}

void KernelPrinter::openScope() {
  ++indent;
  viewScopes.emplace_back();
  names.openScope();
}

void KernelPrinter::closeScope() {
  names.closeScope();
  viewScopes.pop_back();
  --indent;
}

void KernelPrinter::print(scf::ForOp loop) {
  markLocation(loop.getLoc());
  SmallVector<std::string> carried;
  for (auto [argument, init, result] :
       llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs(), loop.getResults())) {
    std::string name = initializedVariable(
        sourceName(argument.getLoc()) ? Value(argument) : Value(result), init, "carried");
    text[argument] = name;
    text[result] = name;
    carried.push_back(name);
  }
  explainLoop(loop);
  if (loop->hasAttr(tile::prologueAttr)) {
    // A later loop copies the same view, so the view is defined outside of both.
    for (auto copy : loop.getBody()->getOps<tile::CopyAsyncOp>()) {
      auto isOutside = [&](Value v) { return loop.isDefinedOutsideOfLoop(v); };
      if (isOutside(copy.getBase()) && llvm::all_of(copy.getExtents(), isOutside) &&
          llvm::all_of(copy.getStrides(), isOutside))
        viewOf(copy);
    }
  }
  if (loop->hasAttr(tile::prologueAttr) || loop->hasAttr(tile::passedOverAttr))
    line("#pragma unroll 1");
  Value i = loop.getInductionVar();
  bool isUnsignedLoop = loop.getUnsignedCmp();
  std::string lower = use(loop.getLowerBound(), isUnsignedLoop),
              upper = operand(loop.getUpperBound(), isUnsignedLoop),
              step = use(loop.getStep(), isUnsignedLoop);
  names.openScope(); // that of the variable: whatever is declared before the loop has its name
  std::string name = names.fresh(sourceName(i.getLoc()).value_or("i"));
  text[i] = name;
  bool isOne = step == "1" || step == "1u" || step == "1ll";
  std::string next = isOne ? "++" + name : name + " += " + step;
  line("for (" + variableType(i) + " " + name + " = " + lower + "; " + name + " < " + upper +
       (tileList.empty() ? "" : " && " + tileList + ".may_be_grid()") + "; " + next + ") {");
  openScope();
  if (std::optional<plan::SwappedPair> pair = plan::swappedPairOf(loop)) {
    printIterations(loop, carried, *pair, next);
  } else {
    printBlock(*loop.getBody());
    assign(carried, loop.getRegionIterArgs(), loop.getYieldedValues());
  }
  closeScope();
  names.closeScope();
  line("}");
}

// Two iterations, between which the two tiles' variables swap without a move.
void KernelPrinter::printIterations(scf::ForOp loop, SmallVector<std::string> carried,
                                    plan::SwappedPair pair, const std::string &next) {
  const unsigned first = unsigned(pair.first), second = unsigned(pair.second);
  auto print = [&] {
    printBlock(*loop.getBody());
    SmallVector<std::string> targets = carried;
    targets[first] = carried[second];
    targets.erase(targets.begin() + second);
    SmallVector<Value> types(loop.getRegionIterArgs()), values(loop.getYieldedValues());
    types.erase(types.begin() + second);
    values.erase(values.begin() + second);
    assign(targets, types, values);
  };
  print();
  viewScopes.pop_back();
  viewScopes.emplace_back();
  line("if (" + next + "; " + text[loop.getInductionVar()] +
       " >= " + operand(loop.getUpperBound(), loop.getUnsignedCmp()) + ") break;");
  std::swap(carried[first], carried[second]);
  for (unsigned i : {first, second})
    text[loop.getRegionIterArg(i)] = carried[i];
  print();
}

void KernelPrinter::print(scf::WhileOp loop) {
  markLocation(loop.getLoc());
  SmallVector<std::string> carried, results;
  for (auto [argument, init] : llvm::zip(loop.getBeforeArguments(), loop.getInits())) {
    text[argument] = initializedVariable(argument, init, "carried");
    carried.push_back(text[argument]);
  }
  for (auto [result, argument] : llvm::zip(loop.getResults(), loop.getAfterArguments())) {
    declareResult(result, "result");
    std::string name = text[result];
    text[argument] = name;
    results.push_back(name);
  }
  line("while (true) {");
  openScope();
  printBlock(*loop.getBeforeBody());
  assign(results, loop.getResults(), loop.getConditionOp().getArgs());
  line("if (!(" + use(loop.getConditionOp().getCondition()) + ")) break;");
  printBlock(*loop.getAfterBody());
  assign(carried, loop.getBeforeArguments(), loop.getYieldedValues());
  closeScope();
  line("}");
}

// Variables that the arms of a branch assign.
SmallVector<std::string> KernelPrinter::declareResults(Operation *branch) {
  SmallVector<std::string> results;
  for (Value result : branch->getResults()) {
    declareResult(result, "result");
    results.push_back(text[result]);
  }
  return results;
}

void KernelPrinter::printArm(Region &region, ArrayRef<std::string> targets, StringRef last) {
  openScope();
  printBlock(region.front());
  assign(targets, region.getParentOp()->getResults(),
         region.front().getTerminator()->getOperands());
  if (!last.empty())
    line(last);
  closeScope();
}

void KernelPrinter::print(scf::IfOp branch) {
  markLocation(branch.getLoc());
  std::string condition = use(branch.getCondition());
  SmallVector<std::string> results = declareResults(branch);
  line("if (" + condition + ") {");
  printArm(branch.getThenRegion(), results);
  if (!branch.getElseRegion().empty() &&
      !(branch.elseBlock()->without_terminator().empty() && results.empty())) {
    line("} else {");
    printArm(branch.getElseRegion(), results);
  }
  line("}");
}

void KernelPrinter::print(scf::IndexSwitchOp branch) {
  markLocation(branch.getLoc());
  // Cases compare as unsigned numbers of the selector's width; read as signed they are those of the
  // program.
  Value arg = branch.getArg();
  auto cast = arg.getDefiningOp<arith::IndexCastUIOp>();
  unsigned width = cast ? cast.getIn().getType().getIntOrFloatBitWidth() : 64;
  auto label = [&](int64_t value) { return width == 1 ? value : llvm::SignExtend64(value, width); };
  std::string selector = use(cast ? cast.getIn() : arg);
  SmallVector<std::string> results = declareResults(branch);
  line("switch (" + selector + ") {");
  auto printCase = [&](const llvm::Twine &label, Region &region) {
    line(label + ": {");
    printArm(region, results, "break;");
    line("}");
  };
  for (auto [value, region] : llvm::zip(branch.getCases(), branch.getCaseRegions()))
    printCase("case " + llvm::Twine(label(value)), region);
  printCase("default", branch.getDefaultRegion());
  line("}");
}

// The variable that carries a value on, into which it is computed.
std::string KernelPrinter::carriedVariable(Value result) {
  OpOperand &next = *result.use_begin();
  auto loop = cast<scf::ForOp>(next.getOwner()->getParentOp());
  unsigned index = next.getOperandNumber();
  if (std::optional<plan::SwappedPair> pair = plan::swappedPairOf(loop);
      pair && index == pair->first)
    index = unsigned(pair->second);
  return text[loop.getRegionIterArg(index)];
}

} // namespace tessera::emit
