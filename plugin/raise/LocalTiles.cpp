// Finds the allocas that are arrays of tiles; see LocalTiles.h.
#include "raise/LocalTiles.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace mlir;

namespace tessera::raising {

namespace {

// An address as bytes from an alloca.
struct Offset {
  const llvm::AllocaInst *base = nullptr;
  int64_t bytes = 0;
  llvm::SmallMapVector<llvm::Value *, APInt, 4> terms;
};

Offset offsetOf(const llvm::Value *pointer, const llvm::DataLayout &layout) {
  Offset offset;
  APInt bytes(64, 0);
  while (!offset.base) {
    if (auto *gep = dyn_cast<llvm::GEPOperator>(pointer)) {
      if (!gep->collectOffset(layout, 64, offset.terms, bytes))
        return {};
      pointer = gep->getPointerOperand();
    } else if (auto *cast = dyn_cast<llvm::AddrSpaceCastInst>(pointer)) {
      pointer = cast->getOperand(0);
    } else {
      offset.base = dyn_cast<llvm::AllocaInst>(pointer);
      if (!offset.base)
        return {};
    }
  }
  offset.bytes = bytes.getSExtValue();
  return offset;
}

// All accesses to the memory of `pointer`.
void collectUsers(const llvm::Value *pointer, SmallVectorImpl<const llvm::Instruction *> &users) {
  for (const llvm::User *user : pointer->users()) {
    if (isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(user))
      collectUsers(user, users);
    else if (!isa<llvm::LifetimeIntrinsic>(user))
      users.push_back(cast<llvm::Instruction>(user));
  }
}

// The vector that an instruction reads or writes at `pointer`, or null.
const llvm::Value *accessedVector(const llvm::Instruction *user) {
  const llvm::Value *accessed = user;
  if (auto *store = dyn_cast<llvm::StoreInst>(user))
    accessed = store->getValueOperand();
  else if (!isa<llvm::LoadInst>(user))
    return nullptr;
  return accessed->getType()->isVectorTy() ? accessed : nullptr;
}

unsigned lanesOf(const llvm::Value *vector) {
  return llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
}

bool divides(int64_t size, const Offset &offset) {
  return offset.bytes % size == 0 && llvm::all_of(offset.terms, [&](auto &term) {
           return term.second.getSExtValue() % size == 0;
         });
}

} // namespace

LocalTiles::LocalTiles(const llvm::Function &function, const TileTypes &tileTypes,
                       const Variables &blockMemory)
    : layout(function.getParent()->getDataLayout()) {
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block)
      if (auto *alloca = dyn_cast<llvm::AllocaInst>(&instruction);
          alloca && isa<llvm::ConstantInt>(alloca->getArraySize()) && !blockMemory.contains(alloca))
        classify(*alloca, tileTypes);
}

void LocalTiles::classify(const llvm::AllocaInst &alloca, const TileTypes &tileTypes) {
  SmallVector<const llvm::Instruction *> users;
  collectUsers(&alloca, users);
  auto first = llvm::find_if(users, [](auto *user) { return accessedVector(user); });
  if (first == users.end())
    return;
  const llvm::Value *vector = accessedVector(*first);
  int64_t size = layout.getTypeStoreSize(vector->getType());
  LocalArray &array = arrays[&alloca];
  array.tile = tileTypes.of(vector);
  for (const llvm::Instruction *user : users) {
    const llvm::Value *other = accessedVector(user);
    bool fits = other && static_cast<int64_t>(layout.getTypeStoreSize(other->getType())) == size &&
                lanesOf(other) == lanesOf(vector);
    if (fits) {
      Offset offset = offsetOf(llvm::getLoadStorePointerOperand(user), layout);
      fits = offset.base == &alloca && divides(size, offset);
    }
    if (!fits)
      return;
  }
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): variables of constant size are asked alone
  array.count = alloca.getAllocationSize(layout)->getFixedValue() / size;
}

const LocalArray *LocalTiles::array(const llvm::AllocaInst &alloca) const {
  auto found = arrays.find(&alloca);
  return found == arrays.end() ? nullptr : &found->second;
}

std::optional<LocalAccess> LocalTiles::access(const llvm::Value &pointer) const {
  Offset offset = offsetOf(&pointer, layout);
  const LocalArray *found = offset.base ? array(*offset.base) : nullptr;
  if (!found || !found->count)
    return {};
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): an array has a constant size
  int64_t size = offset.base->getAllocationSize(layout)->getFixedValue() / found->count;
  LocalAccess access{offset.base, offset.bytes / size, {}};
  for (auto &[index, scale] : offset.terms)
    access.terms.emplace_back(index, scale.getSExtValue() / size);
  return access;
}

} // namespace tessera::raising
