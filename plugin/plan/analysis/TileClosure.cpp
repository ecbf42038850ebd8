#include "plan/analysis/TileClosure.h"

#include "plan/analysis/Facts.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::plan {

bool TileClosure::follow() {
  for (size_t i = 0; i < tiles.size(); ++i) {
    Value tile = tiles[i];
    auto variable = dyn_cast<BlockArgument>(tile);
    auto loop = variable ? dyn_cast<scf::ForOp>(variable.getOwner()->getParentOp()) : scf::ForOp();
    const bool isMade =
        variable ? loop && addCarried(loop, variable) : followMaker(tile.getDefiningOp(), tile);
    if (!isMade || !llvm::all_of(tile.getUses(), [&](OpOperand &use) { return followUser(use); }))
      return false;
  }
  return true;
}

bool TileClosure::addAll(ValueRange values) {
  return llvm::all_of(
      values, [&](Value value) { return !isa<RankedTensorType>(value.getType()) || add(value); });
}

bool TileClosure::addCarried(scf::ForOp loop, BlockArgument variable) {
  return variable &&
         addAll({variable, loop.getTiedLoopResult(variable), loop.getTiedLoopInit(variable)->get(),
                 loop.getTiedLoopYieldedValue(variable)->get()});
}

bool TileClosure::followMaker(Operation *maker, Value tile) {
  if (isElementwise(maker))
    return addAll(maker->getOperands());
  return llvm::TypeSwitch<Operation *, bool>(maker)
      .Case([&](tile::ViewLoadOp) { return accesses.insert(maker), true; })
      .Case([&](tile::BroadcastOp broadcast) {
        Value rows = broadcast.getX();
        return tile::shapeOf(rows.getType()).back() == 1 || add(rows);
      })
      .Case<tile::ReshapeOp, tile::ConvertLayoutOp>([&](auto same) { return add(same.getX()); })
      .Case([&](scf::ForOp loop) {
        return addCarried(loop, loop.getTiedLoopRegionIterArg(cast<OpResult>(tile)));
      })
      .Default([](Operation *) { return false; });
}

bool TileClosure::followUser(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isElementwise(user))
    return addAll(user->getResults());
  return llvm::TypeSwitch<Operation *, bool>(user)
      .Case([&](tile::ViewStoreOp) { return accesses.insert(user), true; })
      .Case<tile::BroadcastOp, tile::ReshapeOp, tile::ConvertLayoutOp>(
          [&](auto same) { return add(same.getResult()); })
      .Case([&](scf::ForOp loop) { return addCarried(loop, loop.getTiedLoopRegionIterArg(&use)); })
      .Case([&](scf::YieldOp) {
        auto loop = dyn_cast<scf::ForOp>(user->getParentOp());
        return loop && addCarried(loop, loop.getRegionIterArg(use.getOperandNumber()));
      })
      .Default([](Operation *) { return false; });
}

} // namespace tessera::plan
