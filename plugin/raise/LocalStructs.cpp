// Local structs of tiles become one array for each of their members; see Prepare.h.
//
// An address is followed through the type of the variable: a number of bytes, and run-time indices
// each of one array that the bytes lie in. Where that fails (a pointer that is passed on, bytes of
// several members at once) the variable stays as it is.
#include "raise/Prepare.h"
#include "frontend/Gaps.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace tessera::raising {

namespace {

constexpr size_t mostPieces = 64; // of a copy; more becomes too much text

// An array in the variable's type; `start` is its first byte where all outer indices are 0.
struct Dimension {
  int64_t start, count, stride;
  bool operator==(const Dimension &other) const {
    return start == other.start && stride == other.stride;
  }
};

// A member that is a tile or a scalar, or a piece of a gap, and the arrays that it is within, from
// the outermost.
struct Leaf {
  Type *type;
  int64_t offset, size;
  SmallVector<Dimension> dimensions;
  AllocaInst *memory = nullptr;
};

struct Term {
  Value *index;
  Dimension dimension;
};

// The address `bytes` into the variable, moved by the terms.
struct Place {
  int64_t bytes = 0;
  SmallVector<Term> terms;
};

// The leaf at some bytes, the number of its element, and the bytes into that.
struct Spot {
  const Leaf *leaf = nullptr;
  int64_t element = 0, rest = 0;
};

bool holdsTiles(Type *type) {
  if (auto *array = dyn_cast<ArrayType>(type))
    return holdsTiles(array->getElementType());
  if (auto *record = dyn_cast<StructType>(type))
    return any_of(record->elements(), holdsTiles);
  return type->isVectorTy();
}

class Splitting {
public:
  explicit Splitting(AllocaInst &variable) : variable(variable), layout(variable.getDataLayout()) {
    collectLeaves(variable.getAllocatedType(), 0, {});
  }

  // LLVM stores nothing of value to the padding of a struct.
  void eraseUndefinedStores() { eraseUndefinedStores(variable); }

  // Copies from and to the variable become loads and stores of its leaves.
  void expandCopies() {
    SmallVector<std::pair<MemTransferInst *, Place>> copies;
    if (!follow(variable, Place(), [&](Instruction &user, const Place &place) {
          if (auto *copy = dyn_cast<MemTransferInst>(&user))
            copies.emplace_back(copy, place);
          return true;
        }))
      return;
    SmallPtrSet<MemTransferInst *, 4> done; // a copy within the variable is seen twice
    for (auto &[copy, place] : copies)
      if (done.insert(copy).second)
        expand(*copy, place);
  }

  // Replaces the variable; nothing happens where an access does not fit. Adds the memory of leaves
  // that are in no array to `promotable`.
  void run(SmallVectorImpl<AllocaInst *> &promotable) {
    SmallVector<std::pair<Instruction *, Place>> accesses;
    if (!follow(variable, Place(), [&](Instruction &user, const Place &place) {
          accesses.emplace_back(&user, place);
          return isa<LifetimeIntrinsic>(user) || fits(user, place);
        }))
      return;
    for (Leaf &leaf : leaves)
      leaf.memory = allocate(leaf);
    for (auto &[user, place] : accesses)
      if (isa<LifetimeIntrinsic>(user))
        user->eraseFromParent();
      else
        redirect(*user, place);
    eraseAddresses(variable);
    for (Leaf &leaf : leaves)
      if (isAllocaPromotable(leaf.memory))
        promotable.push_back(leaf.memory);
  }

private:
  void collectLeaves(Type *type, int64_t offset, SmallVector<Dimension> dimensions) {
    if (auto *array = dyn_cast<ArrayType>(type)) {
      Type *element = array->getElementType();
      dimensions.push_back({offset, static_cast<int64_t>(array->getNumElements()),
                            static_cast<int64_t>(layout.getTypeAllocSize(element))});
      collectLeaves(element, offset, dimensions);
    } else if (auto *record = dyn_cast<StructType>(type)) {
      const StructLayout &places = *layout.getStructLayout(record);
      int64_t end = offset; // of the elements so far
      auto addLeaf = [&](Type *piece, int64_t start) { collectLeaves(piece, start, dimensions); };
      for (auto [i, element] : enumerate(record->elements())) {
        int64_t start = offset + static_cast<int64_t>(places.getElementOffset(i));
        frontend::takeGapApart(type->getContext(), end, start, addLeaf);
        addLeaf(element, start);
        end = start + static_cast<int64_t>(layout.getTypeStoreSize(element));
      }
      frontend::takeGapApart(type->getContext(), end,
                             offset + static_cast<int64_t>(places.getSizeInBytes()), addLeaf);
    } else {
      leaves.push_back(
          {type, offset, static_cast<int64_t>(layout.getTypeStoreSize(type)), dimensions});
    }
  }

