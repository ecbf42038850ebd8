// Loads of global memory stand together: what waits for the first is not between it and the next.
//   a = view_load; x = cast a; b = view_load  ->  a = view_load; b = view_load; x = cast a
// Compilers of the emitted text do this by themselves within straight code. But a load whose
// alignment or bounds are asked at run time is a branch, and nothing is moved across it: its memory
// latency would come on top of the first one's.
// Loads move up past pure ops alone, so memory is read in the order and at the time it was.
#include "plan/Facts.h"
#include "plan/Passes.h"

#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_GROUPLOADS
#include "plan/Passes.h.inc"

namespace {

bool isPassed(Operation *op) { return isPure(op) && !op->getNumRegions(); }

// What of `passed` a value needs, definitions first. False if that is more than scalars: what waits
// for a tile is not worth moving.
bool collectNeeded(Value value, const SetVector<Operation *> &passed,
                   SetVector<Operation *> &needed) {
  Operation *op = value.getDefiningOp();
  if (!op || !passed.contains(op))
    return true;
  if (isa<TensorType>(value.getType()))
    return false;
  for (Value operand : op->getOperands())
    if (!collectNeeded(operand, passed, needed))
      return false;
  needed.insert(op);
  return true;
}

struct GroupLoads : impl::GroupLoadsBase<GroupLoads> {
  void runOnOperation() override {
    getOperation().walk([](Block *block) {
      Operation *last = nullptr; // load before, and what may be passed since
      SetVector<Operation *> passed;
      for (Operation &op : llvm::make_early_inc_range(*block)) {
        if (auto load = dyn_cast<tile::ViewLoadOp>(op)) {
          SetVector<Operation *> needed;
          if (last && llvm::all_of(load->getOperands(), [&](Value operand) {
                return collectNeeded(operand, passed, needed);
              })) {
            for (Operation *earlier : needed) {
              earlier->moveAfter(last);
              passed.remove(earlier);
              last = earlier;
            }
            load->moveAfter(last);
          } else {
            passed.clear();
          }
          last = load;
        } else if (isPassed(&op)) {
          passed.insert(&op);
        } else {
          last = nullptr;
          passed.clear();
        }
      }
    });
  }
};

} // namespace
} // namespace tessera::plan
