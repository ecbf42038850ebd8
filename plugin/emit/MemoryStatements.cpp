// Statements that write memory: of the program, shared, and a thread's own.
#include "emit/KernelPrinter.h"

#include "emit/CTypes.h"
#include "support/Quoted.h"
#include "layout/LinearLayout.h"
#include "plan/analysis/BlockMemory.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Occupancy.h"
#include "tile/Attributes.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::emit {

void KernelPrinter::print(tile::ViewStoreOp o) {
  Type element = tile::elementType(o.getValue().getType());
  std::string target = viewOf(o.getBase(), o.getExtents(), o.getStrides(), element, false);
  std::string value = memoryValue(o.getValue());
  markLocation(o.getLoc());
  if (std::optional<tile::RotationAttr> rotation = o.getRotation())
    return line("store_rotated<" + accessName(o.getAccessAttr()) + ", " +
                llvm::Twine(rotation->getMultiple()) + ">(" + target + ", " + box(o.getStarts()) +
                ", " + use(o.getShift()) + ", " + value + ");");
  std::string access = o.getAccessAttr() ? "<" + accessName(o.getAccessAttr()) + ">" : "";
  line("store" + access + "(" + target + ", " + box(o.getStarts()) + ", " + value + ");");
}

void KernelPrinter::print(tile::StoreOp o) {
  markLocation(o.getLoc());
  std::string target = pointer(o.getPointers(), tile::elementType(o.getValue().getType()));
  const std::string where = plan::isBlockMemoryInShared(o) ? "_in_block" : "";
  if (isTile(o.getPointers()))
    line("store" + where + runName(o.getAccess()) + "(" + target + ", " +
         memoryValue(o.getValue()) + (o.getMask() ? ", " + use(o.getMask()) : "") + ");");
  else
    line((o.getMask() ? "if (" + use(o.getMask()) + ") " : "") + "store_once" + where + "(" +
         target + ", " + memoryValue(o.getValue()) + ");");
}

void KernelPrinter::print(tile::AtomicStoreOp o) {
  markLocation(o.getLoc());
  bool conditional = !isTile(o.getPointers()) && !matchPattern(o.getMask(), m_One());
  line((conditional ? "if (" + use(o.getMask()) + ") " : std::string()) + "atomic_store<order::" +
       stringifyMemoryOrder(o.getOrder()) + ", scope::" + stringifyScope(o.getScope()) + ">(" +
       pointer(o.getPointers(), tile::elementType(o.getValue().getType())) + ", " +
       use(o.getValue()) + (isTile(o.getPointers()) ? ", " + use(o.getMask()) : std::string()) +
       ");");
}

void KernelPrinter::print(LLVM::StoreOp o) {
  markLocation(o.getLoc());
  bool isLocal = o->hasAttr(tile::localAttr);
  std::string target = scalarAddress(o.getAddr(), o.getValue().getType(), isLocal);
  std::string value = memoryValue(o.getValue());
  line(isLocal ? "*" + (isPrimary(target) ? target : "(" + target + ")") + " = " + value + ";"
               : (plan::isBlockMemoryInShared(o) ? "store_once_in_block(" : "store_once(") +
                     target + ", " + value + ");");
}

void KernelPrinter::print(tile::SharedStoreOp o) {
  markLocation(o.getLoc());
  std::string value = use(o.getValue());
  if (o.getCount())
    line("store_shared_first(" + sharedTile(o.getShared()) + ", " + value + ", " +
         use(o.getCount()) + ", " + literal(o.getPaddingAttr()) + ");");
  else if (o.getStarts().empty())
    line("store_shared(" + sharedTile(o.getShared()) + ", " + value + ");");
  else
    line("store_shared_box(" + sharedTile(o.getShared()) + ", " + box(o.getStarts()) + ", " +
         value + ");");
}

void KernelPrinter::print(tile::BulkStoreOp o) {
  Type element = o.getShared().getType().getElementType();
  std::string target = viewOf(o.getBase(), o.getExtents(), o.getStrides(), element, false);
  markLocation(o.getLoc());
  line("store_bulk" + std::string(o.getInOrder() ? "<stores::in_order>(" : "(") +
       sharedTile(o.getShared(), o.getBoxShape()) + ", " + target + ", " + box(o.getStarts()) +
       ", " + text[o.getMap()] + ");");
}

void KernelPrinter::print(tile::StorePartsOp o) {
  Type element = o.getPanels().getType().getElementType();
  std::string target = viewOf(o.getBase(), o.getExtents(), o.getStrides(), element, false),
              part = partAlias(o), value = memoryValue(o.getValue());
  markLocation(o.getLoc());
  line("store_parts<" + part + ", " + llvm::Twine(o.getMask()) + ">(" +
       sharedTile(o.getPanels(), o.getBoxShape()) + ", " + value + ", " + target + ", " +
       box(o.getStarts()) + ", " + text[o.getMap()] + ");");
}

void KernelPrinter::print(tile::FreeBlockMemoryOp o) {
  line("free_block_memory(" + use(o.getAddress()) + ");");
}

void KernelPrinter::print(LLVM::AllocaOp o) {
  std::string name = names.fresh(sourceName(o.getLoc()).value_or("local"));
  int64_t count = plan::constantOf(o.getArraySize()).value_or(1);
  Type element = o.getElemType();
  while (auto array = dyn_cast<LLVM::LLVMArrayType>(element)) {
    count *= array.getNumElements();
    element = array.getElementType();
  }
  uint64_t alignment = o.getAlignment().value_or(1);
  bool isStricter = 8 * alignment > tile::storageBits(element);
  line((isStricter ? "alignas(" + std::to_string(alignment) + ") " : "") +
       Pointee{element}.spelled() + " " + name + "[" + llvm::Twine(count) + "];");
  text[o.getResult()] = name;
}

void KernelPrinter::print(tile::LocalAllocOp o) {
  // All accesses of an array are of one type, which the pass assign-layouts gave them.
  Value tile;
  for (Operation *user : o->getUsers())
    if (!tile || isa<tile::LocalLoadOp>(user))
      tile = isa<tile::LocalLoadOp>(user) ? user->getResult(0)
                                          : cast<tile::LocalStoreOp>(user).getValue();
  text[o.getResult()] = names.fresh(sourceName(o.getLoc()).value_or("tiles"));
  if (tile)
    line((isTile(tile) ? variableType(tile) : elementName(tile.getType())) + " " +
         text[o.getResult()] + "[" + llvm::Twine(o.getCount()) + "];");
}

void KernelPrinter::print(tile::LocalStoreOp o) {
  markLocation(o.getLoc());
  line(use(o.getArray()) + "[" + use(o.getIndex()) + "] = " + use(o.getValue()) + ";");
}

} // namespace tessera::emit
