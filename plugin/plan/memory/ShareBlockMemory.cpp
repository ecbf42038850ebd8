// Block memory on the device's heap lies in the L2 cache, and one thread asks for it and frees it:
//
//   %m = tile.block_memory 1024; ... tile.atomic_rmw add %m + %i ...; tile.free_block_memory %m
//   ->  %m = tile.block_memory 1024 {tile.in_shared}; ... tile.atomic_rmw add ... {tile.in_shared}
//
// In shared memory every thread knows its address, and accesses are those of shared memory: each
// says so. For that the address may go nowhere but through additions, shapes and casts of pointers
// into loads, stores and relaxed atomics of the kinds that shared memory has. Elsewhere - where it
// is stored, compared, chosen from others, or carried by a loop - block memory stays on the heap.
#include "plan/memory/ShareBlockMemory.h"

#include "plan/analysis/BlockMemory.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Occupancy.h"
#include "tile/Attributes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tessera::plan {

namespace {

constexpr int64_t byteLimit = 49152; // so that what a kernel exchanges has room, too

// Does shared memory have the operation as one instruction?
bool isOfSharedMemory(tile::AtomicRmwOp op) {
  const Type type = tile::elementType(op.getValue().getType());
  const bool adds = op.getKind() == tile::AtomicKind::add;
  return op.getOrder() == tile::MemoryOrder::relaxed &&
         (type.isInteger(32) || (adds && (type.isInteger(64) || type.isF32())));
}

// What is done with a pointer into block memory: an access of it, another such pointer, or neither.
enum class Use { access, pointer, unknown };

Use useOf(OpOperand &use) {
  Operation *op = use.getOwner();
  // The address, and not a value that is stored, say, as well.
  const bool isAddress =
      addressOf(op) == use.get() && llvm::count(op->getOperands(), use.get()) == 1;
  return llvm::TypeSwitch<Operation *, Use>(op)
      .Case<tile::LoadOp, tile::StoreOp>(
          [&](auto) { return isAddress ? Use::access : Use::unknown; })
      .Case<LLVM::LoadOp, LLVM::StoreOp>([&](auto access) {
        return isAddress && !access.getVolatile_() ? Use::access : Use::unknown;
      })
      .Case([&](tile::AtomicRmwOp atomic) {
        return isAddress && isOfSharedMemory(atomic) ? Use::access : Use::unknown;
      })
      .Case<LLVM::IntToPtrOp, LLVM::GEPOp, tile::OffsetOp, tile::SplatOp, tile::BroadcastOp,
            tile::ReshapeOp, tile::PermuteOp, tile::ConvertLayoutOp>(
          [&](auto) { return use.getOperandNumber() == 0 ? Use::pointer : Use::unknown; })
      .Default([](Operation *) { return Use::unknown; });
}

} // namespace

void shareBlockMemory(func::FuncOp kernel) {
  tile::BlockMemoryOp memory = blockMemoryOf(kernel);
  if (!memory || int64_t(memory.getBytes()) > byteLimit || tileBlocksOf(kernel) > 1)
    return;
  llvm::SetVector<Operation *> accesses;
  llvm::SetVector<Value> pointers;
  SmallVector<Operation *> frees;
  pointers.insert(memory.getResult());
  for (size_t i = 0; i < pointers.size(); ++i)
    for (OpOperand &use : pointers[i].getUses()) {
      if (isa<tile::FreeBlockMemoryOp>(use.getOwner())) {
        frees.push_back(use.getOwner());
        continue;
      }
      switch (useOf(use)) {
      case Use::access: accesses.insert(use.getOwner()); break;
      case Use::pointer: pointers.insert(use.getOwner()->getResult(0)); break;
      case Use::unknown: return;
      }
    }
  for (Operation *access : accesses)
    access->setAttr(tile::inSharedAttr, UnitAttr::get(kernel.getContext()));
  memory->setAttr(tile::inSharedAttr, UnitAttr::get(kernel.getContext()));
  for (Operation *free : frees)
    free->erase();
}

} // namespace tessera::plan
