// A fixed point: moving one variable to block memory may force another one there; see
// BlockMemory.h.
#include "raise/BlockMemory.h"

#include "raise/LocalTiles.h"
#include "raise/Primitives.h"

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::raising {

namespace {

constexpr int64_t alignmentOfHeap = 16;

class Search {
public:
  Search(const llvm::Function &function, const frontend::TileProgram &program,
         const TileTypes &tileTypes, Variables &found)
      : function(function), program(program), tileTypes(tileTypes), found(found),
        spaces(function, found), tiles(function, tileTypes, found) {}

  void run() {
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      visit(instruction);
  }

private:
  void visit(const llvm::Instruction &instruction) {
    if (auto *variable = dyn_cast<llvm::AllocaInst>(&instruction)) {
      if (const LocalArray *array = tiles.array(*variable); array && !array->count)
        add(*variable);
    } else if (auto *load = dyn_cast<llvm::LoadInst>(&instruction)) {
      visitAccess(*load->getPointerOperand(), load->getType());
    } else if (auto *store = dyn_cast<llvm::StoreInst>(&instruction)) {
      visitAccess(*store->getPointerOperand(), store->getValueOperand()->getType());
      visitWrite(*store->getPointerOperand());
      if (!spaces.mayBeLocal(store->getPointerOperand()))
        addVariablesOf(*store->getValueOperand());
    } else if (auto *copy = dyn_cast<llvm::MemTransferInst>(&instruction)) {
      visitWrite(*copy->getDest());
      // Copies pointers to other variables.
      if (!spaces.mayBeLocal(copy->getDest()) && spaces.mayBeLocal(copy->getSource()) &&
          spaces.holdsLocal())
        addAll();
    } else if (auto *fill = dyn_cast<llvm::MemSetInst>(&instruction)) {
      visitWrite(*fill->getDest());
    } else if (const frontend::Primitive *primitive = calledPrimitive(program, &instruction)) {
      auto &call = cast<llvm::CallInst>(instruction);
      if (isKnown(*primitive) &&
          takesLocalAddress(call, *primitive, spaces, tileTypes.getContext()))
        for (const llvm::Use &argument : call.args())
          addVariablesOf(*argument);
    }
  }

  // Reads or writes a tile at an address outside of every array of tiles.
  void visitAccess(const llvm::Value &pointer, const llvm::Type *accessed) {
    if (accessed->isVectorTy() && !tiles.access(pointer))
      addVariablesOf(pointer);
  }

  // One thread writes to shared memory spaces, each thread to its own.
  void visitWrite(const llvm::Value &pointer) {
    if (spaces.of(&pointer) == (MemorySpaces::Local | MemorySpaces::Global))
      addVariablesOf(pointer);
  }

  void add(const llvm::AllocaInst &variable) {
    if (isa<llvm::ConstantInt>(variable.getArraySize()))
      found.insert(&variable);
  }

  void addAll() {
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *variable = dyn_cast<llvm::AllocaInst>(&instruction))
        add(*variable);
  }

  // The variables that a value may point into.
  void addVariablesOf(const llvm::Value &value) {
    llvm::SetVector<const llvm::Value *> values;
    values.insert(&value);
    for (unsigned i = 0; i < values.size(); ++i) {
      const llvm::Value *next = values[i];
      if (!spaces.mayBeLocal(next))
        continue;
      if (auto *variable = dyn_cast<llvm::AllocaInst>(next))
        add(*variable);
      else if (isa<llvm::LoadInst>(next))
        return addAll(); // loaded from memory: any stored pointer
      else if (auto *instruction = dyn_cast<llvm::Instruction>(next))
        for (const llvm::Use &operand : instruction->operands())
          values.insert(operand.get());
    }
  }

  const llvm::Function &function;
  const frontend::TileProgram &program;
  const TileTypes &tileTypes;
  Variables &found;
  MemorySpaces spaces;
  LocalTiles tiles;
};

} // namespace

BlockMemory::BlockMemory(const llvm::Function &function, const frontend::TileProgram &program,
                         const TileTypes &tileTypes) {
  for (size_t before = ~size_t(0); before != variables_.size();) {
    before = variables_.size();
    Variables found = variables_;
    Search(function, program, tileTypes, found).run();
    variables_ = std::move(found);
  }
  const llvm::DataLayout &layout = function.getParent()->getDataLayout();
  for (const llvm::AllocaInst *variable : variables_) {
    offsets[variable] = bytes_;
    // Search takes no variable whose size is known only at run time.
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access)
    int64_t size = variable->getAllocationSize(layout)->getFixedValue();
    bytes_ += int64_t(llvm::alignTo(uint64_t(std::max<int64_t>(size, 1)), alignmentOfHeap));
  }
}

std::optional<int64_t> BlockMemory::offsetOf(const llvm::AllocaInst &variable) const {
  auto found = offsets.find(&variable);
  return found == offsets.end() ? std::nullopt : std::optional(found->second);
}

bool takesLocalAddress(const llvm::CallInst &call, const frontend::Primitive &primitive,
                       const MemorySpaces &spaces, MLIRContext *context) {
  if (call.getType()->isPointerTy()) // an assumption returns the address unchanged
    return false;
  Type result = resultTile(context, primitive);
  bool makesPointers = result && isa<LLVM::LLVMPointerType>(tile::elementType(result));
  return llvm::any_of(call.args(), [&](const llvm::Use &argument) {
    return (argument->getType()->isPointerTy() || makesPointers) && spaces.mayBeLocal(argument);
  });
}

} // namespace tessera::raising
