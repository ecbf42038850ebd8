// Pointers that walk over local arrays, or are selected within one, become indices; see Prepare.h.
//
// The unit of an index is the element of the alloca's (innermost) array. A pointer qualifies if all
// its sources are such addresses, with the same byte offset into their units, or null, whose index
// is -1. Variables of tiles among which a pointer is selected are first joined into one array.
#include "raise/Prepare.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace tessera::raising {

namespace {

// The element type of an array, or of nested arrays. A class with a single member is that member.
Type *unitOf(Type *type, const DataLayout &layout) {
  while (true) {
    auto *record = dyn_cast<StructType>(type);
    if (auto *array = dyn_cast<ArrayType>(type))
      type = array->getElementType();
    else if (record && record->getNumElements() == 1 &&
             layout.getTypeAllocSize(record) == layout.getTypeAllocSize(record->getElementType(0)))
      type = record->getElementType(0);
    else
      return type;
  }
}

Type *unitOf(const AllocaInst &variable) {
  return unitOf(variable.getAllocatedType(), variable.getDataLayout());
}

class Indexing {
public:
  explicit Indexing(AllocaInst &array)
      : array(array), layout(array.getDataLayout()), unit(unitOf(array)),
        size(layout.getTypeAllocSize(unit)) {}

  // Replaces every phi that walks over the array, every selection within it, and comparisons of
  // addresses in it.
  void run() {
    collect(&array, 0);
    if (!canIndex() || (phis.empty() && choices.empty()))
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
    SmallVector<SelectInst *> chosen = choices.takeVector();
    for (SelectInst *choice : chosen)
      indexOf(choice);
    auto replace = [&](Instruction *address, BasicBlock::iterator insertAt) {
      IRBuilder<> builder(address->getParent(), insertAt);
      Value *start = builder.CreateInBoundsGEP(unit, &array, indices[address]);
      if (int64_t rest = addresses[address])
        start = builder.CreateInBoundsGEP(builder.getInt8Ty(), start, builder.getInt64(rest));
      address->replaceAllUsesWith(start);
    };
    for (PHINode *phi : phis)
      replace(phi, phi->getParent()->getFirstInsertionPt());
    for (SelectInst *choice : chosen)
      replace(choice, std::next(choice->getIterator()));
    for (SelectInst *choice : chosen)
      choice->eraseFromParent();
    for (PHINode *phi : phis)
      phi->eraseFromParent();
  }

private:
  // The offset of an address from another: whole units, and the bytes within one.
  struct Step {
    int64_t units = 0, rest = 0;
    SmallMapVector<Value *, APInt, 4> terms; // multiples of the unit
  };
  std::optional<Step> stepOf(GetElementPtrInst &address, int64_t rest) const {
    Step step;
    APInt constant(64, 0);
    if (!size || !cast<GEPOperator>(address).collectOffset(layout, 64, step.terms, constant) ||
        any_of(step.terms, [&](auto &term) { return term.second.getSExtValue() % size; }))
      return {};
    int64_t bytes = rest + constant.getSExtValue();
    step.rest = (bytes % size + size) % size;
    step.units = (bytes - step.rest) / size;
    return step;
  }

  // Finds all addresses in the array that an index can represent.
  void collect(Value *address, int64_t rest) {
    auto [known, isNew] = addresses.insert({address, rest});
    isUniform &= known->second == rest;
    if (!isNew)
      return;
    for (User *user : address->users()) {
      if (auto *computation = dyn_cast<GetElementPtrInst>(user)) {
        if (auto step = stepOf(*computation, rest))
          collect(user, step->rest);
      } else if (auto *phi = dyn_cast<PHINode>(user)) {
        phis.insert(phi);
        collect(user, rest);
      } else if (auto *choice = dyn_cast<SelectInst>(user)) {
        choices.insert(choice);
        collect(user, rest);
      } else if (auto *compare = dyn_cast<ICmpInst>(user)) {
        compares.insert(compare);
      }
    }
  }

  // Phis, selections and comparisons with addresses elsewhere make it impossible.
  bool canIndex() const {
    auto isWithin = [&](Value *value) {
      return isa<ConstantPointerNull>(value) || addresses.contains(value);
    };
    auto restOf = [&](Value *value) { return addresses.lookup(value); };
    return isUniform &&
           all_of(phis, [&](PHINode *phi) { return all_of(phi->incoming_values(), isWithin); }) &&
           all_of(choices,
                  [&](SelectInst *choice) {
                    return isWithin(choice->getTrueValue()) && isWithin(choice->getFalseValue());
                  }) &&
           all_of(compares, [&](ICmpInst *compare) {
             Value *left = compare->getOperand(0), *right = compare->getOperand(1);
             return isWithin(left) && isWithin(right) &&
                    (isa<ConstantPointerNull>(left) || isa<ConstantPointerNull>(right) ||
                     restOf(left) == restOf(right));
           });
  }

