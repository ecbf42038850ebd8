// Accesses to single lanes of tiles go through memory; see Prepare.h.
//
// A vector of one lane is a scalar, and a cast that keeps the number of lanes is a cast of
// elements: the translator handles both.
#include "raise/Prepare.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace tessera::raising {

namespace {

unsigned lanesOf(const Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 0;
}

// A local variable of any type, in the entry block.
AllocaInst *variableOf(Type *type, Instruction &at) {
  IRBuilder<> builder(&at.getFunction()->getEntryBlock(),
                      at.getFunction()->getEntryBlock().begin());
  AllocaInst *variable = builder.CreateAlloca(type);
  variable->setDebugLoc(at.getDebugLoc());
  return variable;
}

Value *laneAt(IRBuilder<> &builder, AllocaInst *memory, Type *lane, Value *index) {
  return builder.CreateInBoundsGEP(lane, memory,
                                   builder.CreateZExtOrTrunc(index, builder.getInt64Ty()));
}

void replace(Instruction &old, Value *with) {
  old.replaceAllUsesWith(with);
  old.eraseFromParent();
}

void extract(ExtractElementInst &instruction) {
  Value *vector = instruction.getVectorOperand();
  AllocaInst *memory = variableOf(vector->getType(), instruction);
  IRBuilder<> builder(&instruction);
  builder.CreateStore(vector, memory);
  Type *lane = instruction.getType();
  replace(instruction,
          builder.CreateLoad(lane, laneAt(builder, memory, lane, instruction.getIndexOperand())));
}

// The preceding insertions whose results have no other use, in order.
SmallVector<InsertElementInst *> chainTo(InsertElementInst &last) {
  SmallVector<InsertElementInst *> chain = {&last};
  while (auto *before = dyn_cast<InsertElementInst>(chain.back()->getOperand(0))) {
    if (!before->hasOneUse() || before->getParent() != last.getParent())
      break;
    chain.push_back(before);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

void insert(InsertElementInst &last) {
  SmallVector<InsertElementInst *> chain = chainTo(last);
  Value *start = chain.front()->getOperand(0);
  AllocaInst *memory = variableOf(last.getType(), last);
  IRBuilder<> builder(&last);
  if (!isa<UndefValue>(start))
    builder.CreateStore(start, memory);
  Type *lane = last.getType()->getElementType();
  for (InsertElementInst *one : chain)
    builder.CreateStore(one->getOperand(1), laneAt(builder, memory, lane, one->getOperand(2)));
  replace(last, builder.CreateLoad(last.getType(), memory));
  for (InsertElementInst *one : reverse(ArrayRef(chain).drop_back()))
    one->eraseFromParent();
}

void shuffle(ShuffleVectorInst &instruction) {
  auto *type = cast<FixedVectorType>(instruction.getType());
  Type *lane = type->getElementType();
  unsigned sources = lanesOf(instruction.getOperand(0)->getType());
  AllocaInst *from[2] = {}, *to = variableOf(type, instruction);
  IRBuilder<> builder(&instruction);
  for (unsigned side : {0u, 1u})
    if (Value *source = instruction.getOperand(side); !isa<UndefValue>(source)) {
      from[side] = variableOf(source->getType(), instruction);
      builder.CreateStore(source, from[side]);
    }
  for (auto [i, number] : enumerate(instruction.getShuffleMask())) {
    if (number < 0 || !from[unsigned(number) / sources])
      continue; // undefined
    Value *element =
        builder.CreateLoad(lane, laneAt(builder, from[unsigned(number) / sources], lane,
                                        builder.getInt64(unsigned(number) % sources)));
    builder.CreateStore(element, laneAt(builder, to, lane, builder.getInt64(i)));
  }
  replace(instruction, builder.CreateLoad(type, to));
}

void castBits(BitCastInst &instruction) {
  AllocaInst *memory = variableOf(instruction.getSrcTy(), instruction);
  IRBuilder<> builder(&instruction);
  builder.CreateStore(instruction.getOperand(0), memory);
  replace(instruction, builder.CreateLoad(instruction.getDestTy(), memory));
}

// A selection lane by lane: lanes of the first tile where the mask is true, else those of the
// second.
void blend(SelectInst &instruction) {
  auto *type = cast<FixedVectorType>(instruction.getType());
  Type *lane = type->getElementType();
  auto *mask = cast<Constant>(instruction.getCondition());
  AllocaInst *from = variableOf(type, instruction), *to = variableOf(type, instruction);
  IRBuilder<> builder(&instruction);
  builder.CreateStore(instruction.getTrueValue(), from);
  builder.CreateStore(instruction.getFalseValue(), to);
  for (unsigned i = 0; i < type->getNumElements(); ++i)
    if (mask->getAggregateElement(i)->isOneValue()) {
      Value *element = builder.CreateLoad(lane, laneAt(builder, from, lane, builder.getInt64(i)));
      builder.CreateStore(element, laneAt(builder, to, lane, builder.getInt64(i)));
    }
  replace(instruction, builder.CreateLoad(type, to));
}

// A vector of three lanes is not a tile: a copy from memory to memory goes lane by lane.
void copyLanes(StoreInst &store) {
  auto *load = dyn_cast<LoadInst>(store.getValueOperand());
  unsigned lanes = load ? lanesOf(load->getType()) : 0;
  auto *from = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
  auto *to = dyn_cast<AllocaInst>(store.getPointerOperand());
  if (!from || !to || isPowerOf2_32(lanes))
    return;
  Type *lane = load->getType()->getScalarType();
  IRBuilder<> builder(&store);
  for (unsigned i = 0; i < lanes; ++i) {
    Value *index = builder.getInt64(i);
    Value *element = builder.CreateLoad(lane, laneAt(builder, from, lane, index));
    builder.CreateStore(element, laneAt(builder, to, lane, index));
  }
  store.eraseFromParent();
  if (load->use_empty())
    load->eraseFromParent();
}

bool goesThroughMemory(const Instruction &instruction) {
  if (isa<ShuffleVectorInst>(instruction))
    return true;
  if (auto *extract = dyn_cast<ExtractElementInst>(&instruction))
    return lanesOf(extract->getVectorOperandType()) > 1;
  if (isa<InsertElementInst>(instruction))
    return lanesOf(instruction.getType()) > 1;
  if (auto *select = dyn_cast<SelectInst>(&instruction))
    return select->getCondition()->getType()->isVectorTy() && isa<Constant>(select->getCondition());
  auto *cast = dyn_cast<BitCastInst>(&instruction);
  unsigned from = cast ? lanesOf(cast->getSrcTy()) : 0, to = cast ? lanesOf(cast->getDestTy()) : 0;
  return from != to && std::max(from, to) > 1;
}

} // namespace

void putLanesInMemory(Function &function) {
  SmallVector<Instruction *> found;
  for (Instruction &instruction : instructions(function))
    if (goesThroughMemory(instruction))
      found.push_back(&instruction);
  // Users first, so that a chain of insertions is visited at its end.
  for (const WeakVH &handle : SmallVector<WeakVH>(found.rbegin(), found.rend())) {
    auto *instruction = cast_or_null<Instruction>(static_cast<Value *>(handle));
    if (auto *one = dyn_cast_or_null<ExtractElementInst>(instruction))
      extract(*one);
    else if (auto *one = dyn_cast_or_null<InsertElementInst>(instruction))
      insert(*one);
    else if (auto *one = dyn_cast_or_null<ShuffleVectorInst>(instruction))
      shuffle(*one);
    else if (auto *one = dyn_cast_or_null<SelectInst>(instruction))
      blend(*one);
    else if (auto *one = dyn_cast_or_null<BitCastInst>(instruction))
      castBits(*one);
  }
  if (found.empty())
    return;
  SmallVector<StoreInst *> stores;
  for (Instruction &instruction : instructions(function))
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      stores.push_back(store);
  for (StoreInst *store : stores)
    copyLanes(*store);
}

} // namespace tessera::raising
