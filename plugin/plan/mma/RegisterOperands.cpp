// An operand that threads already hold in the layout wgmma takes needs no way through shared
// memory.
//
//   shared_store %x, %s; shared_mma wgmma %s, %b, %c  ->  shared_mma wgmma %x, %b, %c
//
// This is the case where one matmul's result is an operand of the next, like attention's scores:
// what a thread holds of an accumulator of 16x8 elements is, in 16 bits, what it supplies of an
// operand of 16x16; and where an operand of floats is computed from a tile that was read from
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

bool takesFromRegisters(tile::SharedMmaOp multiply, Value operand) {
  Operation *made = operand.getDefiningOp();
  return multiply.getInstruction().readsPanels() && !multiply.getATransposed() &&
         !multiply.getInFlight() && made && made->getBlock() == multiply->getBlock() &&
         feedsWarpgroups(layoutOf(operand), tile::elementType(operand.getType()),
                         layoutOf(multiply.getResult()));
}

struct RegisterOperands : impl::RegisterOperandsBase<RegisterOperands> {
  void runOnOperation() override {
    SmallVector<tile::SharedMmaOp> multiplies;
    getOperation().walk([&](tile::SharedMmaOp op) { multiplies.push_back(op); });
    for (tile::SharedMmaOp multiply : multiplies) {
      tile::SharedStoreOp store = storeOf(multiply);
      if (!store || !takesFromRegisters(multiply, store.getValue()))
        continue;
      auto buffer = multiply.getA().getDefiningOp<tile::SharedAllocOp>();
      multiply.getAMutable().set(store.getValue());
      store.erase();
      buffer.erase();
    }
  }
};

} // namespace
} // namespace tessera::plan
