// Two sets for each value, grown until nothing changes: the parameters that a pointer or a view may
// come from, and the parameters whose accesses lead to a token. One more bit stands for pointers
// that come from elsewhere, such as memory.
#include "tileir/Provenance.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace tessera::tileir {

namespace {

bool writes(Opcode opcode) {
  switch (opcode) {
  case Opcode::StorePtrTko:
  case Opcode::StoreViewTko:
  case Opcode::AtomicRmwTko:
  case Opcode::AtomicCasTko:
  case Opcode::AtomicRedViewTko: return true;
  default: return false;
  }
}

bool reads(Opcode opcode) { return opcode == Opcode::LoadPtrTko || opcode == Opcode::LoadViewTko; }

class Analysis {
public:
  explicit Analysis(const Function &function)
      : function(function), elsewhere(unsigned(function.body.arguments.size())),
        bases(function.values.size(), BitVector(elsewhere + 1)),
        tokens(function.values.size(), BitVector(elsewhere + 1)), facts(elsewhere) {}

  std::vector<ParameterFacts> run() {
    for (auto [i, argument] : enumerate(function.body.arguments))
      if (function.typeOf(argument)->isPointerTile())
        bases[argument].set(unsigned(i));
    do {
      isChanged = false;
      visit(function.body);
    } while (isChanged);
    return std::move(facts);
  }

private:
  using Sets = std::vector<BitVector>;

  void grow(Sets &sets, Value value, const BitVector &more) {
    if (!more.test(sets[value])) // everything is there
      return;
    sets[value] |= more;
    isChanged = true;
  }
  void flow(Value from, Value to) {
    grow(bases, to, bases[from]);
    grow(tokens, to, tokens[from]);
  }
  void flow(ArrayRef<Value> from, ArrayRef<Value> to) {
    for (auto [x, y] : zip(from, to))
      flow(x, y);
  }

  void visit(const Block &block) {
    for (const Op &op : block.ops)
      visit(op);
  }
  void visit(const Op &op);
  void visitRegions(const Op &op);
  void visitAccess(const Op &op);
  void leave(const Op &op);

  const Function &function;
  unsigned elsewhere; // the bit
  Sets bases, tokens;
  std::vector<ParameterFacts> facts;
  bool isChanged = false;
  // Around an op, the loops and ifs, innermost last.
  std::vector<const Op *> stack;
};

void Analysis::visit(const Op &op) {
  Opcode opcode = op.opcode();
  if (isTerminator(opcode))
    return leave(op);
  if (!op.regions.empty())
    return visitRegions(op);
  if (writes(opcode) || reads(opcode))
    return visitAccess(op);
  for (Value result : op.results) {
    for (const std::vector<Value> &operands : op.operands)
      for (Value operand : operands)
        flow(operand, result);
    bool isPointer = function.typeOf(result)->isPointerTile();
    if (isPointer &&
        (opcode == Opcode::IntToPtr || opcode == Opcode::GetGlobal || opcode == Opcode::Alloca)) {
      BitVector unknown(elsewhere + 1);
      unknown.set(elsewhere);
      grow(bases, result, unknown);
    }
  }
  if (opcode == Opcode::PtrToInt)
    for (unsigned base : bases[op.operand("x")[0]].set_bits())
      if (base != elsewhere)
        facts[base].isConst = facts[base].isRestrict = false;
}

void Analysis::visitRegions(const Op &op) {
  if (op.opcode() == Opcode::For || op.opcode() == Opcode::Loop) {
    size_t counters = op.opcode() == Opcode::For;
    for (const Block &region : op.regions)
      flow(op.operand("initial"),
           ArrayRef(region.arguments).drop_front(std::min(counters, region.arguments.size())));
  }
  stack.push_back(&op);
  for (const Block &region : op.regions)
    visit(region);
  stack.pop_back();
}

// The values of a terminator become arguments or results of the op that they leave.
void Analysis::leave(const Op &op) {
  if (op.opcode() == Opcode::Return)
    return;
  bool isYield = op.opcode() == Opcode::Yield;
  for (const Op *around : reverse(stack)) {
    bool isLoop = around->opcode() == Opcode::For || around->opcode() == Opcode::Loop;
    if (isYield ? isLoop : !isLoop)
      continue;
    ArrayRef<Value> values = op.operand("x");
    if (op.opcode() == Opcode::Continue && !around->regions.empty()) {
      size_t counters = around->opcode() == Opcode::For;
      ArrayRef<Value> arguments = around->regions[0].arguments;
      flow(values, arguments.drop_front(std::min(counters, arguments.size())));
    }
    return flow(values, around->results);
  }
}

void Analysis::visitAccess(const Op &op) {
  StringRef through = "pointers";
  for (const OperandFormat &operand : op.format->operands)
    if (operand.name == "view")
      through = "view";
  BitVector used(elsewhere + 1), before(elsewhere + 1);
  for (Value pointer : op.operand(through))
    used |= bases[pointer];
  for (Value token : op.operand("token"))
    before |= tokens[token];
  if (writes(op.opcode()))
    for (unsigned base : used.set_bits())
      if (base != elsewhere)
        facts[base].isConst = false;
  // An acquire or a release orders all accesses: the tokens around it say nothing of arrays.
  bool isOrdered = op.word<Memory>("memory") > Memory::Relaxed;
  if (!isOrdered)
    for (unsigned other : before.set_bits())
      for (unsigned base : used.set_bits())
        if (other != base)
          for (unsigned one : {other, base})
            if (one != elsewhere)
              facts[one].isRestrict = false;
  BitVector after(elsewhere + 1), unknown(elsewhere + 1);
  unknown.set(elsewhere);
  if (!isOrdered)
    after = before, after |= used;
  for (Value result : op.results) {
    if (function.typeOf(result)->kind == Type::Token)
      grow(tokens, result, after);
    else if (function.typeOf(result)->isPointerTile())
      grow(bases, result, unknown);
  }
}

} // namespace

std::vector<ParameterFacts> factsOfParameters(const Function &function) {
  return Analysis(function).run();
}

} // namespace tessera::tileir
