// Expressions that read memory: of the program, shared, and a thread's own.
#include "emit/KernelPrinter.h"

#include "emit/CTypes.h"
#include "layout/LinearLayout.h"
#include "plan/analysis/BlockMemory.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Occupancy.h"
#include "tile/Attributes.h"
#include "tile/Views.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::emit {

namespace {

std::string orderAndScope(tile::MemoryOrder order, tile::Scope scope) {
  return "order::" + tile::stringifyMemoryOrder(order).str() +
         ", scope::" + tile::stringifyScope(scope).str();
}

std::string atomicName(tile::AtomicKind kind, bool isUnsigned) {
  std::string name = tile::stringifyAtomicKind(kind).str();
  bool ordered = kind == tile::AtomicKind::max || kind == tile::AtomicKind::min;
  return "atomic::" + name + (ordered && isUnsigned ? "_unsigned" : "");
}

} // namespace

std::string KernelPrinter::maskArgument(Value pointers, Value mask) {
  return isTile(pointers) || !matchPattern(mask, m_One()) ? ", " + use(mask) : std::string();
}

std::string KernelPrinter::paddingOf(Value v) {
  std::string text = isPointer(v) ? pointer(v, Pointee{}) : use(v);
  return isPrimary(text) ? text : "(" + text + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::SharedLoadPartOp o) {
  return "load_shared_part<" + std::to_string(o.getMask()) + ", " + std::to_string(o.getValue()) +
         ">(" + sharedTile(o.getShared()) + ", " + use(o.getInto()) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::LoadOp o) {
  std::string from =
      pointer(o.getPointers(), tile::elementType(o.getType()), !isTile(o.getPointers()));
  std::string load = plan::isBlockMemoryInShared(o) ? "load_in_block" : "load";
  if (isTile(o.getPointers())) {
    std::string rest =
        o.getMask() ? ", " + use(o.getMask()) + ", " + paddingOf(o.getPadding()) : std::string();
    load += runName(o.getAccess()) + "(" + from + rest + ")";
  } else {
    load += "(" + from + ")";
    if (o.getMask())
      load = operand(o.getMask()) + " ? " + load + " : " + paddingOf(o.getPadding());
  }
  return loadedResult(o, load);
}

KernelPrinter::Expression KernelPrinter::express(tile::ViewLoadOp o) {
  Type element = tile::elementType(o.getType());
  std::string padding;
  if (auto type = dyn_cast<FloatType>(element); type && o.getPadding() != tile::Padding::zero)
    padding = ", " + literal(tile::numberOf(o.getPadding(), type), /*asUnsigned=*/false);
  std::string from = viewOf(o.getBase(), o.getExtents(), o.getStrides(), element, true);
  std::string name = "load", rotated, shift;
  if (std::optional<tile::RotationAttr> rotation = o.getRotation()) {
    name = "load_rotated";
    rotated = ", " + std::to_string(rotation->getMultiple()) +
              (rotation->getSame() ? "" : ", rotation::other");
    shift = ", " + use(o.getShift());
  }
  return loadedResult(o, name + "<" + layoutOf(o.getResult()) + accessArgument(o.getAccessAttr()) +
                             rotated + ">(" + from + ", " + box(o.getStarts()) + shift + padding +
                             ")");
}

KernelPrinter::Expression KernelPrinter::express(tile::RowShiftOp o) {
  std::string of =
      viewOf(o.getBase(), o.getExtents(), o.getStrides(), o.getElement(), !o.getWritten());
  return "row_shift<" + std::to_string(o.getMultiple()) + ">(" + of + ", " + box(o.getStarts()) +
         (o.getLike() ? ", " + use(o.getLike()) : "") + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::AtomicRmwOp o) {
  const std::string kind = atomicName(o.getKind(), o.getIsUnsigned());
  return (plan::isBlockMemoryInShared(o)
              ? "atomic_in_block<" + kind
              : "atomic_rmw<" + kind + ", " + orderAndScope(o.getOrder(), o.getScope())) +
         ">(" + pointer(o.getPointers(), tile::elementType(o.getValue().getType())) + ", " +
         use(o.getValue()) + maskArgument(o.getPointers(), o.getMask()) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::AtomicCompareExchangeOp o) {
  return "atomic_compare_exchange<" + orderAndScope(o.getOrder(), o.getScope()) + ">(" +
         pointer(o.getPointers(), tile::elementType(o.getDesired().getType())) + ", " +
         use(o.getExpected()) + ", " + use(o.getDesired()) +
         maskArgument(o.getPointers(), o.getMask()) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::AtomicLoadOp o) {
  std::string load = "atomic_load<" + orderAndScope(o.getOrder(), o.getScope()) + ">(" +
                     pointer(o.getPointers(), tile::elementType(o.getType())) +
                     (isTile(o.getPointers()) ? ", " + use(o.getMask()) : "") + ")";
  bool conditional = !isTile(o.getPointers()) && !matchPattern(o.getMask(), m_One());
  if (!conditional)
    return load;
  std::string none = elementName(o.getType());
  return operand(o.getMask()) + " ? " + load + " : " +
         (isa<IntegerType>(o.getType()) ? "(" + none + ")0" : none + "()");
}

KernelPrinter::Expression KernelPrinter::express(tile::SharedLoadOp o) {
  if (o.getStarts().empty())
    return "load_shared<" + layoutOf(o.getResult()) + ">(" + sharedTile(o.getShared()) + ")";
  return "load_shared_box<" + layoutOf(o.getResult()) + ">(" + sharedTile(o.getShared()) + ", " +
         box(o.getStarts()) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::TensorMapExistsOp o) {
  return "has_tensor_map(" + text[o.getMap()] + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::AllowsChunksOp o) {
  return "allows_chunks<" + accessName(o.getAccess()) + ">(" +
         viewOf(o.getBase(), o.getExtents(), o.getStrides(), o.getElement(), true) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::LocalLoadOp o) {
  return operand(o.getArray()) + "[" + use(o.getIndex()) + "]";
}

KernelPrinter::Expression KernelPrinter::express(tile::BlockMemoryOp o) {
  return plan::isBlockMemoryInShared(o) ? "shared_block_memory()"
                                        : "block_memory(" + std::to_string(o.getBytes()) + ")";
}

} // namespace tessera::emit
