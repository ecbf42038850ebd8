// A fixed point over all instructions that only adds spaces; see MemorySpaces.h. All pointers
// stored in local memory share one set, whichever variable holds them.
#include "raise/MemorySpaces.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace tessera::raising {

namespace {

// Pointers, integers cast from them, and aggregates of them.
bool canHoldAddress(const Type *type) {
  return type->isPtrOrPtrVectorTy() || type->isIntOrIntVectorTy(64) || type->isAggregateType();
}

// In a struct parameter that is never written?
bool isParameter(const Value *address) {
  auto *argument = dyn_cast<Argument>(getUnderlyingObject(address, 0));
  return argument && argument->hasByValAttr() && argument->onlyReadsMemory();
}

bool isConstant(const Value *address) {
  auto *variable = dyn_cast<GlobalVariable>(getUnderlyingObject(address, 0));
  return variable && variable->isConstant();
}

} // namespace

// Memory whose pointers are all stored by tile code: local variables, constants.
bool MemorySpaces::isOwn(const Value *address) const {
  return (of(address) == Local && !isParameter(address)) || isConstant(address);
}

MemorySpaces::MemorySpaces(const Function &function, const Variables &blockMemory)
    : blockMemory(blockMemory) {
  for (const Argument &argument : function.args())
    if (argument.getType()->isPointerTy()) {
      spaces[&argument] = argument.hasByValAttr() ? Local : Global;
      if (argument.hasByValAttr() && !argument.onlyReadsMemory())
        held |= Global;
    }
  for (bool changes = true; changes;) {
    changes = false;
    for (const Instruction &instruction : instructions(function)) {
      if (auto *store = dyn_cast<StoreInst>(&instruction);
          store && mayBeLocal(store->getPointerOperand())) {
        unsigned before = held;
        held |= of(store->getValueOperand());
        changes |= held != before;
      }
      // Pointers that a copy brings to local memory from elsewhere.
      if (auto *copy = dyn_cast<MemTransferInst>(&instruction);
          copy && mayBeLocal(copy->getDest()) && !isOwn(copy->getSource())) {
        changes |= !(held & Global);
        held |= Global;
      }
      unsigned found = transfer(instruction);
      unsigned &known = spaces[&instruction];
      changes |= (found | known) != known;
      known |= found;
    }
  }
}

unsigned MemorySpaces::of(const Value *value) const {
  if (isa<ConstantPointerNull, UndefValue>(value))
    return None;
  if (isa<Constant>(value)) // a variable of the program, or an address within one
    return value->getType()->isPointerTy() ? Global : None;
  return spaces.lookup(value);
}

unsigned MemorySpaces::transfer(const Instruction &instruction) const {
  if (!canHoldAddress(instruction.getType()))
    return None;
  auto join = [&](auto &&operands) {
    unsigned found = None;
    for (const Use &operand : operands)
      if (canHoldAddress(operand->getType()))
        found |= of(operand);
    return found;
  };
  // A pointer from elsewhere does not point to local memory.
  unsigned elsewhere = instruction.getType()->isPtrOrPtrVectorTy() ? Global : None;
  return TypeSwitch<const Instruction *, unsigned>(&instruction)
      .Case([&](const AllocaInst *variable) {
        return unsigned(blockMemory.contains(variable) ? Global : Local);
      })
      .Case([&](const LoadInst *load) {
        unsigned from = of(load->getPointerOperand());
        if (isParameter(load->getPointerOperand()))
          return elsewhere;
        return (from & Local ? held : unsigned(None)) | (from & Global ? elsewhere : None);
      })
      .Case([&](const GetElementPtrInst *step) { return of(step->getPointerOperand()); })
      .Case([&](const SelectInst *select) {
        return of(select->getTrueValue()) | of(select->getFalseValue());
      })
      .Case([&](const PHINode *phi) { return join(phi->incoming_values()); })
      .Case([&](const IntToPtrInst *cast) {
        unsigned found = of(cast->getOperand(0));
        return found ? found : elsewhere;
      })
      .Case([&](const BinaryOperator *op) {
        unsigned x = of(op->getOperand(0)), y = of(op->getOperand(1));
        return op->getOpcode() == Instruction::Sub && x && y ? unsigned(None) : x | y;
      })
      .Case([&](const CallBase *call) {
        unsigned found = join(call->args());
        return found ? found : elsewhere;
      })
      .Default([&](const Instruction *other) { return join(other->operands()); });
}

} // namespace tessera::raising