  // The index of an address, computed directly after the address.
  Value *indexOf(Value *address) {
    if (address == &array || isa<ConstantPointerNull>(address))
      return ConstantInt::getSigned(Type::getInt64Ty(array.getContext()),
                                    address == &array ? 0 : -1);
    if (Value *index = indices.lookup(address))
      return index;
    if (auto *choice = dyn_cast<SelectInst>(address)) {
      Value *ifTrue = indexOf(choice->getTrueValue()), *ifFalse = indexOf(choice->getFalseValue());
      IRBuilder<> builder(choice);
      return indices[address] = builder.CreateSelect(choice->getCondition(), ifTrue, ifFalse);
    }
    auto &computation = cast<GetElementPtrInst>(*address);
    Value *start = computation.getPointerOperand(), *base = indexOf(start);
    Step step = stepOf(computation, addresses.lookup(start)).value_or(Step());
    IRBuilder<> builder(computation.getNextNode());
    builder.SetCurrentDebugLocation(computation.getDebugLoc());
    for (auto &[value, scale] : step.terms) {
      Value *term = builder.CreateSExtOrTrunc(value, builder.getInt64Ty());
      base = builder.CreateNSWAdd(
          base, builder.CreateNSWMul(term, builder.getInt64(scale.getSExtValue() / size)));
    }
    if (step.units)
      base = builder.CreateNSWAdd(base, builder.getInt64(step.units));
    return indices[address] = base;
  }

  void compareIndices(ICmpInst &compare) {
    for (Use &operand : compare.operands())
      operand.set(indexOf(operand.get()));
  }

  AllocaInst &array;
  const DataLayout &layout;
  Type *unit;
  int64_t size;
  MapVector<Value *, int64_t> addresses; // with the bytes into the unit
  bool isUniform = true;                 // an address has the same byte offset on every path
  SetVector<PHINode *> phis;
  SetVector<SelectInst *> choices;
  SetVector<ICmpInst *> compares;
  DenseMap<Value *, Value *> indices;
};

bool holdsTiles(Type *type, const DataLayout &layout) {
  if (auto *record = dyn_cast<StructType>(type))
    return any_of(record->elements(),
                  [&](Type *member) { return holdsTiles(unitOf(member, layout), layout); });
  return type->isVectorTy();
}

// The variables that an address may point into, if they can be parts of one array.
SmallVector<AllocaInst *> choicesOf(Value *address) {
  SmallVector<const Value *> objects;
  getUnderlyingObjects(address, objects, nullptr, /*MaxLookup=*/0);
  SmallVector<AllocaInst *> variables;
  for (const Value *object : objects) {
    auto *variable = const_cast<AllocaInst *>(dyn_cast<AllocaInst>(object));
    if (variable && variable->isStaticAlloca() && !variable->isArrayAllocation())
      variables.push_back(variable);
    else if (!isa<ConstantPointerNull>(object))
      return {};
  }
  bool isPossible = !variables.empty() &&
                    holdsTiles(unitOf(*variables.front()), variables.front()->getDataLayout()) &&
                    all_of(variables, [&](AllocaInst *variable) {
                      return unitOf(*variable) == unitOf(*variables.front());
                    });
  return isPossible ? variables : SmallVector<AllocaInst *>();
}

// The number of units of a variable.
int64_t countOf(const AllocaInst &variable) {
  const DataLayout &layout = variable.getDataLayout();
  return int64_t(layout.getTypeAllocSize(variable.getAllocatedType()) /
                 layout.getTypeAllocSize(unitOf(variable)));
}

// Replaces several variables by one array, which has their joint lifetime.
void join(ArrayRef<AllocaInst *> variables) {
  Type *unit = unitOf(*variables.front());
  int64_t count = 0;
  for (AllocaInst *variable : variables)
    count += countOf(*variable);
  Function &function = *variables.front()->getFunction();
  IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().begin());
  AllocaInst *array =
      builder.CreateAlloca(ArrayType::get(unit, count), nullptr, variables.front()->getName());
  array->setDebugLoc(variables.front()->getDebugLoc());
  int64_t first = 0;
  for (AllocaInst *variable : variables) {
    builder.SetInsertPoint(array->getParent(), std::next(array->getIterator()));
    array->setAlignment(std::max(array->getAlign(), variable->getAlign()));
    for (User *user : make_early_inc_range(variable->users()))
      if (auto *lifetime = dyn_cast<LifetimeIntrinsic>(user))
        lifetime->eraseFromParent();
    variable->replaceAllUsesWith(builder.CreateInBoundsGEP(unit, array, builder.getInt64(first)));
    first += countOf(*variable);
    variable->eraseFromParent();
  }
}

// Variables of tiles among which an address is selected.
void joinChosen(Function &function) {
  EquivalenceClasses<AllocaInst *> chosen;
  SetVector<AllocaInst *> found; // in an order independent of addresses
  for (BasicBlock &block : function)
    for (Instruction &instruction : block)
      if (instruction.getType()->isPointerTy() && isa<PHINode, SelectInst>(instruction)) {
        SmallVector<AllocaInst *> variables = choicesOf(&instruction);
        for (AllocaInst *variable : variables) {
          chosen.unionSets(variables.front(), variable);
          found.insert(variable);
        }
      }
  while (!found.empty()) {
    SmallVector<AllocaInst *> variables;
    for (AllocaInst *variable : found)
      if (chosen.isEquivalent(variable, found.front()))
        variables.push_back(variable);
    for (AllocaInst *variable : variables)
      found.remove(variable);
    if (variables.size() > 1 || !variables.front()->getAllocatedType()->isArrayTy())
      join(variables);
  }
}

} // namespace

void indexLocalArrays(Function &function) {
  joinChosen(function);
  SmallVector<AllocaInst *> arrays;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *array = dyn_cast<AllocaInst>(&instruction);
        array && array->getAllocatedType()->isArrayTy())
      arrays.push_back(array);
  for (AllocaInst *array : arrays)
    Indexing(*array).run();
}

} // namespace tessera::raising
