// The members come from the type of a variable that may be selected and that is copied as a whole.
#include "frontend/lower/ChosenCopies.h"
#include "frontend/lower/Gaps.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/CodeGen/Analysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace tessera::frontend {
namespace {

constexpr size_t maxMembers = 64; // of a copy; more would be too much code

struct Member {
  Type *type;
  uint64_t offset;
};

// All bytes of the type, from the first to the last.
SmallVector<Member> membersOf(Type *type, const DataLayout &layout) {
  SmallVector<Type *> types;
  SmallVector<TypeSize> offsets;
  ComputeValueTypes(layout, type, types, &offsets);
  SmallVector<Member> members;
  uint64_t end = 0; // of the members so far
  auto add = [&](Type *part, uint64_t offset) { members.push_back({part, offset}); };
  for (auto [part, offset] : zip_equal(types, offsets)) {
    takeGapApart(type->getContext(), end, offset, add);
    add(part, offset);
    end = offset + layout.getTypeStoreSize(part);
  }
  takeGapApart(type->getContext(), end, layout.getTypeAllocSize(type), add);
  return members;
}

// The type of `size` bytes that is, or is within, `type`; null if there is none.
Type *partOfSize(Type *type, uint64_t size, const DataLayout &layout) {
  if (layout.getTypeAllocSize(type) == size)
    return type;
  if (auto *array = dyn_cast<ArrayType>(type))
    return partOfSize(array->getElementType(), size, layout);
  if (auto *record = dyn_cast<StructType>(type))
    for (Type *element : record->elements())
      if (Type *part = partOfSize(element, size, layout))
        return part;
  return nullptr;
}

// A type of `size` bytes in a variable that `address` may point into; null if none is known. It
// only determines the pieces of the copy: the bits are unchanged.
Type *copiedType(const Value *address, uint64_t size, const DataLayout &layout) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(address, objects);
  for (const Value *object : objects)
    if (auto *variable = dyn_cast<AllocaInst>(object))
      if (Type *type = partOfSize(variable->getAllocatedType(), size, layout))
        return type;
  return nullptr;
}

bool isChosen(const Value *address) {
  return isa<SelectInst, PHINode>(address->stripPointerCasts());
}

bool expand(MemCpyInst &copy) {
  auto *length = dyn_cast<ConstantInt>(copy.getLength());
  if (copy.isVolatile() || !length ||
      !(isChosen(copy.getRawSource()) || isChosen(copy.getRawDest())))
    return false;
  const DataLayout &layout = copy.getDataLayout();
  Type *type = copiedType(copy.getRawSource(), length->getZExtValue(), layout);
  if (!type)
    type = copiedType(copy.getRawDest(), length->getZExtValue(), layout);
  if (!type)
    return false;
  SmallVector<Member> members = membersOf(type, layout);
  if (members.size() > maxMembers ||
      none_of(members, [](const Member &member) { return member.type->isVectorTy(); }))
    return false;
  IRBuilder<> b(&copy);
  auto at = [&](Value *start, const Member &member) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), start, member.offset);
  };
  auto aligned = [](MaybeAlign whole, const Member &member) {
    return commonAlignment(whole.valueOrOne(), member.offset);
  };
  SmallVector<Value *> values; // all loads come first: the variables may be the same
  for (const Member &member : members)
    values.push_back(b.CreateAlignedLoad(member.type, at(copy.getRawSource(), member),
                                         aligned(copy.getSourceAlign(), member)));
  for (auto [member, value] : zip(members, values))
    b.CreateAlignedStore(value, at(copy.getRawDest(), member),
                         aligned(copy.getDestAlign(), member));
  copy.eraseFromParent();
  return true;
}

} // namespace

bool expandChosenCopies(Module &module) {
  bool isChanged = false;
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (auto *copy = dyn_cast<MemCpyInst>(&instruction))
        isChanged |= expand(*copy);
  return isChanged;
}

} // namespace tessera::frontend
