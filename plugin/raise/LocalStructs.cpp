// Local structs of tiles become one array for each of their members; see Prepare.h.
//
// An address is followed through the variable's type: a byte offset, and run-time indices, each
// into one array that contains the offset. If that fails (an escaping pointer, bytes of several
// members at once), the variable is unchanged.
#include "raise/Prepare.h"
#include "frontend/lower/Gaps.h"

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

constexpr size_t maxPieces = 64; // of a copy; more would be too much code

// An array in the variable's type; `start` is its first byte if all outer indices are 0.
struct Dimension {
  int64_t start, count, stride;
  bool operator==(const Dimension &other) const {
    return start == other.start && stride == other.stride;
  }
};

// A tile or scalar member, or a piece of a gap, and its enclosing arrays, from the outermost.
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

// The address at `bytes` in the variable, plus the terms.
struct Position {
  int64_t bytes = 0;
  SmallVector<Term> terms;
};

// The leaf at some byte offset, its element number, and the bytes into that element.
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

  // LLVM stores only undefined values to the padding of a struct.
  void eraseUndefinedStores() { eraseUndefinedStores(variable); }

  // Copies from and to the variable become loads and stores of its leaves.
  void expandCopies() {
    SmallVector<std::pair<MemTransferInst *, Position>> copies;
    if (!follow(variable, Position(), [&](Instruction &user, const Position &position) {
          if (auto *copy = dyn_cast<MemTransferInst>(&user))
            copies.emplace_back(copy, position);
          return true;
        }))
      return;
    SmallPtrSet<MemTransferInst *, 4> done; // a copy within the variable is visited twice
    for (auto &[copy, position] : copies)
      if (done.insert(copy).second)
        expand(*copy, position);
  }

  // Replaces the variable; does nothing if an access does not fit. Adds the memory of leaves that
  // are in no array to `promotable`.
  void run(SmallVectorImpl<AllocaInst *> &promotable) {
    SmallVector<std::pair<Instruction *, Position>> accesses;
    if (!follow(variable, Position(), [&](Instruction &user, const Position &position) {
          accesses.emplace_back(&user, position);
          return isa<LifetimeIntrinsic>(user) || fits(user, position);
        }))
      return;
    for (Leaf &leaf : leaves)
      leaf.memory = allocate(leaf);
    for (auto &[user, position] : accesses)
      if (isa<LifetimeIntrinsic>(user))
        user->eraseFromParent();
      else
        redirect(*user, position);
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
      const StructLayout &offsets = *layout.getStructLayout(record);
      int64_t end = offset; // of the elements so far
      auto addLeaf = [&](Type *piece, int64_t start) { collectLeaves(piece, start, dimensions); };
      for (auto [i, element] : enumerate(record->elements())) {
        int64_t start = offset + static_cast<int64_t>(offsets.getElementOffset(i));
        frontend::takeGapApart(type->getContext(), end, start, addLeaf);
        addLeaf(element, start);
        end = start + static_cast<int64_t>(layout.getTypeStoreSize(element));
      }
      frontend::takeGapApart(type->getContext(), end,
                             offset + static_cast<int64_t>(offsets.getSizeInBytes()), addLeaf);
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

  // The spot of a position, if every array that the position indexes contains the leaf.
  Spot spotAt(const Position &position) const {
    Spot spot = spotAt(position.bytes);
    if (spot.leaf && all_of(position.terms, [&](const Term &term) {
          return is_contained(spot.leaf->dimensions, term.dimension);
        }))
      return spot;
    return {};
  }

  // Advances a position along an address computation; false if the result is unknown.
  bool step(GetElementPtrInst &address, Position &position) const {
    if (address.getType()->isVectorTy())
      return false;
    for (auto index = gep_type_begin(address), end = gep_type_end(address); index != end; ++index) {
      Value *number = index.getOperand();
      if (StructType *record = index.getStructTypeOrNull()) {
        position.bytes += layout.getStructLayout(record)->getElementOffset(
            cast<ConstantInt>(number)->getZExtValue());
        continue;
      }
      int64_t stride = index.getSequentialElementStride(layout);
      if (auto *constant = dyn_cast<ConstantInt>(number)) {
        position.bytes += constant->getSExtValue() * stride;
        continue;
      }
      Spot spot = spotAt(position);
      if (!spot.leaf)
        return false;
      auto dimension = find_if(reverse(spot.leaf->dimensions), [&](const Dimension &dimension) {
        return dimension.stride == stride;
      });
      if (dimension == spot.leaf->dimensions.rend())
        return false;
      position.terms.push_back({number, *dimension});
    }
    return spotAt(position).leaf;
  }

  // Visits uses of addresses in the variable except address computations.
  bool follow(Value &address, const Position &position,
              function_ref<bool(Instruction &, const Position &)> visit) const {
    for (User *user : address.users()) {
      auto *computation = dyn_cast<GetElementPtrInst>(user);
      Position next = position;
      if (computation ? !step(*computation, next) || !follow(*computation, next, visit)
                      : !visit(cast<Instruction>(*user), position))
        return false;
    }
    return true;
  }

  // Is a user a load or a store of exactly one leaf?
  bool fits(Instruction &user, const Position &position) const {
    Type *accessed = nullptr;
    if (auto *load = dyn_cast<LoadInst>(&user))
      accessed = load->getType();
    else if (auto *store = dyn_cast<StoreInst>(&user);
             store && getUnderlyingObject(store->getValueOperand(), 0) != &variable)
      accessed = store->getValueOperand()->getType();
    Spot spot = spotAt(position);
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

  void redirect(Instruction &user, const Position &position) {
    Spot spot = spotAt(position);
    IRBuilder<> builder(&user);
    Value *number = builder.getInt64(spot.element);
    int64_t factor = 1; // elements that one step in a dimension skips
    for (const Dimension &dimension : reverse(spot.leaf->dimensions)) {
      for (const Term &term : position.terms)
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

  void expand(MemTransferInst &copy, const Position &position) {
    auto *length = dyn_cast<ConstantInt>(copy.getLength());
    if (!length || copy.isVolatile())
      return;
    SmallVector<std::pair<int64_t, Type *>> pieces;
    int64_t end = position.bytes + length->getSExtValue();
    for (int64_t at = position.bytes; at < end;) {
      Spot spot = spotAt(at);
      if (!spot.leaf || spot.rest || at + spot.leaf->size > end || pieces.size() == maxPieces)
        return; // not leaf by leaf, or outside of the variable
      pieces.emplace_back(at - position.bytes, spot.leaf->type);
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
