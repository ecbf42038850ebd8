// A parameter's copy is a local variable and one memcpy at the start.
#include "frontend/lower/ParameterCopies.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace tessera::frontend {
namespace {

void copy(Argument &parameter) {
  Type *type = parameter.getParamByValType();
  IRBuilder<> builder(&*parameter.getParent()->getEntryBlock().getFirstInsertionPt());
  AllocaInst *variable = builder.CreateAlloca(type, nullptr, parameter.getName());
  Align alignment = parameter.getParamAlign().valueOrOne();
  variable->setAlignment(alignment);
  parameter.replaceAllUsesWith(variable);
  builder.CreateMemCpy(variable, alignment, &parameter, alignment,
                       parameter.getParent()->getDataLayout().getTypeAllocSize(type));
}

// Visits uses of an address and of addresses derived from it; false if a visit returns false.
bool allUsers(Value &address, function_ref<bool(Instruction &user, Value &address)> visit) {
  SmallVector<Value *> work = {&address};
  SmallPtrSet<Value *, 8> seen = {&address};
  while (!work.empty()) {
    Value *at = work.pop_back_val();
    for (User *user : at->users())
      if (isa<GetElementPtrInst, SelectInst, PHINode>(user)) {
        if (seen.insert(user).second)
          work.push_back(user);
      } else if (!visit(cast<Instruction>(*user), *at)) {
        return false;
      }
  }
  return true;
}

// Is memory only read, except by `copy`?
bool isOnlyRead(Value &address, const MemCpyInst *copy) {
  return allUsers(address, [&](Instruction &user, Value &at) {
    if (auto *load = dyn_cast<LoadInst>(&user)) // of a tile: its threads read memory that all see
      return !load->isVolatile() && !load->getType()->isVectorTy();
    if (auto *other = dyn_cast<MemCpyInst>(&user); other && other != copy)
      return other->getRawDest() != &at && !other->isVolatile();
    return &user == copy || isa<LifetimeIntrinsic>(user);
  });
}

// The remains of a copy after SROA if only a few members are read.
void dropUnread(Function &kernel) {
  SmallVector<AllocaInst *> variables;
  for (Instruction &instruction : kernel.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&instruction))
      variables.push_back(variable);
  for (AllocaInst *variable : variables) {
    SmallSetVector<Instruction *, 8> writes;
    bool isUnread = allUsers(*variable, [&](Instruction &user, Value &at) {
      auto *copy = dyn_cast<MemCpyInst>(&user);
      writes.insert(&user);
      return isa<LifetimeIntrinsic>(user) ||
             (copy && copy->getRawSource() != &at && !copy->isVolatile());
    });
    if (isUnread)
      for (Instruction *write : writes)
        write->eraseFromParent();
  }
}

// The variable that a copy of a parameter fills from its first byte on.
AllocaInst *copyOfParameter(MemCpyInst &copy) {
  auto *variable = dyn_cast<AllocaInst>(copy.getRawDest());
  auto *length = dyn_cast<ConstantInt>(copy.getLength());
  const DataLayout &layout = copy.getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(copy.getRawSource()->getType()), 0);
  auto *parameter = dyn_cast<Argument>(copy.getRawSource()->stripAndAccumulateConstantOffsets(
      layout, offset, /*AllowNonInbounds=*/true));
  bool isWhole = variable && length && parameter && parameter->hasByValAttr() &&
                 variable->getAllocationSize(layout) == TypeSize::getFixed(length->getZExtValue());
  return isWhole && !copy.isVolatile() ? variable : nullptr;
}

// The bytes of a parameter that such a copy takes have no other reads: the program uses the
// variable.
void putParameterInPlace(AllocaInst &variable, MemCpyInst &copy) {
  Value *source = copy.getRawSource();
  copy.eraseFromParent();
  for (User *user : make_early_inc_range(variable.users()))
    if (auto *lifetime = dyn_cast<LifetimeIntrinsic>(user))
      lifetime->eraseFromParent();
  variable.replaceAllUsesWith(source);
  variable.eraseFromParent();
}

template <class Visit> void forEachKernel(TileProgram &program, Visit visit) {
  for (const Kernel &kernel : program.kernels)
    if (Function *function = program.module->getFunction(kernel.symbol);
        function && !function->isDeclaration())
      visit(*function);
}

} // namespace

void copyParameters(TileProgram &program) {
  forEachKernel(program, [](Function &kernel) {
    for (Argument &parameter : kernel.args())
      if (parameter.hasByValAttr() && !parameter.use_empty())
        copy(parameter);
  });
}

void dropCopies(TileProgram &program) {
  constexpr uint64_t maxBytes = 256; // of a copy that is worth its code
  forEachKernel(program, [](Function &kernel) {
    dropUnread(kernel);
    SmallVector<MemCpyInst *> copies;
    for (Instruction &instruction : instructions(kernel))
      if (auto *copy = dyn_cast<MemCpyInst>(&instruction))
        copies.push_back(copy);
    for (MemCpyInst *copy : copies)
      if (AllocaInst *variable = copyOfParameter(*copy);
          variable && (isOnlyRead(*variable, copy) ||
                       cast<ConstantInt>(copy->getLength())->getZExtValue() > maxBytes))
        putParameterInPlace(*variable, *copy);
    for (Argument &parameter : kernel.args())
      if (parameter.hasByValAttr() && isOnlyRead(parameter, nullptr))
        parameter.addAttr(Attribute::ReadOnly);
  });
}

} // namespace tessera::frontend
