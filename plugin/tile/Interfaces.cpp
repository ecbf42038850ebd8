// The interfaces of TileInterfaces.td, and the ops that have them.
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::tile {

#include "tile/TileInterfaces.cpp.inc"

// ---- LayoutTransfer ---------------------------------------------------------------------------

namespace {

using Layout = std::optional<LinearLayout>;

} // namespace

Layout ReshapeOp::resultLayout(const LinearLayout &operand) {
  return operand.reshaped(shapeOf(getType()));
}
Layout ReshapeOp::operandLayout(const LinearLayout &result) {
  return result.reshaped(shapeOf(getX().getType()));
}

Layout PermuteOp::resultLayout(const LinearLayout &operand) { return operand.permuted(getMap()); }
Layout PermuteOp::operandLayout(const LinearLayout &result) {
  SmallVector<int64_t> inverse(getMap().size());
  for (auto [i, d] : llvm::enumerate(getMap()))
    inverse[d] = int64_t(i);
  return result.permuted(inverse);
}

Layout BroadcastOp::operandLayout(const LinearLayout &result) {
  return result.broadcastSource(shapeOf(getX().getType()));
}

Layout ReduceOp::resultLayout(const LinearLayout &operand) { return operand.reduced(getDim()); }

// ---- SharedAccess -----------------------------------------------------------------------------

void appendEffects(Operation *op, SmallVectorImpl<AccessOfShared> &accesses) {
  SmallVector<MemoryEffects::EffectInstance> effects;
  cast<MemoryEffectOpInterface>(op).getEffects(effects);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<SharedType>(operand.get().getType()))
      continue;
    bool isAccessed = false, writes = false;
    for (const MemoryEffects::EffectInstance &effect : effects)
      if (effect.getEffectValue<OpOperand *>() == &operand) {
        isAccessed = true;
        writes |= isa<MemoryEffects::Write>(effect.getEffect());
      }
    if (isAccessed)
      accesses.push_back({operand.get(), writes});
  }
}

void BulkStoreOp::getSharedAccesses(SmallVectorImpl<AccessOfShared> &accesses) {
  accesses.push_back({getShared(), false, /*isInFlight=*/true});
}

// It orders its own writes with earlier stores.
void StorePartsOp::getSharedAccesses(SmallVectorImpl<AccessOfShared> &accesses) {
  accesses.push_back({getPanels(), false, /*isInFlight=*/true});
}

void InvalidateBarriersOp::getSharedAccesses(SmallVectorImpl<AccessOfShared> &accesses) {
  accesses.push_back({getBarriers().getDefiningOp<InitBarriersOp>().getBuffer(), true});
}

// The multiply that is in flight until then; what is pending of mma.sync is in registers.
void MmaFinishOp::getSharedAccesses(SmallVectorImpl<AccessOfShared> &accesses) {
  SharedMmaOp multiply = getMultiply();
  if (multiply.getInstruction().isAsync())
    cast<SharedAccess>(multiply.getOperation()).getSharedAccesses(accesses);
}

} // namespace tessera::tile