  void eraseUndefinedStores(Instruction &address) {
    for (User *user : make_early_inc_range(address.users())) {
      auto *store = dyn_cast<StoreInst>(user);
      if (auto *computation = dyn_cast<GetElementPtrInst>(user)) {
        eraseUndefinedStores(*computation);
        if (computation->use_empty())
          computation->eraseFromParent();
      } else if (store && isa<UndefValue>(store->getValueOperand()) && store->isSimple()) {
        store->eraseFromParent();
      }
    }
  }

  Spot spotAt(int64_t bytes) const {
    for (const Leaf &leaf : leaves) {
      int64_t rest = bytes, element = 0;
      for (const Dimension &dimension : leaf.dimensions) {
        int64_t index = rest < dimension.start ? -1 : (rest - dimension.start) / dimension.stride;
        if (index < 0 || index >= dimension.count) {
          rest = -1;
          break;
        }
        element = element * dimension.count + index;
        rest -= index * dimension.stride;
      }
      if (rest >= leaf.offset && rest < leaf.offset + leaf.size)
        return {&leaf, element, rest - leaf.offset};
    }
    return {};
  }

  // The spot of a place, if the leaf there lies in every array that the place indexes.
  Spot spotAt(const Place &place) const {
    Spot spot = spotAt(place.bytes);
    if (spot.leaf && all_of(place.terms, [&](const Term &term) {
          return is_contained(spot.leaf->dimensions, term.dimension);
        }))
      return spot;
    return {};
  }

  // Moves a place along an address computation; false where it leaves what is known.
  bool step(GetElementPtrInst &address, Place &place) const {
    if (address.getType()->isVectorTy())
      return false;
    for (auto index = gep_type_begin(address), end = gep_type_end(address); index != end; ++index) {
      Value *number = index.getOperand();
      if (StructType *record = index.getStructTypeOrNull()) {
        place.bytes += layout.getStructLayout(record)->getElementOffset(
            cast<ConstantInt>(number)->getZExtValue());
        continue;
      }
      int64_t stride = index.getSequentialElementStride(layout);
      if (auto *constant = dyn_cast<ConstantInt>(number)) {
        place.bytes += constant->getSExtValue() * stride;
        continue;
      }
      Spot spot = spotAt(place);
      if (!spot.leaf)
        return false;
      auto dimension = find_if(reverse(spot.leaf->dimensions), [&](const Dimension &dimension) {
        return dimension.stride == stride;
      });
      if (dimension == spot.leaf->dimensions.rend())
        return false;
      place.terms.push_back({number, *dimension});
    }
    return spotAt(place).leaf;
  }

  // Visits what uses addresses in the variable otherwise than to compute another one.
  bool follow(Value &address, const Place &place,
              function_ref<bool(Instruction &, const Place &)> visit) const {
    for (User *user : address.users()) {
      auto *computation = dyn_cast<GetElementPtrInst>(user);
      Place next = place;
      if (computation ? !step(*computation, next) || !follow(*computation, next, visit)
                      : !visit(cast<Instruction>(*user), place))
        return false;
    }
    return true;
  }

  // Is a user a load or a store of exactly one leaf?
  bool fits(Instruction &user, const Place &place) const {
    Type *accessed = nullptr;
    if (auto *load = dyn_cast<LoadInst>(&user))
      accessed = load->getType();
    else if (auto *store = dyn_cast<StoreInst>(&user);
             store && getUnderlyingObject(store->getValueOperand(), 0) != &variable)
      accessed = store->getValueOperand()->getType();
    Spot spot = spotAt(place);
    return accessed && spot.leaf && spot.rest == 0 &&
           accessed->isVectorTy() == spot.leaf->type->isVectorTy() &&
           static_cast<int64_t>(layout.getTypeStoreSize(accessed)) == spot.leaf->size;
  }

