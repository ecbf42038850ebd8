// Propagates tile types: forward from definitions along phis and selects, then backward from uses;
// see TileTypes.h.
#include "raise/TileTypes.h"

#include "raise/Primitives.h"

#include "llvm/IR/Instructions.h"

using namespace mlir;

namespace tessera::raising {

const frontend::Primitive *calledPrimitive(const frontend::TileProgram &program,
                                           const llvm::Value *value) {
  auto *call = dyn_cast<llvm::CallInst>(value);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee)
    return nullptr;
  auto entry = program.primitives.find(callee->getName());
  return entry == program.primitives.end() ? nullptr : &entry->second;
}

namespace {

// The vectors that an instruction only passes on.
SmallVector<const llvm::Value *> forwarded(const llvm::Instruction &instruction) {
  SmallVector<const llvm::Value *> sources;
  if (auto *phi = dyn_cast<llvm::PHINode>(&instruction))
    sources.assign(phi->value_op_begin(), phi->value_op_end());
  else if (auto *select = dyn_cast<llvm::SelectInst>(&instruction))
    sources = {select->getTrueValue(), select->getFalseValue()};
  else if (auto *freeze = dyn_cast<llvm::FreezeInst>(&instruction))
    sources = {freeze->getOperand(0)};
  return sources;
}

} // namespace

TileTypes::TileTypes(MLIRContext *context, const frontend::TileProgram &program,
                     const llvm::Function &function)
    : context(context) {
  collectPrimitives(program, function);
  while (spread(function, /*backwards=*/false)) {
  }
  for (auto [value, type] : demands)
    types.try_emplace(value, type);
  while (spread(function, /*backwards=*/true) || spread(function, /*backwards=*/false)) {
  }
}

void TileTypes::collectPrimitives(const frontend::TileProgram &program,
                                  const llvm::Function &function) {
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block) {
      const frontend::Primitive *primitive = calledPrimitive(program, &instruction);
      if (!primitive || !isKnown(*primitive))
        continue;
      if (Type type = resultTile(context, *primitive))
        types[&instruction] = type;
      for (auto [i, argument] : llvm::enumerate(cast<llvm::CallInst>(instruction).args()))
        if (Type type = operandTile(context, *primitive, i);
            type && !isa<llvm::Constant>(argument.get()))
          demands.try_emplace(argument.get(), type);
    }
}

bool TileTypes::spread(const llvm::Function &function, bool backwards) {
  bool changed = false;
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block) {
      if (!instruction.getType()->isVectorTy())
        continue;
      for (const llvm::Value *source : forwarded(instruction)) {
        const llvm::Value *from = backwards ? &instruction : source,
                          *to = backwards ? source : &instruction;
        Type type = types.lookup(from);
        if (type && !isa<llvm::Constant>(to))
          changed |= types.try_emplace(to, type).second;
      }
    }
  return changed;
}

Type TileTypes::of(const llvm::Value *vector) const {
  if (Type type = types.lookup(vector))
    return type;
  return plain(context, vector->getType());
}

Type TileTypes::plain(MLIRContext *context, const llvm::Type *vector) {
  auto *type = cast<llvm::FixedVectorType>(vector);
  return RankedTensorType::get({static_cast<int64_t>(type->getNumElements())},
                               scalarType(context, type->getElementType()));
}

} // namespace tessera::raising
