// Pointers that walk over local arrays become indices; see Prepare.h.
//
// The unit of an index is the element of the alloca's (innermost) array. A pointer qualifies if all
// its sources are such addresses at multiples of that unit.
#include "raise/Prepare.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace tessera::raising {

namespace {

class Indexing {
public:
  explicit Indexing(AllocaInst &array)
      : array(array), layout(array.getDataLayout()), unit(array.getAllocatedType()) {
    while (auto *inner = dyn_cast<ArrayType>(unit))
      unit = inner->getElementType();
    size = layout.getTypeAllocSize(unit);
  }

  // Replaces every phi that walks over the array, and comparisons of addresses in it.
  void run() {
    collect(&array);
    if (!canIndex || phis.empty())
      return;
    for (PHINode *phi : phis)
      indices[phi] =
          PHINode::Create(Type::getInt64Ty(array.getContext()), phi->getNumIncomingValues(),
                          phi->getName(), phi->getIterator());
    for (PHINode *phi : phis)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        cast<PHINode>(indices[phi])
            ->addIncoming(indexOf(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
    for (ICmpInst *compare : compares)
      compareIndices(*compare);
    for (PHINode *phi : phis) {
      IRBuilder<> builder(phi->getParent(), phi->getParent()->getFirstInsertionPt());
      phi->replaceAllUsesWith(builder.CreateInBoundsGEP(unit, &array, indices[phi]));
      phi->eraseFromParent();
    }
  }

private:
  // Finds all addresses in the array. Phis and comparisons with addresses elsewhere make it
  // impossible.
  void collect(Value *address) {
    if (!addresses.insert(address))
      return;
    for (User *user : address->users()) {
      if (auto *step = dyn_cast<GetElementPtrInst>(user)) {
        canIndex &= isWholeStep(*step);
        collect(user);
      } else if (auto *phi = dyn_cast<PHINode>(user)) {
        phis.insert(phi);
        collect(user);
      } else if (auto *compare = dyn_cast<ICmpInst>(user)) {
        compares.insert(compare);
      }
    }
    if (address != &array)
      return;
    for (PHINode *phi : phis)
      canIndex &=
          all_of(phi->incoming_values(), [&](Value *value) { return addresses.contains(value); });
    for (ICmpInst *compare : compares)
      canIndex &=
          all_of(compare->operands(), [&](Value *value) { return addresses.contains(value); });
  }

  bool isWholeStep(GetElementPtrInst &step) {
    SmallMapVector<Value *, APInt, 4> terms;
    APInt constant(64, 0);
    return size && cast<GEPOperator>(step).collectOffset(layout, 64, terms, constant) &&
           constant.getSExtValue() % size == 0 &&
           all_of(terms, [&](auto &term) { return term.second.getSExtValue() % size == 0; });
  }

  // The index of an address, computed right after the address.
  Value *indexOf(Value *address) {
    if (address == &array)
      return ConstantInt::get(Type::getInt64Ty(array.getContext()), 0);
    Value *&index = indices[address];
    if (index)
      return index;
    auto *step = cast<GetElementPtrInst>(address);
    Value *base = indexOf(step->getPointerOperand());
    IRBuilder<> builder(step->getNextNode());
    builder.SetCurrentDebugLocation(step->getDebugLoc());
    SmallMapVector<Value *, APInt, 4> terms;
    APInt constant(64, 0);
    cast<GEPOperator>(step)->collectOffset(layout, 64, terms, constant);
    for (auto &[value, scale] : terms) {
      Value *term = builder.CreateSExtOrTrunc(value, builder.getInt64Ty());
      base = builder.CreateNSWAdd(
          base, builder.CreateNSWMul(term, builder.getInt64(scale.getSExtValue() / size)));
    }
    if (!constant.isZero())
      base = builder.CreateNSWAdd(base, builder.getInt64(constant.getSExtValue() / size));
    return indices[address] = base;
  }

  void compareIndices(ICmpInst &compare) {
    for (Use &operand : compare.operands())
      if (addresses.contains(operand.get()))
        operand.set(indexOf(operand.get()));
  }

  AllocaInst &array;
  const DataLayout &layout;
  Type *unit;
  int64_t size = 0;
  bool canIndex = true;
  SetVector<Value *> addresses;
  SetVector<PHINode *> phis;
  SetVector<ICmpInst *> compares;
  DenseMap<Value *, Value *> indices;
};

} // namespace

void indexLocalArrays(Function &function) {
  SmallVector<AllocaInst *> arrays;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *array = dyn_cast<AllocaInst>(&instruction);
        array && array->getAllocatedType()->isArrayTy())
      arrays.push_back(array);
  for (AllocaInst *array : arrays)
    Indexing(*array).run();
}

} // namespace tessera::raising