  AllocaInst *allocate(const Leaf &leaf) {
    int64_t count = 1;
    for (const Dimension &dimension : leaf.dimensions)
      count *= dimension.count;
    Type *type = leaf.dimensions.empty() ? leaf.type : ArrayType::get(leaf.type, count);
    IRBuilder<> builder(&variable);
    return builder.CreateAlloca(type, nullptr, variable.getName());
  }

  void redirect(Instruction &user, const Place &place) {
    Spot spot = spotAt(place);
    IRBuilder<> builder(&user);
    Value *number = builder.getInt64(spot.element);
    int64_t factor = 1; // elements that a step in a dimension skips
    for (const Dimension &dimension : reverse(spot.leaf->dimensions)) {
      for (const Term &term : place.terms)
        if (term.dimension == dimension)
          number = builder.CreateNSWAdd(
              number,
              builder.CreateNSWMul(builder.CreateSExtOrTrunc(term.index, builder.getInt64Ty()),
                                   builder.getInt64(factor)));
      factor *= dimension.count;
    }
    Value *address = spot.leaf->memory;
    if (!spot.leaf->dimensions.empty())
      address = builder.CreateInBoundsGEP(spot.leaf->type, address, number);
    user.setOperand(isa<LoadInst>(user) ? LoadInst::getPointerOperandIndex()
                                        : StoreInst::getPointerOperandIndex(),
                    address);
  }

  void eraseAddresses(Instruction &address) {
    for (User *user : make_early_inc_range(address.users()))
      eraseAddresses(cast<Instruction>(*user));
    address.eraseFromParent();
  }

  void expand(MemTransferInst &copy, const Place &place) {
    auto *length = dyn_cast<ConstantInt>(copy.getLength());
    if (!length || copy.isVolatile())
      return;
    SmallVector<std::pair<int64_t, Type *>> pieces;
    int64_t end = place.bytes + length->getSExtValue();
    for (int64_t at = place.bytes; at < end;) {
      Spot spot = spotAt(at);
      if (!spot.leaf || spot.rest || at + spot.leaf->size > end || pieces.size() == mostPieces)
        return; // not leaf by leaf, or outside of the variable
      pieces.emplace_back(at - place.bytes, spot.leaf->type);
      at += spot.leaf->size;
    }
    IRBuilder<> builder(&copy);
    auto address = [&](Value *base, int64_t bytes) {
      return bytes ? builder.CreateInBoundsGEP(builder.getInt8Ty(), base, builder.getInt64(bytes))
                   : base;
    };
    SmallVector<Value *> loaded; // all loads come first: memmove may overlap
    for (auto [bytes, type] : pieces)
      loaded.push_back(builder.CreateAlignedLoad(type, address(copy.getSource(), bytes), Align(1)));
    for (auto [piece, value] : zip_equal(pieces, loaded))
      builder.CreateAlignedStore(value, address(copy.getDest(), piece.first), Align(1));
    copy.eraseFromParent();
  }

  AllocaInst &variable;
  const DataLayout &layout;
  SmallVector<Leaf, 0> leaves;
};

} // namespace

void splitLocalStructs(Function &function) {
  SmallVector<AllocaInst *> variables, promotable;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && variable->isStaticAlloca() && !variable->isArrayAllocation() &&
        variable->getAllocatedType()->isAggregateType() && holdsTiles(variable->getAllocatedType()))
      variables.push_back(variable);
  for (AllocaInst *variable : variables) {
    Splitting splitting(*variable);
    splitting.eraseUndefinedStores();
    splitting.expandCopies();
  }
  for (AllocaInst *variable : variables)
    Splitting(*variable).run(promotable);
  if (promotable.empty())
    return;
  DominatorTree dominators(function);
  PromoteMemToReg(promotable, dominators);
}

} // namespace tessera::raising
