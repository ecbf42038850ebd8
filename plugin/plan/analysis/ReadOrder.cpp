#include "plan/analysis/ReadOrder.h"

#include "plan/analysis/DisjointBoxes.h"
#include "plan/analysis/Facts.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tessera::plan {

namespace {

bool isVolatile(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getVolatile_();
  auto store = dyn_cast<LLVM::StoreOp>(op);
  return store && store.getVolatile_();
}

// Of a read and one op, without what is nested in it.
ReadObstacle obstacleOfOne(Operation *read, Operation *op) {
  GlobalEffects effects = globalEffectsOf(op);
  if (effects.orders || isVolatile(op))
    return ReadObstacle::Order;
  if (!effects.writes)
    return ReadObstacle::None;
  Value address = addressOf(op), written = address ? baseOf(address) : Value(),
        source = addressOf(read), base = source ? baseOf(source) : Value();
  if (!mayAlias(written, base))
    return ReadObstacle::None;
  return written && base && written != base ? ReadObstacle::Alias : ReadObstacle::Written;
}

// The worst obstacle of all ops, except stores that `isLeftOut` knows to write other memory.
ReadObstacle worstOf(Operation *read, Operation *around,
                     function_ref<bool(Operation *)> isLeftOut) {
  ReadObstacle worst = ReadObstacle::None;
  around->walk([&](Operation *op) {
    ReadObstacle obstacle = obstacleOfOne(read, op);
    if (obstacle > worst && !(obstacle == ReadObstacle::Written && isLeftOut(op)))
      worst = obstacle;
  });
  return worst;
}

} // namespace

ReadObstacle obstacleOfMove(Operation *read, Operation *op) {
  return worstOf(read, op, [](Operation *) { return false; });
}

ReadObstacle obstacleAhead(Operation *read, scf::ForOp loop) {
  auto load = dyn_cast<tile::ViewLoadOp>(read);
  return worstOf(read, loop, [&](Operation *op) {
    auto store = dyn_cast<tile::ViewStoreOp>(op);
    return load && store && areApartAhead(load, store, loop);
  });
}

bool memoryStaysFrom(Operation *read, Operation *until) {
  if (read->getBlock() != until->getBlock())
    return false;
  for (Operation *between = read->getNextNode(); between != until; between = between->getNextNode())
    if (obstacleOfMove(read, between) != ReadObstacle::None)
      return false;
  return true;
}

} // namespace tessera::plan
