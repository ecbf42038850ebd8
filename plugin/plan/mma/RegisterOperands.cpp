// An operand that threads already hold in the layout wgmma takes needs no way through shared
// memory.
//
//   shared_store %x, %s; shared_mma wgmma %s, %b, %c  ->  shared_mma wgmma %x, %b, %c
//
// This is the case where one matmul's result is an operand of the next, like attention's scores:
// what a thread holds of an accumulator of 16x8 elements is, in 16 bits, what it supplies of an
// operand of 16x16; in 8 bits, so it is with K in the order of pass permute-k, once a thread's
// registers are renamed; and where an operand of floats is computed from a tile that was read from
// shared memory in the layout wgmma takes. The stores, the fence and the barrier in between go. An
// operand from outside a loop stays in shared memory: there it takes no registers.
#include "plan/analysis/Layouts.h"
#include "plan/Passes.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_REGISTEROPERANDS
#include "plan/Passes.h.inc"

namespace {

LinearLayout layoutOf(Value tile) { return toLinear(cast<RankedTensorType>(tile.getType())); }

// The only store to a tile that only this multiply reads.
tile::SharedStoreOp storeOf(tile::SharedMmaOp multiply) {
  auto buffer = multiply.getA().getDefiningOp<tile::SharedAllocOp>();
  if (!buffer || multiply.getA() == multiply.getB() || llvm::range_size(buffer->getUsers()) != 2)
    return {};
  tile::SharedStoreOp found;
  for (Operation *user : buffer->getUsers())
    if (auto store = dyn_cast<tile::SharedStoreOp>(user); store && store.getStarts().empty())
      found = store;
  return found && found->getBlock() == multiply->getBlock() ? found : tile::SharedStoreOp();
}

// The layout in which the multiply takes the operand from registers, if each thread has its
// elements of that.
std::optional<LinearLayout> layoutInRegisters(tile::SharedMmaOp multiply, Value operand) {
  Operation *made = operand.getDefiningOp();
  if (!multiply.getInstruction().readsPanels() || multiply.getATransposed() ||
      multiply.getInFlight() || !made || made->getBlock() != multiply->getBlock())
    return {};
  const LinearLayout have = layoutOf(operand);
  Type element = tile::elementType(operand.getType());
  std::optional<LinearLayout> wanted =
      warpgroupOperandOf(have.shape(), element, int64_t(1) << have.warps().size());
  const bool fits = wanted && (have == *wanted || have.differsInRegistersOnly(*wanted)) &&
                    feedsWarpgroups(*wanted, element, layoutOf(multiply.getResult()));
  return fits ? wanted : std::nullopt;
}

// The tile with its registers in another order. The numbers that it is converted from are
// reordered, not the bytes, of which a register has four.
Value inOrder(OpBuilder &b, Value tile, const LinearLayout &layout) {
  auto type = withLayout(cast<RankedTensorType>(tile.getType()), layout);
  if (tile.getType() == type)
    return tile;
  Operation *op = tile.getDefiningOp();
  std::optional<LinearLayout> before;
  if (isa_and_present<tile::CastOp>(op))
    before = layout;
  else if (isa_and_present<tile::ReshapeOp, tile::PermuteOp>(op))
    before = cast<tile::LayoutTransfer>(op).operandLayout(layout);
  if (!before || !tile.hasOneUse()) {
    b.setInsertionPointAfterValue(tile);
    return tile::ConvertLayoutOp::create(b, tile.getLoc(), type, tile);
  }
  op->setOperand(0, inOrder(b, op->getOperand(0), *before));
  tile.setType(type);
  return tile;
}

struct RegisterOperands : impl::RegisterOperandsBase<RegisterOperands> {
  void runOnOperation() override {
    SmallVector<tile::SharedMmaOp> multiplies;
    getOperation().walk([&](tile::SharedMmaOp op) { multiplies.push_back(op); });
    for (tile::SharedMmaOp multiply : multiplies) {
      tile::SharedStoreOp store = storeOf(multiply);
      std::optional<LinearLayout> layout =
          store ? layoutInRegisters(multiply, store.getValue()) : std::nullopt;
      if (!layout)
        continue;
      auto buffer = multiply.getA().getDefiningOp<tile::SharedAllocOp>();
      Value operand = store.getValue();
      multiply.getAMutable().set(operand);
      store.erase();
      buffer.erase();
      OpBuilder b(multiply);
      multiply.getAMutable().set(inOrder(b, operand, *layout));
    }
  }
};

} // namespace
} // namespace tessera::plan
